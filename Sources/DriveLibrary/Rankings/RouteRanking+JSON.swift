package import DriveMatching
import GhostModel
package import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension DrivenRoute {
  /// The route as a JSON object, with names that scripts rely on.
  package var json: JSONValue {
    .object([
      ("id", .string(id.uuidString)), ("name", .optional(name)), ("count", .integer(count)),
      ("drives", .array(drives.map { .string($0.uuidString) })),
      ("other_recordings", .array(otherRecordings.map { .string($0.uuidString) })),
      ("start", .object(JSONValue.place(start))), ("end", .object(JSONValue.place(end))),
      ("loop", .bool(isLoop)), ("bearing_deg", .rounded(bearing, 1e1)),
      ("distance_m", .rounded(distance, 1e2)),
      ("best", .object([("id", .string(best.uuidString)), ("duration_s", .rounded(bestDuration, 1e3))])),
      ("usual_s", .rounded(usualDuration, 1e3)),
      ("first_time", .time(firstTime)), ("last_time", .time(lastTime)),
    ])
  }
}

extension RouteRanking {
  /// The ranking as a JSON object, with names that scripts rely on.
  package var json: JSONValue {
    var ranks: [Int: Int] = [:]
    for (rank, entry) in comparison.entries.enumerated() { ranks[entry.drive] = rank }
    var unranked: [Int: RouteComparison.Unranked] = [:]
    for drive in comparison.unranked { unranked[drive.drive] = drive }
    return .object([
      ("route", route.json), ("compared_distance_m", .rounded(comparison.length, 1e2)),
      ("fastest", identifier(comparison.entries.first?.drive)),
      ("best_s", .rounded(comparison.entries.first?.duration, 1e3)),
      ("usual_s", .rounded(comparison.usualDuration, 1e3)),
      ("theoretical_best_s", .rounded(comparison.theoreticalBest, 1e3)),
      ("drives", .array(drives.indices.map { json(of: $0, rank: ranks[$0], unranked: unranked[$0]) })),
      ("legs", .array(comparison.legs.map(json))),
    ])
  }

  private func identifier(_ drive: Int?) -> JSONValue { .optional(drive.map { drives[$0].id.uuidString }) }

  private func json(of index: Int, rank: Int?, unranked: RouteComparison.Unranked?) -> JSONValue {
    let drive = drives[index]
    let entry = rank.map { comparison.entries[$0] }
    return .object([
      ("id", .string(drive.id.uuidString)), ("label", .string(labels[index])), ("name", .string(drive.name)),
      ("start_time", .time(drive.startTime)),
      ("timing", .string((passages[index].hasTimestamps ? Timing.timestamps : .even).rawValue)),
      ("rank", rank.map { .integer($0 + 1) } ?? .null), ("time_s", .rounded(entry?.duration, 1e3)),
      ("gap_s", .rounded(entry?.gap, 1e3)), ("uncertainty_s", .rounded(entry?.uncertainty, 1e3)),
      ("average_mps", .rounded(entry.flatMap(speed), 1e3)),
      ("moving_s", .rounded(passages[index].movingDuration, 1e3)),
      ("unranked_reason", .optional(unranked?.reason.rawValue)),
      ("faster_than_ranked", unranked.map { .bool($0.isFaster) } ?? .null),
    ])
  }

  private typealias Timing = DriveComparison.Timing

  private func json(_ leg: RouteLeg) -> JSONValue {
    .object([
      ("from_m", .rounded(leg.from, 1e2)), ("to_m", .rounded(leg.to, 1e2)),
      ("start", .object(JSONValue.place(leg.start))), ("end", .object(JSONValue.place(leg.end))),
      ("detour", .bool(leg.isDetour)), ("best", identifier(leg.best)),
      ("best_s", .rounded(leg.bestDuration, 1e3)), ("best_left_road", .bool(leg.bestLeftRoad)),
      ("left_road", .integer(leg.leftRoad)), ("usual_s", .rounded(leg.usualDuration, 1e3)),
      ("times_s", .array(leg.durations.map { .rounded($0, 1e3) })),
    ])
  }
}

extension [DrivenRoute] {
  /// Returns the routes as a JSON object, with names that scripts rely on.
  ///
  /// - Parameter drives: the number of drives that were examined.
  package func json(drives: Int) -> JSONValue {
    .object([
      ("drives", .integer(drives)), ("drives_in_routes", .integer(reduce(0) { $0 + $1.count })),
      ("routes", .array(map(\.json))),
    ])
  }
}
