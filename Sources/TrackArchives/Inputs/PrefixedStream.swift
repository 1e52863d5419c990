import TrackFormats
import TrackModel

/// An input after bytes that precede it.
final class PrefixedStream: ByteStream {
  private var prefix: ArraySlice<UInt8>
  private var input: ByteInput

  init(_ prefix: [UInt8], _ input: consuming ByteInput) {
    self.prefix = prefix[...]
    self.input = input
  }

  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    guard !prefix.isEmpty else { return try unsafe input.read(to: start, count: count) }
    let part = prefix.prefix(count)
    for (index, byte) in part.enumerated() { unsafe start[index] = byte }
    prefix = prefix.dropFirst(part.count)
    return part.count
  }
}
