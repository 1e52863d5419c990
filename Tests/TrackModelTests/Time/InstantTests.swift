import TestSupport
import Testing
import TrackModel

@Suite("Instant")
struct InstantTests {
  @Test(
    "Seconds are rounded to the nearest microsecond",
    arguments: [
      (0.0, 0), (1, 1_000_000), (-1, -1_000_000), (0.0000004, 0), (0.0000006, 1), (-0.0000006, -1),
      (1_714_557_600.25, 1_714_557_600_250_000), (-0.25, -250_000),
      // Half a microsecond is rounded away from zero; near 2^63, doubles are multiples of 1024.
      (0.5e-6, 1), (-0.5e-6, -1), (9_223_372_036_854.0, 1024 * 9_007_199_254_740_234),
    ] as [(Double, Int64)])
  func fromSeconds(seconds: Double, microseconds: Int64) {
    #expect(Instant(secondsSince1970: seconds)?.microseconds == microseconds)
  }

  @Test(
    "Seconds that are NaN or out of range are rejected",
    arguments: [
      .nan, .infinity, -.infinity, 1e300, -1e300, 9_223_372_036_855, -9_223_372_036_855, 0x1p63 / 1e6,
      -0x1p63 / 1e6,
    ])
  func refused(seconds: Double) {
    #expect(Instant(secondsSince1970: seconds) == nil)
  }

  @Test("No number of seconds gives the reserved value of a missing time")
  func neverAbsent() {
    // The doubles around −2^63 microseconds.
    var seconds = -0x1p63 / 1e6
    for _ in 0..<4 { seconds = seconds.nextDown }
    for _ in 0..<8 {
      if let instant = Instant(secondsSince1970: seconds) { #expect(instant.microseconds > Instant.absent) }
      seconds = seconds.nextUp
    }
    #expect(Instant(secondsSince1970: seconds) != nil)
  }

  @Test("Microseconds survive conversion to seconds until the year 2106")
  func secondsRoundTrip() {
    var random = SeededRandom()
    for _ in 0..<Effort.rounds(100_000) {
      let instant = Instant(
        microseconds: .random(in: -4_294_967_296_000_000...4_294_967_296_000_000, using: &random))
      guard Instant(secondsSince1970: instant.secondsSince1970) == instant else {
        Issue.record("\(instant.microseconds); \(random)")
        return
      }
    }
  }

  @Test(
    "Seconds are as exact as documented",
    arguments: [
      (-8_589_934_592_000_000...8_589_934_592_000_000, 1),
      (-62_167_219_200_000_000...253_402_300_799_999_999, 32),
    ] as [(ClosedRange<Int64>, Int64)])
  func secondsPrecision(range: ClosedRange<Int64>, bound: Int64) {
    var random = SeededRandom()
    for _ in 0..<Effort.rounds(40_000) {
      let microseconds = Int64.random(in: range, using: &random)
      let seconds = Instant(microseconds: microseconds).secondsSince1970
      // Exact: whole seconds and the fraction, which is a multiple of about 2^−52, are separated.
      let whole = seconds.rounded(.down)
      let difference = Double(microseconds - Int64(whole) * 1_000_000) - (seconds - whole) * 1e6
      guard abs(difference) <= Double(bound) else {
        Issue.record("\(microseconds) is \(seconds) s; \(random)")
        return
      }
    }
  }

  @Test("The seconds between two instants are exact even if these are far apart")
  func difference() {
    let base = Instant(microseconds: 253_402_300_799_999_999)
    #expect(base.seconds(since: Instant(microseconds: 253_402_300_799_999_998)) == 1e-6)
    #expect(Instant(microseconds: 1).seconds(since: Instant(microseconds: 2_000_001)) == -2)
    #expect(base.seconds(since: base) == 0)
  }

  @Test("A difference of more than 64 bits does not overflow")
  func farDifference() {
    let late = Instant(microseconds: .max)
    let early = Instant(microseconds: .min + 1)
    #expect(abs(late.seconds(since: early) - 0x1p64 / 1e6) < 1)
    #expect(abs(early.seconds(since: late) + 0x1p64 / 1e6) < 1)
  }

  @Test(
    "Durations are rounded to microseconds and limited, so that sums do not overflow",
    arguments: [
      (1.5, 1_500_000), (-0.000_000_6, -1), (0, 0), (.nan, 0), (1e300, 1 << 60), (-.infinity, -1 << 60),
    ] as [(Double, Int64)])
  func durations(seconds: Double, microseconds: Int64) {
    #expect(Instant.microseconds(inSeconds: seconds) == microseconds)
  }

  @Test("Instants are ordered by time")
  func order() {
    let instants = [3, -5, 0, .max, .min + 1].map { Instant(microseconds: $0) }
    #expect(instants.sorted().map(\.microseconds) == [.min + 1, -5, 0, 3, .max])
  }

  @Test("An instant's description is ISO 8601, with a fraction only if necessary")
  func description() {
    // 2024-05-01T10:00:00Z: 19,844 days after 1970 and ten hours.
    #expect(
      Instant(microseconds: (19_844 * 86_400 + 36_000) * 1_000_000).description == "2024-05-01T10:00:00Z")
    #expect(
      Instant(microseconds: (19_844 * 86_400 + 36_000) * 1_000_000 + 250_000).description
        == "2024-05-01T10:00:00.250Z")
  }
}

@Suite("Civil calendar")
struct CivilCalendarTests {
  @Test(
    "Known dates have the right number of days",
    arguments: [
      // 1970; the day of the Unix billennium; MJD 0 is 40,587 days before 1970; 0000-03-01 is Hinnant's
      // offset.
      (1970, 1, 1, 0), (2001, 9, 9, 11_574), (1858, 11, 17, -40_587), (0, 3, 1, -719_468),
      (2000, 2, 29, 11_016),
      (2038, 1, 19, 24_855), (1969, 12, 31, -1), (9999, 12, 31, 2_932_896),
    ])
  func knownDays(year: Int, month: Int, day: Int, days: Int) {
    #expect(CivilCalendar.days(year: year, month: month, day: day) == days)
    #expect(CivilCalendar.date(days: days) == (year, month, day))
  }

  @Test(
    "Counting the days of 800 years around the year 0 and around 2000 gives every date",
    arguments: [-400, 1600])
  func everyDay(firstYear: Int) {
    var days = CivilCalendar.days(year: firstYear, month: 1, day: 1)
    for year in firstYear..<firstYear + 800 {
      let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
      let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
      for (month, length) in zip(1..., lengths) {
        guard CivilCalendar.days(inMonth: month, of: year) == length else {
          Issue.record("month \(month) of \(year)")
          return
        }
        for day in 1...length {
          guard
            CivilCalendar.days(year: year, month: month, day: day) == days,
            CivilCalendar.date(days: days) == (year, month, day)
          else {
            Issue.record("\(year)-\(month)-\(day) is not \(days)")
            return
          }
          days += 1
        }
      }
    }
    #expect(days == CivilCalendar.days(year: firstYear, month: 1, day: 1) + 2 * 146_097)
  }

  @Test(
    "Dates that do not exist have no days",
    arguments: [
      (2024, 2, 29, 19_782), (2023, 2, 29, nil), (1900, 2, 29, nil), (2024, 4, 31, nil), (2024, 0, 1, nil),
      (2024, 13, 1, nil), (2024, 1, 0, nil), (2024, -1, 1, nil), (2024, 12, 32, nil), (1970, 1, 1, 0),
    ] as [(Int, Int, Int, Int?)])
  func validation(year: Int, month: Int, day: Int, days: Int?) {
    #expect(CivilCalendar.days(validating: year, month: month, day: day) == days)
  }

  @Test(
    "A time of day has second 60, which is the next minute, but no hour 24 and no minute 60",
    arguments: [
      (0, 0, 0, 0), (12, 30, 45, 45_045), (23, 59, 59, 86_399), (23, 59, 60, 86_400), (6, 0, 60, 21_660),
      (24, 0, 0, nil), (0, 60, 0, nil), (0, 0, 61, nil), (-1, 0, 0, nil), (0, -1, 0, nil), (0, 0, -1, nil),
    ] as [(Int, Int, Int, Int64?)])
  func timeOfDay(hour: Int, minute: Int, second: Int, seconds: Int64?) {
    #expect(CivilCalendar.timeOfDay(hour, minute, second) == seconds.map { $0 * 1_000_000 })
  }

  @Test("A distant date survives conversion to days")
  func farDates() {
    var random = SeededRandom()
    for _ in 0..<Effort.rounds(100_000) {
      let year = random.integer(-10_000_000...10_000_000)
      let month = random.integer(1...12)
      let day = random.integer(1...CivilCalendar.days(inMonth: month, of: year))
      guard
        CivilCalendar.date(days: CivilCalendar.days(year: year, month: month, day: day)) == (year, month, day)
      else {
        Issue.record("\(year)-\(month)-\(day); \(random)")
        return
      }
    }
  }
}
