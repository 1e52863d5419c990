import TrackModel

/// The months of a Google Takeout with separate files such as `2021_JANUARY.json`, which contain the
/// movements of the recording of the whole history in more detail.
public struct CoveredMonths: Sendable, Hashable {
  /// The months since the start of the year 0.
  private var months: Set<Int> = []

  /// Creates an empty set.
  public init() {}

  private static let names = [
    "JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE", "JULY", "AUGUST", "SEPTEMBER", "OCTOBER",
    "NOVEMBER", "DECEMBER",
  ]

  /// Adds the month that a file name denotes. Other names are ignored.
  public mutating func add(fileName: String) {
    if let month = CoveredMonths.month(ofFile: fileName) { months.insert(month) }
  }

  /// Returns the month that a file name denotes, since the start of the year 0.
  static func month(ofFile name: String) -> Int? {
    let parts = name.split(separator: "_", maxSplits: 1)
    guard parts.count == 2, parts[0].utf8.count == 4, let year = UInt16(parts[0]),
      let month = CoveredMonths.names.firstIndex(where: { "\($0).JSON" == parts[1].uppercased() })
    else { return nil }
    return Int(year) * 12 + month
  }

  /// Whether no file name denoted a month.
  public var isEmpty: Bool { months.isEmpty }

  /// Whether a time in microseconds since 1970 is in one of the months (UTC).
  public func contains(_ time: Int64) -> Bool {
    let (whole, rest) = time.quotientAndRemainder(dividingBy: CivilCalendar.dayLength)
    let date = CivilCalendar.date(days: Int(rest < 0 ? whole - 1 : whole))
    return months.contains(date.year * 12 + date.month - 1)
  }
}
