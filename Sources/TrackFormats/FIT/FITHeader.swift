import TrackModel

/// The header of a FIT file: 12 bytes, or 14 with a header checksum.
struct FITHeader {
  /// The size of the header in bytes.
  let size: Int
  /// The number of message bytes that follow, without the file's checksum.
  let dataSize: Int
  /// Whether the header has a checksum that does not match.
  let hasWrongChecksum: Bool

  /// The size of a header with a checksum, which is written.
  static let fullSize = 14
  private static let shortSize = 12
  private static let signature = Array(".FIT".utf8)

  /// Whether the bytes contain the signature.
  static func hasSignature(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= shortSize else { return false }
    for (index, byte) in signature.enumerated() where bytes[8 + index] != byte { return false }
    return true
  }

  /// Parses a header. Returns `nil` if the bytes are not a complete header.
  init?(_ bytes: Span<UInt8>) {
    guard FITHeader.hasSignature(bytes) else { return nil }
    size = Int(bytes[0])
    guard size == FITHeader.shortSize || size == FITHeader.fullSize, bytes.count >= size else { return nil }
    dataSize = (0..<4).reduce(0) { $0 | Int(bytes[4 + $1]) << (8 * $1) }
    guard size == FITHeader.fullSize else {
      hasWrongChecksum = false
      return
    }
    let checksum = UInt16(bytes[12]) | UInt16(bytes[13]) << 8
    hasWrongChecksum = checksum != 0 && checksum != FITChecksum.of(bytes.extracting(0..<12))
  }

  /// Returns the change of a file's checksum if the data size in the header is set instead of zero. Checksums
  /// with the initial value 0 are linear.
  ///
  /// - Complexity: O(*n*) in the size of the file.
  static func checksumChange(dataSize: UInt32, headerSize: Int) -> UInt16 {
    let size = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: dataSize >> $0) }
    var change = FITChecksum()
    change.add(size.span)
    change.addZeros(headerSize - 8 + Int(dataSize))
    return change.value
  }

  /// Returns the header of a file with `count` bytes of messages.
  ///
  /// It declares version 1 of the protocol. Version 2 adds developer fields and 64-bit numbers, which are not
  /// written, and older devices reject it.
  static func bytes(dataSize: UInt32) -> [UInt8] {
    let protocolVersion: UInt8 = 0x10
    let profileVersion: UInt16 = 21_205
    var bytes: [UInt8] = [UInt8(fullSize), protocolVersion]
    bytes += [UInt8(truncatingIfNeeded: profileVersion), UInt8(truncatingIfNeeded: profileVersion >> 8)]
    for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: dataSize >> shift)) }
    bytes += signature
    let checksum = FITChecksum.of(bytes.span)
    return bytes + [UInt8(truncatingIfNeeded: checksum), UInt8(truncatingIfNeeded: checksum >> 8)]
  }
}
