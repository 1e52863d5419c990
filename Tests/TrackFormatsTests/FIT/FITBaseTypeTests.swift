import Testing

@testable import TrackFormats

@Suite("FIT base types")
struct FITBaseTypeTests {
  /// The type as written in a definition message, its size, and the bytes of its invalid value.
  static let all: [(definition: UInt8, size: Int, invalid: UInt64)] = [
    (0x00, 1, 0xFF), (0x01, 1, 0x7F), (0x02, 1, 0xFF), (0x83, 2, 0x7FFF), (0x84, 2, 0xFFFF),
    (0x85, 4, 0x7FFF_FFFF), (0x86, 4, 0xFFFF_FFFF), (0x88, 4, 0xFFFF_FFFF),
    (0x89, 8, 0xFFFF_FFFF_FFFF_FFFF), (0x0A, 1, 0), (0x8B, 2, 0), (0x8C, 4, 0), (0x0D, 1, 0xFF),
    (0x8E, 8, 0x7FFF_FFFF_FFFF_FFFF), (0x8F, 8, 0xFFFF_FFFF_FFFF_FFFF), (0x90, 8, 0),
  ]

  @Test("A type has its size, its definition byte and its invalid value", arguments: all)
  func types(_ expected: (definition: UInt8, size: Int, invalid: UInt64)) throws {
    let type = try #require(FITBaseType(definition: expected.definition))
    #expect(type.size == expected.size)
    #expect(type.definition == expected.definition)
    #expect(type.number(expected.invalid).isNaN)
    // The value 1 is valid in all integer types.
    if type != .float32, type != .float64 { #expect(type.number(1) == 1) }
    // The bit for the byte order does not change the type.
    #expect(FITBaseType(definition: expected.definition & 0x1F) == type)
  }

  @Test("Negative numbers and fractions are decoded unchanged")
  func values() {
    #expect(FITBaseType.sint8.number(0xFE) == -2)
    #expect(FITBaseType.sint16.number(0xFF9C) == -100)
    #expect(FITBaseType.sint32.number(0x8000_0000) == -2_147_483_648)
    #expect(FITBaseType.sint64.number(UInt64(bitPattern: -5)) == -5)
    #expect(FITBaseType.float32.number(UInt64(Float(1.5).bitPattern)) == 1.5)
    #expect(FITBaseType.float64.number((-2.25).bitPattern) == -2.25)
    #expect(FITBaseType.float32.number(UInt64(Float.infinity.bitPattern)).isNaN)
  }

  @Test("Values are read in both byte orders")
  func orders() {
    let bytes: [UInt8] = [0xAA, 1, 2, 3, 4, 5, 6, 7, 8]
    #expect(FITBaseType.bits(bytes.span, at: 1, size: 2, isBigEndian: false) == 0x0201)
    #expect(FITBaseType.bits(bytes.span, at: 1, size: 2, isBigEndian: true) == 0x0102)
    #expect(FITBaseType.bits(bytes.span, at: 1, size: 4, isBigEndian: true) == 0x0102_0304)
    #expect(FITBaseType.bits(bytes.span, at: 1, size: 8, isBigEndian: false) == 0x0807_0605_0403_0201)
  }

  @Test("There are exactly sixteen base types")
  func unknown() {
    for byte in 17..<32 as Range<UInt8> { #expect(FITBaseType(definition: byte) == nil) }
  }
}
