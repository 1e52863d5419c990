import GhostModel
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Presents the result of the record command.
enum RecordedOutput {
  /// `12:41, 13.40 km, 812 coordinates; 14 fixes refused: …`
  static func text(_ recorder: DriveRecorder) -> String {
    var text =
      "\(Text.clock(recorder.duration)), \(Text.distance(recorder.distance * Geodesy.metresPerMile)), "
    text += Counted.of(recorder.route.count, "coordinate")
    let refused = recorder.refusals.values.reduce(0, +)
    if refused > 0 {
      let reasons = FixRefusal.allCases.compactMap { reason in
        recorder.refusals[reason].map { "\($0) \(words(reason))" }
      }
      text += "; \(Counted.of(refused, "fix", plural: "fixes")) refused: "
      text += reasons.joined(separator: ", ")
    }
    return text
  }

  private static func words(_ reason: FixRefusal) -> String {
    switch reason {
    case .invalidPosition: "invalid"
    case .nullIsland: "at 0°, 0°"
    case .inaccurate: "inaccurate"
    case .stale: "stale"
    case .beforeStart: "before the start"
    case .outOfOrder: "out of order"
    }
  }

  static func json(_ recorder: DriveRecorder, _ drive: Drive, to destination: RecordDestination) -> JSONValue
  {
    .object([
      ("output", .optional(destination.output)), ("library", .optional(destination.library)),
      ("id", .string(drive.id.uuidString)), ("name", .string(drive.name)),
      ("start_time", .time(drive.startTime)), ("end_time", .time(drive.endTime)),
      ("duration_s", .number(recorder.duration)),
      ("distance_m", .number(recorder.distance * Geodesy.metresPerMile)),
      ("coordinates", .integer(recorder.route.count)), ("filtered", .integer(recorder.filteredCount)),
      ("average_mph", .number(recorder.averageSpeed)), ("maximum_mph", .number(recorder.maximumSpeed)),
      (
        "refused",
        .object(FixRefusal.allCases.map { ($0.rawValue, .integer(recorder.refusals[$0] ?? 0)) })
      ),
    ])
  }
}
