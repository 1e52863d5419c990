import CMath

/// Determines where a drive was on a usual lap at fixes that are far apart, and fills the gaps between them
/// with the road and the pace of that lap.
///
/// The direction between two sparse fixes is not that of the road, and a fix can be near two parts of the
/// circuit. The most probable sequence of places on the lap is the one whose pace is closest to the usual
/// pace.
struct GapFilling {
  /// A place on the lap that a fix may have.
  private struct Candidate {
    var distanceAlong: Double
    /// The distance from the lap in metres.
    var aside: Double
  }

  /// The way along the lap between two fixes.
  private struct Way {
    var start: Double
    /// In metres, including complete laps.
    var length: Double
    /// The time in seconds that the usual lap takes for the way.
    var usual: Double
  }

  /// The cosine of the angle within which a dense neighbour must agree with the direction of the lap.
  private static let direction = 0.5
  /// The distance between two fixes in metres up to which their direction is that of the road.
  private static let dense = 60.0
  /// One standard deviation of a fix, in metres, and of the drive's pace, as a share of the usual pace.
  private static let deviation = (fix: 8.0, pace: 0.1)
  /// The largest cost of a slow way, such as one with a stop, and that of a way that is not on the lap.
  private static let cost = (slow: 8.0, missing: 16.0)
  /// The largest number of complete laps between two fixes.
  private static let mostLaps = 4
  /// The distance between inserted points in metres, and the largest number of these, above which the
  /// distance grows.
  private static let inserted = (spacing: SmoothPath.resolution, most: 1_000_000.0)

  private let profile: LapProfile
  private let path: SmoothPath
  private let isCircuit: Bool

  /// Creates a filling.
  ///
  /// - Parameter isCircuit: whether the lap ends where it begins.
  init(_ path: SmoothPath, with profile: LapProfile, isCircuit: Bool) {
    self.path = path
    self.profile = profile
    self.isCircuit = isCircuit
  }

  /// The drive with a point about every 10 m in the gaps on the lap.
  var filled: SmoothPath {
    var ways: [Int: Way] = [:]
    var step = 0
    while step + 1 < path.count {
      guard isGap(step) else {
        step += 1
        continue
      }
      var end = step + 1
      while end + 1 < path.count, isGap(end) { end += 1 }
      place(step...end, into: &ways)
      step = end
    }
    return ways.isEmpty ? path : fill(ways)
  }

  private func isGap(_ step: Int) -> Bool {
    guard LapProfile.isGap(path, step) else { return false }
    // Between recorded velocities, the curve is accurate.
    let isKnown =
      step + 1 < path.velocities.count && path.velocities[step] != nil && path.velocities[step + 1] != nil
    return !isKnown || path.times[step + 1] - path.times[step] >= TimedPlaces.sparseInterval
  }

  /// Determines the ways between consecutive fixes with gaps between them.
  private func place(_ fixes: ClosedRange<Int>, into ways: inout [Int: Way]) {
    var columns: [[Candidate]] = []
    var costs: [[Double]] = []
    var origins: [[Int?]] = []
    for fix in fixes {
      let candidates = candidates(fix)
      var column = [Double](repeating: 0, count: candidates.count)
      var origin = [Int?](repeating: nil, count: candidates.count)
      // The cost of a way that leaves the lap or begins on it.
      let fresh = (costs.last?.min() ?? 0) + (costs.isEmpty ? 0 : Self.cost.missing)
      for (index, candidate) in candidates.enumerated() {
        column[index] = fresh
        for (before, cost) in zip(columns.last ?? [], costs.last ?? []).enumerated() {
          guard let way = way(fix - 1, from: cost.0, to: candidate) else { continue }
          let total = cost.1 + self.cost(of: way, fix - 1)
          if total < column[index] { (column[index], origin[index]) = (total, before) }
        }
        let aside = candidate.aside / Self.deviation.fix
        column[index] += aside * aside / 2
      }
      if candidates.isEmpty {
        // The drive is not on the lap, so that the next way begins anywhere.
        traceBack(columns, costs, origins, endingAt: fix - 1, into: &ways)
        (columns, costs, origins) = ([], [], [])
        continue
      }
      columns.append(candidates)
      costs.append(column)
      origins.append(origin)
    }
    traceBack(columns, costs, origins, endingAt: fixes.upperBound, into: &ways)
  }

  private func traceBack(
    _ columns: [[Candidate]], _ costs: [[Double]], _ origins: [[Int?]], endingAt last: Int,
    into ways: inout [Int: Way]
  ) {
    guard
      var choice = costs.last?.indices.min(by: { costs[costs.count - 1][$0] < costs[costs.count - 1][$1] })
    else { return }
    for column in columns.indices.reversed().dropLast() {
      let step = last - (columns.count - column)
      if let origin = origins[column][choice] {
        if let way = way(step, from: columns[column - 1][origin], to: columns[column][choice]),
          isPlausible(way, step)
        {
          ways[step] = way
        }
        choice = origin
      } else {
        choice =
          costs[column - 1].indices.min { costs[column - 1][$0] < costs[column - 1][$1] } ?? 0
      }
    }
  }

  /// Returns the places on the lap that are near a fix, one for each part of the lap.
  private func candidates(_ fix: Int) -> [Candidate] {
    let line = profile.line
    let place = path.places[fix]
    var moves: [SIMD3<Double>] = []
    for step in [fix - 1, fix] where step >= 0 && step + 1 < path.count {
      let move = path.places[step + 1] - path.places[step]
      if move.length >= SmoothPath.spacing, move.length <= Self.dense { moves.append(move.normalized) }
    }
    var found: [Candidate] = []
    // The lap left the surroundings of the fix since the last candidate.
    var isApart = true
    for index in 0..<(line.places.count - 1) {
      let step = line.places[index + 1] - line.places[index]
      let (fraction, rest) = (place - line.places[index]).projected(onto: step)
      let aside = rest.length
      guard aside <= LapProfile.reach else {
        isApart = true
        continue
      }
      let heading = step.normalized
      guard
        moves.allSatisfy({ $0.dot(heading) > Self.direction })
          || moves.count > 1
            && moves.contains(where: { $0.dot(heading) > 0.9 })
      else { continue }
      let candidate = Candidate(
        distanceAlong: line.distanceAlong[index] + fraction * step.length, aside: aside)
      if isApart {
        found.append(candidate)
      } else if aside < found[found.count - 1].aside {
        found[found.count - 1] = candidate
      }
      isApart = false
    }
    return found
  }

  /// Returns the way between the places of two fixes whose duration is closest to the usual one, or nil if
  /// the lap does not lead from one to the other.
  private func way(_ step: Int, from start: Candidate, to end: Candidate) -> Way? {
    let chord = (path.places[step + 1] - path.places[step]).length
    let seconds = path.times[step + 1] - path.times[step]
    let length = profile.line.length
    var metres = end.distanceAlong - start.distanceAlong
    if metres <= 0 {
      guard isCircuit else { return nil }
      metres += length
    }
    var best: (way: Way, factor: Double)?
    for _ in 0...(isCircuit ? Self.mostLaps : 0) {
      let usual = profile.time(from: start.distanceAlong, metres)
      if usual > 0, LapProfile.isPossible(metres, chord: chord) {
        let factor = abs(log(seconds / usual))
        if factor < best?.factor ?? .infinity {
          best = (Way(start: start.distanceAlong, length: metres, usual: usual), factor)
        }
      }
      metres += length
    }
    return best?.way
  }

  private func cost(of way: Way, _ step: Int) -> Double {
    let seconds = path.times[step + 1] - path.times[step]
    let deviation = Self.deviation.pace + Self.deviation.fix / way.length
    let factor = log(seconds / way.usual) / deviation
    return factor > 0 ? min(factor * factor / 2, Self.cost.slow) : factor * factor / 2
  }

  /// Whether the duration of a way is usual, or long enough for a stop or the pit lane.
  private func isPlausible(_ way: Way, _ step: Int) -> Bool {
    let seconds = path.times[step + 1] - path.times[step]
    guard way.usual < LapProfile.pace * seconds else { return false }
    return seconds < LapProfile.pace * way.usual || seconds >= TimedPlaces.sparseInterval
  }

  private func fill(_ ways: [Int: Way]) -> SmoothPath {
    let line = profile.line
    var places: [SIMD3<Double>] = []
    var times: [Double] = []
    let all = ways.values.reduce(0) { $0 + $1.length }
    let spacing = max(Self.inserted.spacing, all / Self.inserted.most)
    var gaps = path.gaps
    var velocities: [SIMD3<Double>?] = []
    for fix in path.places.indices {
      if !path.velocities.isEmpty {
        // Inserted points have none.
        velocities += Array(repeating: nil, count: places.count - velocities.count)
        velocities.append(path.velocities[fix])
      }
      places.append(path.places[fix])
      times.append(path.times[fix])
      guard let way = ways[fix] else { continue }
      let (begin, end) = (path.times[fix], path.times[fix + 1])
      gaps.append(SmoothPath.Gap(times: begin...end, difference: end - begin - way.usual))
      func road(_ metres: Double) -> SIMD3<Double> {
        let distanceAlong = way.start + metres
        return line.place(
          at: isCircuit ? distanceAlong.truncatingRemainder(dividingBy: line.length) : distanceAlong)
      }
      // The errors of both fixes, which change slowly.
      let first = path.places[fix] - road(0)
      let last = path.places[fix + 1] - road(way.length)
      let count = Int(way.length / spacing)
      for number in 1..<max(count, 1) {
        let share = Double(number) / Double(count)
        let metres = share * way.length
        let time = begin + (end - begin) * profile.time(from: way.start, metres) / way.usual
        guard time > times[times.count - 1], time < end else { continue }
        places.append(road(metres) + first + share * (last - first))
        times.append(time)
      }
    }
    gaps.sort { $0.times.lowerBound < $1.times.lowerBound }
    return SmoothPath(places, times: times, velocities: velocities, gaps: gaps, stops: path.stops)
  }
}
