import TrackModel

/// A time in several columns of numbers: the week of GPS and the time in it.
struct CSVTimeParts: Sendable {
  /// The columns of the week and of the time, from 0.
  let columns: [Int]
  private let unit: CSVUnit

  private static let weeks: Set<String> = ["gpsweek", "gwk", "weeknumber", "week"]
  private static let times: [String: CSVUnit] = [
    "gms": .milliseconds, "itow": .milliseconds, "tow": .seconds, "gpstow": .seconds, "gpsseconds": .seconds,
    "timeofweek": .seconds, "gpstimeofweek": .seconds, "secondsofweek": .seconds, "sow": .seconds,
  ]

  /// The weeks from 1999, when the counters of old receivers began again at 0.
  private static let possibleWeeks = 1024.0..<10_000
  private static let week: Int64 = 7 * CSVTime.day

  /// - Parameters:
  ///   - headings: the fields of the heading.
  ///   - rows: the rows of values in the table.
  /// - Returns: nil for other tables, and if no row has a valid time.
  init?(_ headings: [String], _ rows: [CSVLayout.Row]) {
    let words = headings.map(CSVHeading.words)
    let names = words.map { $0.outside.joined() }
    guard let week = names.firstIndex(where: Self.weeks.contains),
      let time = names.firstIndex(where: { Self.times[$0] != nil }), let unit = Self.times[names[time]]
    else { return nil }
    columns = [week, time]
    self.unit = CSVUnit.named(words[time].inside.joined(), for: .time) ?? unit
    let isValid = rows.contains { row in
      row.fields.count > max(week, time)
        && self.time(Double(row.fields[week]) ?? .nan, Double(row.fields[time]) ?? .nan) != nil
    }
    guard isValid else { return nil }
  }

  /// Returns microseconds since 1970, or nil for invalid numbers.
  func time(_ week: Double, _ time: Double) -> Int64? {
    let microseconds = unit.converted(time)
    guard Self.possibleWeeks.contains(week), (0..<Double(Self.week)).contains(microseconds) else {
      return nil
    }
    return GPSTime.utc(Int64(week) * Self.week + Int64(microseconds.rounded()))
  }
}
