import Dispatch
import Synchronization
import TrackModel

/// Writes bytes to a file on a separate thread while the caller produces the next ones. The system call that
/// copies them takes about as long as formatting them.
///
/// Bytes are written in the order in which they were passed. After a failure every later call throws the
/// same error.
final class BackgroundWriter {
  /// A buffer to be written. Only one thread at a time accesses it.
  private final class Chunk: @unchecked Sendable {
    // Large enough for most batches of points, because growing would leave unused memory.
    var buffer = ByteBuffer(capacity: 1 << 19)
    var fault: TrackError?
  }

  private let full = BlockingQueue<Chunk>()
  private let empty = BlockingQueue<Chunk>()
  private let early: EarlySynchronization?
  private let file: FileDescriptor

  /// The largest number of buffers waiting to be written.
  private static let chunks = 2

  /// - Parameter synchronizes: whether the bytes are also brought to the disk while the next ones are
  ///   produced, for a file that is synchronized at its end.
  init(_ file: FileDescriptor, synchronizes: Bool) {
    self.file = file
    early = synchronizes ? EarlySynchronization(file) : nil
    for _ in 0..<BackgroundWriter.chunks { empty.give(Chunk()) }
    DispatchQueue(label: "ghost-convert.writing").async { [full, empty, early] in
      var fault: TrackError?
      var reserve = SpaceReserve(file)
      while let chunk = full.take() {
        if fault == nil {
          do throws(TrackError) {
            reserve.prepare(for: chunk.buffer.count)
            try file.write(chunk.buffer.bytes)
            try early?.add(chunk.buffer.count)
          } catch {
            fault = error
          }
        }
        chunk.buffer.removeAll()
        chunk.fault = fault
        empty.give(chunk)
      }
    }
  }

  deinit { full.close() }

  /// Queues a buffer for writing and replaces it with an empty one. Waits while too many buffers are queued.
  func write(_ buffer: inout ByteBuffer) throws(TrackError) {
    let chunk = try next()
    swap(&chunk.buffer, &buffer)
    full.give(chunk)
  }

  /// Waits until everything has been written.
  func settle() throws(TrackError) {
    var idle: [Chunk] = []
    defer { for chunk in idle { empty.give(chunk) } }
    while idle.count < BackgroundWriter.chunks { idle.append(try next()) }
    try early?.settle()
    file.releaseReserve()
  }

  private func next() throws(TrackError) -> Chunk {
    guard let chunk = empty.take() else { throw TrackError(.unwritable, "the output is closed") }
    if let fault = chunk.fault {
      empty.give(chunk)
      throw fault
    }
    return chunk
  }
}

/// Reserves space for a growing file, in steps of the file's size.
private struct SpaceReserve {
  private let file: FileDescriptor
  /// The position of the next write, and the end of the reserved space; nil if reserving failed.
  private var position: Int
  private var end: Int?

  /// The smallest and the largest step in bytes.
  private static let steps = 1 << 21...1 << 25

  init(_ file: FileDescriptor) {
    self.file = file
    position = file.position ?? 0
    end = file.kind == .regular ? position : nil
  }

  /// Reserves more space if the next `count` bytes need it.
  mutating func prepare(for count: Int) {
    defer { position += count }
    guard let end, position + count > end else { return }
    let step = max(count, min(max(position, SpaceReserve.steps.lowerBound), SpaceReserve.steps.upperBound))
    self.end = file.reserve(step, at: position) ? position + step : nil
  }
}

/// Brings the bytes of a file to the disk while more are written, so that little is left to wait for at the
/// end. A disk takes about as long to store a file as the program to produce it.
private final class EarlySynchronization: Sendable {
  private let file: FileDescriptor
  private let queue = DispatchQueue(label: "ghost-convert.synchronizing")
  private let waiting = Atomic(0)
  private let isRunning = Atomic(false)
  private let fault = Mutex<TrackError?>(nil)

  /// The number of new bytes that justifies a system call.
  private static let stretch = 1 << 20

  init(_ file: FileDescriptor) { self.file = file }

  /// Starts synchronizing, unless it is going on or little has been written since.
  ///
  /// The system reports a failure once only, so it is thrown here or in ``settle()``.
  func add(_ count: Int) throws(TrackError) {
    guard waiting.add(count, ordering: .relaxed).newValue >= EarlySynchronization.stretch,
      !isRunning.exchange(true, ordering: .acquiring)
    else { return }
    waiting.store(0, ordering: .relaxed)
    try rethrow()
    queue.async { [self] in
      do throws(TrackError) { try file.synchronize() } catch { fault.withLock { $0 = error } }
      isRunning.store(false, ordering: .releasing)
    }
  }

  /// Waits for the call that is going on.
  func settle() throws(TrackError) {
    queue.sync {}
    try rethrow()
  }

  private func rethrow() throws(TrackError) { if let fault = fault.withLock({ $0 }) { throw fault } }
}
