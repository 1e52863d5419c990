import TrackModel

/// A data logger whose tables do not state their units or the order of their dates.
struct CSVLogger {
  /// Headings in lower case that identify the logger.
  private let headings: Set<String>
  let dateOrder: CSVDateOrder?
  private let units: [CSVColumnRole: CSVUnit]

  /// The units of a logger whose speeds are in km/h.
  private static let kilometresPerHour = [CSVColumnRole.channel(.speed): CSVUnit.kilometresPerHour]

  private static let all = [
    // Columbus: dates such as 240517.
    CSVLogger(
      headings: ["tag", "date", "latitude n/s", "longitude e/w"], dateOrder: .ymd, units: kilometresPerHour),
    // RaceBox.
    CSVLogger(headings: ["record", "gforcex", "gforcez", "gyrox"], dateOrder: nil, units: kilometresPerHour),
  ]

  /// Returns the logger that writes a heading row, or `nil`.
  static func named(by headings: [String]) -> CSVLogger? {
    let names = Set(headings.map { $0.lowercased() })
    return all.first { names.isSuperset(of: $0.headings) }
  }

  /// Returns the unit of a column whose heading states none.
  func unit(of meaning: CSVColumnRole) -> CSVUnit? { units[meaning] }
}
