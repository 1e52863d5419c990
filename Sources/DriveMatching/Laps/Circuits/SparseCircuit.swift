import TrackModel

/// The circuit of recordings with only a few fixes per lap, reconstructed from all laps together.
///
/// The circuit is a closed curve by time: the position at each share of a usual lap. For each possible
/// duration of a lap, two steps alternate: fitting the curve to the fixes, and finding the most probable
/// sequence of positions on the curve (Viterbi), whose pace is close to the usual one. The duration with the
/// smallest cost is the right one.
struct SparseCircuit {
  /// The usual duration of a lap in seconds.
  private(set) var duration: Double
  /// Positions of the curve, evenly spaced in time.
  private(set) var curve: [SIMD3<Double>]
  /// The laps driven until each fix, per path. The fraction is the position on the curve.
  private var laps: [[Double]] = []
  /// Whether each fix is near the curve, per path.
  private var isOn: [[Bool]] = []
  /// The mean cost of a fix.
  private var cost = Double.infinity

  /// The interval in seconds between fixes from which recordings are reconstructed, and the largest number of
  /// fixes that determine the duration of a lap.
  private static let sparse = (interval: 16.0, fixes: 150)
  /// The range of a lap's duration: in intervals between fixes with and without a known gate, as a share of
  /// the recording, and in seconds.
  private static let range = (least: 1.3, withoutGate: 2.05, share: 0.2, most: 900.0)
  /// The factor between tried durations, the laps from which the first curve is fitted, and the smallest
  /// number of their fixes.
  private static let start = (factor: 1.03, laps: 4.0, fixes: 8)
  /// The number of positions of a curve in the search and in the result.
  private static let positions = (search: 80, result: 160)
  /// One standard deviation in metres of a fix from the curve, in each round of the search and of the result.
  private static let rounds = (search: [40.0, 30, 20, 15], result: [20.0, 15, 12, 10, 10, 10])
  /// The number of durations whose curve is refined.
  private static let refined = 8
  /// The spectral density of the acceleration along the curve, in m²/s³.
  private static let acceleration = 60.0
  /// The largest cost of a fix that is not on the curve.
  private static let mostCost = 8.0
  /// The largest distance in metres of a fix on the curve, and of a gate from it.
  private static let reach = (fix: 35.0, gate: 60.0)
  /// The largest cost of a fix, the minimum share of fixes on the curve, the difference within which costs
  /// are equal, and the ratios within which speeds and durations are.
  private static let accepted = (cost: 2.5, share: 0.6, difference: 0.4, speeds: 1.35, durations: 1.3)

  /// Returns paths with the points of the circuit between their fixes, or unchanged if their fixes are dense
  /// or no circuit is found.
  ///
  /// - Parameter gate: a gate on the circuit, or nil if unknown.
  static func filled(_ paths: [SmoothPath], through gate: Gate?) -> [SmoothPath] {
    var circuits = SparseCircuits(paths, isAnyDuration: gate?.bearing != nil)
    return circuits.filled(through: gate)
  }

  private init(duration: Double, _ places: [SIMD3<Double>], at laps: [Double]) {
    self.duration = duration
    curve = [SIMD3<Double>](repeating: .zero, count: Self.positions.search)
    fit(zip(laps, places).map { ($0, $1) }, deviation: Self.rounds.search[0] / 2)
  }

  /// Returns the circuits that paths with sparse fixes may follow.
  ///
  /// - Parameter isAnyDuration: whether laps may be short, because a gate is known.
  static func candidates(_ paths: [SmoothPath], isAnyDuration: Bool) -> [SparseCircuit] {
    guard paths.allSatisfy({ $0.usualInterval >= sparse.interval }),
      paths.reduce(0, { $0 + $1.count }) <= most.filled,
      let longest = paths.max(by: { $0.count < $1.count })?.prefix(sparse.fixes)
    else { return [] }
    var found = starts(longest, isAnyDuration: isAnyDuration)
    for index in found.indices {
      for deviation in rounds.search { found[index].refine([longest], deviation) }
    }
    found.sort { $0.cost < $1.cost }
    found.removeLast(max(found.count - refined, 0))
    let paths = examined(paths)
    for index in found.indices {
      found[index].resample(positions.result)
      for deviation in rounds.result { found[index].refine(paths, deviation) }
    }
    return found.filter { $0.cost <= accepted.cost && $0.shareOn >= accepted.share }
  }

  /// Returns the first fixes of paths, at most as many as determine the circuit.
  static func examined(_ paths: [SmoothPath]) -> [SmoothPath] {
    var rest = most.examined
    return paths.compactMap { path in
      guard rest > 0 else { return nil }
      defer { rest -= path.count }
      return path.count <= rest ? path : path.prefix(rest)
    }
  }

  /// The largest number of fixes whose circuit is reconstructed, and of those that determine it.
  static let most = (filled: 20_000, examined: 400)

  /// Returns the index of the most probable of several circuits through a gate.
  static func best(of circuits: [SparseCircuit], through gate: GateLine?) -> Int? {
    var possible = circuits.indices.filter { index in
      gate.map { circuits[index].distance(of: $0) <= reach.gate } ?? true
    }
    // Fixes at regular intervals also fit a curve that is driven faster or backwards, and one of several
    // laps.
    let least = possible.map { circuits[$0].cost }.min() ?? 0
    possible.removeAll { circuits[$0].cost > least + accepted.difference }
    let slowest = possible.map { circuits[$0].speed }.min() ?? 0
    possible.removeAll { circuits[$0].speed > accepted.speeds * slowest }
    guard let shortest = possible.map({ circuits[$0].duration }).min() else { return nil }
    possible.removeAll { circuits[$0].duration > accepted.durations * shortest }
    return possible.min { circuits[$0].cost < circuits[$1].cost }
  }

  /// Returns paths with the points of the circuit between their fixes.
  func filled(_ paths: [SmoothPath]) -> [SmoothPath] {
    var circuit = self
    if paths.reduce(0, { $0 + $1.count }) > Self.most.examined {
      circuit.refine(paths, Self.rounds.result[Self.rounds.result.count - 1])
    }
    // For a bounded size, even if a path has long pauses.
    let all = circuit.laps.reduce(0) { all, laps in all + (laps.last ?? 0) - (laps.first ?? 0) }
    let points = min(Double(curve.count), Double(Self.mostPoints) / max(all, 1))
    return paths.indices.map { circuit.filled(paths[$0], circuit.laps[$0], circuit.isOn[$0], points: points) }
  }

  /// The largest number of points between all fixes.
  private static let mostPoints = 250_000

  /// Returns a circuit for each possible duration of a lap, fitted to the consecutive laps that agree best.
  private static func starts(_ path: SmoothPath, isAnyDuration: Bool) -> [SparseCircuit] {
    var circuits: [SparseCircuit] = []
    let (times, places) = (path.times, path.places)
    guard let last = times.last else { return [] }
    let longest = min(range.share * last, range.most)
    var duration = (isAnyDuration ? range.least : range.withoutGate) * path.usualInterval
    while duration <= longest {
      var best: (length: Double, fixes: Range<Int>)?
      for first in times.indices {
        let end = max(
          times.partitionIndex { $0 >= times[first] + start.laps * duration }, first + start.fixes)
        guard end <= times.count else { break }
        let phases: [Double] = times[first..<end].map { time in
          let laps = time / duration
          return laps - laps.rounded(.down)
        }
        let ordered = phases.indices.sorted { phases[$0] < phases[$1] }.map { places[first + $0] }
        var length = 0.0
        for index in ordered.indices {
          length += (ordered[index + 1 < ordered.count ? index + 1 : 0] - ordered[index]).length
        }
        if length < best?.length ?? .infinity { best = (length, first..<end) }
      }
      if let fixes = best?.fixes {
        circuits.append(
          SparseCircuit(
            duration: duration, Array(places[fixes]), at: times[fixes].map { $0 / duration }))
      }
      duration *= start.factor
    }
    return circuits
  }

  /// The length of the curve divided by the duration of a lap, in metres per second.
  private var speed: Double {
    zip(curve, curve.dropFirst() + curve.prefix(1)).reduce(0) { $0 + ($1.1 - $1.0).length } / duration
  }

  private var shareOn: Double {
    let count = isOn.reduce(0) { $0 + $1.count }
    return Double(isOn.reduce(0) { $0 + $1.count { $0 } }) / Double(max(count, 1))
  }

  /// Returns the distance in metres of a gate from the curve in its direction.
  private func distance(of gate: GateLine) -> Double {
    curve.indices.reduce(Double.infinity) { least, index in
      let step = curve[(index + 1) % curve.count] - curve[index]
      guard step.dot(gate.forward) >= 0.5 * step.length else { return least }
      return min(least, nearest(to: gate.middle, index).distance)
    }
  }

  /// Returns the point of a step of the curve that is nearest to a position: the fraction of the step, and
  /// the distance in metres.
  private func nearest(to place: SIMD3<Double>, _ index: Int) -> (fraction: Double, distance: Double) {
    let (fraction, rest) = (place - curve[index]).projected(
      onto: curve[(index + 1) % curve.count] - curve[index])
    return (fraction, rest.length)
  }

  /// Returns the position after a number of laps.
  private func place(at laps: Double) -> SIMD3<Double> {
    let position = (laps - laps.rounded(.down)) * Double(curve.count)
    let index = Int(position) % curve.count
    let next = curve[(index + 1) % curve.count]
    return curve[index] + (position - position.rounded(.down)) * (next - curve[index])
  }

  private mutating func resample(_ count: Int) {
    curve = (0..<count).map { place(at: Double($0) / Double(count)) }
  }

  // MARK: Fitting

  /// Places the fixes on the curve, and fits the curve and the duration to them.
  private mutating func refine(_ paths: [SmoothPath], _ deviation: Double) {
    let placements = paths.map { place($0, deviation) }
    laps = placements.map(\.laps)
    isOn = placements.map { $0.distances.map { $0 <= Self.reach.fix } }
    let count = paths.reduce(0) { $0 + $1.count }
    cost = (placements.reduce(0) { $0 + $1.cost } + bendingCost) / Double(max(count, 1))
    var durations: [Double] = []
    var fixes: [(laps: Double, place: SIMD3<Double>)] = []
    for (path, placement) in zip(paths, placements) {
      let isNear = placement.distances.map { $0 < 4 * deviation }
      for fix in path.places.indices where isNear[fix] {
        fixes.append((placement.laps[fix], path.places[fix]))
        guard fix > 0, isNear[fix - 1] else { continue }
        let laps = placement.laps[fix] - placement.laps[fix - 1]
        if laps > 0 { durations.append((path.times[fix] - path.times[fix - 1]) / laps) }
      }
    }
    guard durations.count >= Self.start.fixes else {
      cost = .infinity
      return
    }
    duration = durations.upperMedian ?? duration
    fit(fixes, deviation: max(deviation / 2, 6))
  }

  /// The reciprocal of the variance of a second difference of the curve, in 1/m².
  private var stiffness: Double {
    let step = duration / Double(curve.count)
    return 1 / (Self.acceleration * step * step * step)
  }

  /// The cost of the accelerations along the curve.
  private var bendingCost: Double {
    curve.indices.reduce(0) { cost, index in
      let (next, last) = (curve[(index + 1) % curve.count], curve[(index + 2) % curve.count])
      return cost + stiffness / 2 * (last - 2 * next + curve[index]).lengthSquared
    }
  }

  /// Fits the curve with the smallest errors and accelerations to fixes.
  private mutating func fit(_ fixes: [(laps: Double, place: SIMD3<Double>)], deviation: Double) {
    let count = curve.count
    var matrix = [Double](repeating: 0, count: count * count)
    var values = [SIMD3<Double>](repeating: .zero, count: count)
    // Relative to one fix, for precision.
    let origin = fixes.first?.place ?? .zero
    for (laps, place) in fixes {
      let position = (laps - laps.rounded(.down)) * Double(count)
      let (first, fraction) = (Int(position) % count, position - position.rounded(.down))
      let shares = [(first, 1 - fraction), ((first + 1) % count, fraction)]
      for (row, share) in shares {
        values[row] += share / (deviation * deviation) * (place - origin)
        for (column, other) in shares {
          matrix[row * count + column] += share * other / (deviation * deviation)
        }
      }
    }
    let stiffness = stiffness
    let bend = [(count - 1, 1.0), (0, -2), (1, 1)]
    for index in 0..<count {
      for (row, one) in bend {
        for (column, other) in bend {
          matrix[(index + row) % count * count + (index + column) % count] += stiffness * one * other
        }
      }
    }
    curve = Self.solution(matrix, values).map { $0 + origin }
  }

  /// Returns the solution of linear equations with a symmetric positive definite matrix, in which each
  /// variable depends on the two before and after it in a circle.
  private static func solution(_ matrix: [Double], _ values: [SIMD3<Double>]) -> [SIMD3<Double>] {
    var (matrix, values) = (matrix, values)
    let count = values.count
    // The variables after a variable on which it depends, and the last two, on which all depend.
    func related(_ index: Int) -> [Int] {
      let near = min(index + 3, count)
      return Array((index + 1)..<max(near, index + 1)) + Array(max(near, count - 2)..<count)
    }
    for pivot in 0..<count {
      let scale = 1 / max(matrix[pivot * count + pivot], 1e-12)
      let others = related(pivot)
      for row in others {
        let factor = matrix[row * count + pivot] * scale
        for column in others { matrix[row * count + column] -= factor * matrix[pivot * count + column] }
        values[row] -= factor * values[pivot]
      }
    }
    for row in (0..<count).reversed() {
      for column in related(row) { values[row] -= matrix[row * count + column] * values[column] }
      values[row] /= max(matrix[row * count + row], 1e-12)
    }
    return values
  }

  // MARK: Placing fixes

  private typealias Placement = (laps: [Double], distances: [Double], cost: Double)

  /// Returns the most probable positions of a path's fixes on the curve.
  private func place(_ path: SmoothPath, _ deviation: Double) -> Placement {
    let count = curve.count
    var costs = [Double](repeating: 0, count: count)
    // The costs of the positions of each fix but the last.
    var before: [[Double]] = []
    var transitions: [Int: PaceTransition] = [:]
    var keys: [Int] = []
    for fix in path.places.indices {
      if fix > 0 {
        let seconds = path.times[fix] - path.times[fix - 1]
        let key = Int(min(10 * seconds, 1e9).rounded())
        let transition = transitions[key] ?? PaceTransition(in: seconds, lap: duration, positions: count)
        transitions[key] = transition
        keys.append(key)
        before.append(costs)
        costs = transition.applied(to: costs)
      }
      for position in 0..<count {
        let squared = (path.places[fix] - curve[position]).lengthSquared
        costs[position] += min(squared / (2 * deviation * deviation), Self.mostCost)
      }
    }
    var position = costs.indices.min { costs[$0] < costs[$1] } ?? 0
    let cost = costs[position]
    var positions = [position]
    for (key, costs) in zip(keys, before).reversed() {
      position = transitions[key]?.origin(of: position, costs) ?? 0
      positions.append(position)
    }
    positions.reverse()
    var laps = Double(positions[0]) / Double(count)
    var placement: Placement = ([], [], cost)
    for (fix, position) in positions.enumerated() {
      if fix > 0 {
        let way = (position - positions[fix - 1] + count) % count
        laps += transitions[keys[fix - 1]]?.laps[way] ?? 0
      }
      let near = [-2, -1, 0, 1].map { offset in
        let point = nearest(to: path.places[fix], (position + offset + count) % count)
        return (laps: (Double(offset) + point.fraction) / Double(count), distance: point.distance)
      }
      guard let best = near.min(by: { $0.distance < $1.distance }) else { continue }
      placement.laps.append(laps + best.laps)
      placement.distances.append(best.distance)
    }
    return placement
  }

  // MARK: Filling

  /// Returns a path with the points of the curve between its fixes.
  ///
  /// - Parameter points: the number of points per lap.
  private func filled(_ path: SmoothPath, _ laps: [Double], _ isOn: [Bool], points: Double) -> SmoothPath {
    var places: [SIMD3<Double>] = []
    var times: [Double] = []
    var gaps: [SmoothPath.Gap] = []
    for fix in path.places.indices {
      places.append(path.places[fix])
      times.append(path.times[fix])
      guard fix + 1 < path.count, isOn[fix], isOn[fix + 1], laps[fix + 1] > laps[fix] else { continue }
      let (begin, end) = (path.times[fix], path.times[fix + 1])
      let way = laps[fix + 1] - laps[fix]
      gaps.append(SmoothPath.Gap(times: begin...end, difference: end - begin - way * duration))
      // The errors of both fixes, which change slowly.
      let first = path.places[fix] - place(at: laps[fix])
      let last = path.places[fix + 1] - place(at: laps[fix + 1])
      let count = max(Int(way * points), 1)
      for number in 1..<max(count, 2) where count > 1 {
        let share = Double(number) / Double(count)
        places.append(place(at: laps[fix] + share * way) + first + share * (last - first))
        times.append(begin + share * (end - begin))
      }
    }
    return SmoothPath(places, times: times, gaps: gaps, stops: path.stops)
  }
}

extension SmoothPath {
  /// The median interval between two fixes in seconds.
  fileprivate var usualInterval: Double {
    zip(times, times.dropFirst()).map { $1 - $0 }.upperMedian ?? 0
  }

  /// Returns the path of the first fixes.
  fileprivate func prefix(_ count: Int) -> SmoothPath {
    SmoothPath(Array(places.prefix(count)), times: Array(times.prefix(count)), stops: stops)
  }
}
