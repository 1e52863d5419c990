/// A drive between an end of the compared stretch and a place some metres inside it.
struct EndRun {
  /// When it finally left the end, or first reached it; seconds since the first recorded point.
  var moment: Double
  /// When it was at the place inside.
  var reading: Double
  /// Seconds between the two.
  var duration: Double
  /// Square seconds: the variance of ``duration``, if the places are exact.
  var variance: Double
  /// Seconds that a car usually takes from rest; nil if the drive was not at rest near the end.
  var usual: Double?
  /// Seconds that starting or ending at rest costs, compared with driving at speed.
  var restLoss = 0.0
  /// Square seconds: the variance that the noise of the fixes adds to ``reading``.
  var noise = 0.0
  /// Metres per second further inside.
  var speed = 0.0
  /// Metres between the end and the place inside, and seconds of stops between them.
  var metres = 0.0
  var waiting = 0.0
  /// The duration at speed and without stops, in seconds.
  var secondsAtSpeed: Double { max(duration - waiting - (usual == nil ? 0 : restLoss), 0.1) }
  /// Seconds between the fixes at the end.
  var step = 0.0
  /// The interval between two fixes in which the drive left the end, or reached it; nil unless fixes are
  /// rare.
  var interval: Interval?

  struct Interval {
    /// Seconds between the fixes.
    var step: Double
    /// Seconds from the outer fix to ``reading``.
    var duration: Double
    /// Metres from the outer fix to the end of the stretch.
    var depth: Double
    /// Whether the drive was surely stationary at the outer fix.
    var isStationary: Bool
  }
}

/// A line seen from one of its ends: depths are metres from there inwards.
struct LineEnd {
  let line: MatchablePolyline
  let side: StretchEnd.Side

  /// Seconds, measured on simulated drives: one standard deviation of a departure, of an arrival, at which
  /// cars creep, and of a passing time.
  static let momentError = (departure: 0.45, arrival: 0.8, passing: 0.1)
  /// The error of the onset of motion against the time in which the drive moves as far as the receiver
  /// drifts.
  static let driftFactor = 3.5
  /// Shares of the interval between two fixes, measured on simulated drives: one standard deviation of the
  /// onset of motion, and of the moment at a place that was passed, if fixes are rare.
  static let intervalShare = (onset: 0.15, passing: 0.06)
  /// Metres from its own end within which a drive with rare fixes may have been idle after its first one.
  static let leadReach = 100.0
  /// Metres between a stop near the end of the stretch and the end.
  static let queueing = 1.0
  /// Metres from its own end within which a drive that began at rest is still gaining speed.
  static let restReach = 20.0

  /// Metres, and standard deviations of the noise, over which the direction at an end is taken.
  static let leastChord = 8.0
  static let chordDeviations = 5.0

  init(_ line: MatchablePolyline, _ side: StretchEnd.Side) {
    self.line = line
    self.side = side
  }

  /// The place of the end.
  var place: SIMD3<Double> { side == .start ? line.places[0] : line.places[line.count - 1] }
  var isStationary: Bool { side == .start ? line.isStationaryAtStart : line.isStationaryAtEnd }

  /// The fix at the end if fixes are rare there, and the seconds between it and the next one.
  var rareFix: MotionOnset.RareFix? { side == .start ? line.rareFixAtStart : line.rareFixAtEnd }
  var lastInterval: Double {
    let vertex = side == .start ? 0 : line.count - 2
    return line.arrivals[vertex + 1] - line.departures[vertex]
  }

  /// Metres along the line at a depth, and the depth at metres along the line.
  func distance(at depth: Double) -> Double {
    side == .start ? min(depth, line.length) : max(line.length - depth, 0)
  }
  func depth(at distance: Double) -> Double { side == .start ? distance : line.length - distance }

  /// The depth of a place beside the line; negative outside its end, nil further away than `reach`.
  ///
  /// - Parameter deviation: metres, one standard deviation of the noise of the fixes.
  func depth(
    of place: SIMD3<Double>, near distance: Double, within reach: Double, _ deviation: Double
  ) -> Double? {
    let part =
      max(distance - StretchEnd.searchReach, 0)...min(distance + StretchEnd.searchReach, line.length)
    let nearest = line.nearest(to: place, in: part)
    let depth = depth(at: nearest.distanceAlong)
    // The first metres of a slow drive lead anywhere, so that a place outside may be beside them.
    let direction = inwardDirection(over: max(Self.leastChord, Self.chordDeviations * deviation))
    let offset = place - self.place
    let inwards = offset.dot(direction)
    let isBeside = (offset - inwards * direction).length <= reach
    if depth > 0, inwards > 0 || depth > StretchEnd.searchReach / 2 || !isBeside {
      return nearest.offset.length <= reach ? depth : nil
    }
    // Outside, on the continuation of the line.
    return isBeside ? inwards : nil
  }

  /// The direction from the end to the first place at a distance of `metres`.
  private func inwardDirection(over metres: Double) -> SIMD3<Double> {
    let end = side == .start ? 0 : line.count - 1
    let step = side == .start ? 1 : -1
    var vertex = end + step
    while line.places.indices.contains(vertex + step), (line.places[vertex] - place).length < metres {
      vertex += step
    }
    return (line.places[vertex] - place).normalized
  }

  /// The depth of the first fix at or beyond a depth.
  func depthOfFix(beyond depth: Double) -> Double {
    let segment = line.segment(at: distance(at: depth))
    return side == .start ? line.distanceAlong[segment + 1] : line.length - line.distanceAlong[segment]
  }

  /// - Parameters:
  ///   - depth: of the end of the stretch.
  ///   - isOwnEnd: whether that is the drive's own end.
  ///   - inside: the depth of the reading.
  ///   - slack: metres around the end within which a stop is one at the end.
  ///   - deviation: metres, one standard deviation of the noise.
  func run(
    from depth: Double, isOwnEnd: Bool, to inside: Double, _ slack: Double, _ deviation: Double
  ) -> EndRun {
    let reading = line.passage(at: distance(at: inside), in: line.segment(at: distance(at: inside)))
    let inner = side == .start ? reading.departure : reading.arrival
    let distance = distance(at: depth)
    let segment = line.segment(at: distance)
    let step = line.arrivals[segment + 1] - line.departures[segment]
    var moment: Double
    /// Metres from rest to the end of the stretch; nil if the drive passed it at speed.
    var rest: Double?
    if isOwnEnd {
      moment = ownMoment
      rest = isStationary ? 0 : nil
    } else {
      let passage = line.passage(at: distance, in: segment)
      moment = side == .start ? passage.departure : passage.arrival
      if isStationary, depth < LineEnd.restReach { rest = depth }
      for stop in line.stops(near: distance, within: slack) {
        // It reaches the place some metres after the stop, or leaves it some metres before.
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
    // A drive that crawls leaves the end at no certain moment.
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

  /// When the drive left its own start for good, or arrived at its own end.
  private var ownMoment: Double { side == .start ? line.departures[0] : line.arrivals[line.count - 1] }
}

extension MatchablePolyline {
  /// The arrivals and departures of the stops within some metres of a place.
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
