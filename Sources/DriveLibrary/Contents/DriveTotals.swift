package import TrackModel

/// The number of drives, with the sums of their distances and durations.
///
/// Each recording counts, even if several devices recorded the same ride.
package struct DriveTotals: Sendable, Hashable {
  /// The month or the year of the drives, or nil for drives without a start.
  package let period: String?
  package private(set) var drives = 0
  /// In metres.
  package private(set) var distance = 0.0
  /// In seconds.
  package private(set) var duration = 0.0

  package init(period: String? = nil) { self.period = period }

  package mutating func add(_ drive: LibraryDrive) {
    drives += 1
    distance += drive.distance * Geodesy.metresPerMile
    duration += drive.duration
  }

  /// The totals as a JSON object, with names that scripts rely on.
  package var json: JSONValue {
    .object([
      ("period", .optional(period)), ("drives", .integer(drives)), ("distance_m", .rounded(distance, 1e3)),
      ("duration_s", .rounded(duration, 1e3)),
    ])
  }
}
