import TrackModel

/// The order of day, month and year in a date that leaves it open.
enum CSVDateOrder: String, Sendable, Hashable, CaseIterable {
  case dmy, mdy, ymd

  /// The order that a pattern such as `ddmmyyyyhhmmss` spells out; nil for what is none.
  init?(pattern: String) {
    var order = ""
    for character in pattern {
      guard "dmyhs".contains(character) else { return nil }
      // The minutes of a time of day come behind its hours.
      if character == "h" { break }
      if order.last != character { order.append(character) }
    }
    self.init(rawValue: order)
  }
}

/// Dates and times of day as tables write them: ISO 8601, `YYYY/MM/DD hh:mm:ss`, `DD.MM.YYYY hh:mm:ss`, month
/// names, `YYYYMMDDhhmmss`, twelve hours with AM and PM, `Fri May 17 06:12:30 GMT+01:00 2024`; and numbers
/// that count from 1970 or are the serial days of a spreadsheet.
enum CSVTime: Equatable {
  /// Microseconds since 1970; taken as UTC where no zone is given.
  case moment(Int64, hasZone: Bool)
  /// A date without a time of day: microseconds since 1970 at its beginning.
  case date(Int64)
  /// Microseconds since midnight, those of the zone already taken off.
  case clock(Int64, hasZone: Bool)
  /// A date that reads as two different ones.
  case ambiguous
  /// No time at all.
  case none

  static let day: Int64 = 86_400_000_000

  /// Reads a text that is no bare number.
  ///
  /// - Parameters:
  ///   - order: what to make of dates like 03/04/24; nil to make nothing of them.
  ///   - isDate: whether six digits are a date, not a time of day.
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
    let start = Int64(days) * day
    cursor.skipDateEnd()
    if cursor.isAtEnd { return isAmbiguous ? .ambiguous : .date(start) }
    guard let clock = cursor.clock(), cursor.isAtEnd else { return .none }
    return isAmbiguous ? .ambiguous : .moment(start + clock.microseconds, hasZone: clock.hasZone)
  }

  /// What a number means: seconds, milliseconds, microseconds or nanoseconds since 1970 by its magnitude,
  /// each from the year 1973 on; the digits of a date and time; or days since 1899-12-30, the serial days of
  /// spreadsheets, from 1954 to 2119.
  ///
  /// - Parameters:
  ///   - allowsSerial: whether serial days may be meant even without the decimals of a time of day.
  ///   - decimals: how many digits stand behind the point.
  static func read(number: Double, decimals: Int, allowsSerial: Bool) -> CSVTime {
    let magnitude = abs(number)
    func moment(_ microseconds: Double) -> CSVTime {
      .moment(Int64(microseconds.rounded()), hasZone: true)
    }
    switch magnitude {
    case 20_000..<80_000 where number > 0 && (allowsSerial || decimals >= 4):
      // Days of about 16 digits are good for a millisecond.
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
