import TrackModel

/// The order of day, month and year in an ambiguous date.
enum CSVDateOrder: String, Sendable, Hashable, CaseIterable {
  case dmy, mdy, ymd

  /// Returns the order in a pattern such as `ddmmyyyyhhmmss`, or `nil`.
  init?(pattern: String) {
    var order = ""
    for character in pattern {
      guard "dmyhs".contains(character) else { return nil }
      // Minutes follow hours.
      if character == "h" { break }
      if order.last != character { order.append(character) }
    }
    self.init(rawValue: order)
  }
}

/// Parses dates and times of tables: ISO 8601, `YYYY/MM/DD hh:mm:ss`, `DD.MM.YYYY hh:mm:ss`, month names,
/// `YYYYMMDDhhmmss`, 12-hour times with AM and PM, `Fri May 17 06:12:30 GMT+01:00 2024`, numbers of time
/// units since 1970, and serial days of spreadsheets.
enum CSVTime: Equatable {
  /// Microseconds since 1970, interpreted as UTC if there is no zone.
  case moment(Int64, hasZone: Bool)
  /// A date without a time of day, as microseconds since 1970 at its start.
  case date(Int64)
  /// Microseconds since midnight, adjusted to UTC.
  case clock(Int64, hasZone: Bool)
  /// An ambiguous date.
  case ambiguous
  /// An invalid time.
  case none

  /// Parses a text that is not a plain number.
  ///
  /// - Parameters:
  ///   - order: the order for dates like 03/04/24, or `nil` to treat them as ambiguous.
  ///   - isDate: whether six digits are a date instead of a time of day.
  static func read(_ text: Span<UInt8>, order: CSVDateOrder?, isDate: Bool = false) -> CSVTime {
    if text.count >= 10, text[4] == UInt8(ascii: "-"), let reading = ISO8601.read(text) {
      if text.count == 10 { return .date(reading.instant.microseconds) }
      return .moment(reading.instant.microseconds, hasZone: reading.hasZone)
    }
    var cursor = CSVTimeCursor(text)
    if let moment = cursor.momentOfJava() { return .moment(moment.microseconds, hasZone: moment.hasZone) }
    cursor.index = 0
    cursor.skipBlanks()
    if !isDate, let clock = cursor.clock(), cursor.isAtEnd {
      return .clock(clock.microseconds, hasZone: clock.hasZone)
    }
    cursor.index = 0
    cursor.skipBlanks()
    var isAmbiguous = false
    guard let days = cursor.date(order: order, isAmbiguous: &isAmbiguous) else {
      return isAmbiguous ? .ambiguous : .none
    }
    let start = Int64(days) * CivilCalendar.dayLength
    cursor.skipDateEnd()
    if cursor.isAtEnd { return isAmbiguous ? .ambiguous : .date(start) }
    guard let clock = cursor.clock(isAfterDate: true), cursor.isAtEnd else { return .none }
    return isAmbiguous ? .ambiguous : .moment(start + clock.microseconds, hasZone: clock.hasZone)
  }

  /// Whether a number is a serial day of 1954 to 2119 with a time of day.
  static func isSerial(_ number: Double, decimals: Int) -> Bool {
    (20_000..<80_000).contains(number) && decimals >= 4
  }

  /// Interprets a number by its magnitude: seconds, milliseconds, microseconds or nanoseconds since 1970 (for
  /// years from 1973), the digits of a date and time, or days since 1899-12-30 as in spreadsheets (for 1954
  /// to 2119).
  ///
  /// - Parameters:
  ///   - allowsSerial: whether numbers without decimals can be serial days.
  ///   - decimals: the number of decimals.
  ///   - unit: the unit of the column. Numbers below ``CSVRelativeTime/limit`` in a stated one are not dates.
  static func read(
    number: Double, decimals: Int, allowsSerial: Bool, unit: CSVUnit = .own
  ) -> CSVTime {
    guard unit.isOwn || abs(unit.converted(number)) >= CSVRelativeTime.limit else { return .none }
    let magnitude = abs(number)
    func moment(_ microseconds: Double) -> CSVTime {
      .moment(Int64(microseconds.rounded()), hasZone: true)
    }
    switch magnitude {
    case 20_000..<80_000 where number > 0 && (allowsSerial || isSerial(number, decimals: decimals)):
      // Days with about 16 digits have millisecond precision.
      let milliseconds = ((number - 25_569) * 86_400_000).rounded()
      let microseconds = Int64(milliseconds) * 1000
      return decimals == 0 ? .date(microseconds) : .moment(microseconds, hasZone: false)
    case 1e8..<1e10: return moment(number * 1e6)
    case 1e11..<1e13: return moment(number * 1e3)
    case 1e14..<1e16: return moment(number)
    case 1e17..<9e18: return moment(number / 1e3)
    default: return .none
    }
  }
}
