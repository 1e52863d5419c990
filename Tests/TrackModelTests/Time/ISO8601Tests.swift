import Foundation
import TestSupport
import Testing
import TrackModel

@Suite("ISO 8601")
struct ISO8601Tests {
  private func read(_ text: String, partial: Bool = false) -> ISO8601.Reading? {
    ISO8601.read(Array(text.utf8).span, allowsPartialDates: partial)
  }

  /// Returns all values of a reading as text, for comparison.
  private struct Parts: Equatable {
    var microseconds: Int64
    var hasZone: Bool
    var offsetMinutes: Int
  }

  private func parts(_ text: String) -> Parts? {
    read(text).map {
      Parts(microseconds: $0.instant.microseconds, hasZone: $0.hasZone, offsetMinutes: $0.offsetMinutes)
    }
  }

  private func microseconds(_ text: String) -> Int64? { read(text)?.instant.microseconds }

  /// 2024-05-01T00:00:00Z: 54 years of which 14 leap, then 31 + 29 + 31 + 30 days.
  private static let may: Int64 = (54 * 365 + 13 + 31 + 29 + 31 + 30) * 86_400_000_000
  private static let ten = may + 36_000_000_000

  // MARK: Forms

  @Test(
    "Every form of a time of day is read",
    arguments: [
      ("2024-05-01", 0), ("2024-05-01T10:00", 36_000_000_000), ("2024-05-01T10:00Z", 36_000_000_000),
      ("2024-05-01T10:00:00Z", 36_000_000_000), ("2024-05-01t10:00:00z", 36_000_000_000),
      ("2024-05-01 10:00:00", 36_000_000_000), ("2024-05-01  10:00:00Z", 36_000_000_000),
      ("2024-05-01T10:00:00.5Z", 36_000_500_000), ("2024-05-01T10:00:00,5Z", 36_000_500_000),
      ("2024-05-01T10:00:00.25Z", 36_000_250_000), ("2024-05-01T10:00:00.000Z", 36_000_000_000),
      ("2024-05-01T10:00:00.123456Z", 36_000_123_456), ("2024-05-01T10:00:00.000001Z", 36_000_000_001),
      (" \t\r\n2024-05-01T10:00:00Z \n", 36_000_000_000), ("2024-05-01T10:00:00 Z", 36_000_000_000),
      ("2024-05-01T00:00:00Z", 0), ("2024-05-01T23:59:59.999999Z", 86_399_999_999),
    ] as [(String, Int64)])
  func forms(text: String, afterMidnight: Int64) {
    #expect(microseconds(text) == Self.may + afterMidnight)
    #expect(read(text)?.hasZone == text.uppercased().contains("Z"))
    #expect(read(text)?.offsetMinutes == 0)
  }

  @Test(
    "An offset is subtracted and returned",
    arguments: [
      ("+00:00", 0), ("-00:00", 0), ("+02:00", 120), ("-07:00", -420), ("+0530", 330), ("+05:45", 345),
      ("-03", -180),
      ("+14:00", 840), ("-14:00", -840), ("+13:59", 839), (" +02:00", 120), ("+00:59", 59),
    ])
  func offsets(text: String, minutes: Int) {
    let expected = Parts(
      microseconds: Self.ten - Int64(minutes) * 60_000_000, hasZone: true, offsetMinutes: minutes)
    #expect(parts("2024-05-01T10:00:00" + text) == expected)
    #expect(parts("2024-05-01T10:00" + text) == expected)
    #expect(parts("2024-05-01T10:00:00.000" + text) == expected)
  }

  @Test("A date without a time may have a zone, as in XML Schema")
  func dateWithZone() {
    #expect(parts("2024-05-01Z") == Parts(microseconds: Self.may, hasZone: true, offsetMinutes: 0))
    let west = Parts(microseconds: Self.may + 7 * 3_600_000_000, hasZone: true, offsetMinutes: -420)
    #expect(parts("2024-05-01-07:00") == west)
  }

  @Test("A text without a zone is read as UTC and marked")
  func withoutZone() {
    let expected = Parts(microseconds: Self.ten, hasZone: false, offsetMinutes: 0)
    #expect(parts("2024-05-01T10:00:00") == expected)
  }

  @Test("An offset may cross midnight, the year and the year 0")
  func offsetAcrossBorders() {
    #expect(microseconds("2024-01-01T01:00:00+02:00") == microseconds("2023-12-31T23:00:00Z"))
    #expect(microseconds("2023-12-31T23:00:00-02:00") == microseconds("2024-01-01T01:00:00Z"))
    #expect(read("0000-01-01T00:00:00+01:00")?.instant.description == "-1-12-31T23:00:00Z")
    #expect(read("9999-12-31T23:59:59.999999-14:00")?.instant.description == "10000-01-01T13:59:59.999999Z")
  }

  @Test("Years and months alone are read only if partial dates are allowed")
  func partialDates() {
    #expect(read("2024") == nil)
    #expect(read("2024-05") == nil)
    #expect(read("2024", partial: true)?.instant == read("2024-01-01")?.instant)
    #expect(read("2024-05", partial: true)?.instant == read("2024-05-01")?.instant)
    #expect(read(" 2024-05 ", partial: true)?.instant == read("2024-05-01")?.instant)
    #expect(read("2024-05-02T10:00:00Z", partial: true) == read("2024-05-02T10:00:00Z"))
    for text in [
      "202", "20245", "2024-", "2024-0", "2024-13", "2024-00", "2024-05-", "2024-05-00", "2024T10:00Z",
    ] {
      #expect(read(text, partial: true) == nil, "\(text)")
    }
    #expect(read("2024-05T10:00:00Z", partial: true) == nil)
    #expect(read("2024 10:00", partial: true) == nil)
  }

  // MARK: Calendar and clock

  @Test(
    "The last day of February depends on the leap year",
    arguments: [
      (2024, true), (2023, false), (2000, true), (1900, false), (2100, false), (2400, true), (0, true),
      (4, true),
      (100, false), (9996, true), (9999, false),
    ])
  func leapYears(year: Int, isLeap: Bool) throws {
    let digits = String(repeating: "0", count: 4 - String(year).count) + String(year)
    #expect((read("\(digits)-02-29") != nil) == isLeap)
    let february = try #require(microseconds("\(digits)-02-28"))
    #expect(microseconds("\(digits)-03-01") == february + (isLeap ? 2 : 1) * 86_400_000_000)
  }

  @Test("Hour 24 is the next midnight and must have zero minutes and seconds")
  func hour24() {
    #expect(microseconds("2024-04-30T24:00:00Z") == Self.may)
    #expect(microseconds("2024-04-30T24:00Z") == Self.may)
    #expect(microseconds("2024-04-30T24:00:00.000Z") == Self.may)
    #expect(microseconds("2023-12-31T24:00:00Z") == microseconds("2024-01-01"))
    for clock in ["24:00:01", "24:01:00", "24:01", "24:00:00.1", "24:00:00.000001", "24:00:60"] {
      #expect(read("2024-04-30T\(clock)Z") == nil, "\(clock)")
    }
  }

  @Test("Second 60 is the first second of the next minute")
  func second60() {
    // The most recent leap second.
    #expect(microseconds("2016-12-31T23:59:60Z") == 1_483_228_800_000_000)
    #expect(microseconds("2016-12-31T23:59:60.5Z") == 1_483_228_800_500_000)
    #expect(microseconds("2024-05-01T09:59:60Z") == Self.ten)
    #expect(read("2016-12-31T23:59:61Z") == nil)
  }

  @Test(
    "A fraction is rounded to microseconds at its seventh digit",
    arguments: [
      ("0000004", 0), ("0000005", 1), ("00000049999", 0), ("1234564", 123_456), ("1234565", 123_457),
      ("9999994", 999_999), ("9999995", 1_000_000), ("99999999999", 1_000_000), ("9", 900_000), ("0", 0),
    ] as [(String, Int64)])
  func fractions(digits: String, expected: Int64) {
    #expect(microseconds("2024-05-01T10:00:00.\(digits)Z") == Self.ten + expected)
  }

  @Test("A fraction that is rounded up carries into the next second, day and year")
  func carry() {
    #expect(microseconds("2023-12-31T23:59:59.9999995Z") == microseconds("2024-01-01T00:00:00Z"))
    #expect(
      ISO8601.text(Instant(microseconds: microseconds("2024-02-28T23:59:59.99999951Z") ?? 0))
        == "2024-02-29T00:00:00Z")
  }

  @Test("A fraction may have a hundred thousand digits")
  func longFraction() {
    let zeros = String(repeating: "0", count: 100_000)
    let nines = String(repeating: "9", count: 100_000)
    #expect(microseconds("2024-05-01T10:00:00.5\(zeros)1+02:00") == Self.ten + 500_000 - 7_200_000_000)
    #expect(microseconds("2024-05-01T10:00:00.\(nines)Z") == Self.ten + 1_000_000)
    #expect(read("2024-05-01T10:00:00.\(nines)x") == nil)
  }

  @Test(
    "Text that is not a time is rejected",
    arguments: [
      "", " ", "now", "2024-02-30", "2024-04-31T10:00:00Z", "2023-02-29", "2024-00-01", "2024-13-01",
      "2024-05-00",
      "2024-05-32", "2024-05-01T25:00", "2024-05-01T25:00:00Z", "T25:00", "T10:00:00Z", "10:00:00",
      "2024-05-01T10:60:00Z", "2024-05-01T10:00:61Z", "2024-05-01T10:00:99Z", "2024-05-01T", "2024-05-01TZ",
      "2024-05-01T10", "2024-05-01T10Z", "2024-01-01T10:", "2024-01-01T10:0", "2024-01-01T10:00:",
      "2024-01-01T10:00:0",
      "2024-01-01T10:00:00.", "2024-01-01T10:00:00.Z", "2024-01-01T1:00:00Z", "2024-1-01", "2024-01-1",
      "24-01-01",
      "12024-01-01", "-2024-01-01", "+2024-01-01", "20240501", "20240501T100000Z", "2024/05/01",
      "2024-05-01T100000Z",
      "2024-05-01T10.00.00Z", "2024-05-01T10:00:00+15:00", "2024-05-01T10:00:00-15:00",
      "2024-05-01T10:00:00+14:01",
      "2024-05-01T10:00:00+00:60", "2024-05-01T10:00:00+", "2024-05-01T10:00:00+2", "2024-05-01T10:00:00+02:",
      "2024-05-01T10:00:00+02:0", "2024-05-01T10:00:00+020", "2024-05-01T10:00:00+02000",
      "2024-05-01T10:00:00ZZ",
      "2024-05-01T10:00:00Z+02:00", "2024-05-01T10:00:00Zx", "2024-05-01x", "2024-05-01T10:00:00 x",
      "2024-05-01T10:00:00Z 2024", "2024-05-01T10:00:00 PM", "2024-05-01T-1:00:00Z", "2024-05-01T10:-1:00Z",
      "2024-05-01T10:00:00.-5Z", "٢٠٢٤-05-01", "２０２４-05-01", "2024‑05‑01", "2024-05-01T10:00:00\u{A0}Z",
    ])
  func refused(text: String) {
    #expect(read(text) == nil)
  }

  @Test("Texts that are cut off or have a changed byte do not trap")
  func damaged() {
    var random = SeededRandom()
    let whole = Array("2024-05-01T10:00:00.123456+02:00".utf8)
    var readings = 0
    for length in 0...whole.count {
      let part = Array(whole[..<length])
      if ISO8601.read(part.span) != nil { readings += 1 }
    }
    // Complete are: the date, hh:mm, hh:mm:ss, one to six decimals, and the offset with hours or with
    // minutes.
    #expect(readings == 11)
    for _ in 0..<Effort.rounds(40_000) {
      var bytes = whole
      for _ in 0...random.integer(0...2) {
        bytes[random.integer(0...whole.count - 1)] = UInt8(truncatingIfNeeded: random.next())
      }
      guard let reading = ISO8601.read(bytes.span) else { continue }
      // One more day on either side for the offset.
      guard (-62_167_305_600_000_000...253_402_387_200_000_000).contains(reading.instant.microseconds) else {
        Issue.record("\(bytes) read as \(reading); \(random)")
        return
      }
    }
  }

  // MARK: Writing

  @Test(
    "Decimals are written as necessary or as requested",
    arguments: [
      (0, nil, ""), (0, 0, ""), (0, 3, ".000"), (0, 6, ".000000"), (250_000, nil, ".250"),
      (1, nil, ".000001"),
      (1000, nil, ".001"), (999_999, 3, ".999"), (999_999, 0, ""), (123_456, nil, ".123456"),
      (123_456, 6, ".123456"),
      (250_000, 6, ".250000"),
    ] as [(Int64, Int?, String)])
  func decimals(fraction: Int64, decimals: Int?, expected: String) {
    #expect(
      ISO8601.text(Instant(microseconds: Self.ten + fraction), decimals: decimals)
        == "2024-05-01T10:00:00\(expected)Z")
  }

  @Test(
    "Times before 1970 and years of more than four digits are written",
    arguments: [
      (-1, "1969-12-31T23:59:59.999999Z"), (-1_000_000, "1969-12-31T23:59:59Z"),
      (-62_167_219_200_000_000, "0000-01-01T00:00:00Z"),
      (-62_167_219_200_000_001, "-1-12-31T23:59:59.999999Z"),
      (253_402_300_800_000_000, "10000-01-01T00:00:00Z"),
      // 2^63 µs are 106,751,991 days, 4 h 54.775807 s: the dates of Java's Instant for the same number.
      (.max, "294247-01-10T04:00:54.775807Z"), (.min, "-290308-12-21T19:59:05.224192Z"),
      (.min + 1, "-290308-12-21T19:59:05.224193Z"),
    ] as [(Int64, String)])
  func farTimes(microseconds: Int64, expected: String) {
    #expect(Instant(microseconds: microseconds).description == expected)
  }

  @Test("Appending keeps the content of the buffer")
  func append() {
    var bytes = ByteBuffer()
    bytes.append("<time>")
    ISO8601.append(Instant(microseconds: Self.ten), to: &bytes)
    bytes.append("</time>")
    #expect(bytes.string == "<time>2024-05-01T10:00:00Z</time>")
  }

  // MARK: Round trips and oracle

  @Test("Every instant of the years 0000 to 9999 is read back unchanged")
  func roundTrip() {
    var random = SeededRandom()
    for round in 0..<Effort.rounds(200_000) {
      var microseconds = Int64.random(in: -62_167_219_200_000_000...253_402_300_799_999_999, using: &random)
      if round % 3 == 1 { microseconds -= microseconds % 1000 }
      if round % 3 == 2 { microseconds -= microseconds % 1_000_000 }
      let instant = Instant(microseconds: microseconds)
      let expected = Parts(microseconds: microseconds, hasZone: true, offsetMinutes: 0)
      let text = ISO8601.text(instant)
      guard parts(text) == expected, parts(ISO8601.text(instant, decimals: 6)) == expected else {
        Issue.record("\(microseconds) written as \(text); \(random)")
        return
      }
    }
  }

  @Test("Foundation reads and writes the same text")
  func foundation() throws {
    var random = SeededRandom()
    let style = Date.ISO8601FormatStyle()
    // From 1583 on, when every calendar of the system is Gregorian.
    for _ in 0..<Effort.rounds(20_000) {
      let seconds = Int64.random(in: -12_212_553_600...253_402_300_799, using: &random)
      let date = Date(timeIntervalSince1970: Double(seconds))
      let text = ISO8601.text(Instant(microseconds: seconds * 1_000_000))
      guard style.format(date) == text, try style.parse(text) == date else {
        Issue.record("\(seconds) written as \(text), by Foundation as \(style.format(date)); \(random)")
        return
      }
    }
  }

  @Test("Foundation reads the same time from a text with an offset and a fraction")
  func foundationOffsets() throws {
    var random = SeededRandom()
    let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
    for _ in 0..<Effort.rounds(8000) {
      let year = random.integer(1583...9998)
      let month = random.integer(1...12)
      let values = [
        month, random.integer(1...CivilCalendar.days(inMonth: month, of: year)), random.integer(0...23),
        random.integer(0...59), random.integer(0...59), random.integer(0...13), random.integer(0...59),
      ].map { $0 < 10 ? "0\($0)" : "\($0)" }
      let text =
        "\(year)-\(values[0])-\(values[1])T\(values[2]):\(values[3]):\(values[4]).\(random.digits(3))"
        + (random.integer(0...1) == 0 ? "+" : "-") + "\(values[5]):\(values[6])"
      let expected = try style.parse(text).timeIntervalSince1970
      // A Date has a resolution of microseconds only near 2001.
      guard let value = read(text)?.instant.secondsSince1970, abs(value - expected) < 1e-3 else {
        Issue.record("\(text) read as \(read(text) as Any), by Foundation as \(expected); \(random)")
        return
      }
    }
  }

  @Test("The fast path for the usual form reads the same time as the path for a text with a leading space")
  func usualForm() {
    var random = SeededRandom()
    for _ in 0..<Effort.rounds(60_000) {
      var text = Array(
        ISO8601.text(
          Instant(microseconds: Int64(random.integer(-62_000_000_000...250_000_000_000)) * 1_000_000)
        )
        .utf8)
      if random.integer(0...1) == 0 { text.insert(contentsOf: ".\(random.integer(100...999))".utf8, at: 19) }
      // Changes up to two bytes to digits, neighbours of digits, or separators.
      for _ in 0..<random.integer(0...2) {
        text[random.integer(0...(text.count - 1))] =
          Array("0123456789/:;-.TZ,\u{7F} ".utf8)[random.integer(0...19)]
      }
      if random.integer(0...9) == 0 { text.removeLast() }
      let slow = [0x20] + text
      #expect(ISO8601.read(text.span) == ISO8601.read(slow.span), "\(String(decoding: text, as: UTF8.self))")
    }
  }
}
