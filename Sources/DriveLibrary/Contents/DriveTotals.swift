package import TrackModel

/// The number of drives and of rides, with the sums of the rides' distances and durations.
///
/// A ride that several devices recorded is several drives. Its distance and duration are those of the drive
/// that starts first, and of the later parts that only others have.
package struct DriveTotals: Sendable, Hashable {
  /// The month or the year of the drives, or nil for drives without a start.
  package let period: String?
  package private(set) var drives = 0
  package private(set) var rides = 0
  /// In metres.
  package private(set) var distance = 0.0
  /// In seconds.
  package private(set) var duration = 0.0

  package init(period: String? = nil) { self.period = period }

  /// Adds a drive.
  ///
  /// - Parameter newShare: the share of the drive that no drive of the same ride has recorded that was added
  ///   before; nil if there is none.
  package mutating func add(_ drive: LibraryDrive, newShare: Double? = nil) {
    drives += 1
    if newShare == nil { rides += 1 }
    distance += drive.distanceInMeters * (newShare ?? 1)
    duration += drive.duration * (newShare ?? 1)
  }

  /// The totals as a JSON object, with names that scripts rely on.
  package var json: JSONValue {
    .object([
      ("period", .optional(period)), ("drives", .integer(drives)), ("rides", .integer(rides)),
      ("distance_m", .rounded(distance, 1e3)),
      ("duration_s", .rounded(duration, 1e3)),
    ])
  }
}
