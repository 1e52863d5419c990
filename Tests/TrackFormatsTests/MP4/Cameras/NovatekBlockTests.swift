import Testing
import TrackModel

@testable import TrackFormats

/// Layouts of blocks that the fixtures do not have. Positions are those of ExifTool for the same bytes, as
/// far as it reads them.
@Suite("Blocks of Novatek")
struct NovatekBlockTests {
  /// 2024-05-17T06:12:30Z in microseconds since 1970.
  private static let start: Int64 = 1_715_926_350_000_000

  private struct Block {
    var bytes = [UInt8](repeating: 0, count: 512)

    init() { put(Array("freeGPS ".utf8), at: 4) }

    mutating func put(_ values: [UInt8], at offset: Int) {
      bytes.replaceSubrange(offset..<(offset + values.count), with: values)
    }
    mutating func put(_ text: String, at offset: Int) { put(Array(text.utf8), at: offset) }
    mutating func put<Value: FixedWidthInteger>(_ values: Value..., at offset: Int) {
      for (index, value) in values.enumerated() {
        let size = Value.bitWidth / 8
        put(
          (0..<size).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }, at: offset + index * size)
      }
    }
    mutating func put(_ values: Float..., at offset: Int) {
      for (index, value) in values.enumerated() { put(value.bitPattern, at: offset + index * 4) }
    }
    mutating func put(_ values: Double..., at offset: Int) {
      for (index, value) in values.enumerated() { put(value.bitPattern, at: offset + index * 8) }
    }

    var fixes: [CameraFix] {
      if case .fixes(let fixes) = NovatekBlock(bytes.span) { fixes } else { [] }
    }
    var isLost: Bool { if case .lost = NovatekBlock(bytes.span) { true } else { false } }
    var isUnknown: Bool { if case .unknown = NovatekBlock(bytes.span) { true } else { false } }
  }

  /// Expects 46° 56.886′ and 7° 26.844′, with the error of numbers of 32 bits, and 12.038 m/s.
  private func expectFix(
    _ block: Block, _ north: Double = 1, _ east: Double = 1, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let fix = try #require(block.fixes.first, sourceLocation: sourceLocation)
    #expect(fix.time == Self.start, sourceLocation: sourceLocation)
    #expect(abs(fix.coordinate.latitude - north * 46.9481) < 5e-6, sourceLocation: sourceLocation)
    #expect(abs(fix.coordinate.longitude - east * 7.4474) < 5e-6, sourceLocation: sourceLocation)
    #expect(abs(fix.speed - 12.038) < 0.03, sourceLocation: sourceLocation)
  }

  @Test("Numbers of 32 bits follow the time", arguments: [16, 20, 48, 64])
  func plain(offset: Int) throws {
    var block = Block()
    block.put(6, 12, 30, 24, 5, 17 as UInt32, at: offset)
    block.put("ANW", at: offset + 24)
    block.put(4656.886, 726.844, 23.4, 60 as Float, at: offset + 28)
    try expectFix(block, 1, -1)
    block.put("V", at: offset + 24)
    #expect(block.isLost)
  }

  @Test("A block whose letters are not set has no fix", arguments: [" 00", "V00", "\0\0\0"])
  func lettersWithoutFix(letters: String) {
    var block = Block()
    block.put(6, 12, 30, 24, 5, 17 as UInt32, at: 48)
    block.put(letters, at: 72)
    #expect(block.isLost)
  }

  @Test("The coordinates of E-ACE are enciphered texts")
  func encipheredTexts() throws {
    // The block in ExifTool's documentation: 43° 42.726563′ N, 20° 41.674805′ E.
    var block = Block()
    block.put(8, 34, 1, 24, 8, 16 as UInt32, at: 16)
    block.put("ANE", at: 40)
    block.put("gNiiZ8JTtHca6tw=", at: 44)
    block.put("htuiZMJSsXUX7No=", at: 64)
    block.put([0x64, 0x3B, 0xAC, 0x41, 0xE1, 0x3A, 0x1D, 0x43], at: 84)
    let fix = try #require(block.fixes.first)
    #expect(fix.time == 1_723_797_241_000_000)
    #expect(abs(fix.coordinate.latitude - (43 + 42.726563 / 60)) < 1e-9)
    #expect(abs(fix.coordinate.longitude - (20 + 41.674805 / 60)) < 1e-9)
    #expect(abs(fix.speed - 21.529 * 1852 / 3600) < 1e-4)
    #expect(abs(fix.course - 157.23) < 1e-3)
    block.put("AAiiZ8JTtHca6tw=", at: 44)
    #expect(block.isUnknown)
    // A test vector of RC4: the key Key.
    #expect(
      EACEBlock.deciphered([0xBB, 0xF3, 0x16, 0xE8, 0xD9, 0x40, 0xAF, 0x0A, 0xD3], Array("Key".utf8))
        == Array("Plaintext".utf8))
  }

  @Test("XGODY writes a text after the mode of the camera")
  func texts() throws {
    var block = Block()
    block.put(
      "normal:2024/05/22 02:54:29 N:42.382470 W:83.389570 53.6 km/h x:-0.02 y:0.99 z:0.10 A:269.2 H:245.5",
      at: 16)
    let fix = try #require(block.fixes.first)
    #expect(fix.time == 1_716_346_469_000_000)
    #expect(fix.coordinate == Coordinate(latitude: 42.38247, longitude: -83.38957))
    #expect(abs(fix.speed - 53.6 / 3.6) < 1e-9)
    #expect(fix.course == 269.2)
  }

  @Test("Letters of four bytes precede numbers of 32 or 64 bits")
  func wideLetters() throws {
    var akaso = Block()
    akaso.put(6, 12, 30, 65 as UInt32, at: 48)
    akaso.put(4656.886 as Float, at: 64)
    akaso.put("S", at: 68)
    akaso.put(726.844 as Float, at: 72)
    akaso.put("E", at: 76)
    akaso.put(43.336, 60 as Float, at: 80)
    akaso.put(2024, 5, 17 as UInt32, at: 88)
    try expectFix(akaso, -1)

    var doubles = Block()
    doubles.put(6, 12, 30, 65 as UInt32, at: 48)
    doubles.put(4656.886 as Double, at: 64)
    doubles.put("N", at: 72)
    doubles.put(726.844 as Double, at: 80)
    doubles.put("E", at: 88)
    doubles.put(23.4, 60 as Double, at: 96)
    doubles.put(24, 5, 17 as UInt32, at: 112)
    try expectFix(doubles)

    var vantrue = Block()
    vantrue.put(6, 12, 30, 65 as UInt32, at: 16)
    vantrue.put(4656.886 as Double, at: 32)
    vantrue.put("N", at: 40)
    vantrue.put(726.844 as Double, at: 48)
    vantrue.put("W", at: 56)
    vantrue.put(23.4, 60 as Double, at: 64)
    vantrue.put(24, 5, 17 as UInt32, at: 80)
    try expectFix(vantrue, 1, -1)
  }

  @Test("The date and the longitude come first in blocks of Vantrue S1")
  func reversed() throws {
    var block = Block()
    block.put("horsontech", at: 48)
    block.put("ANE", at: 64)
    block.put(2024, 5, 17, 6, 12, 30 as UInt32, at: 68)
    block.put(726.844, 4656.886, 23.4, 60 as Float, at: 92)
    try expectFix(block)
  }

  @Test("Values of at most 90 and 180 are degrees, and their speed is in km/h")
  func degrees() throws {
    var block = Block()
    block.put(6, 12, 30, 24, 5, 17 as UInt32, at: 48)
    block.put("ASE", at: 72)
    block.put(46.9481, 7.4474, 43.336, 60 as Float, at: 76)
    try expectFix(block, -1)
  }

  @Test("Blocks named IQS have integers")
  func integers() throws {
    var block = Block()
    block.put("IQS_A7_20150417", at: 16)
    block.put(6, 12, 30, 24, 5, 17 as UInt32, at: 48)
    block.put("ANW", at: 72)
    block.put(469_481_000, 74_474_000, 1204 as Int32, at: 76)
    try expectFix(block, 1, -1)
  }

  @Test("Text combined with 0xAA has the speed after the longitude or the elevation")
  func xored() throws {
    for rest in ["00000043", "+0540043"] {
      let text = "\0\0XKZD\u{7E}\u{7E}20240517061230\u{0C}5567GP   \0\0\0\0\0\u{3}N46568860W007268440" + rest
      var bytes = Array(text.utf8)
      bytes[6...7] = [0xFE, 0xFE]
      var block = Block()
      block.put(bytes.map { $0 ^ 0xAA }, at: 18)
      let fix = try #require(block.fixes.first)
      #expect(fix.time == Self.start)
      #expect(abs(fix.coordinate.latitude - 46.9481) < 1e-9)
      #expect(abs(fix.coordinate.longitude + 7.4474) < 1e-9)
      #expect(abs(fix.speed - 43 / 3.6) < 1e-9)
    }
  }

  @Test("Sixteen is subtracted from the letters of a sentence")
  func shiftedSentence() throws {
    let sentence = "$GPRMC,061230.00,A,4656.8860,N,00726.8440,E,23.4,60.0,170524,,,A*50"
    var block = Block()
    block.put(sentence.utf8.map { $0 + 16 }, at: 60)
    guard case .sentence(let found) = NovatekBlock(block.bytes.span) else {
      Issue.record("no sentence")
      return
    }
    #expect(String(decoding: found, as: UTF8.self) == sentence)
  }

  @Test("Records of Nextbase are big-endian and have tenths of seconds")
  func records() throws {
    var block = Block()
    for record in 0..<2 {
      let start = 48 + record * 32
      block.put("$S", at: start)
      block.put(UInt16(1204).bigEndian, UInt16(bitPattern: -6000).bigEndian, at: start + 2)
    }
    #expect(block.isUnknown)
    for record in 0..<2 {
      let start = 48 + record * 32
      block.put(UInt16(2024).bigEndian, at: start + 6)
      block.put([5, 17, 6, 12], at: start + 8)
      block.put(UInt16(300 + 5 * record).bigEndian, at: start + 12)
      block.put(Int32(469_481_000).bigEndian, Int32(-74_474_000).bigEndian, at: start + 15)
    }
    try expectFix(block, 1, -1)
    #expect(block.fixes.map { $0.time - Self.start } == [0, 500_000])
    #expect(block.fixes.map(\.course) == [300, 300])
  }

  @Test("Blocks of 70mai have signed degrees and minutes, and no time")
  func undated() throws {
    var block = Block()
    block.put(0x1A0, 0, 0, 0x1A0 as UInt16, at: 12)
    block.put("A", at: 30)
    block.put(465_688_600, -72_684_400, 60, 43 as Int32, at: 31)
    let fix = try #require(block.fixes.first)
    #expect(fix.time == Instant.absent)
    #expect(abs(fix.coordinate.latitude - 46.9481) < 1e-7)
    #expect(abs(fix.coordinate.longitude + 7.4474) < 1e-7)
    #expect(fix.course == 60)
    block.put("V", at: 30)
    #expect(block.isLost)
  }

  @Test("Enciphered blocks are unknown instead of positions near zero")
  func enciphered() {
    var akaso = Block()
    akaso.put(6, 12, 30, 24, 5, 17 as UInt32, at: 48)
    akaso.put("ANE", at: 72)
    akaso.put((0..<16).map { 40 + $0 }, at: 80)
    #expect(akaso.isUnknown)
    // Coordinates as text.
    var lucky = Block()
    lucky.put(6, 12, 30, 24, 5, 17 as UInt32, at: 16)
    lucky.put("ANE", at: 40)
    lucky.put("04656.8860", at: 44)
    lucky.put("00726.8440", at: 64)
    #expect(lucky.isUnknown)
  }

  @Test("The usual order is found at any offset", arguments: [24, 32, 40, 80, 96, 112, 128, 200])
  func anyOffset(offset: Int) throws {
    var block = Block()
    // The minute, second and year are a valid month, day and year in the layout before.
    block.put(6, 12, 30, 24, 5, 17 as UInt32, at: offset)
    block.put("ANW", at: offset + 24)
    block.put(4656.886, 726.844, 23.4, 60 as Float, at: offset + 28)
    try expectFix(block, 1, -1)
    // A course of 400 degrees shows that these are other values.
    block.put(400 as Float, at: offset + 40)
    #expect(block.fixes.isEmpty)
  }
}
