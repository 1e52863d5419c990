import TrackModel

/// A time in several columns of numbers: the year, month, day, hour, minute and second, or the week of GPS
/// and the time in it.
struct CSVTimeParts: Sendable {
  /// The columns of the parts, from 0.
  let columns: [Int]
  /// The unit of the time in the week of GPS, or nil for a date.
  private let unit: CSVUnit?
  let isUTC: Bool

  private static let receivers: Set<String> = ["gps", "utc", "gmt"]
  private static let calendar: [Set<String>] = [
    ["year", "yyyy"], ["month", "mon", "mm"], ["day", "dd"], ["hour", "hh"], ["minute", "min", "mi"],
    ["second", "seconds", "sec", "ss"],
  ]
  private static let weeks: Set<String> = ["week", "weeknumber", "gwk"]
  private static let timesOfWeek: [String: CSVUnit] = [
    "gms": .milliseconds, "itow": .milliseconds, "tow": .seconds, "timeofweek": .seconds,
    "secondsofweek": .seconds, "sow": .seconds, "seconds": .seconds, "gpst": .seconds,
  ]

  /// The weeks from 1999, when the counters of old receivers began again at 0.
  private static let possibleWeeks = 1024.0..<4096
  private static let week: Int64 = 7 * CivilCalendar.dayLength

  /// - Parameters:
  ///   - headings: the fields of the heading.
  ///   - rows: the rows of values in the table.
  /// - Returns: nil for other tables, and if no row has a valid time.
  init?(_ headings: [String], _ rows: [CSVLayout.Row]) {
    let words = headings.map(CSVHeading.words)
    var names = words.map { $0.outside.drop(while: Self.receivers.contains).joined() }
    // RTKLIB writes the week below an empty heading.
    if names.starts(with: ["", "gpst"]) { names[0] = "week" }
    let calendar = Self.calendar.compactMap { names.firstIndex(where: $0.contains) }
    if calendar.count == Self.calendar.count {
      columns = calendar
      unit = nil
      isUTC = words[calendar[0]].outside.count > 1
    } else if let week = names.firstIndex(where: Self.weeks.contains),
      let time = names.firstIndex(where: { Self.timesOfWeek[$0] != nil })
    {
      columns = [week, time]
      unit = CSVUnit.named(words[time].inside.joined(), for: .time) ?? Self.timesOfWeek[names[time]]
      isUTC = true
    } else {
      return nil
    }
    let isValid = rows.contains { row in
      time(columns.map { $0 < row.fields.count ? Double(row.fields[$0]) ?? .nan : .nan }) != nil
    }
    guard isValid else { return nil }
  }

  /// Returns the microseconds since 1970 of numbers in the order of ``columns``, or nil for invalid ones.
  func time(_ parts: [Double]) -> Int64? {
    guard let unit else {
      guard parts.dropLast().allSatisfy({ (0..<10_000).contains($0) && $0 == $0.rounded() }),
        (0..<61).contains(parts[5]), case let numbers = parts.map({ Int($0) }), numbers[0] >= 1970,
        let days = CivilCalendar.days(validating: numbers[0], month: numbers[1], day: numbers[2]),
        let time = CivilCalendar.timeOfDay(numbers[3], numbers[4], 0)
      else { return nil }
      return Int64(days) * CivilCalendar.dayLength + time + Int64((parts[5] * 1e6).rounded())
    }
    let microseconds = unit.converted(parts[1])
    guard Self.possibleWeeks.contains(parts[0]), parts[0] == parts[0].rounded(),
      (0..<Double(Self.week)).contains(microseconds)
    else {
      return nil
    }
    return GPSTime.utc(Int64(parts[0]) * Self.week + Int64(microseconds.rounded()))
  }
}
