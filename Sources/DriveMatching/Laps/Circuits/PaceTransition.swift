import CMath

/// The transition of a Viterbi search on a circuit: the most probable number of laps and its cost for each
/// distance along the curve that is driven in a time.
struct PaceTransition {
  private(set) var laps: [Double] = []
  private(set) var costs: [Double] = []
  /// The costs of the ways from the first probable one to the last, or infinity for the largest cost: four
  /// times in vectors, with 0 to 3 elements before the first.
  private var vectors: [[SIMD4<Double>]] = []
  private var firstProbable = 0
  private var largest = 0.0

  /// One standard deviation of the logarithm of the pace, and of a time in seconds.
  private static let pace = (share: 0.06, seconds: 2.0)
  /// The largest costs of a slow and a fast way.
  private static let mostCost = (slow: 7.0, fast: 14.0)

  /// - Parameters:
  ///   - seconds: the time between two fixes.
  ///   - duration: the usual duration of a lap in seconds.
  ///   - positions: the number of positions on the curve.
  init(in seconds: Double, lap duration: Double, positions: Int) {
    let deviation = Self.pace.share + Self.pace.seconds / max(seconds, 0.1)
    let usual = (min(seconds / duration, 1e6)).rounded(.down)
    for way in 0..<positions {
      var best = (laps: 0.0, cost: Double.infinity)
      for complete in [usual - 1, usual, usual + 1] where complete >= 0 {
        let laps = complete + Double(way) / Double(positions)
        let factor = log(seconds / max(laps * duration, 0.3)) / deviation
        let cost = min(factor * factor / 2, factor > 0 ? Self.mostCost.slow : Self.mostCost.fast)
        if cost < best.cost { best = (laps, cost) }
      }
      laps.append(best.laps)
      costs.append(best.cost)
    }
    makeVectors()
  }

  /// Sets the vectors of the costs, without the longest run of improbable ways on the circuit.
  private mutating func makeVectors() {
    largest = costs.max() ?? 0
    let count = costs.count
    var run = 0
    var longest = (count: 0, end: 0)
    for way in 0..<(2 * count) {
      run = costs[way % count] < Self.mostCost.slow ? 0 : run + 1
      if run > longest.count, run <= count { longest = (run, way + 1) }
    }
    firstProbable = longest.end % count
    let length = count - longest.count
    vectors = (0..<4).map { offset in
      var vectors = [SIMD4<Double>](repeating: SIMD4(repeating: .infinity), count: (length + offset + 3) / 4)
      for index in 0..<length {
        let cost = costs[(firstProbable + index) % count]
        if cost < Self.mostCost.slow { vectors[(index + offset) / 4][(index + offset) % 4] = cost }
      }
      return vectors
    }
  }

  /// Returns the costs of the best ways to all positions.
  ///
  /// A way at the largest cost is only considered from the best position.
  func applied(to before: [Double]) -> [Double] {
    let count = before.count
    let best = before.indices.min { before[$0] < before[$1] } ?? 0
    // A way from a position with a larger cost is not better than that from the best position.
    let most = before[best] + largest
    var sums = [SIMD4<Double>](repeating: SIMD4(repeating: .infinity), count: count / 2 + 1)
    for (position, cost) in before.enumerated() where cost <= most {
      let goal = (position + firstProbable) % count
      let (first, vectors) = (goal / 4, vectors[goal % 4])
      for index in vectors.indices {
        let sum = vectors[index] + cost
        sums[first + index].replace(with: sum, where: sum .< sums[first + index])
      }
    }
    return (0..<count).map { position in
      let (once, again) = (position, position + count)
      let way = position >= best ? position - best : position - best + count
      return min(sums[once / 4][once % 4], sums[again / 4][again % 4], before[best] + costs[way])
    }
  }

  /// Returns the position from which the best way leads to a position.
  func origin(of position: Int, _ before: [Double]) -> Int {
    let best = before.indices.min { before[$0] < before[$1] } ?? 0
    var origin = (position: best, cost: Double.infinity)
    for (other, cost) in before.enumerated() {
      let way = position >= other ? position - other : position - other + before.count
      guard other == best || costs[way] < Self.mostCost.slow, cost + costs[way] < origin.cost else {
        continue
      }
      origin = (other, cost + costs[way])
    }
    return origin.position
  }
}
