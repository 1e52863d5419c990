import Synchronization

/// The progress of reading, updated where bytes are read and accessible from any thread.
public final class ByteProgress: Sendable {
  private let count = Atomic(0)

  /// Creates a counter at 0.
  public init() {}

  /// The number of bytes read so far, over all inputs that use this counter.
  public var bytesRead: Int { count.load(ordering: .relaxed) }

  func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }
}
