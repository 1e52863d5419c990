/// The sentences of NMEA 0183 in a film.
enum MP4Sentences {
  /// Returns sentences without their checksums if no checksum is correct: some cameras change sentences after
  /// the receiver computed them.
  static func readable(_ text: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    var start: Int?
    var checksum: UInt8 = 0
    var isSkipping = false
    for (index, byte) in text.enumerated() {
      switch byte {
      case UInt8(ascii: "$"):
        start = index
        checksum = 0
        isSkipping = false
      case UInt8(ascii: "*") where start != nil:
        let digits = text[(index + 1)...].prefix(2)
        if UInt8(String(decoding: digits, as: UTF8.self), radix: 16) == checksum { return text }
        start = nil
        isSkipping = true
        result.append(0x0A)
      case 0x0A, 0x0D:
        start = nil
        isSkipping = false
      default: checksum ^= byte
      }
      if !isSkipping { result.append(byte) }
    }
    return result
  }
}
