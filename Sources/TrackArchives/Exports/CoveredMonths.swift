import TrackModel

/// The months that a Google Takeout tells by activities, in files such as `2021_JANUARY.json`; what lies in
/// them is the same movements as in the one recording of all time beside them, and better told.
public struct CoveredMonths: Sendable, Hashable {
  /// Months since the beginning of the year 0.
  private var months: Set<Int> = []

  public init() {}

  private static let names = [
    "JANUARY", "FEBRUARY", "MARCH", "APRIL", "MAY", "JUNE", "JULY", "AUGUST", "SEPTEMBER", "OCTOBER",
    "NOVEMBER", "DECEMBER",
  ]

  /// Takes the file of a month by its name without folders; any other name covers nothing.
  public mutating func add(fileName: String) {
    let parts = fileName.split(separator: "_", maxSplits: 1)
    guard parts.count == 2, parts[0].utf8.count == 4, let year = UInt16(parts[0]),
      let month = CoveredMonths.names.firstIndex(where: { "\($0).JSON" == parts[1].uppercased() })
    else { return }
    months.insert(Int(year) * 12 + month)
  }

  public var isEmpty: Bool { months.isEmpty }

  /// Whether a time, in microseconds since 1970, lies in one of the months; they count in UTC.
  public func contains(_ time: Int64) -> Bool {
    let day: Int64 = 86_400_000_000
    let (whole, rest) = time.quotientAndRemainder(dividingBy: day)
    let date = CivilCalendar.date(days: Int(rest < 0 ? whole - 1 : whole))
    return months.contains(date.year * 12 + date.month - 1)
  }
}
