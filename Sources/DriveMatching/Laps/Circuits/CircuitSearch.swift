import TrackModel

/// Finds the circuit of a recording, and a position on it for a gate.
///
/// A circuit is a road that is driven again in the same direction. The gate is placed on a straight and
/// fast stretch that most laps pass, because the time at which a drive crosses it there is well defined.
struct CircuitSearch {
  /// The gate with its confidence, 0…1, or nil if there is no circuit.
  private(set) var found: (gate: Gate, confidence: Double)?

  /// A point of a drive.
  private struct Sample {
    var path: Int
    var time: Double
    var place: SIMD3<Double>
    var direction: SIMD3<Double>
    /// The driven distance before the point, in metres.
    var distance: Double
    /// In metres per second.
    var speed: Double
    /// One minus the cosine of the angle by which the road turns within ``straight`` metres before and
    /// after the point.
    var turn = 0.0
    /// Whether the point is a recorded fix.
    var isFix: Bool
  }

  /// A candidate for the gate's position.
  private struct Candidate {
    var line: GateLine
    var score: Double
  }

  /// The distance between fixes in metres from which the curve between them is not the road.
  private static let sparse = 150.0
  /// The smallest distance between two passages along the drive, in metres.
  private static let shortestLap = 80.0
  /// The cosine of the angle within which two passages have the same direction.
  private static let same = 0.85
  /// The distance before and after a point over which the road must be straight, in metres.
  private static let straight = 60.0
  /// The change of direction in radians that halves the score of a candidate.
  private static let bend = 0.3
  /// The distance between candidates in metres, and their maximum number.
  private static let candidates = (spacing: 150.0, count: 8)

  /// The confidence below which the repeated passages are chance, as those of fixes that follow no road are.
  private static let leastConfidence = 0.1

  private let paths: [SmoothPath]
  private let reach: Double
  /// Whether a gate must be at a recorded fix, because the curve between two fixes is not the road.
  private let isSparse: Bool
  private var samples: [Sample] = []
  /// The samples by cell, with copies of their positions and directions: the samples near one are read from
  /// few places in memory.
  private var grouped = Groups()

  private struct Groups {
    var ranges: [SIMD3<Int32>: Range<Int>] = [:]
    var indices: [Int32] = []
    var places: [SIMD3<Double>] = []
    var directions: [SIMD3<Double>] = []

    /// Returns the groups of a cell and those around it.
    func around(_ cell: SIMD3<Int32>) -> [Range<Int>] {
      var found: [Range<Int>] = []
      for x: Int32 in -1...1 {
        for y: Int32 in -1...1 {
          for z: Int32 in -1...1 {
            if let range = ranges[cell &+ SIMD3(x, y, z)] { found.append(range) }
          }
        }
      }
      return found
    }
  }

  init(_ paths: [SmoothPath]) {
    self.paths = paths
    let step = paths.map(\.usualStep).max() ?? 0
    isSparse = step >= Self.sparse
    reach = SmoothPath.sameRoadReach(step)
    let fixes = paths.reduce(0) { $0 + $1.count }
    for index in paths.indices { sample(index, fixes: fixes) }
    group()
    choose()
  }

  private mutating func group() {
    func extend(_ range: inout Range<Int>) { range = range.lowerBound..<(range.upperBound + 1) }
    var ranges: [SIMD3<Int32>: Range<Int>] = [:]
    for sample in samples { extend(&ranges[cell(sample.place), default: 0..<0]) }
    var start = 0
    for index in ranges.values.indices {
      let count = ranges.values[index].count
      ranges.values[index] = start..<start
      start += count
    }
    grouped.indices = [Int32](repeating: 0, count: start)
    grouped.places = [SIMD3<Double>](repeating: .zero, count: start)
    grouped.directions = grouped.places
    for (index, sample) in samples.enumerated() {
      let cell = cell(sample.place)
      let slot = ranges[cell]?.upperBound ?? 0
      extend(&ranges[cell, default: 0..<0])
      grouped.indices[slot] = Int32(index)
      grouped.places[slot] = sample.place
      grouped.directions[slot] = sample.direction
    }
    grouped.ranges = ranges
  }

  private func cell(_ place: SIMD3<Double>) -> SIMD3<Int32> {
    // The curve through fixes that jump around the earth leads far away from it.
    func number(_ coordinate: Double) -> Int32 {
      coordinate.isFinite ? Int32(min(max((coordinate / reach).rounded(.down), -1e9), 1e9)) : 0
    }
    return SIMD3(number(place.x), number(place.y), number(place.z))
  }

  /// - Parameter fixes: the number of fixes of all paths.
  private mutating func sample(_ index: Int, fixes: Int) {
    let path = paths[index]
    guard path.count > 1 else { return }
    let points = path.samples(from: path.times[0], to: path.times[path.count - 1], fixes: fixes)
    let first = samples.count
    for (number, point) in points.enumerated() {
      let before = points[max(number - 1, 0)]
      let after = points[min(number + 1, points.count - 1)]
      let way = after.place - before.place
      let seconds = after.time - before.time
      samples.append(
        Sample(
          path: index, time: point.time, place: point.place, direction: way.normalized,
          distance: number > 0
            ? samples[samples.count - 1].distance + (point.place - before.place).length : 0,
          speed: seconds > 0 ? way.length / seconds : 0,
          isFix: isSparse && path.times[path.step(at: point.time)] == point.time))
    }
    var low = first
    var high = first
    for number in first..<samples.count {
      while samples[low].distance < samples[number].distance - Self.straight { low += 1 }
      while high + 1 < samples.count, samples[high].distance < samples[number].distance + Self.straight {
        high += 1
      }
      let cosine = min(
        samples[low].direction.dot(samples[number].direction),
        samples[high].direction.dot(samples[number].direction))
      samples[number].turn = 1 - cosine
    }
  }

  private mutating func choose() {
    let passages = examined.map { (index: $0, count: neighbours(of: $0).same.count) }
    guard let most = passages.map(\.count).max(), most >= 2 else { return }
    let least = max(2, most - 1 - most / 10)
    var ranked = passages.filter { $0.count >= least }.map { index, _ in
      (index: index, score: samples[index].speed / (1 + samples[index].turn / (1 - Self.cosineOfBend)))
    }
    ranked.sort { $0.score > $1.score }
    var chosen: [Candidate] = []
    var places: [SIMD3<Double>] = []
    for (index, _) in ranked {
      guard chosen.count < Self.candidates.count else { break }
      guard !places.contains(where: { ($0 - samples[index].place).length < Self.candidates.spacing }) else {
        continue
      }
      places.append(samples[index].place)
      chosen.append(candidate(index))
    }
    var circuits = SparseCircuits(paths, isAnyDuration: true)
    let tried = chosen.map { ($0, laps(at: $0, &circuits)) }
    // The number of complete laps has priority over the score of the position.
    let best = tried.max { one, other in
      (Double(one.1.complete), one.0.score) < (Double(other.1.complete), other.0.score)
    }
    guard let best, best.1.complete > 0 else { return }
    let share = Double(best.1.complete) / Double(max(best.1.all, 1))
    let confidence = share * (1 - 1 / Double(2 * best.1.complete + 1))
    if confidence >= Self.leastConfidence { found = (best.0.line.gate, confidence) }
  }

  /// The points at which passages are counted: those of each cell, or some of them, evenly spread.
  private var examined: [Int] {
    let possible = samples.indices.filter { !isSparse || samples[$0].isFix }
    let cells = possible.map { cell(samples[$0].place) }
    let counts = Dictionary(cells.map { ($0, 1) }, uniquingKeysWith: +)
    let pairs = counts.reduce(0) { sum, cell in
      let near = grouped.around(cell.key).reduce(0) { $0 + $1.count }
      return sum + near * min(cell.value, Self.examinedPerCell)
    }
    let perCell = Self.examined(perCellOf: pairs)
    var ranks: [SIMD3<Int32>: Int] = [:]
    return zip(possible, cells).compactMap { index, cell in
      let rank = ranks[cell, default: 0]
      ranks[cell] = rank + 1
      return rank.isMultiple(of: (counts[cell, default: 1] - 1) / perCell + 1) ? index : nil
    }
  }

  /// Returns the number of points of a cell at which passages are counted, so that at most ``pairs`` pairs
  /// are compared, or 27 per point if that is more.
  ///
  /// - Parameter pairs: the number of pairs for ``examinedPerCell``.
  static func examined(perCellOf pairs: Int) -> Int {
    max(1, min(examinedPerCell, examinedPerCell * Self.pairs / max(pairs, 1)))
  }

  /// The maximum number of points of a cell at which passages are counted, and of pairs of points that are
  /// compared. Otherwise, the time would grow with the square of the number of laps, or of fixes without a
  /// road.
  private static let examinedPerCell = 24
  private static let pairs = 50_000_000
  private static let cosineOfBend = 1 - bend * bend / 2

  private func laps(
    at candidate: Candidate, _ circuits: inout SparseCircuits
  ) -> (complete: Int, all: Int) {
    var course = LapCourse(candidate.line.gate)
    course.confidence = nil
    let laps = course.sessions(ofFilled: circuits.filled(through: course.gate)).flatMap(\.laps)
    return (laps.count(where: \.isComplete), laps.count)
  }

  private func candidate(_ index: Int) -> Candidate {
    let near = neighbours(of: index)
    var place = SIMD3<Double>.zero
    var direction = SIMD3<Double>.zero
    var speeds: [Double] = []
    for number in near.same {
      let offset = samples[number].place - samples[index].place
      // Only across the road, because the passages are at different distances along it.
      place += offset - offset.dot(samples[index].direction) * samples[index].direction
      direction += samples[number].direction
      speeds.append(samples[number].speed)
    }
    let count = Double(max(near.same.count, 1))
    return Candidate(
      line: GateLine(
        at: isSparse ? samples[index].place : samples[index].place + place / count, across: direction),
      score: (speeds.upperMedian ?? 0) / (1 + samples[index].turn / (1 - Self.cosineOfBend))
        / (near.others ? 3 : 1))
  }

  /// Returns the samples nearest to a sample, one per passage in the same direction including its own, and
  /// whether drives also pass in another direction.
  private func neighbours(of index: Int) -> (same: [Int], others: Bool) {
    let sample = samples[index]
    var near: [Int] = []
    var others = false
    for range in grouped.around(cell(sample.place)) {
      for number in range where (grouped.places[number] - sample.place).length <= reach {
        if grouped.directions[number].dot(sample.direction) >= Self.same {
          near.append(Int(grouped.indices[number]))
        } else {
          others = true
        }
      }
    }
    near.sort()
    var same: [Int] = []
    var last: Int?
    for number in near {
      if let before = last, samples[before].path == samples[number].path,
        samples[number].distance - samples[before].distance < Self.shortestLap
      {
        let nearest = same[same.count - 1]
        if (samples[number].place - sample.place).length < (samples[nearest].place - sample.place).length {
          same[same.count - 1] = number
        }
      } else {
        same.append(number)
      }
      last = number
    }
    return (same, others)
  }
}

extension LapCourse {
  /// Creates a course on a circuit from a gate with a bearing.
  init(_ gate: Gate) {
    self.gate = gate
    finish = nil
    sectors = []
    confidence = nil
  }
}
