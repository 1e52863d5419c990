import TrackFormats
import TrackModel

/// An xz file (The .xz File Format 1.2.1) whose blocks do not need more than a limited dictionary.
///
/// libarchive allows dictionaries of 1 GiB. The positions of blocks are unknown before they are decompressed,
/// so their headers are searched: they start at a multiple of 4 bytes and have a checksum.
final class XZStream: ByteStream {
  private var input: ByteInput
  private let dictionarySize: Int
  /// The number of available bytes that were searched and can be read.
  private var searched = 0

  /// - Parameter dictionarySize: the largest dictionary in bytes.
  init(_ input: consuming ByteInput, dictionarySize: Int) {
    self.input = input
    self.dictionarySize = dictionarySize
  }

  static let signature: [UInt8] = [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0]
  private static let longestHeader = 1024

  /// Reads bytes of the file.
  ///
  /// - Throws: ``TrackError/Code/limitExceeded`` before a block with a larger dictionary.
  @unsafe
  func read(to start: UnsafeMutablePointer<UInt8>, count: Int) throws(TrackError) -> Int {
    if searched == 0 {
      try input.fill(atLeast: 2 * XZStream.longestHeader)
      let available = input.available.count
      // The rest may be the start of a header.
      let end = available > XZStream.longestHeader ? (available - XZStream.longestHeader) & ~3 : available
      for position in stride(from: 0, to: end, by: 4)
      where XZStream.dictionarySize(input.available, at: position) > dictionarySize {
        throw ArchiveBudget.tooMuchMemory(dictionarySize)
      }
      searched = end
    }
    let length = min(count, searched)
    guard length > 0 else { return 0 }
    searched -= length
    return try unsafe input.read(to: start, count: length)
  }

  /// The dictionary of a block header (3.1) in bytes at an offset, or 0 without one.
  private static func dictionarySize(_ bytes: Span<UInt8>, at start: Int) -> Int {
    guard start + 8 <= bytes.count, bytes[start] != 0, bytes[start + 1] & 0x3C == 0 else { return 0 }
    let flags = bytes[start + 1]
    let end = start + Int(bytes[start]) * 4
    guard end + 4 <= bytes.count else { return 0 }
    let header = bytes.extracting(start..<end)
    var position = 2
    // The packed and the unpacked size.
    for flag: UInt8 in [0x40, 0x80] where flags & flag != 0 {
      guard number(header, &position) != nil else { return 0 }
    }
    for _ in 0...(flags & 3) {
      guard let filter = number(header, &position), let length = number(header, &position),
        length <= header.count - position
      else { return 0 }
      if filter == 0x21, length == 1 {
        let sum = (0..<4).reduce(UInt(0)) { $0 | UInt(bytes[end + $1]) << (8 * UInt($1)) }
        return GzipStream.checksum(of: header) == sum ? dictionarySize(header[position]) : 0
      }
      position += length
    }
    return 0
  }

  /// Reads an integer with seven bits per byte (1.2).
  private static func number(_ bytes: Span<UInt8>, _ position: inout Int) -> Int? {
    var value = 0
    for shift in stride(from: 0, to: 63, by: 7) where position < bytes.count {
      let byte = Int(bytes[position])
      position += 1
      value |= (byte & 0x7F) << shift
      if byte & 0x80 == 0 { return value }
    }
    return nil
  }

  /// The size of the dictionary of LZMA2 for its property (5.3.1).
  private static func dictionarySize(_ property: UInt8) -> Int {
    (2 | Int(property & 1)) << (Int(min(property, 40)) / 2 + 11)
  }
}
