/// Where one drive was on the way of another, vertex for vertex: the most likely course of a hidden Markov
/// model whose states are the places of the other line near a vertex, and *not shared*.
///
/// After Newson and Krumm, "Hidden Markov map matching through noise and sparseness" (2009), with the other
/// drive in place of the map. Costs are negative logarithms of likelihoods:
///
///     at a place        d² / 2σ² and a little for a different heading
///     not shared        as much as a distance of 24 m, whatever the distance
///     place to place    |way on the line − way driven| / β; never back by more than 15 m
///     leave, come back  a fixed cost each; it comes back anywhere ahead of where it left
///     begin             way on the line / β, up to a limit: of two laps that fit alike, the first
///
/// That it never goes back is what tells the passes of a road apart that is driven twice.
struct PlaceMatching {
  /// Metres along the other line per vertex, not descending within a stretch; NaN where the road is not
  /// shared.
  private(set) var along: [Double]

  /// Metres: two receivers' errors and the width of a road.
  static let deviation = 6.0
  static let cost = (notShared: 8.0, leaving: 6.0, returning: 6.0, turning: 3.0)
  /// Metres (β above).
  static let transition = 10.0
  /// The most that a late beginning costs.
  static let lateBeginning = 40.0
  /// Metres past the ends of a line that are still at its ends.
  static let overhang = 8.0
  /// Metres that noise makes of going nowhere.
  static let backwardReach = 15.0
  /// Candidates of a vertex, from the earliest place at which it may still be. Of laps beyond them none is
  /// chosen.
  static let candidateLimit = 64
  /// Metres before the earliest possible place from which candidates are searched, so that the nearest place
  /// to a vertex is not one at the edge of the search.
  private static let searchMargin = 100.0
  /// Metres between vertices from which each is a witness of its own; nearer ones share their errors.
  static let witnessSpacing = 12.0

  /// O(n · k) in the vertices of the drive and the passes k of the other line by a place, at most
  /// ``candidateLimit``.
  ///
  /// - Parameter reluctance: how many times the usual costs it costs to leave the line and to come back.
  init(of drive: RoadLine, on line: RoadLine, reluctance: Double = 1) {
    var search = CandidateSearch(line, overhang: Self.overhang)
    self.init(of: drive, with: &search, reluctance: reluctance)
  }

  /// The same, where the other way round has been decided: only places that agree with it.
  ///
  /// - Parameters:
  ///   - matches: per vertex of the line metres along the drive, or NaN.
  ///   - tolerance: metres along the line that both may differ.
  init(of drive: RoadLine, on line: RoadLine, agreeingWith matches: [Double], tolerance: Double) {
    var search = CandidateSearch(line, overhang: Self.overhang)
    let parts = Self.parts(of: line, before: drive.along, matches)
    self.init(of: drive, with: &search) { vertex in
      parts[vertex].lowerBound - tolerance...parts[vertex].upperBound + tolerance
    }
  }

  /// Between which matched vertices of a line each place of a drive lies, in metres along the line.
  private static func parts(
    of line: RoadLine, before places: [Double], _ matches: [Double]
  ) -> [ClosedRange<Double>] {
    var next = 0
    var start = -Double.infinity
    return places.map { place in
      while next < matches.count, !(matches[next] > place) {
        if !matches[next].isNaN { start = line.along[next] }
        next += 1
      }
      return start...(next < matches.count ? line.along[next] : .infinity)
    }
  }

  /// - Parameter part: between which metres along the line a vertex of the drive may be.
  init(
    of drive: RoadLine, with search: inout CandidateSearch, reluctance: Double = 1,
    within part: ((_ vertex: Int) -> ClosedRange<Double>)? = nil
  ) {
    var lattice = PlaceLattice(
      capacity: drive.count, lateBeginning: Self.lateBeginning, reluctance: reluctance)
    var candidates: [CandidateSearch.Candidate] = []
    for vertex in 0..<drive.count {
      let part = part?(vertex)
      search.find(
        near: drive.places[vertex], heading: drive.directions[vertex],
        from: max(lattice.earliest, part?.lowerBound ?? lattice.earliest) - Self.searchMargin,
        limit: Self.candidateLimit, into: &candidates)
      if let part { candidates.removeAll { !part.contains($0.along) } }
      let way = vertex > 0 ? drive.along[vertex] - drive.along[vertex - 1] : 0
      lattice.advance(candidates, way: way, weight: min(1, (vertex > 0 ? way : 10) / Self.witnessSpacing))
    }
    along = lattice.course(count: drive.count)
    makeMonotone()
  }

  private mutating func makeMonotone() {
    var start = 0
    while start < along.count {
      guard !along[start].isNaN else {
        start += 1
        continue
      }
      var end = start + 1
      // A leap ahead begins a new stretch; noise never makes one.
      while end < along.count, !along[end].isNaN { end += 1 }
      IsotonicRegression.apply(to: &along, in: start..<end)
      start = end
    }
  }
}
