package import GhostModel
package import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// All properties of a drive in a library.
package struct DriveDetails: Sendable {
  package let drive: LibraryDrive
  /// The recorded points, if the library has them.
  package let recording: Recording?
  /// The drives that were recorded at the same time.
  package let relatives: [(drive: LibraryDrive, relation: RideRelation)]

  /// Reads the properties of a drive.
  package init(_ drive: LibraryDrive, in library: DriveLibrary) throws(TrackError) {
    self.drive = drive
    recording = try library.recording(drive.id)
    relatives = try library.relatives(of: drive.id)
  }

  /// The time between two points, in seconds.
  package var step: Double? {
    drive.points > 1 ? drive.duration / Double(drive.points - 1) : nil
  }

  /// The number of recorded points with a time.
  package var timedPoints: Int {
    recording?.segments.reduce(0) { $0 + $1.times.count { $0 != Instant.absent } } ?? 0
  }

  /// The details as a JSON object, with names that scripts rely on.
  package var json: JSONValue {
    var members = drive.members
    members += [
      ("step_s", .optional(step)),
      (
        "recording",
        recording.map { recording in
          .object([
            ("segments", .integer(recording.segments.count)), ("points", .integer(recording.count)),
            ("timed_points", .integer(timedPoints)),
          ])
        } ?? .null
      ),
      (
        "same_time",
        .array(
          relatives.map {
            .object([
              ("id", .string($0.drive.id.uuidString)), ("relation", .string($0.relation.rawValue)),
              ("source", .optional($0.drive.source)),
            ])
          })
      ),
    ]
    return .object(members)
  }
}
