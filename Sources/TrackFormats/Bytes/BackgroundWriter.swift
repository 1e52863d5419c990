import Dispatch
import TrackModel

/// Writes bytes to a file on a thread of its own, so that the next ones can be made in the meantime: a system
/// call that copies them takes about as long as formatting them.
///
/// Bytes go out in the order in which they are given. After a failure every later call throws the same error.
final class BackgroundWriter {
  /// A buffer on its way, which belongs to one thread at a time.
  private final class Chunk: @unchecked Sendable {
    var buffer = ByteBuffer()
    var fault: TrackError?
  }

  private let full = HandOver<Chunk>()
  private let empty = HandOver<Chunk>()

  /// How many buffers are on their way at most.
  private static let chunks = 2
  /// After how many bytes the disk is told to begin.
  private static let stretch = 1 << 23

  /// - Parameter offset: how many bytes the file has.
  init(_ file: FileDescriptor, offset: Int = 0) {
    for _ in 0..<BackgroundWriter.chunks { empty.give(Chunk()) }
    DispatchQueue(label: "ghost-convert.writing").async { [full, empty] in
      var fault: TrackError?
      var written = offset
      var begun = 0
      while let chunk = full.take() {
        if fault == nil {
          do throws(TrackError) { try file.write(chunk.buffer.bytes) } catch { fault = error }
          written += chunk.buffer.count
        }
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

  /// Sends a buffer on its way and leaves an empty one in its place; waits while too many are under way.
  func write(_ buffer: inout ByteBuffer) throws(TrackError) {
    let chunk = try next()
    swap(&chunk.buffer, &buffer)
    full.give(chunk)
  }

  /// Waits until everything was written.
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
