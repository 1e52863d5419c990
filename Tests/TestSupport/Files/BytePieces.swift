import TrackFormats
package import TrackModel

/// Bytes delivered once and in pieces, as from a pipe.
package final class BytePieces: ByteStream {
  private let bytes: [UInt8]
  private let chunk: Int
  private var next = 0
  package var failsAt = Int.max

  package init(_ bytes: [UInt8], chunk: Int) {
    self.bytes = bytes
    self.chunk = chunk
  }

  @unsafe
  package func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    guard next < failsAt else { throw TrackError(.unreadable, "the disk is gone") }
    let count = min(count, chunk, bytes.count - next)
    for index in 0..<count { unsafe start[index] = bytes[next + index] }
    next += count
    return count
  }
}
