import Testing
import TrackModel

@testable import TrackFormats

@Suite("Records of LIGOGPSINFO")
struct LigoRecordTests {
  @Test("Groups of two, four and five bytes are deciphered")
  func cipher() {
    // The record of a Kingslim D4 in ExifTool's documentation: the number 2, and the start of the text.
    let record: [UInt8] = [
      0xC0, 0x22, 0x20, 0x20, 0x20, 0xF0, 0x12, 0x10, 0x12, 0x21, 0xE5, 0x0E, 0x10, 0x12, 0x2F, 0x90, 0x10,
      0x13, 0x01,
    ]
    #expect(LigoRecord.deciphered(record) == [2, 0, 0, 0] + Array("2021/06/03 1".utf8))
    #expect(LigoRecord.deciphered(record + [0x11, 0x28])?.last == UInt8(ascii: "9"))
    #expect(LigoRecord.deciphered(record.dropLast()) == nil)
    #expect(LigoRecord.deciphered(record + [0x20, 0x20]) == nil)
  }

  /// Reads a text that is not enciphered.
  private func read(_ text: String) -> CameraRecords.Record {
    let bytes = [1, 0, 0, 0] + Array(text.utf8)
    let record = bytes + [UInt8](repeating: 0, count: 132 - bytes.count)
    return LigoRecord(scale: nil).read(record.span)
  }

  private func fix(_ text: String) -> CameraFix? {
    if case .fix(let fix) = read(text) { fix } else { nil }
  }

  @Test("Coordinates have letters or signs, and degrees or degrees and minutes")
  func coordinates() throws {
    let places = [
      ("N:46.9481 W:7.4474", 46.9481, -7.4474), ("S:46.9481 E:-7.4474", -46.9481, -7.4474),
      ("N:4656.886 E:00726.844", 46.9481, 7 + 26.844 / 60),
    ]
    for (text, latitude, longitude) in places {
      let result = try #require(fix("2024/05/17 06:12:30 \(text) 43.2 km/h A:60"))
      #expect(abs(result.coordinate.latitude - latitude) < 1e-9)
      #expect(abs(result.coordinate.longitude - longitude) < 1e-9)
      #expect(abs(result.speed - 12) < 1e-9)
      #expect(result.course == 60)
    }
    guard case .lost = read("2024/05/17 06:12:30 N:0.000000 E:0.000000 0.0 km/h") else {
      Issue.record("a fix at 0, 0")
      return
    }
    for text in ["", "2024/13/17 06:12:30 N:46.9 E:7.4 1 km/h", "2024/05/17 06:12:30 N:46.9", "Hello"] {
      #expect(fix(text) == nil)
    }
  }

  @Test("Distorted coordinates have their offsets from tens of degrees exchanged and scaled")
  func distortion() throws {
    var header = Array("LIGOGPSINFO\0".utf8) + [0, 0, 0, 5, 1, 0, 0, 0]
    #expect(LigoRecord.records(in: header.span)?.records.scale == 1.524855137)
    header[15] = 1
    #expect(LigoRecord.records(in: header.span)?.records.scale == nil)
    // Each byte of the text is a group of two.
    let text = [0, 0, 0, 0] + Array("2024/05/17 06:12:30 N:31 W:124 10".utf8)
    let cipher = text.flatMap { [$0 & 0x13, $0 & ~0x13] }
    let record = Array("####".utf8) + [UInt8(cipher.count), 0, 0, 0] + cipher
    let bytes = record + [UInt8](repeating: 0, count: 132 - record.count)
    guard case .fix(let fix) = LigoRecord(scale: 1.5).read(bytes.span) else {
      Issue.record("no fix")
      return
    }
    #expect(fix.coordinate == Coordinate(latitude: 30 + 4 * 1.5, longitude: -(120 + 1 * 1.5)))
  }

  /// Returns texts in which characters are exchanged by subtraction from the last one.
  private func letters(_ texts: [String]) -> [LigoLetters] {
    texts.compactMap { text in
      let bytes = text.utf8.map { (0x30...0x5F).contains($0) ? 0x5F - ($0 - 0x30) : $0 }
      let record = Array("####".utf8) + [UInt8(bytes.count), 0, 0, 0] + bytes
      let padded = record + [UInt8](repeating: 0, count: 132 - record.count)
      if case .letters(let result) = LigoRecord(scale: nil).read(padded.span) { return result }
      return nil
    }
  }

  @Test("Exchanged characters follow from the seconds, of which some are missing, and from the year")
  func exchangedCharacters() throws {
    let seconds = (10..<45).filter { $0 != 13 } + [44, 45]
    let texts = seconds.map { "2024/05/17 06:12:\($0) S:-46.9481\($0) E:7.4474\($0) 23.4 km/h x:0.1 A:60" }
    let (records, areHemispheresKnown) = try #require(LigoLetters.fixes(letters(texts)))
    #expect(areHemispheresKnown)
    #expect(records.count == seconds.count)
    for (record, second) in zip(records, seconds) {
      guard case .fix(let fix) = record else {
        Issue.record("no fix")
        return
      }
      // 2024-05-17T06:12:00Z is 1,715,926,320 seconds after 1970.
      #expect(fix.time == Int64(1_715_926_320 + second) * 1_000_000)
      #expect(abs(fix.coordinate.latitude + 46.9481 + Double(second) / 1e6) < 1e-9)
      #expect(abs(fix.coordinate.longitude - 7.4474 - Double(second) / 1e6) < 1e-9)
      #expect(abs(fix.speed - 23.4 * 1852 / 3600) < 1e-9)
    }
    let unsigned = texts.map { $0.replacing("-", with: "") }
    #expect(LigoLetters.fixes(letters(unsigned))?.areHemispheresKnown == false)
    // Too few records.
    #expect(LigoLetters.fixes(letters(Array(texts.prefix(9)))) == nil)
  }
}
