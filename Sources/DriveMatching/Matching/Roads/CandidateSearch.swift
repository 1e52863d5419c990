/// Finds the candidate positions of another drive's point on a line.
struct CandidateSearch {
  struct Candidate {
    /// The distance along the line in metres.
    var distanceAlong: Double
    /// The square of the distance from the line, in square metres.
    var distanceSquared: Double
    /// The cosine of the angle between the two directions.
    var alignment: Double
  }

  /// The cosine of the largest angle between the directions of two drives on the same road.
  static let leastAlignment = 0.17
  /// The distance along the line in metres below which only the nearer of two candidates is kept.
  static let separation = 15.0

  private let line: MatchablePolyline
  private let overhang: Double
  private let grid: SegmentGrid
  private var runs: [SegmentGrid.Run] = []
  private var hint = 0

  /// - Parameter overhang: the distance in metres past the ends of the line within which a position is at the
  ///   end.
  init(_ line: MatchablePolyline, overhang: Double = .infinity) {
    self.line = line
    self.overhang = overhang
    grid = SegmentGrid(line)
  }

  /// Appends the local minima of the distance, one or more per run of segments within reach, ascending along
  /// the line. Minima with a different direction are skipped.
  ///
  /// - Parameters:
  ///   - direction: a unit vector, or 0 for any direction.
  ///   - start: metres along the line; candidates before it may be left out.
  ///   - limit: approximately the largest number of candidates; the first ones are kept.
  mutating func find(
    near place: SIMD3<Double>, heading direction: SIMD3<Double>, from start: Double = -.infinity,
    limit: Int = .max, into found: inout [Candidate]
  ) {
    found.removeAll(keepingCapacity: true)
    let firstSegment = start > 0 ? line.segment(at: start, near: &hint) : 0
    grid.find(near: place, from: Int32(truncatingIfNeeded: firstSegment), limit: limit, into: &runs)
    let reachSquared = SegmentGrid.reach * SegmentGrid.reach
    let places = line.places
    for run in runs where found.count < limit {
      var isFalling = true
      var lowest = (distanceSquared: Double.infinity, segment: 0, fraction: 0.0)
      for segment in max(Int(run.first), firstSegment)...Int(run.last) {
        // Laps within reach of one place are one run.
        if found.count >= limit { break }
        let start = places[segment]
        let step = places[segment + 1] - start
        let offset = place - start
        let lengthSquared = step.lengthSquared
        let projection = lengthSquared > 0 ? offset.dot(step) / lengthSquared : 0
        let fraction = min(max(projection, 0), 1)
        let distanceSquared = (offset - fraction * step).lengthSquared
        if distanceSquared < lowest.distanceSquared {
          isFalling = true
        } else if isFalling {
          if lowest.distanceSquared <= reachSquared { add(lowest, direction, &found) }
          isFalling = false
        }
        // Later segments are compared with their predecessor, not with the minimum.
        lowest = (distanceSquared, segment, fraction)
        // Too far past the end of the line.
        let past =
          segment == 0 && projection < 0 ? -projection : segment + 2 == places.count ? projection - 1 : 0
        if past > 0, past * past * lengthSquared > overhang * overhang {
          lowest.distanceSquared = .infinity
        }
      }
      if isFalling, lowest.distanceSquared <= reachSquared { add(lowest, direction, &found) }
    }
  }

  private func add(
    _ nearest: (distanceSquared: Double, segment: Int, fraction: Double), _ direction: SIMD3<Double>,
    _ found: inout [Candidate]
  ) {
    let segment = nearest.segment
    let heading =
      (1 - nearest.fraction) * line.directions[segment] + nearest.fraction * line.directions[segment + 1]
    let length = heading.length
    let alignment = length > 0 ? heading.dot(direction) / length : 0
    let isStill = length == 0 || direction == .zero
    guard isStill || alignment >= Self.leastAlignment else { return }
    let distanceAlong =
      line.distanceAlong[segment] + nearest.fraction
      * (line.distanceAlong[segment + 1] - line.distanceAlong[segment])
    let candidate = Candidate(
      distanceAlong: distanceAlong, distanceSquared: nearest.distanceSquared,
      alignment: isStill ? 1 : alignment)
    if let last = found.last, distanceAlong - last.distanceAlong < Self.separation {
      if candidate.distanceSquared < last.distanceSquared { found[found.count - 1] = candidate }
    } else {
      found.append(candidate)
    }
  }
}
