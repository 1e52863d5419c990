import CMath
import TrackModel

/// A gate with a direction, in vectors.
struct GateLine {
  let middle: SIMD3<Double>
  /// The direction of travel and the direction to its left, both with length 1.
  let forward: SIMD3<Double>
  let left: SIMD3<Double>

  /// Creates the line of a gate, or nil if the gate has no bearing.
  init?(_ gate: Gate) {
    guard let bearing = gate.bearing else { return nil }
    let (north, east) = Self.axes(at: gate.coordinate)
    let angle = bearing * Geodesy.radiansPerDegree
    middle = EarthFixed.vector(latitude: gate.coordinate.latitude, longitude: gate.coordinate.longitude)
    forward = cos(angle) * north + sin(angle) * east
    left = sin(angle) * north - cos(angle) * east
  }

  /// Creates a line across a direction, which does not have to be horizontal or of length 1.
  init(at place: SIMD3<Double>, across direction: SIMD3<Double>) {
    let up = place.normalized
    middle = place
    forward = (direction - direction.dot(up) * up).normalized
    left = up.cross(forward)
  }

  /// The gate, including its bearing.
  var gate: Gate {
    let coordinate = EarthFixed.coordinate(of: middle)
    let (north, east) = Self.axes(at: coordinate)
    let degrees = atan2(forward.dot(east), forward.dot(north)) / Geodesy.radiansPerDegree
    return Gate(coordinate, bearing: degrees < 0 ? degrees + 360 : degrees)
  }

  /// Returns the distance past the line in metres, negative before it.
  func along(_ place: SIMD3<Double>) -> Double { (place - middle).dot(forward) }

  /// Returns the distance to the left of the middle in metres.
  func across(_ place: SIMD3<Double>) -> Double { (place - middle).dot(left) }

  private static func axes(at coordinate: Coordinate) -> (north: SIMD3<Double>, east: SIMD3<Double>) {
    let latitude = coordinate.latitude * Geodesy.radiansPerDegree
    let longitude = coordinate.longitude * Geodesy.radiansPerDegree
    return (
      SIMD3(-sin(latitude) * cos(longitude), -sin(latitude) * sin(longitude), cos(latitude)),
      SIMD3(-sin(longitude), cos(longitude), 0)
    )
  }
}

extension GateLine {
  /// The distance in metres before and after a crossing over which its direction is measured, because fixes
  /// of a slow drive jitter.
  private static let reach = 8.0
  /// The distance in metres that a drive has to move away from the line before it can cross it again.
  private static let clearance = 12.0
  /// The length of a step in metres above which fixes are sparse, and the fraction of it by which the curve
  /// may differ from the road, alone and at a gate that is checked. The direction between them is that of
  /// a part of the curve before and after the crossing, as a fraction of the step.
  private static let sparse = (step: 60.0, share: 0.12, checked: 0.3, part: 0.05)
  /// One standard deviation of a fix in the direction of travel, in metres.
  static let fixError = 1.5
  /// One standard deviation of a time between two fixes, as a fraction of the interval between them, and the
  /// growth of the fraction per second of the interval up to the given number of seconds.
  private static let timeShare = (least: 0.04, growth: 0.002, longest: 40.0)

  /// Returns one standard deviation of a time in an interval between two fixes.
  private static func uncertainty(_ interval: Double) -> Double {
    (timeShare.least + timeShare.growth * min(interval, timeShare.longest)) * interval
  }

  /// One standard deviation of a time in a filled gap, as a fraction of the time to its nearer end, and as a
  /// fraction of the seconds by which the drive was slower or faster than usual.
  private static let gapShare = (time: 0.1, difference: 0.3)

  /// Returns one standard deviation of a time in a filled gap.
  private static func uncertainty(_ gap: SmoothPath.Gap, at time: Double) -> Double {
    let nearer = min(time - gap.times.lowerBound, gap.times.upperBound - time)
    return gapShare.time * nearer + min(nearer, gapShare.difference * abs(gap.difference))
  }

  /// Whether a position is so far from the line that the next crossing is a separate one.
  func isAway(_ place: SIMD3<Double>) -> Bool { abs(along(place)) > Self.clearance }

  private func isForward(_ way: SIMD3<Double>) -> Bool {
    way.dot(forward) >= cos(Gate.maximumAngle * Geodesy.radiansPerDegree) * way.length
  }

  /// Returns the crossings of the gate in its direction.
  ///
  /// - Parameters:
  ///   - isChecked: whether other gates or the line of a segment determine the way of the drive, so that
  ///     sparse fixes may pass the gate at a larger distance.
  ///   - steps: the steps from a fix to the next one that are searched, or nil for all.
  func crossings(
    _ path: SmoothPath, isChecked: Bool = false, steps: ClosedRange<Int>? = nil
  ) -> [GateCrossing] {
    guard path.count > 1 else { return [] }
    let steps = steps ?? 0...(path.count - 2)
    let share = isChecked ? Self.sparse.checked : Self.sparse.share
    var found: [GateCrossing] = []
    // Whether the drive has moved away from the line since the last crossing.
    var cleared = true
    var after = along(path.places[steps.lowerBound])
    for step in steps {
      let before = after
      after = along(path.places[step + 1])
      if isAway(path.places[step]) { cleared = true }
      let length = path.distances[step + 1] - path.distances[step]
      guard before < 0 && after >= 0 || min(abs(before), abs(after)) < length else { continue }
      // In a hairpin, the curve between two fixes can cross the line and return.
      let isRoad = path.times[step + 1] - path.times[step] <= TimedPlaces.sparseInterval
      let parts =
        isRoad ? max(1, Int(Double.minimum(length / SmoothPath.resolution, Double(Self.mostParts)))) : 1
      guard parts > 1 || before < 0 && after >= 0 else { continue }
      let curve = path.curve(step)
      var low = before
      for part in 1...parts {
        let range = (Double(part - 1) / Double(parts), Double(part) / Double(parts))
        let high = part == parts ? after : along(curve.place(range.1))
        defer { low = high }
        guard low < 0, high >= 0, let crossing = crossing(path, step, curve, range, share) else { continue }
        if !cleared, !found.isEmpty { found.removeLast() }
        found.append(crossing)
        cleared = after > Self.clearance
      }
    }
    return path.stops.isEmpty ? found : found.map { withStops($0, path) }
  }

  /// One standard deviation of the position of a stop in the direction of travel in metres, and the longest
  /// time in seconds between a crossing and a stop at the gate.
  private static let stop = (error: 2.5, seconds: 30.0)

  /// Returns a crossing with the uncertainty of stops at the gate.
  ///
  /// A stop is on the other side of the gate with a probability *p*, and the variance of the time is then
  /// *p* (1 − *p*) times the square of the duration.
  func withStops(_ crossing: GateCrossing, _ path: SmoothPath) -> GateCrossing {
    var variance = crossing.uncertainty * crossing.uncertainty
    let first = path.stops.partitionIndex { $0.departure > crossing.time - Self.stop.seconds }
    for stop in path.stops[first...] {
      guard stop.arrival < crossing.time + Self.stop.seconds else { break }
      guard abs(across(stop.place)) <= Gate.halfWidth else { continue }
      let probability = erfc(abs(along(stop.place)) / Self.stop.error / 2.0.squareRoot()) / 2
      let duration = stop.departure - stop.arrival
      variance += probability * (1 - probability) * duration * duration
    }
    var crossing = crossing
    crossing.uncertainty = variance.squareRoot()
    return crossing
  }

  /// The largest number of parts of a step that are searched for crossings.
  private static let mostParts = 32

  /// Returns the crossing between a fix and the next one, or nil if it is outside the gate or in another
  /// direction.
  ///
  /// - Parameters:
  ///   - curve: the curve of the step.
  ///   - range: the fractions of the step between which the curve crosses the line.
  ///   - share: the fraction of the step by which the curve may differ from the road.
  private func crossing(
    _ path: SmoothPath, _ step: Int, _ curve: HermiteCurve, _ range: (Double, Double), _ share: Double
  ) -> GateCrossing? {
    var chord = (path.places[step + 1] - path.places[step]).length
    if let gap = path.gap(at: (path.times[step] + path.times[step + 1]) / 2) {
      let ends = (path.place(at: gap.times.lowerBound), path.place(at: gap.times.upperBound))
      chord = max(chord, (ends.1 - ends.0).length)
    }
    let slack = chord > Self.sparse.step ? share * chord : 0
    var (low, high) = range
    // Most steps end far from the gate.
    guard abs(across(curve.place(high))) <= Gate.halfWidth + slack + chord else { return nil }
    for _ in 0..<40 {
      let middle = (low + high) / 2
      if along(curve.place(middle)) < 0 { low = middle } else { high = middle }
    }
    let place = curve.place(high)
    guard abs(across(place)) <= Gate.halfWidth + slack else { return nil }
    let (first, last) = fixes(around: place, path, step)
    var way = path.places[last] - path.places[first]
    if way.length > 2 * Self.reach, !isForward(way) {
      // In a hairpin, the direction between two fixes is not that of the road.
      way = curve.place(min(high + Self.sparse.part, 1)) - curve.place(max(high - Self.sparse.part, 0))
    }
    guard isForward(way) else { return nil }
    let span = path.times[step + 1] - path.times[step]
    let seconds = path.times[last] - path.times[first]
    let speed = seconds > 0 ? abs((path.places[last] - path.places[first]).dot(forward)) / seconds : 0
    let time = path.times[step] + high * span
    let uncertain = (
      Self.fixError / max(speed, 1),
      path.gap(at: time).map { Self.uncertainty($0, at: time) }
        ?? Self.uncertainty(min(span, 2 * chord / max(speed, 1)))
    )
    return GateCrossing(
      time: time, speed: speed,
      uncertainty: (uncertain.0 * uncertain.0 + uncertain.1 * uncertain.1).squareRoot())
  }

  /// Returns the fixes before and after a crossing between which its direction and speed are measured.
  ///
  /// If they are far enough apart, they are those since the previous crossing of the line and until the next
  /// one, because a drive may turn just after the line. Otherwise, a slow or stationary drive jitters on the
  /// line.
  private func fixes(
    around place: SIMD3<Double>, _ path: SmoothPath, _ step: Int
  ) -> (first: Int, last: Int) {
    func extent(isBounded: Bool) -> (first: Int, last: Int) {
      var first = step
      while first > 0, (path.places[first] - place).length < Self.reach,
        !isBounded || along(path.places[first - 1]) < 0
      {
        first -= 1
      }
      var last = step + 1
      while last + 1 < path.count, (path.places[last] - place).length < Self.reach,
        !isBounded || along(path.places[last + 1]) >= 0
      {
        last += 1
      }
      return (first, last)
    }
    var bounded = extent(isBounded: true)
    // The place where the drive turned is farther away than the fix next to the other crossing.
    bounded.first = (bounded.first...step).min { along(path.places[$0]) < along(path.places[$1]) } ?? step
    bounded.last =
      (step + 1...bounded.last).max { along(path.places[$0]) < along(path.places[$1]) } ?? step + 1
    let length = (path.places[bounded.last] - path.places[bounded.first]).length
    return length >= Self.reach ? bounded : extent(isBounded: false)
  }
}
