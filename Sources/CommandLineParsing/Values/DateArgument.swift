package import TrackModel

/// A date in an option, as the time range that it covers: a year, a month, a day, a minute, a second or, with
/// decimals, a microsecond.
package struct DateArgument: Equatable, ArgumentValue {
  /// The start of the range, in UTC unless ``hasZone``.
  package let begin: Instant
  /// The end of the range (exclusive), in UTC unless ``hasZone``.
  package let end: Instant
  /// Whether the text includes a time zone. Otherwise the date is in the time zone of the output.
  package let hasZone: Bool

  /// Parses `2025`, `2025-01`, `2025-01-31` or an ISO 8601 time.
  package init(argument text: String) throws(InvalidValue) {
    let bytes = Array(text.utf8)
    guard let first = bytes.first, (0x30...0x39).contains(first),
      let reading = ISO8601.read(bytes.span, allowsPartialDates: true)
    else { throw InvalidValue("expected a date such as 2025, 2025-01, 2025-01-31 or 2025-01-31T07:30Z") }
    begin = reading.instant
    let following: String? =
      switch bytes.count {
      case 4: Int(text).map { Self.padded($0 + 1, 4) }
      case 7: Self.next(month: text)
      default: nil
      }
    if let following {
      guard let end = ISO8601.read(Array(following.utf8).span, allowsPartialDates: true)?.instant else {
        throw InvalidValue("expected a date before the year 9999")
      }
      self.end = end
      hasZone = false
    } else {
      end = Instant(microseconds: begin.microseconds + Self.length(text))
      hasZone = reading.hasZone
    }
  }

  /// Parses an ISO 8601 time, or a day, which denotes its start.
  package static func moment(_ text: String) throws(InvalidValue) -> DateArgument {
    guard text.utf8.count >= 10, let date = try? DateArgument(argument: text) else {
      throw InvalidValue("expected a time such as 2024-05-17T06:12:30Z or, in local time, 2024-05-17T08:12")
    }
    return date
  }

  /// Returns the length in microseconds of the last unit of a date or a time.
  private static func length(_ text: String) -> Int64 {
    let clock = text.dropFirst(10).prefix { !"Zz+-".contains($0) }
    if clock.contains(where: { ".,".contains($0) }) { return 1 }
    switch clock.count(where: { $0 == ":" }) {
    case 0: return CivilCalendar.dayLength
    case 1: return 60_000_000
    default: return 1_000_000
    }
  }

  /// Returns the following month: `2026-01` for `2025-12`.
  private static func next(month text: String) -> String? {
    guard let year = Int(text.prefix(4)), let month = Int(text.suffix(2)) else { return nil }
    return month < 12 ? "\(padded(year, 4))-\(padded(month + 1, 2))" : "\(padded(year + 1, 4))-01"
  }

  private static func padded(_ number: Int, _ digits: Int) -> String {
    String(repeating: "0", count: max(digits - String(number).count, 0)) + String(number)
  }
}
