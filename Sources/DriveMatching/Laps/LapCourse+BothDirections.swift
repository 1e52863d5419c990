package import GhostModel

extension LapCourse {
  /// The cosine of the angle between directions from which they are opposite.
  private static let opposite = -0.85
  /// The maximum number of positions that are compared with all others.
  private static let mostCompared = 500

  /// Returns whether the best lap drives most of its road in both directions, like the run of a hill climb
  /// and the way back.
  package func drivesBothDirections(_ sessions: [LapSession], of traces: [TimedDrive]) -> Bool {
    let laps = zip(sessions, traces).compactMap { session, trace in session.best.map { ($0, trace) } }
    guard let (lap, trace) = laps.min(by: { $0.0.duration < $1.0.duration }) else { return false }
    let path = SmoothPath(trace)
    let places = path.samples(from: lap.start, to: lap.end).map(\.place)
    guard places.count > 2 else { return false }
    let directions = places.indices.map { index in
      (places[min(index + 1, places.count - 1)] - places[max(index - 1, 0)]).normalized
    }
    let reach = SmoothPath.sameRoadReach(path.usualStep)
    let compared = stride(from: 0, to: places.count, by: places.count / Self.mostCompared + 1)
    let both = compared.count { one in
      places.indices.contains { other in
        (places[other] - places[one]).lengthSquared <= reach * reach
          && directions[other].dot(directions[one]) <= Self.opposite
      }
    }
    return 2 * both > Array(compared).count
  }
}
