import GhostModel
package import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension LibraryDrive {
  /// The members of ``json``, for objects with additional members.
  package var members: [(String, JSONValue)] {
    [
      ("id", .string(id.uuidString)), ("name", .string(name)), ("start_time", .time(startTime)),
      ("end_time", .time(endTime)), ("duration_s", .number(duration)), ("distance_mi", .number(distance)),
      ("distance_m", .rounded(distanceInMeters, 1e3)),
      ("points", .integer(points)), ("start", .position(start)), ("end", .position(end)),
      ("kind", .optional(kind)), ("notes", .optional(description)), ("gear", .optional(gear)),
      ("source", .optional(source.map(FileName.shown))),
    ]
  }

  /// The drive as a JSON object, with names that scripts rely on. They are those of an imported drive if they
  /// have the same meaning.
  package var json: JSONValue { .object(members) }
}
