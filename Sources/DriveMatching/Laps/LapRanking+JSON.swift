package import TrackModel

extension LapRanking {
  /// The ranking as a JSON object, with names that scripts rely on.
  package var json: JSONValue {
    let sectors = bestSectors
    return .object([
      ("gate", (course ?? check?.course)?.gate.json ?? .null),
      ("finish", course?.finish.map(\.json) ?? .null),
      ("sectors", .array(course?.sectors.map(\.json) ?? [])),
      ("confidence", .rounded(course?.confidence, 1e3)),
      ("other_circuits", .array(otherCircuits.map(\.json))),
      ("laps", .array(entries.map { .object(members(of: $0)) })),
      ("best_lap", best.map { .integer($0.number) } ?? .null),
      ("best_sectors_s", sectors.map { .array($0.map { .rounded($0, 1e3) }) } ?? .null),
      ("theoretical_best_s", .rounded(sectors.map { $0.reduce(0, +) }, 1e3)),
      (
        "timed_s",
        .array(
          sessions.map { session in
            session.timed.map { .array([.rounded($0.lowerBound, 1e3), .rounded($0.upperBound, 1e3)]) }
              ?? .null
          })
      ),
    ])
  }

  /// The values of a lap, with their names.
  package func members(of entry: Entry) -> [(String, JSONValue)] {
    let lap = entry.lap
    let part = drives[entry.drive].part(at: lap.start)
    let timed = check?.timed(lap, ofDrive: entry.drive)
    return [
      ("number", .integer(entry.number)), ("source", .optional(part.source)),
      ("start_s", .rounded(lap.start - part.start, 1e3)), ("duration_s", .rounded(lap.duration, 1e3)),
      ("uncertainty_s", .rounded(lap.uncertainty, 1e3)),
      ("gap_s", lap.isComplete ? .rounded(best.map { lap.duration - $0.lap.duration }, 1e3) : .null),
      ("distance_m", .rounded(lap.distance, 1e2)), ("complete", .bool(lap.isComplete)),
      ("sectors_s", .array(lap.sectors.map { .rounded($0, 1e3) })),
      ("maximum_speed_mps", .rounded(lap.maximumSpeed, 1e3)),
      ("average_speed_mps", .rounded(lap.averageSpeed, 1e3)), ("waiting_s", .rounded(lap.waiting, 1e3)),
      ("pit_lane", .bool(lap.isThroughPitLane)), ("timed_s", .rounded(timed?.duration, 1e3)),
    ]
  }
}

extension LapCourse.OtherCircuit {
  fileprivate var json: JSONValue {
    .object([
      ("gate", course.gate.json), ("confidence", .rounded(course.confidence, 1e3)),
      ("laps", .integer(all.count)), ("best_s", .rounded(best?.duration, 1e3)),
      ("distance_m", .rounded(best?.distance, 1e2)),
    ])
  }
}

extension Gate {
  fileprivate var json: JSONValue {
    .object(JSONValue.place(coordinate) + [("bearing", .rounded(bearing, 1e2))])
  }
}
