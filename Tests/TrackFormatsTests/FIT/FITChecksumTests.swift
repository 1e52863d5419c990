import Testing

@testable import TrackFormats

@Suite("FIT checksum")
struct FITChecksumTests {
  /// The checksum computed bit by bit, following the definition of a reflected CRC-16 with the polynomial
  /// 0xA001.
  private static func bitByBit(_ bytes: [UInt8]) -> UInt16 {
    var value: UInt16 = 0
    for byte in bytes {
      value ^= UInt16(byte)
      for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xA001 }
    }
    return value
  }

  // The check value of CRC-16/ARC in the catalogue of parametrised CRC algorithms.
  @Test("The checksum of the digits 1 to 9 matches the catalogue's check value")
  func catalogue() { #expect(FITChecksum.of(Array("123456789".utf8).span) == 0xBB3D) }

  @Test("Data of any length, split anywhere, has the checksum that the definition gives", arguments: 0..<40)
  func lengths(count: Int) {
    let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 89 &+ 7 ^ $0 >> 2) }
    let expected = Self.bitByBit(bytes)
    #expect(FITChecksum.of(bytes.span) == expected)
    for cut in 0...count {
      var checksum = FITChecksum()
      checksum.add(bytes.span.extracting(0..<cut))
      checksum.add(bytes.span.extracting(cut..<count))
      #expect(checksum.value == expected, "cut at \(cut)")
    }
  }
}
