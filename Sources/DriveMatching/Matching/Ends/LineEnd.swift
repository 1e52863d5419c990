/// A part of a drive between an end of the compared stretch and a place some metres inside it.
struct EndRun {
  /// The time at which the drive finally left the end, or first reached it, in seconds since the first
  /// recorded point.
  var moment: Double
  /// The time at the place inside, in seconds since the first recorded point.
  var reading: Double
  /// The time between both, in seconds.
  var duration: Double
  /// The variance of ``duration`` in square seconds, if the places are exact.
  var variance: Double
  /// The time that a car usually takes from rest in seconds, or nil if the drive was not at rest near the
  /// end.
  var usual: Double?
  /// The time lost by starting or ending at rest, compared with driving at speed, in seconds.
  var restLoss = 0.0
  /// The variance that noise of the fixes adds to ``reading``, in square seconds.
  var noise = 0.0
  /// The speed further inside, in metres per second.
  var speed = 0.0
  /// The usual acceleration of the drive in metres per second squared.
  var acceleration = TimedPlaces.usualAcceleration.car
  /// The distance between the end and the place inside in metres, and the duration of stops between them in
  /// seconds.
  var metres = 0.0
  var waiting = 0.0
  /// The duration at speed and without stops, in seconds.
  var secondsAtSpeed: Double { max(duration - waiting - (usual == nil ? 0 : restLoss), 0.1) }
  /// Whether the drive stopped near the end of the stretch.
  var isAtStop = false
  /// Whether the drive moved up in a queue at the end of the stretch, with a pace that nothing else predicts.
  var isInQueue = false
  /// The duration of the stop at the place inside, in seconds.
  var innerStop = 0.0
  /// The interval between the fixes at the end, in seconds.
  var step = 0.0
  /// The interval between two fixes in which the drive left the end, or reached it; nil unless fixes are
  /// sparse.
  var interval: Interval?

  struct Interval {
    /// The interval between the fixes, in seconds.
    var step: Double
    /// The time from the outer fix to ``reading``, in seconds.
    var duration: Double
    /// The distance from the outer fix to the end of the stretch, in metres.
    var depth: Double
    /// Whether the drive was certainly stationary at the outer fix.
    var isStationary: Bool
    /// The distance from the inner fix to the end of the stretch, in metres.
    var metres: Double
  }
}

/// A line as seen from one of its ends. Depths are distances from the end inwards, in metres.
struct LineEnd {
  let line: MatchablePolyline
  let side: StretchEnd.Side
  /// The drive at this end.
  let drive: MatchablePolyline.End

  /// One standard deviation of a departure, of an arrival, where cars creep, and of a passing time, in
  /// seconds, measured on simulated drives.
  static let momentError = (departure: 0.4, arrival: 0.56, passing: 0.1)
  /// The error of the onset of motion, relative to the time in which the drive moves as far as the receiver
  /// drifts.
  static let driftFactor = 3.5
  /// One standard deviation of the onset of motion, and of the time at a place that was passed, with sparse
  /// fixes, as fractions of the interval between two fixes, measured on simulated drives.
  static let intervalShare = (onset: 0.15, passing: 0.06)
  /// The distance from its own end in metres within which a drive with sparse fixes may have been idle
  /// after its first fix.
  static let leadReach = 100.0
  /// The distance in metres between a stop near the end of the stretch and the end.
  static let queueing = 1.0
  /// The distance from its own end in metres within which a drive that began at rest is still accelerating.
  static let restReach = 20.0

  /// The length over which the direction at an end is measured, in metres and in standard deviations of the
  /// noise.
  static let leastChord = 8.0
  static let chordDeviations = 5.0

  init(_ line: MatchablePolyline, _ side: StretchEnd.Side) {
    self.line = line
    self.side = side
    drive = side == .start ? line.atStart : line.atEnd
  }

  /// The position of the end.
  var place: SIMD3<Double> { side == .start ? line.places[0] : line.places[line.count - 1] }

  /// Whether a place is in the queue at this end.
  func isInQueue(_ distance: Double) -> Bool {
    side == .start ? distance < drive.queue : distance > line.length - drive.queue
  }

  /// The seconds between the fix at the end and the next one.
  var lastInterval: Double {
    let vertex = side == .start ? 0 : line.count - 2
    return line.arrivals[vertex + 1] - line.departures[vertex]
  }

  /// Returns the distance along the line at a depth, or the depth at a distance, in metres.
  func distance(at depth: Double) -> Double {
    side == .start ? min(depth, line.length) : max(line.length - depth, 0)
  }
  func depth(at distance: Double) -> Double { side == .start ? distance : line.length - distance }

  /// Returns the depth of a position near the line: negative outside its end, nil at a distance of more
  /// than `reach`.
  ///
  /// - Parameter deviation: one standard deviation of the noise of the fixes, in metres.
  func depth(
    of place: SIMD3<Double>, near distance: Double, within reach: Double, _ deviation: Double
  ) -> Double? {
    let part =
      max(distance - StretchEnd.searchReach, 0)...min(distance + StretchEnd.searchReach, line.length)
    let nearest = line.nearest(to: place, in: part)
    let depth = depth(at: nearest.distanceAlong)
    // The first metres of a slow drive can have any direction, so a position outside may be next to them.
    let direction = inwardDirection(over: max(Self.leastChord, Self.chordDeviations * deviation))
    let offset = place - self.place
    let inwards = offset.dot(direction)
    let isBeside = (offset - inwards * direction).length <= reach
    if depth > 0, inwards > 0 || depth > StretchEnd.searchReach / 2 || !isBeside {
      return nearest.offset.length <= reach ? depth : nil
    }
    // The position is outside, on the continuation of the line.
    return isBeside ? inwards : nil
  }

  /// Returns the direction from the end to the first position at a distance of `metres`.
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

  /// Returns the part of the drive between the end of the stretch and a place inside it.
  ///
  /// - Parameters:
  ///   - depth: the depth of the end of the stretch.
  ///   - isOwnEnd: whether this is the drive's own end.
  ///   - inside: the depth of the reading.
  ///   - slack: the distance from the end within which a stop is near the end, in metres.
  ///   - stopsInside: whether the drive stopped before the end of the stretch, not at it or after it.
  ///   - deviation: one standard deviation of the noise, in metres.
  func run(
    from depth: Double, isOwnEnd: Bool, to inside: Double, _ slack: Double, stopsInside: Bool,
    _ deviation: Double
  ) -> EndRun {
    let reading = line.passage(at: distance(at: inside), in: line.segment(at: distance(at: inside)))
    let inner = side == .start ? reading.departure : reading.arrival
    let segment = line.segment(at: distance(at: depth))
    let step = line.arrivals[segment + 1] - line.departures[segment]
    let end = end(at: depth, isOwnEnd: isOwnEnd, slack, stopsInside: stopsInside)
    let moment = end.moment
    var run = EndRun(
      moment: moment, reading: inner, duration: max(side == .start ? inner - moment : moment - inner, 0),
      variance: 0, usual: nil, step: step)
    run.isAtStop = end.isAtStop
    run.acceleration = line.acceleration
    run.metres = inside - depth
    run.waiting = line.waiting(from: min(moment, inner), to: max(moment, inner))
    run.innerStop =
      line.stops(near: distance(at: inside), within: FacingEnds.standing.reach).map {
        $0.departure - $0.arrival
      }.max() ?? 0
    if let fix = drive.sparseFix, depth < LineEnd.leadReach, segment == (side == .start ? 0 : line.count - 2)
    {
      let time = side == .start ? fix.time : line.duration - fix.time
      let outer = abs(inner - time)
      let length = abs((side == .start ? line.arrivals[1] : line.departures[line.count - 2]) - time)
      let inner = self.depth(at: line.distanceAlong[side == .start ? 1 : line.count - 2])
      run.interval = EndRun.Interval(
        step: length, duration: outer, depth: max(depth, 0), isStationary: fix.isStationary,
        metres: max(inner - depth, 0))
      run.step = length
    }
    run.speed = line.speed(about: distance(at: inside + 50))
    if isInQueue(distance(at: depth)) {
      run.isInQueue = true
      // The first place is as uncertain as that of other fixes.
      let near = distance(at: deviation)
      let passage = line.passage(at: near, in: line.segment(at: near))
      let seconds = isOwnEnd ? abs((side == .start ? passage.departure : passage.arrival) - moment) : 0
      run.variance = LineEnd.momentError.departure * LineEnd.momentError.departure + seconds * seconds
    } else if let rest = end.rest ?? run.interval.map({ _ in 0 }) {
      add(rest: rest, step: step, deviation, to: &run)
    } else {
      let seconds =
        LineEnd.momentError.passing * min(step, 1) + (isOwnEnd ? 0 : LineEnd.intervalShare.passing * step)
      run.variance = seconds * seconds
    }
    return run
  }

  /// Returns the time at which the drive finally left the end of the stretch, or first reached it; the
  /// distance in metres between it and the place of rest, or nil if the drive passed it at speed; and whether
  /// it stopped near it. The parameters are those of ``run(from:isOwnEnd:to:_:stopsInside:_:)``.
  private func end(
    at depth: Double, isOwnEnd: Bool, _ slack: Double, stopsInside: Bool
  ) -> (moment: Double, rest: Double?, isAtStop: Bool) {
    if isOwnEnd { return (ownMoment, drive.isStationary ? 0 : nil, false) }
    let distance = distance(at: depth)
    let passage = line.passage(at: distance, in: line.segment(at: distance))
    var moment = side == .start ? passage.departure : passage.arrival
    var rest = drive.isStationary && depth < LineEnd.restReach ? depth : nil
    let stops = line.stops(near: distance, within: slack).filter { !isInQueue($0.distance) }
    // The drive reaches the place some metres after the stop, or leaves it some metres before.
    let moving = OnsetFit.seconds(
      fromRest: LineEnd.queueing, upTo: .infinity, acceleration: line.acceleration)
    for stop in stops {
      // A stop inside the stretch is after its start and before its end.
      if stopsInside == (side == .end) {
        moment = max(moment, stop.departure + moving)
      } else {
        moment = min(moment, stop.arrival - moving)
      }
      rest = stopsInside ? nil : LineEnd.queueing
    }
    return (moment, rest, !stops.isEmpty)
  }

  /// Adds the time and the variance of starting or ending at rest to a part of the drive.
  ///
  /// - Parameters:
  ///   - rest: the distance from the place of rest to the end of the stretch, in metres.
  ///   - step: the interval between the fixes at the end, in seconds.
  private func add(rest: Double, step: Double, _ deviation: Double, to run: inout EndRun) {
    let speed = run.speed
    let usual =
      OnsetFit.seconds(fromRest: rest + run.metres, upTo: speed, acceleration: line.acceleration)
      - OnsetFit.seconds(fromRest: rest, upTo: speed, acceleration: line.acceleration)
    // The time at which a slow drive leaves the end is uncertain.
    let excess = max(0, abs(run.duration - run.waiting - usual) - 0.25 * usual)
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
    run.restLoss = usual - run.metres / speed
  }

  /// Returns the depth of the longest stop of the drive near the end of the stretch, or nil without a stop.
  ///
  /// Near the drive's own end, a stop is drift of a stationary receiver, unless the drive moved there
  /// (``MatchablePolyline/End/movesOnce``).
  ///
  /// - Parameters:
  ///   - depth: the depth of the end of the stretch.
  ///   - slack: the distance from the end within which a stop is near the end, in metres; 0 if none is.
  ///   - deviation: one standard deviation of the distance along the road between two fixes at one place, in
  ///     metres.
  func stopDepth(near depth: Double, within slack: Double, _ deviation: Double) -> Double? {
    guard slack > 0, depth > MotionOnset.leavingRadius || drive.movesOnce else { return nil }
    // At some of the likely places of the start, further stops are near it.
    let reach =
      side == .start ? slack + StretchEnd.quantiles[StretchEnd.quantiles.count - 1] * deviation : slack
    return line.stops(near: distance(at: depth), within: reach)
      .max { $0.departure - $0.arrival < $1.departure - $1.arrival }
      .map { self.depth(at: $0.distance) }
  }

  /// The time at which the drive finally left its own start, or arrived at its own end.
  private var ownMoment: Double { side == .start ? line.departures[0] : line.arrivals[line.count - 1] }
}

extension MatchablePolyline {
  /// Returns the stops within some metres of a place: the distances along the line, arrivals and departures.
  fileprivate func stops(near distance: Double, within reach: Double) -> [(
    distance: Double, arrival: Double, departure: Double
  )] {
    var vertex = segment(at: distance)
    while vertex > 0, distance - distanceAlong[vertex] <= reach { vertex -= 1 }
    var found: [(distance: Double, arrival: Double, departure: Double)] = []
    while vertex < count, distanceAlong[vertex] <= distance + reach {
      if distance - distanceAlong[vertex] <= reach, departures[vertex] > arrivals[vertex] {
        found.append((distanceAlong[vertex], arrivals[vertex], departures[vertex]))
      }
      vertex += 1
    }
    return found
  }
}
