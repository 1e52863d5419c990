/// Handles recordings with few points, which cut corners: the road between two points is not the straight
/// line.
extension MatchablePolyline {
  /// The distance between vertices above which a step is long, in metres.
  static let longStep = 60.0
  /// The largest distance of the road from a long step, as a fraction of the step: 0.29 for a corner of 60°
  /// in its middle.
  static let cutCorner = 0.3
  /// The largest length of the road relative to a long step: 1.56 for a corner of 100°.
  static let bentRoad = 1.7

  /// Returns the length of a long step in metres, or 0 for other steps.
  func longStep(after vertex: Int) -> Double {
    guard vertex + 1 < count else { return 0 }
    let metres = distanceAlong[vertex + 1] - distanceAlong[vertex]
    return metres > Self.longStep ? metres : 0
  }

  /// Returns the length of the longest long step of a part of the line in metres, or 0.
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

  /// Matches the other drive's long steps with this drive's road if both ends are on the road and the road
  /// between them has about the same direction. Positions are mapped proportionally.
  ///
  /// - Parameters:
  ///   - matches: the distance along this drive in metres per vertex of the other drive, or NaN.
  ///   - own: the distance along the other drive in metres per vertex of this drive, or NaN.
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
      guard first < last, other.holeLength(from: chord.lowerBound, to: chord.upperBound) == 0
      else { continue }
      for vertex in first..<last {
        own[vertex] = other.distanceAlong[step] + (distanceAlong[vertex] - start) / (end - start) * metres
      }
    }
  }

}
