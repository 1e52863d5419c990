/// The checksum of FIT headers and files: CRC-16 with the reflected polynomial 0xA001, begun with 0.
///
/// Taken over bytes and the checksum that follows them it is 0.
struct FITChecksum {
  private(set) var value: UInt16 = 0

  private static let table: [UInt16] = (0..<256).map { index in
    (0..<8).reduce(UInt16(index)) { value, _ in value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xA001 }
  }

  mutating func add(_ bytes: Span<UInt8>) {
    let table = FITChecksum.table
    var value = value
    for index in bytes.indices {
      value = value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ bytes[index])]
    }
    self.value = value
  }

  /// The checksum of some bytes.
  static func of(_ bytes: Span<UInt8>) -> UInt16 {
    var checksum = FITChecksum()
    checksum.add(bytes)
    return checksum.value
  }
}
