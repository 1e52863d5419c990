/// The motion of a drive between an end of the compared stretch and a position some metres inside it.
struct EndRun {
  /// The time at which the drive finally left the end, or first reached it, in seconds since the first
  /// recorded point.
  var moment: Double
  /// The time at the position inside, in seconds since the first recorded point.
  var reading: Double
  /// The time between ``moment`` and ``reading`` in seconds.
  var duration: Double
  /// The variance of ``duration`` in square seconds, if the positions are exact.
  var variance: Double
  /// The time in seconds that a car usually needs from rest, or `nil` if the drive was not at rest near the
  /// end.
  var usual: Double?
  /// The time in seconds lost by starting or ending at rest, compared with driving at speed.
  var restLoss = 0.0
  /// The variance in square seconds that the noise of the fixes adds to ``reading``.
  var noise = 0.0
  /// The speed further inside, in metres per second.
  var speed = 0.0
  /// The distance between the end and the position inside in metres, and the duration of stops between them
  /// in seconds.
  var metres = 0.0
  var waiting = 0.0
  /// The duration at speed and without stops, in seconds.
  var secondsAtSpeed: Double { max(duration - waiting - (usual == nil ? 0 : restLoss), 0.1) }
  /// The time between the fixes at the end, in seconds.
  var step = 0.0
  /// The interval between two fixes in which the drive left or reached the end, or `nil` if fixes are dense.
  var interval: Interval?

  struct Interval {
    /// The time between the fixes in seconds.
    var step: Double
    /// The time from the outer fix to ``reading`` in seconds.
    var duration: Double
    /// The distance from the outer fix to the end of the stretch in metres.
    var depth: Double
    /// Whether the drive was certainly stationary at the outer fix.
    var isStationary: Bool
  }
}

/// An end of a line. Depths are distances from the end inwards, in metres.
struct LineEnd {
  let line: MatchablePolyline
  let side: StretchEnd.Side

  /// The standard deviations of the times of a departure, an arrival (at low speed) and a passage in seconds,
  /// measured on simulated drives.
  static let momentError = (departure: 0.45, arrival: 0.8, passing: 0.1)
  /// The error of the start of motion, relative to the time in which the drive moves as far as the receiver
  /// drifts.
  static let driftFactor = 3.5
  /// The standard deviations of the start of motion and of a passing time between sparse fixes, as fractions
  /// of the interval between the fixes, measured on simulated drives.
  static let intervalShare = (onset: 0.15, passing: 0.06)
  /// The distance in metres from its own end within which a drive with sparse fixes may have been idle after
  /// its first fix.
  static let leadReach = 100.0
  /// The distance in metres between the end of the stretch and a stop near it.
  static let queueing = 1.0
  /// The distance in metres from its own end within which a drive that began at rest is still accelerating.
  static let restReach = 20.0

  /// The minimum distance in metres, and the distance in standard deviations of the noise, over which the
  /// direction at an end is determined.
  static let leastChord = 8.0
  static let chordDeviations = 5.0

  init(_ line: MatchablePolyline, _ side: StretchEnd.Side) {
    self.line = line
    self.side = side
  }

  /// The position of the end.
  var place: SIMD3<Double> { side == .start ? line.places[0] : line.places[line.count - 1] }
  var isStationary: Bool { side == .start ? line.isStationaryAtStart : line.isStationaryAtEnd }

  /// The fix at the end and the seconds between it and the next one, if fixes are sparse there.
  var rareFix: MotionOnset.RareFix? { side == .start ? line.rareFixAtStart : line.rareFixAtEnd }
  var lastInterval: Double {
    let vertex = side == .start ? 0 : line.count - 2
    return line.arrivals[vertex + 1] - line.departures[vertex]
  }

  /// Returns the distance along the line at a depth, or the depth at a distance along the line, in metres.
  func distance(at depth: Double) -> Double {
    side == .start ? min(depth, line.length) : max(line.length - depth, 0)
  }
  func depth(at distance: Double) -> Double { side == .start ? distance : line.length - distance }

  /// Returns the depth of a position next to the line, negative outside the end, or `nil` if the position is
  /// more than `reach` metres away.
  ///
  /// - Parameter deviation: the standard deviation of the noise of the fixes, in metres.
  func depth(
    of place: SIMD3<Double>, near distance: Double, within reach: Double, _ deviation: Double
  ) -> Double? {
    let part =
      max(distance - StretchEnd.searchReach, 0)...min(distance + StretchEnd.searchReach, line.length)
    let nearest = line.nearest(to: place, in: part)
    let depth = depth(at: nearest.distanceAlong)
    // The first metres of a slow drive have a random direction, so that a position outside may be next to
    // them.
    let direction = inwardDirection(over: max(Self.leastChord, Self.chordDeviations * deviation))
    let offset = place - self.place
    let inwards = offset.dot(direction)
    let isBeside = (offset - inwards * direction).length <= reach
    if depth > 0, inwards > 0 || depth > StretchEnd.searchReach / 2 || !isBeside {
      return nearest.offset.length <= reach ? depth : nil
    }
    // Outside, the line is extended.
    return isBeside ? inwards : nil
  }

  /// Returns the direction from the end to the first vertex at a distance of `metres`.
  private func inwardDirection(over metres: Double) -> SIMD3<Double> {
    let end = side == .start ? 0 : line.count - 1
    let step = side == .start ? 1 : -1
    var vertex = end + step
    while line.places.indices.contains(vertex + step), (line.places[vertex] - place).length < metres {
      vertex += step
    }
    return (line.places[vertex] - place).normalized
  }

  /// Returns the depth of the first fix at or beyond a depth.
  func depthOfFix(beyond depth: Double) -> Double {
    let segment = line.segment(at: distance(at: depth))
    return side == .start ? line.distanceAlong[segment + 1] : line.length - line.distanceAlong[segment]
  }

  /// - Parameters:
  ///   - depth: the depth of the end of the stretch.
  ///   - isOwnEnd: whether the end of the stretch is the drive's own end.
  ///   - inside: the depth of the position inside.
  ///   - slack: the distance in metres around the end within which a stop is at the end.
  ///   - deviation: the standard deviation of the noise, in metres.
  func run(
    from depth: Double, isOwnEnd: Bool, to inside: Double, _ slack: Double, _ deviation: Double
  ) -> EndRun {
    let reading = line.passage(at: distance(at: inside), in: line.segment(at: distance(at: inside)))
    let inner = side == .start ? reading.departure : reading.arrival
    let distance = distance(at: depth)
    let segment = line.segment(at: distance)
    let step = line.arrivals[segment + 1] - line.departures[segment]
    var moment: Double
    /// The distance from rest to the end of the stretch in metres, or `nil` if the drive passed the end at
    /// speed.
    var rest: Double?
    if isOwnEnd {
      moment = ownMoment
      rest = isStationary ? 0 : nil
    } else {
      let passage = line.passage(at: distance, in: segment)
      moment = side == .start ? passage.departure : passage.arrival
      if isStationary, depth < LineEnd.restReach { rest = depth }
      for stop in line.stops(near: distance, within: slack) {
        // The drive reaches the position some metres after the stop, or leaves it some metres before the
        // stop.
        let moving = OnsetFit.seconds(fromRest: LineEnd.queueing, upTo: .infinity)
        moment = side == .start ? max(moment, stop.departure + moving) : min(moment, stop.arrival - moving)
        rest = LineEnd.queueing
      }
    }
    var run = EndRun(
      moment: moment, reading: inner, duration: max(side == .start ? inner - moment : moment - inner, 0),
      variance: 0, usual: nil, step: step)
    run.metres = inside - depth
    run.waiting = line.waiting(from: min(moment, inner), to: max(moment, inner))
    if let fix = rareFix, depth < LineEnd.leadReach,
      segment == (side == .start ? 0 : line.count - 2)
    {
      let outer = abs(inner - fix.time)
      let length = abs((side == .start ? line.arrivals[1] : line.departures[line.count - 2]) - fix.time)
      run.interval = EndRun.Interval(
        step: length, duration: outer, depth: max(depth, 0), isStationary: fix.isStationary)
      run.step = length
      rest = rest ?? 0
    }
    let speed = line.speed(about: self.distance(at: inside + 50))
    run.speed = speed
    guard let rest else {
      let seconds =
        LineEnd.momentError.passing * min(step, 1) + (isOwnEnd ? 0 : LineEnd.intervalShare.passing * step)
      run.variance = seconds * seconds
      return run
    }
    let usual =
      OnsetFit.seconds(fromRest: rest + inside - depth, upTo: speed)
      - OnsetFit.seconds(fromRest: rest, upTo: speed)
    // The departure of a crawling drive is uncertain.
    let excess = max(0, abs(run.duration - usual) - 0.25 * usual)
    let onset = LineEnd.intervalShare.onset * step
    let noise = 0.5 * deviation / speed
    run.noise = noise * noise
    let least = side == .start ? LineEnd.momentError.departure : LineEnd.momentError.arrival
    let drift =
      LineEnd.driftFactor * deviation * deviation / (OnsetFit.drift.seconds * speed * speed)
    run.variance =
      least * least + drift * drift + onset * onset + noise * noise
      + 0.25 * excess * excess
    run.usual = usual
    run.restLoss = usual - (inside - depth) / speed
    return run
  }

  /// The time at which the drive left its own start for good, or arrived at its own end.
  private var ownMoment: Double { side == .start ? line.departures[0] : line.arrivals[line.count - 1] }
}

extension MatchablePolyline {
  /// Returns the arrivals and departures of the stops within some metres of a position.
  fileprivate func stops(near distance: Double, within reach: Double) -> [(
    arrival: Double, departure: Double
  )] {
    var vertex = segment(at: distance)
    while vertex > 0, distance - distanceAlong[vertex] <= reach { vertex -= 1 }
    var found: [(arrival: Double, departure: Double)] = []
    while vertex < count, distanceAlong[vertex] <= distance + reach {
      if distance - distanceAlong[vertex] <= reach, departures[vertex] > arrivals[vertex] {
        found.append((arrivals[vertex], departures[vertex]))
      }
      vertex += 1
    }
    return found
  }
}
