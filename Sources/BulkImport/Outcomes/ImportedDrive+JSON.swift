package import GhostModel
package import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension ImportedDrive {
  /// The members of a JSON object about a drive, without its coordinates.
  package var members: [(String, JSONValue)] {
    [
      ("id", .string(drive.id.uuidString)), ("name", .string(drive.name)),
      ("start_time", .time(drive.startTime)), ("end_time", .time(drive.endTime)),
      ("duration_s", .number(drive.duration)), ("distance_mi", .number(drive.distance)),
      ("distance_m", .rounded(report.recordedDistance, 1e3)), ("elapsed_s", .number(report.elapsed)),
      ("moving_s", .number(report.moving)), ("points_read", .integer(report.pointsRead)),
      ("points_used", .integer(report.pointsUsed)), ("points", .integer(report.pointsInDrive)),
      ("step_s", .number(report.step)), ("resampled", .bool(report.resampled)),
      ("largest_time_error_s", .number(report.largestTimeError)),
      ("largest_place_error_m", .rounded(report.largestPlaceError, 1e3)),
      ("warnings", .warnings(report.warnings)), ("kind", .optional(drive.kind)),
      ("notes", .optional(drive.notes)), ("gear", .optional(drive.gear)),
    ]
  }
}
