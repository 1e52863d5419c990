import TrackModel

/// The possible states with their costs and predecessors.
struct ViterbiLattice {
  /// All states so far, vertex by vertex.
  private var distanceAlong: [Double] = []
  private var previous: [Int32] = []
  /// The costs of the states of the previous and the current vertex.
  private var costs: [Double] = []
  private var nextCosts: [Double] = []
  private var latest: Range<Int> = 0..<0
  private var vertexStarts: [Int] = [0]
  /// The accumulated cost of being off the line.
  private var absence = 0.0

  /// The possible departures from the shared road with their costs, ascending along the line with descending
  /// costs, because a departure further ahead with a higher cost is never better. Costs exclude ``absence``.
  private struct Departure {
    var distanceAlong: Double
    var cost: Double
    var state: Int32
  }
  private var departures = [Departure(distanceAlong: -.infinity, cost: 0, state: -1)]
  private var firstDeparture = 0
  /// The largest cost of a departure relative to the best one.
  private static let beam = 250.0

  /// The largest cost of a late start on the line.
  private let lateBeginning: Double

  /// The factor for the costs of leaving the line and returning to it.
  private let detourPenalty: Double

  /// Creates a lattice.
  ///
  /// - Parameters:
  ///   - lateBeginning: the largest cost of beginning further along the line.
  ///   - detourPenalty: the factor for the costs of leaving the line and returning to it.
  init(capacity: Int, lateBeginning: Double, detourPenalty: Double = 1) {
    self.lateBeginning = lateBeginning
    self.detourPenalty = detourPenalty
    distanceAlong.reserveCapacity(capacity + capacity / 4)
    previous.reserveCapacity(capacity + capacity / 4)
    vertexStarts.reserveCapacity(capacity + 1)
  }

  /// Adds a vertex with its candidates.
  ///
  /// - Parameters:
  ///   - way: the distance from the previous vertex in metres.
  ///   - weight: the weight of the vertex as a witness, 0…1.
  ///   - scale: the scale of the transition in metres.
  mutating func advance(
    _ candidates: [CandidateSearch.Candidate], way: Double, weight: Double,
    scale: Double = PlaceMatching.transition
  ) {
    let start = distanceAlong.count
    let jumpCost = detourPenalty * (PlaceMatching.cost.leaving + PlaceMatching.cost.returning)
    nextCosts.removeAll(keepingCapacity: true)
    // A longer step costs as much as leaving the line and returning to it, which the departures cover.
    let longestStep = way + jumpCost * scale
    var firstState = latest.lowerBound
    var cheapest = Double.infinity
    for candidate in candidates {
      let (returning, origin) = cheapestReturn(to: candidate.distanceAlong)
      var best = returning
      var from = origin
      while firstState < latest.upperBound,
        candidate.distanceAlong - distanceAlong[firstState] > longestStep
      {
        firstState += 1
      }
      for state in firstState..<latest.upperBound {
        let step = candidate.distanceAlong - distanceAlong[state]
        guard step >= -PlaceMatching.backwardReach else { break }
        let cost =
          costs[state - latest.lowerBound] + min(abs(step - way) / scale, jumpCost)
        if cost < best {
          best = cost
          from = Int32(truncatingIfNeeded: state)
        }
      }
      let squared = 2 * PlaceMatching.deviation * PlaceMatching.deviation
      let here =
        weight
        * (candidate.distanceSquared / squared + PlaceMatching.cost.turning * (1 - candidate.alignment))
      // An earlier state can do whatever this one can, at no higher cost.
      guard best + here < cheapest + jumpCost else { continue }
      cheapest = min(cheapest, best + here)
      distanceAlong.append(candidate.distanceAlong)
      previous.append(from)
      nextCosts.append(best + here)
    }
    absence += PlaceMatching.cost.notShared * weight
    swap(&costs, &nextCosts)
    latest = start..<distanceAlong.count
    vertexStarts.append(distanceAlong.count)
    for (offset, state) in latest.enumerated() {
      addDeparture(
        distanceAlong[state], costs[offset] + detourPenalty * PlaceMatching.cost.leaving - absence,
        Int32(truncatingIfNeeded: state))
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

  /// The smallest distance in metres along the line at which the next vertex can be.
  var earliest: Double { departures[firstDeparture].distanceAlong - PlaceMatching.backwardReach }

  /// Returns the departure furthest ahead but not beyond a place, which is the cheapest.
  private func cheapestReturn(to place: Double) -> (cost: Double, state: Int32) {
    let beyond = (firstDeparture..<departures.count).partitionIndex {
      departures[$0].distanceAlong > place + PlaceMatching.backwardReach
    }
    guard beyond > firstDeparture else { return (.infinity, -1) }
    let departure = departures[beyond - 1]
    // The first time on the line is not a return.
    let entryCost =
      departure.state < 0
      ? min(place / PlaceMatching.transition, lateBeginning)
      : detourPenalty * PlaceMatching.cost.returning
    return (departure.cost + absence + entryCost, departure.state)
  }

  private mutating func addDeparture(_ place: Double, _ cost: Double, _ state: Int32) {
    guard cost.isFinite else { return }
    var position = departures.count
    while position > firstDeparture, departures[position - 1].distanceAlong > place { position -= 1 }
    if position > firstDeparture, departures[position - 1].cost <= cost { return }
    var end = position
    while end < departures.count, departures[end].cost >= cost { end += 1 }
    departures.replaceSubrange(
      position..<end, with: CollectionOfOne(Departure(distanceAlong: place, cost: cost, state: state)))
  }

  /// Returns the distance along the line per vertex on the cheapest path, or NaN off the line.
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
      result[vertex] = distanceAlong[index]
      state = previous[index]
    }
    return result
  }
}
