/// An instant in whole microseconds since 1970-01-01T00:00:00 UTC, without leap seconds (POSIX).
public struct Instant: Sendable, Hashable, Comparable {
  /// Microseconds since 1970. `Int64.min` means "no time" in columns and is not a valid instant.
  public var microseconds: Int64

  /// Creates an instant from microseconds since 1970.
  @inlinable public init(microseconds: Int64) { self.microseconds = microseconds }

  /// Creates the instant nearest to a number of seconds since 1970. Returns `nil` for NaN and beyond ±292,000
  /// years.
  public init?(secondsSince1970 seconds: Double) {
    let microseconds = (seconds * 1e6).rounded()
    guard microseconds > -0x1p63, microseconds < 0x1p63 else { return nil }
    self.microseconds = Int64(microseconds)
  }

  /// Seconds since 1970. The error is less than a microsecond in the years 1700…2240, and at most 32
  /// microseconds in years of four digits, due to the precision of `Double`.
  @inlinable public var secondsSince1970: Double { Double(microseconds) / 1e6 }

  /// Returns the seconds from `other` to this instant, negative if this one is earlier.
  @inlinable public func seconds(since other: Instant) -> Double {
    // Uses `Double` if the integer subtraction overflows, which requires years beyond 290,000.
    let (difference, overflow) = microseconds.subtractingReportingOverflow(other.microseconds)
    return overflow ? secondsSince1970 - other.secondsSince1970 : Double(difference) / 1e6
  }

  /// Returns the instant a number of seconds later, or `nil` if it is out of range.
  public func advanced(bySeconds seconds: Double) -> Instant? {
    guard let step = Instant(secondsSince1970: seconds) else { return nil }
    let (sum, overflow) = microseconds.addingReportingOverflow(step.microseconds)
    return overflow || sum == Instant.absent ? nil : Instant(microseconds: sum)
  }

  /// Returns the whole microseconds nearest to a number of seconds, for durations from files.
  ///
  /// The result is within ±2⁶⁰ (36,000 years), so that sums do not overflow, and 0 for NaN.
  package static func microseconds(inSeconds seconds: Double) -> Int64 {
    guard seconds.magnitude < 0x1p60 / 1e6 else {
      return seconds.isNaN ? 0 : seconds < 0 ? -1 << 60 : 1 << 60
    }
    return Int64((seconds * 1e6).rounded())
  }

  /// Whether the year has four digits: 0000 to 9999.
  @inlinable package var hasFourDigitYear: Bool {
    microseconds >= -62_167_219_200_000_000 && microseconds < 253_402_300_800_000_000
  }

  /// Whether XML Schema and common readers support the year: 1 to 9999.
  @inlinable package var hasXMLYear: Bool {
    microseconds >= -62_135_596_800_000_000 && microseconds < 253_402_300_800_000_000
  }

  /// Returns whether an instant is earlier than another.
  @inlinable public static func < (left: Instant, right: Instant) -> Bool {
    left.microseconds < right.microseconds
  }

  /// The value for "no time" in a column of times.
  public static let absent: Int64 = .min
}

extension Instant: CustomStringConvertible {
  /// The instant in ISO 8601 and UTC, with a fraction if it is not zero: `2024-05-01T10:00:00.250Z`.
  public var description: String { ISO8601.text(self) }

  /// Returns the instant in ISO 8601 with an offset in seconds from UTC, such as `2024-05-17T08:12:30+02:00`.
  package func description(utcOffset: Int) -> String {
    guard utcOffset != 0, let local = advanced(bySeconds: Double(utcOffset)) else { return description }
    return local.description.dropLast() + ISO8601.zone(utcOffset: utcOffset)
  }
}

/// The proleptic Gregorian calendar. Source: Howard Hinnant, "chrono-compatible low-level date algorithms".
package enum CivilCalendar {
  /// Returns the days from 1970-01-01 to a date with a year within ±10 million, month 1…12, day 1…31.
  ///
  /// Years start in March and are counted from a distant past, so that all dividends are non-negative (Neri
  /// and Schneider, "Euclidean affine functions and their application to calendar algorithms", 2022).
  package static func days(year: Int, month: Int, day: Int) -> Int {
    let eras = 30_000
    let isBeforeMarch = month <= 2
    let year = UInt(bitPattern: year &+ eras &* 400 &- (isBeforeMarch ? 1 : 0))
    let month = UInt(bitPattern: isBeforeMarch ? month &+ 12 : month)
    let century = year / 100
    let days = 1461 &* year / 4 &- century &+ century / 4 &+ (979 &* month &- 2919) / 32
    return Int(bitPattern: days) &+ day &- 719_469 &- eras &* 146_097
  }

  /// Returns the days from 1970-01-01 to a date with a year within ±10 million, or `nil` for an invalid date.
  @inlinable
  package static func days(validating year: Int, month: Int, day: Int) -> Int? {
    guard (1...12).contains(month), day >= 1, day <= days(inMonth: month, of: year) else { return nil }
    return days(year: year, month: month, day: day)
  }

  /// Returns the microseconds from midnight to a time of day, or `nil` for an invalid one. Second 60 is the
  /// first second of the next minute, as in POSIX.
  @inlinable
  package static func timeOfDay(_ hour: Int, _ minute: Int, _ second: Int) -> Int64? {
    guard (0..<24).contains(hour), (0..<60).contains(minute), (0...60).contains(second) else { return nil }
    return Int64((hour * 60 + minute) * 60 + second) * 1_000_000
  }

  /// The length of a day in microseconds.
  @inlinable package static var dayLength: Int64 { 86_400_000_000 }

  /// Returns the date a number of days after 1970-01-01.
  package static func date(days: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = days + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day)
  }

  /// Returns the number of days of a month, 28…31.
  package static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
