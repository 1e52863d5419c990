import Synchronization

/// How far reading has come: counted where bytes are read, looked at from anywhere.
public final class ByteProgress: Sendable {
  private let count = Atomic(0)

  public init() {}

  /// Bytes read so far, over all inputs that were given this counter.
  public var bytesRead: Int { count.load(ordering: .relaxed) }

  func add(_ bytes: Int) { count.add(bytes, ordering: .relaxed) }
}
