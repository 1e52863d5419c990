/// Matches one drive's vertices with positions on another drive's line, by the most likely path of a hidden
/// Markov model whose states are the candidate positions near a vertex, and *not shared*.
///
/// Based on Newson and Krumm, "Hidden Markov map matching through noise and sparseness" (2009), with the
/// other drive in place of the map. Costs are negative log-likelihoods:
///
///     position          d² / 2σ², plus a small cost for a different bearing
///     not shared        the cost of a distance of 24 m
///     transition        |distance along the line − distance driven| / β; at most 15 m backwards
///     leave, return     a fixed cost each; the return is anywhere ahead of the departure
///     start             distance along the line / β, up to a limit, to prefer the first of two equal laps
///
/// Because positions never go backwards, the passes of a road that is driven twice are distinguished.
struct PlaceMatching {
  /// The distance along the other line in metres per vertex, not descending within a stretch, or NaN if not
  /// shared.
  private(set) var distanceAlong: [Double]

  /// The errors of two receivers and the width of a road, in metres (σ above).
  static let deviation = 6.0
  static let cost = (notShared: 8.0, leaving: 6.0, returning: 6.0, turning: 3.0)
  /// The scale of transitions in metres (β above), and its growth with the distance between sparse fixes,
  /// because the road between them is longer than the chord.
  static let transition = 10.0
  static let bentShare = 0.2
  /// The largest cost of a late start.
  static let lateBeginning = 40.0
  /// The distance in metres past an end of the line within which a position is at the end.
  static let overhang = 8.0
  /// The apparent motion due to noise, in metres.
  static let backwardReach = 15.0
  /// The largest number of candidates of a vertex, from the earliest place at which it can be. No lap beyond
  /// them is chosen.
  static let candidateLimit = 64
  /// The metres before the earliest possible place from which candidates are searched, so that the nearest
  /// place to a vertex is not at the edge of the search.
  private static let searchMargin = 100.0
  /// The distance in metres between vertices with independent errors.
  static let witnessSpacing = 12.0

  /// Matches a drive with a line.
  ///
  /// O(n · k) in the vertices of the drive and the passes k of the line at a position, at most
  /// ``candidateLimit``.
  ///
  /// - Parameter detourPenalty: the factor for the costs of leaving the line and returning to it.
  init(of drive: MatchablePolyline, on line: MatchablePolyline, detourPenalty: Double = 1) {
    var search = CandidateSearch(line, overhang: Self.overhang)
    self.init(of: drive, with: &search, detourPenalty: detourPenalty)
  }

  /// Matches a drive with a line, restricted to positions that agree with the reverse matching.
  ///
  /// - Parameters:
  ///   - matches: the distance along the drive in metres per vertex of the line, or NaN.
  ///   - tolerance: the tolerated difference along the line in metres.
  init(
    of drive: MatchablePolyline, on line: MatchablePolyline, agreeingWith matches: [Double], tolerance: Double
  ) {
    var search = CandidateSearch(line, overhang: Self.overhang)
    let parts = Self.parts(of: line, before: drive.distanceAlong, matches)
    self.init(of: drive, with: &search) { vertex in
      parts[vertex].lowerBound - tolerance...parts[vertex].upperBound + tolerance
    }
  }

  /// Returns the surrounding matched vertices of the line for each position of a drive, in metres along the
  /// line.
  private static func parts(
    of line: MatchablePolyline, before places: [Double], _ matches: [Double]
  ) -> [ClosedRange<Double>] {
    var next = 0
    var start = -Double.infinity
    return places.map { place in
      while next < matches.count, !(matches[next] > place) {
        if !matches[next].isNaN { start = line.distanceAlong[next] }
        next += 1
      }
      return start...(next < matches.count ? line.distanceAlong[next] : .infinity)
    }
  }

  /// - Parameter part: returns the possible distances of a vertex of the drive along the line, in metres.
  init(
    of drive: MatchablePolyline, with search: inout CandidateSearch, detourPenalty: Double = 1,
    within part: ((_ vertex: Int) -> ClosedRange<Double>)? = nil
  ) {
    var lattice = ViterbiLattice(
      capacity: drive.count, lateBeginning: Self.lateBeginning, detourPenalty: detourPenalty)
    var candidates: [CandidateSearch.Candidate] = []
    for vertex in 0..<drive.count {
      let part = part?(vertex)
      search.find(
        near: drive.places[vertex], heading: drive.directions[vertex],
        from: max(lattice.earliest, part?.lowerBound ?? lattice.earliest) - Self.searchMargin,
        limit: Self.candidateLimit, into: &candidates)
      if let part { candidates.removeAll { !part.contains($0.distanceAlong) } }
      let way = vertex > 0 ? drive.distanceAlong[vertex] - drive.distanceAlong[vertex - 1] : 0
      let isSparse =
        vertex > 0 && way > MatchablePolyline.longStep
        && drive.arrivals[vertex] - drive.departures[vertex - 1] >= TimedPlaces.sparseInterval
      lattice.advance(
        candidates, way: way, weight: min(1, (vertex > 0 ? way : 10) / Self.witnessSpacing),
        scale: isSparse ? Self.transition + Self.bentShare * way : Self.transition)
    }
    distanceAlong = lattice.course(count: drive.count)
    makeMonotone()
  }

  private mutating func makeMonotone() {
    var start = 0
    while start < distanceAlong.count {
      guard !distanceAlong[start].isNaN else {
        start += 1
        continue
      }
      var end = start + 1
      // A jump ahead begins a new stretch; noise never causes one.
      while end < distanceAlong.count, !distanceAlong[end].isNaN { end += 1 }
      IsotonicRegression.apply(to: &distanceAlong, in: start..<end)
      start = end
    }
  }
}
