import TrackModel

/// The header of a FIT file: 12 bytes, or 14 with a checksum of its own.
struct FITHeader {
  /// The number of bytes of the header.
  let size: Int
  /// How many bytes of messages follow, without the checksum of the file.
  let dataSize: Int
  /// Whether the header's own checksum, where it has one, is another than that of its bytes.
  let hasWrongChecksum: Bool

  /// The size with a checksum, which is the one to write.
  static let fullSize = 14
  private static let shortSize = 12
  private static let signature = Array(".FIT".utf8)

  /// Whether the signature stands where headers have it.
  static func hasSignature(_ bytes: Span<UInt8>) -> Bool {
    guard bytes.count >= shortSize else { return false }
    for (index, byte) in signature.enumerated() where bytes[8 + index] != byte { return false }
    return true
  }

  /// Reads a header; nil for bytes that are none, or not all of one.
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

  /// By what the checksum of a file changes where its header says how much follows instead of zero: checksums
  /// begun with 0 are linear. Takes time for each byte of the file.
  static func checksumChange(dataSize: UInt32, headerSize: Int) -> UInt16 {
    let size = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: dataSize >> $0) }
    var change = FITChecksum()
    change.add(size.span)
    change.addZeros(headerSize - 8 + Int(dataSize))
    return change.value
  }

  /// The header of a file with so many bytes of messages.
  ///
  /// Version 2 of the protocol, which has developer fields and 64-bit numbers, is not asked for: older
  /// devices refuse it, and nothing that is written needs it.
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
