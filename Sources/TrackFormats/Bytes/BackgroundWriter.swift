import Dispatch
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

  /// The largest number of buffers waiting to be written.
  private static let chunks = 2
  /// The number of bytes after which writing to disk is started.
  private static let stretch = 1 << 23

  /// - Parameter offset: the current size of the file, in bytes. Only a multiple of ``ByteBuffer/alignment``
  ///   allows direct writes.
  init(_ file: FileDescriptor, offset: Int = 0) {
    for _ in 0..<BackgroundWriter.chunks { empty.give(Chunk()) }
    DispatchQueue(label: "ghost-convert.writing").async { [full, empty] in
      var fault: TrackError?
      var written = offset
      var begun = 0
      var isDirect = offset % ByteBuffer.alignment == 0 && file.setDirect(true)
      while let chunk = full.take() {
        if fault == nil {
          do throws(TrackError) {
            try file.write(chunk.buffer.bytes, isDirect: &isDirect)
          } catch {
            fault = error
          }
          written += chunk.buffer.count
        }
        if isDirect { begun = written }
        if written - begun >= BackgroundWriter.stretch {
          file.beginSynchronizing(from: begun, count: written - begun)
          begun = written
        }
        chunk.buffer.removeAll()
        chunk.fault = fault
        empty.give(chunk)
      }
    }
  }

  deinit { full.close() }

  /// Queues a buffer for writing and replaces it with one that contains the bytes that were not queued. Waits
  /// while too many buffers are queued.
  ///
  /// - Parameter isLast: whether all bytes are queued, instead of whole blocks.
  /// - Returns: the number of queued bytes.
  func write(_ buffer: inout ByteBuffer, isLast: Bool) throws(TrackError) -> Int {
    let chunk = try next()
    let count = isLast ? buffer.count : buffer.count / ByteBuffer.alignment * ByteBuffer.alignment
    chunk.buffer.append(contentsOf: buffer.bytes.extracting(count..<buffer.count))
    buffer.truncate(to: count)
    swap(&chunk.buffer, &buffer)
    full.give(chunk)
    return count
  }

  /// Waits until everything has been written.
  func settle() throws(TrackError) {
    var idle: [Chunk] = []
    defer { for chunk in idle { empty.give(chunk) } }
    while idle.count < BackgroundWriter.chunks { idle.append(try next()) }
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
