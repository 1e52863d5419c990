package import GhostModel
package import TrackModel

extension DriveComparison {
  /// The comparison as a JSON object, with names that scripts rely on.
  package var json: JSONValue {
    .object([
      ("engine", .string(engine.rawValue)),
      ("requested_mode", .string(requestedMode.name)), ("mode", .string(mode.name)),
      ("fallback", .bool(fallback != nil)), ("fallback_reason", .optional(fallback?.name)),
      ("timing", .string(timing.rawValue)),
      ("drives", .array(drives.map(\.json))),
      ("pairs", .array(pairs.map { $0.json(ride: ride(of: $0), isMeasured: engine == .matched) })),
      ("events", .array(pairs.flatMap { pair in pair.events.map { $0.json(pair) } })),
      (
        "profile",
        .elements { add in
          for pair in pairs { pair.addProfile(drives: drives.count, to: add) }
        }
      ),
      ("legs", .array(pairs.flatMap { pair in pair.legs.map { $0.json(pair) } })),
      ("winner", .optional(winner.map { drives[$0].label })),
      ("margin_s", .seconds(margin)),
      ("uncertainty_s", engine == .matched ? .seconds(uncertainty) : .null),
    ])
  }
}

extension DriveComparison.Fallback {
  fileprivate var name: String {
    switch self {
    case .noSuchEvent: "no-such-event"
    case .nothingShared: "nothing-shared"
    case .reversed: "reversed"
    }
  }
}

extension ComparedDrive {
  fileprivate var json: JSONValue {
    .object([
      ("label", .string(FileName.shown(label))), ("source", .optional(source.map(FileName.shown))),
      ("points", .integer(points)),
      ("start_index", .integer(startIndex)), ("end_index", .integer(endIndex)),
      ("time_offset_s", .seconds(timeOffset)), ("duration_s", .seconds(duration)),
      ("distance_m", .metres(distance)),
      ("motion", .object([("start_s", .seconds(motionStart)), ("end_s", .seconds(motionEnd))])),
      ("elapsed_s", .seconds(elapsed)),
      ("idle_s", .object([("start", .seconds(idleAtStart)), ("end", .seconds(idleAtEnd))])),
      ("waiting_s", .seconds(waiting)), ("stops", .array(stops.map(\.json))),
      (
        "same_time",
        .array(
          concurrent.map {
            .object([("drive", .integer($0.drive)), ("relation", .string($0.relation.rawValue))])
          })
      ),
    ])
  }
}

extension Stop {
  fileprivate var json: JSONValue {
    .object(
      JSONValue.place(coordinate) + [
        ("arrival_s", .seconds(arrival)), ("departure_s", .seconds(departure)),
        ("duration_s", .seconds(duration)),
      ])
  }
}

extension PairComparison {
  /// The indices of the two drives.
  fileprivate var indices: JSONValue { .array([.integer(first), .integer(second)]) }

  /// Returns the object of a pair.
  ///
  /// - Parameters:
  ///   - ride: the relation of recordings that were made at the same time.
  ///   - isMeasured: whether the engine computes the length of shared road and an uncertainty.
  fileprivate func json(ride: RideRelation?, isMeasured: Bool) -> JSONValue {
    .object([
      ("pair", indices),
      ("relation", isMeasured ? .string(relation.name) : .null),
      ("ride", .optional(ride?.rawValue)),
      ("shared_distance_m", isMeasured ? .metres(sharedDistance) : .null),
      ("gap_s", .seconds(finalGap)), ("uncertainty_s", isMeasured ? .seconds(uncertainty) : .null),
    ])
  }

  /// Adds a row per location with a time for each of `count` drives, which is null for drives that are not
  /// in the pair.
  fileprivate func addProfile(drives count: Int, to add: (JSONValue) -> Void) {
    for (stretch, rows) in profile.stretches.enumerated() {
      for row in rows {
        var elapsed = [JSONValue](repeating: .null, count: count)
        elapsed[first] = .seconds(profile.firstElapsed[row])
        elapsed[second] = .seconds(profile.secondElapsed[row])
        add(
          .object([
            ("lat", .degrees(profile.latitudes[row])), ("lon", .degrees(profile.longitudes[row])),
            ("distance_m", .metres(profile.distances[row])), ("elapsed_s", .array(elapsed)),
            ("gap_s", .seconds(profile.gaps[row])), ("pair", indices), ("stretch", .integer(stretch)),
          ]))
      }
    }
  }
}

extension PairComparison.Relation {
  fileprivate var name: String {
    switch self {
    case .shared: "shared"
    case .nothingShared: "nothing-shared"
    case .reversed: "reversed"
    }
  }
}

extension RouteEvent {
  fileprivate func json(_ pair: PairComparison) -> JSONValue {
    .object(
      [("kind", .string(kind.rawValue)), ("pair", pair.indices)] + JSONValue.place(coordinate) + [
        ("elapsed_s", .array([.seconds(elapsed.first), .seconds(elapsed.second)])),
        ("position", .array([.seconds(position.first), .seconds(position.second)])),
      ])
  }
}

extension Leg {
  fileprivate func json(_ pair: PairComparison) -> JSONValue {
    .object([
      ("kind", .string(kind.rawValue)), ("pair", pair.indices), ("gap_change_s", .seconds(gapChange)),
      ("uncertainty_s", .seconds(uncertainty)),
      ("sides", .array([sides.first.json, sides.second.json])),
    ])
  }
}

extension Leg.Side {
  fileprivate var json: JSONValue {
    .object([
      ("from", .object(JSONValue.place(from))), ("to", .object(JSONValue.place(to))),
      ("distance_m", .array([.metres(fromDistance), .metres(toDistance)])),
      ("elapsed_s", .array([.seconds(fromElapsed), .seconds(toElapsed)])),
      ("length_m", .metres(length)), ("duration_s", .seconds(duration)), ("waiting_s", .seconds(waiting)),
    ])
  }
}

extension JSONValue {
  /// A time or a fractional index, rounded to three decimals.
  fileprivate static func seconds(_ value: Double?) -> JSONValue { rounded(value, 1e3) }
  /// A length in metres, rounded to the centimetre.
  fileprivate static func metres(_ value: Double?) -> JSONValue { rounded(value, 1e2) }
  /// Degrees, rounded to seven decimals (about a centimetre).
  fileprivate static func degrees(_ value: Double) -> JSONValue { rounded(value, 1e7) }
}
