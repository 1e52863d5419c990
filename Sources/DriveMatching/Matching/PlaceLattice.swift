/// The states that are still possible, with their costs and how each was reached.
struct PlaceLattice {
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

  /// The most that a late beginning costs.
  private let lateBeginning: Double

  /// How many times the usual costs it costs to leave the line and to come back.
  private let reluctance: Double

  /// - Parameters:
  ///   - lateBeginning: the most that it costs to begin further along the line.
  ///   - reluctance: how many times the usual costs it costs to leave the line and to come back.
  init(capacity: Int, lateBeginning: Double, reluctance: Double = 1) {
    self.lateBeginning = lateBeginning
    self.reluctance = reluctance
    along.reserveCapacity(capacity + capacity / 4)
    previous.reserveCapacity(capacity + capacity / 4)
    vertexStarts.reserveCapacity(capacity + 1)
  }

  mutating func advance(_ candidates: [CandidateSearch.Candidate], way: Double, weight: Double) {
    let start = along.count
    let leap = reluctance * (PlaceMatching.cost.leaving + PlaceMatching.cost.returning)
    nextCosts.removeAll(keepingCapacity: true)
    // A longer step costs as much as leaving the line and returning to it, which the departures cover.
    let longestStep = way + leap * PlaceMatching.transition
    var firstState = latest.lowerBound
    var cheapest = Double.infinity
    for candidate in candidates {
      let (returning, origin) = cheapestReturn(to: candidate.along)
      var best = returning
      var from = origin
      while firstState < latest.upperBound, candidate.along - along[firstState] > longestStep {
        firstState += 1
      }
      for state in firstState..<latest.upperBound {
        let step = candidate.along - along[state]
        guard step >= -PlaceMatching.backwardReach else { break }
        let cost =
          costs[state - latest.lowerBound] + min(abs(step - way) / PlaceMatching.transition, leap)
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
      guard best + here < cheapest + leap else { continue }
      cheapest = min(cheapest, best + here)
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
        along[state], costs[offset] + reluctance * PlaceMatching.cost.leaving - absence,
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

  /// Metres along the line before which the next vertex cannot be.
  var earliest: Double { departures[firstDeparture].along - PlaceMatching.backwardReach }

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
    let fee =
      departure.state < 0
      ? min(place / PlaceMatching.transition, lateBeginning)
      : reluctance * PlaceMatching.cost.returning
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
