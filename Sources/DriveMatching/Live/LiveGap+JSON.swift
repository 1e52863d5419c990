package import TrackModel

extension LiveGap.Reading {
  /// The reading as a JSON object, with names that scripts rely on.
  ///
  /// - Parameters:
  ///   - fix: the fix to which the reading belongs.
  ///   - lap: the lap at this fix.
  package func json(_ fix: LocationFix, _ lap: LapTimer.Reading? = nil) -> JSONValue {
    .object(
      [
        ("time", .time(fix.time)), ("lat", .number(fix.coordinate.latitude)),
        ("lon", .number(fix.coordinate.longitude)), ("state", .string(state.rawValue)),
        ("elapsed_s", .rounded(elapsed, 1e3)), ("ghost_elapsed_s", .rounded(ghostElapsed, 1e3)),
        ("gap_s", .rounded(gap, 1e3)), ("distance_m", .rounded(distance, 1e2)), ("ghost", .position(ghost)),
      ] + (lap.map { [("lap", $0.json)] } ?? []))
  }
}

extension LapTimer.Reading {
  fileprivate var json: JSONValue {
    .object([
      ("number", .optional(lap.map(Double.init))), ("elapsed_s", .rounded(elapsed, 1e3)),
      ("gap_s", .rounded(gap, 1e3)), ("best_s", .rounded(best?.duration, 1e3)),
      (
        "finished",
        finished.map {
          .object([
            ("number", .integer($0.number)), ("duration_s", .rounded($0.duration, 1e3)),
            ("uncertainty_s", .rounded($0.uncertainty, 1e3)), ("complete", .bool($0.isComplete)),
          ])
        } ?? .null
      ),
    ])
  }
}
