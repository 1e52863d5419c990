/// The checksum of FIT headers and files: CRC-16 with the reflected polynomial 0xA001 and the initial value
/// 0.
///
/// The checksum of bytes followed by their own checksum is 0.
struct FITChecksum {
  private(set) var value: UInt16 = 0

  /// Eight tables: the checksum of each byte followed by 0 to 7 zero bytes, to process eight bytes at a time.
  private static let table: [UInt16] = {
    var table: [UInt16] = []
    for byte in 0..<UInt16(256) {
      var value = byte
      for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xA001 }
      table.append(value)
    }
    for index in 256..<2048 {
      let before = table[index - 256]
      table.append(before >> 8 ^ table[Int(before & 0xFF)])
    }
    return table
  }()

  mutating func add(_ bytes: Span<UInt8>) {
    let table = FITChecksum.table.span
    var value = value
    var index = 0
    precondition(table.count == 2048, "eight tables")
    while index <= bytes.count &- 8 {
      var word = FITBaseType.bits(bytes, at: index, size: 8, isBigEndian: false) ^ UInt64(value)
      value = 0
      for place in 0..<8 {
        value ^= unsafe table[unchecked: (7 &- place) << 8 | Int(word & 0xFF)]
        word >>= 8
      }
      index &+= 8
    }
    while index < bytes.count {
      value = value >> 8 ^ table[Int(UInt8(truncatingIfNeeded: value) ^ bytes[index])]
      index += 1
    }
    self.value = value
  }

  /// Updates the checksum with `count` zero bytes.
  mutating func addZeros(_ count: Int) {
    let table = FITChecksum.table.span
    for _ in 0..<max(count, 0) where value != 0 { value = value >> 8 ^ table[Int(value & 0xFF)] }
  }

  /// Returns the checksum of bytes.
  static func of(_ bytes: Span<UInt8>) -> UInt16 {
    var checksum = FITChecksum()
    checksum.add(bytes)
    return checksum.value
  }
}
