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
  /// Metres that noise makes of going nowhere.
  static let backwardReach = 15.0
  /// Metres between vertices from which each is a witness of its own; nearer ones share their errors.
  static let witnessSpacing = 12.0

  /// O(n · k) in the vertices of the drive and the passes k of the other line by a place.
  init(of drive: RoadLine, on line: RoadLine) {
    var search = CandidateSearch(line)
    self.init(of: drive, with: &search)
  }

  init(of drive: RoadLine, with search: inout CandidateSearch) {
    var lattice = Lattice(capacity: drive.count)
    var candidates: [CandidateSearch.Candidate] = []
    for vertex in 0..<drive.count {
      search.find(near: drive.places[vertex], heading: drive.directions[vertex], into: &candidates)
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

/// The states that are still possible, with their costs and how each was reached.
private struct Lattice {
  /// All states at places so far, vertex after vertex.
  private var along: [Double] = []
  private var previous: [Int32] = []
  /// Costs of the states of the vertex before and of this one.
  private var costs: [Double] = []
  private var nextCosts: [Double] = []
  private var latest: Range<Int> = 0..<0
  private var vertexStarts: [Int] = [0]
  /// What it has cost up to here not to be on the line.
  private var absence = 0.0

  /// Where the shared road may have been left, and for how much: ascending along the line with falling costs,
  /// since one that lies further ahead and costs more is never better. Costs are without ``absence``.
  private struct Departure {
    var along: Double
    var cost: Double
    var state: Int32
  }
  private var departures = [Departure(along: -.infinity, cost: 0, state: -1)]
  private var firstDeparture = 0
  /// How much more than the best a departure may cost and still be kept.
  private static let beam = 250.0

  init(capacity: Int) {
    along.reserveCapacity(capacity + capacity / 4)
    previous.reserveCapacity(capacity + capacity / 4)
    vertexStarts.reserveCapacity(capacity + 1)
  }

  mutating func advance(_ candidates: [CandidateSearch.Candidate], way: Double, weight: Double) {
    let start = along.count
    let leap = PlaceMatching.cost.leaving + PlaceMatching.cost.returning
    nextCosts.removeAll(keepingCapacity: true)
    for candidate in candidates {
      let (returning, origin) = cheapestReturn(to: candidate.along)
      var best = returning
      var from = origin
      for (offset, state) in latest.enumerated() {
        let step = candidate.along - along[state]
        guard step >= -PlaceMatching.backwardReach else { break }
        let cost = costs[offset] + min(abs(step - way) / PlaceMatching.transition, leap)
        if cost < best {
          best = cost
          from = Int32(truncatingIfNeeded: state)
        }
      }
      let squared = 2 * PlaceMatching.deviation * PlaceMatching.deviation
      let here =
        weight
        * (candidate.distanceSquared / squared + PlaceMatching.cost.turning * (1 - candidate.alignment))
      along.append(candidate.along)
      previous.append(from)
      nextCosts.append(best + here)
    }
    absence += PlaceMatching.cost.notShared * weight
    swap(&costs, &nextCosts)
    latest = start..<along.count
    vertexStarts.append(along.count)
    for (offset, state) in latest.enumerated() {
      addDeparture(
        along[state], costs[offset] + PlaceMatching.cost.leaving - absence, Int32(truncatingIfNeeded: state))
    }
    while firstDeparture + 1 < departures.count,
      departures[firstDeparture].cost > departures[departures.count - 1].cost + Self.beam
    {
      firstDeparture += 1
    }
    if firstDeparture > 4096 {
      departures.removeSubrange(0..<firstDeparture)
      firstDeparture = 0
    }
  }

  /// The departure that lies furthest ahead and not beyond a place is the cheapest.
  private func cheapestReturn(to place: Double) -> (cost: Double, state: Int32) {
    var low = firstDeparture
    var high = departures.count
    while low < high {
      let middle = (low + high) / 2
      if departures[middle].along <= place + PlaceMatching.backwardReach {
        low = middle + 1
      } else {
        high = middle
      }
    }
    guard low > firstDeparture else { return (.infinity, -1) }
    let departure = departures[low - 1]
    // The first time on the line is no return.
    let fee = departure.state < 0 ? 0 : PlaceMatching.cost.returning
    return (departure.cost + absence + fee, departure.state)
  }

  private mutating func addDeparture(_ place: Double, _ cost: Double, _ state: Int32) {
    guard cost.isFinite else { return }
    var position = departures.count
    while position > firstDeparture, departures[position - 1].along > place { position -= 1 }
    if position > firstDeparture, departures[position - 1].cost <= cost { return }
    var end = position
    while end < departures.count, departures[end].cost >= cost { end += 1 }
    departures.replaceSubrange(
      position..<end, with: CollectionOfOne(Departure(along: place, cost: cost, state: state)))
  }

  /// The place per vertex on the cheapest course; NaN where it is on none.
  func course(count: Int) -> [Double] {
    var result = [Double](repeating: .nan, count: count)
    var best = Double.infinity
    var state: Int32 = -1
    for (offset, candidate) in latest.enumerated() where costs[offset] < best {
      best = costs[offset]
      state = Int32(truncatingIfNeeded: candidate)
    }
    for departure in departures[firstDeparture...] where departure.cost + absence < best {
      best = departure.cost + absence
      state = departure.state
    }
    var vertex = count - 1
    while state >= 0 {
      let index = Int(state)
      while vertex > 0, vertexStarts[vertex] > index { vertex -= 1 }
      result[vertex] = along[index]
      state = previous[index]
    }
    return result
  }
}
