import DriveMatching
package import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension PassageRanking {
  /// The ranking as a JSON object, with names that scripts rely on.
  package var json: JSONValue {
    let ranks = Dictionary(
      ranked.enumerated().map { ($0.element, $0.offset + 1) }, uniquingKeysWith: { first, _ in first })
    return .object([
      ("name", .string(segment.name)), ("length_m", .rounded(segment.length, 1e2)),
      ("best_s", .rounded(ranked.first?.passage.duration, 1e3)),
      ("trend_s_per_year", .rounded(trend?.perYear?.change, 1e3)),
      (
        "passages",
        .array(
          recordings.map { entry in
            let passage = entry.passage
            return .object([
              ("drive", .string(entry.drive.uuidString)), ("name", .string(entry.name)),
              ("time", .time(entry.start)), ("kind", .optional(entry.kind)),
              ("rank", .optional(ranks[entry].map(Double.init))),
              ("same_ride_as", entry.original.map { .string($0.drive.uuidString) } ?? .null),
              ("same_ride_enter_s", .rounded(entry.original?.start, 1e3)),
              ("enter_s", .rounded(passage.start, 1e3)), ("leave_s", .rounded(passage.end, 1e3)),
              ("duration_s", .rounded(passage.duration, 1e3)),
              ("gap_s", .rounded(passage.duration - best, 1e3)),
              ("uncertainty_s", .rounded(passage.uncertainty, 1e3)),
              ("distance_m", .rounded(passage.distance, 1e2)),
              ("average_speed_mps", .rounded(passage.averageSpeed, 1e3)),
              ("waiting_s", .rounded(passage.waiting, 1e3)),
            ])
          })
      ),
    ])
  }
}

extension LibrarySegment {
  /// The segment as a JSON object, with names that scripts rely on.
  package var json: JSONValue {
    .object([
      ("name", .string(segment.name)), ("length_m", .rounded(segment.length, 1e2)),
      ("passages", .integer(passages)), ("best_s", .rounded(best, 1e3)),
      ("from", segment.line.first.map { .object(JSONValue.place($0)) } ?? .null),
      ("to", segment.line.last.map { .object(JSONValue.place($0)) } ?? .null),
    ])
  }
}
