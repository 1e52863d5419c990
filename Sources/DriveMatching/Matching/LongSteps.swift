/// A recording with few points cuts corners: between two of its points the road is not its line.
extension MatchablePolyline {
  /// Metres from vertex to vertex from which a step is long.
  static let longStep = 60.0
  /// How far from a long step the road may lie, in parts of the step: a corner of 60° in its middle is 0.29
  /// of it away.
  static let cutCorner = 0.3
  /// How much longer than a long step the road may be: a corner of 100° makes it 1.56 times as long.
  static let bentRoad = 1.7
  /// By which factor the pace on a long step may differ from that before and after it on the same road.
  static let steadyPace = 1.25

  /// The length of a step where it is long; else 0. Metres.
  func longStep(after vertex: Int) -> Double {
    guard vertex + 1 < count else { return 0 }
    let metres = distanceAlong[vertex + 1] - distanceAlong[vertex]
    return metres > Self.longStep ? metres : 0
  }

  /// The longest of the long steps of a part of the line, or 0. Metres.
  func longestStep(from start: Double, to end: Double) -> Double {
    guard count > 1 else { return 0 }
    var longest = 0.0
    var vertex = segment(at: start)
    while vertex + 1 < count, distanceAlong[vertex] < end {
      longest = max(longest, longStep(after: vertex))
      vertex += 1
    }
    return longest
  }

  /// Takes the other drive's long steps for this drive's road where both of their ends are on it and the road
  /// between leads about the same way: its places are on the step in proportion.
  ///
  /// - Parameters:
  ///   - matches: per vertex of the other drive metres along this one, or NaN.
  ///   - own: per vertex of this drive metres along the other, or NaN.
  func followLongSteps(of other: MatchablePolyline, matches: [Double], into own: inout [Double]) {
    guard count > 1, other.count > 1 else { return }
    var hint = 0
    for step in 0..<(other.count - 1) {
      let metres = other.longStep(after: step)
      let (start, end) = (matches[step], matches[step + 1])
      guard metres > 0, end > start, end - start <= Self.bentRoad * metres + SharedRoad.shortestDetour
      else { continue }
      let first = segment(at: start, near: &hint) + 1
      var last = first
      while last < count, distanceAlong[last] < end { last += 1 }
      let chord = other.distanceAlong[step]...other.distanceAlong[step + 1]
      let reach = max(SharedRoad.separation, Self.cutCorner * metres)
      guard first < last, other.holeLength(from: chord.lowerBound, to: chord.upperBound) == 0,
        (first..<last).allSatisfy({ other.distance(of: places[$0], fromStepAfter: step) <= reach })
          || other.isSteady(step, matches)
      else { continue }
      for vertex in first..<last {
        own[vertex] = other.distanceAlong[step] + (distanceAlong[vertex] - start) / (end - start) * metres
      }
    }
  }

  /// Whether the pace on the other drive's road is on a step about what it is before and after.
  ///
  /// - Parameter matches: per vertex metres along the other drive, or NaN.
  private func isSteady(_ step: Int, _ matches: [Double]) -> Bool {
    guard step > 0, step + 2 < count else { return false }
    func pace(_ from: Int, _ to: Int) -> Double {
      let seconds = arrivals[to] - departures[from]
      return seconds > 0 ? (matches[to] - matches[from]) / seconds : .nan
    }
    let usual = (pace(step - 1, step) + pace(step + 1, step + 2)) / 2
    let here = pace(step, step + 1)
    return here < Self.steadyPace * usual && usual < Self.steadyPace * here
  }

  /// Metres from a place to the straight line between two vertices.
  private func distance(of place: SIMD3<Double>, fromStepAfter vertex: Int) -> Double {
    let step = places[vertex + 1] - places[vertex]
    let offset = place - places[vertex]
    let squared = step.lengthSquared
    let fraction = squared > 0 ? min(max(offset.dot(step) / squared, 0), 1) : 0
    return (offset - fraction * step).length
  }
}
