import TrackModel

/// The fractions of the whole seconds in the column `GPS Time` of Torque, according to the column
/// `Device Time`.
///
/// Torque can write several rows a second. The clock of the phone is wrong by seconds or minutes and in the
/// local zone, so that only its differences count. A row is never earlier than its second, and rows follow
/// the receiver with a delay, so the rows that come soonest after the start of their second show the
/// difference of the clocks.
struct CSVTimeFractions: Sendable {
  /// The column of the phone's times, from 0.
  let column: Int
  /// The time of the receiver for 0:00 of the phone, or nil before the first row.
  private var difference: Int64?
  /// The part of the second before the first row, in microseconds.
  private let lead: Int64
  private var last: Int64?
  /// The smallest fraction of the last rows, and their number.
  private var least: Int64 = .max
  private var rows = 0

  private static let second: Int64 = 1_000_000
  /// The delay from which a row repeats an old fix, in microseconds.
  private static let oldFix: Int64 = 1_500_000
  /// The number of rows that show the lead of the first one.
  private static let firstRows = 50
  /// The number of rows after which the difference of the clocks is checked.
  private static let period = 100

  /// - Parameters:
  ///   - headings: the fields of the heading.
  ///   - columns: the columns that are read.
  ///   - rows: the rows of values in the table.
  /// - Returns: nil for other tables, and if fewer than a fifth of the rows have the second of the row above
  ///   and another position. Then, the fixes are those of whole seconds.
  init?(_ headings: [String], _ columns: [CSVLayout.Column], _ rows: [CSVLayout.Row]) {
    func text(_ row: CSVLayout.Row, _ index: Int) -> String {
      index < row.fields.count ? row.fields[index] : ""
    }
    guard let time = columns.first(where: { $0.meaning == .time }),
      time.heading.lowercased() == "gps time",
      let column = headings.firstIndex(where: { $0.lowercased() == "device time" }),
      let latitude = columns.first(where: { $0.meaning == .latitude })?.index,
      let longitude = columns.first(where: { $0.meaning == .longitude })?.index
    else { return nil }
    let steps = zip(rows, rows.dropFirst())
    let shared = steps.count { first, second in
      text(first, time.index) == text(second, time.index) && text(first, column) != text(second, column)
        && (text(first, latitude) != text(second, latitude)
          || text(first, longitude) != text(second, longitude))
    }
    guard shared * 5 >= rows.count, shared > 0 else { return nil }
    self.column = column
    let differences = rows.prefix(Self.firstRows).compactMap { row -> Int64? in
      guard case .moment(let moment, _) = CSVTime.read(Array(text(row, time.index).utf8).span, order: nil),
        let clock = Self.timeOfDay(Array(text(row, column).utf8).span)
      else { return nil }
      return moment - clock
    }
    let leads = differences.map { Self.wrapped($0 - (differences.first ?? 0)) }
    lead = leads.filter { $0 < Self.second }.max() ?? 0
  }

  /// Returns a time of the receiver with its fraction.
  mutating func refined(_ time: Int64, _ cell: Span<UInt8>) -> Int64 {
    guard time != Instant.absent, time % Self.second == 0, let clock = Self.timeOfDay(cell) else {
      return time
    }
    defer { last = time }
    guard let difference else {
      self.difference = time - clock + lead
      return time + lead
    }
    var fraction = Self.wrapped(clock + difference - time)
    if fraction >= Self.oldFix, time == last { return time }
    if fraction < -Self.second || fraction >= Self.oldFix {
      // One of the clocks was set.
      self.difference = time - clock
      fraction = 0
    } else if fraction < 0 {
      self.difference = difference - fraction
      fraction = 0
    }
    rows += 1
    least = min(least, fraction)
    if rows >= Self.period, time != last {
      self.difference = (self.difference ?? difference) - least
      fraction -= least
      (rows, least) = (0, .max)
    }
    return time + min(fraction, Self.second - 1000)
  }

  /// Returns a difference of times of day, less than half a day.
  private static func wrapped(_ difference: Int64) -> Int64 {
    let rest = difference % CivilCalendar.dayLength
    return rest < -CivilCalendar.dayLength / 2
      ? rest + CivilCalendar.dayLength
      : rest >= CivilCalendar.dayLength / 2 ? rest - CivilCalendar.dayLength : rest
  }

  /// Reads the time of day at the end of `05-ago.-2026 18:57:56.813`, whose month is in the language of the
  /// phone. Returns nil without a fraction.
  private static func timeOfDay(_ text: Span<UInt8>) -> Int64? {
    guard let blank = text.indices.last(where: { text[$0] == 0x20 }) else { return nil }
    let start = blank + 1
    guard text.count > start + 9, let hour = text.digits(start..<start + 2),
      let minute = text.digits(start + 3..<start + 5), let second = text.digits(start + 6..<start + 8),
      var time = CivilCalendar.timeOfDay(hour, minute, second),
      text[start + 2] == UInt8(ascii: ":"), text[start + 5] == UInt8(ascii: ":"),
      text[start + 8] == UInt8(ascii: ".") || text[start + 8] == UInt8(ascii: ",")
    else { return nil }
    var step = Self.second / 10
    for index in (start + 9)..<text.count {
      let digit = text[index] &- UInt8(ascii: "0")
      guard digit <= 9 else { return nil }
      time += Int64(digit) * step
      step /= 10
    }
    return time
  }
}
