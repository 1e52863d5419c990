import CMath
import TrackModel

/// The first fixes of a drive, from which ``MotionOnset`` finds the start of its motion.
extension TimedPlaces {
  /// The number of points before the last jump of the receiver in the first seconds, or 0. They do not show
  /// where the drive began, unless it returns there soon.
  ///
  /// A jump is longer than the usual step after it by more than noise and acceleration explain. After the
  /// first seconds, its speed must be impossible. If the drive moved before it, the receiver only lost its
  /// position for some seconds.
  var firstJump: Int {
    var found = 0
    var index = 1
    while index + 1 < count, case let seconds = time(index) - time(0), seconds <= MotionOnset.staleFix.seconds
    {
      let step = time(index) - time(index - 1)
      var speeds: [Double] = []
      for next in index..<min(index + MotionOnset.stepsAfterJump, count - 1) {
        let seconds = time(next + 1) - time(next)
        if seconds > 0 { speeds.append(distance(next, next + 1) / seconds) }
      }
      // A car that drives off from a light near the end is as fast in the next step.
      let next = speeds.first ?? .infinity
      let speed = speeds.upperMedian.map { max($0, next) } ?? .infinity
      let longest =
        seconds <= MotionOnset.spike.seconds
        ? MotionOnset.spike.metres + speed * step + MotionOnset.carAcceleration * step * step
        : (MotionOnset.staleFix.speed + MotionOnset.staleFix.factor * speed) * step
      if distance(index - 1, index) > longest { found = index }
      index += 1
    }
    guard found > 0, !isMoving(before: found) else { return 0 }
    index = found
    while index < count, time(index) - time(0) <= MotionOnset.jitterDuration.soon {
      if distance(0, index) < MotionOnset.returnRadius { return 0 }
      index += 1
    }
    return found
  }

  /// Whether the last two steps before a jump are those of a car in motion that covers the distance of the
  /// jump while the position is frozen.
  private func isMoving(before jump: Int) -> Bool {
    var last = jump - 1
    while last > 0, distance(last - 1, last) < MotionOnset.frozenStep { last -= 1 }
    func earlier(than index: Int) -> Int? {
      (0..<index).last { time(index) - time($0) >= MotionOnset.leastStep }
    }
    guard let middle = earlier(than: last), let first = earlier(than: middle) else { return false }
    let speed = distance(middle, last) / (time(last) - time(middle))
    let seconds = time(jump) - time(last)
    return distance(last, jump) < MotionOnset.jitterReach.late + MotionOnset.accelerating.upperBound * speed
      * seconds
      && isMotion(first, middle, last, ratio: MotionOnset.accelerating)
  }

  /// Whether two steps are at similar speeds in one direction, as those of a car in motion are.
  private func isMotion(
    _ first: Int, _ second: Int, _ third: Int, ratio: ClosedRange<Double>
  ) -> Bool {
    let steps = (place(second) - place(first), place(third) - place(second))
    let speeds = (
      steps.0.length / (time(second) - time(first)), steps.1.length / (time(third) - time(second))
    )
    return time(third) - time(first) <= MotionOnset.rolling.seconds && speeds.1 > MotionOnset.rolling.speed
      && ratio.contains(speeds.1 / speeds.0)
      && steps.0.normalized.dot(steps.1.normalized) > MotionOnset.rolling.alignment
  }

  /// Whether the first two steps are those of a car in motion, and not of a receiver whose position settles
  /// while the car is parked. The car may stop soon after, for example at a light.
  var beginsAtSpeed: Bool {
    // Noise determines shorter steps.
    guard let first = firstIndex(after: 0, by: MotionOnset.leastStep),
      let second = firstIndex(after: first, by: MotionOnset.leastStep)
    else { return false }
    return isMotion(0, first, second, ratio: MotionOnset.rolling.ratio)
  }

  /// The first fix at rest if the fixes before it only approach it, as the position of a receiver does that
  /// has just been switched on, or nil.
  ///
  /// Such a position settles more and more slowly, whereas a car brakes at the end, and it comes from any
  /// direction.
  var settled: Int? {
    let rest = (1..<max(count, 1)).prefix { time($0) - time(0) <= MotionOnset.jitterDuration.soon }.first {
      rests(at: $0)
    }
    // The position settles further while the drive rests.
    guard let rest, let goal = firstIndex(after: rest, by: FalseStart.stop.seconds),
      case let metres = distance(0, goal), MotionOnset.settling.reach.contains(metres),
      let first = firstIndex(after: 0, by: MotionOnset.leastStep), first < rest,
      let near = (first...goal).first(where: { distance($0, goal) <= RollingFix.arrival.metres })
    else { return nil }
    // A walker may rest again soon.
    let speed = (metres - distance(first, goal)) / (time(first) - time(0))
    guard speed > MotionOnset.rolling.speed else { return nil }
    if let departure = departure(from: rest),
      (place(goal) - place(0)).normalized.dot((place(departure) - place(goal)).normalized)
        < MotionOnset.settling.alignment
    {
      return rest
    }
    let mean = (metres - distance(near, goal)) / (time(near) - time(0))
    return mean < MotionOnset.settling.braking * speed ? rest : nil
  }

  /// Returns the first fix that is at least some seconds after another one.
  func firstIndex(after index: Int, by seconds: Double) -> Int? {
    (index + 1..<count).first { time($0) - time(index) >= seconds }
  }

  /// Returns the lower speed of the two steps before a fix in metres per second, or 0 at the first fix.
  func slowestPace(before index: Int) -> Double {
    (max(index - 2, 0)..<index).map { step in
      let seconds = time(step + 1) - time(step)
      return seconds > 0 ? distance(step, step + 1) / seconds : 0
    }.min() ?? 0
  }

  /// Whether the step before or after the step to a fix leads on in its direction, as that of a car does that
  /// accelerates or brakes.
  func movesOn(besideStepTo index: Int) -> Bool {
    let step = place(index) - place(index - 1)
    return [index - 1, index + 1].contains { other in
      guard other > 0, other < count else { return false }
      let next = place(other) - place(other - 1)
      return next.length > MotionOnset.jumpNoise
        && next.dot(step) > MotionOnset.movingAlignment * next.length * step.length
    }
  }

  /// Returns the mean position of the fixes in a time span, or nil without fixes.
  func mean(from start: Double, to end: Double) -> SIMD3<Double>? {
    var row = index(at: end)
    var sum = SIMD3<Double>.zero
    var rows = 0.0
    while row >= 0, time(row) >= start {
      if time(row) <= end {
        sum += place(row)
        rows += 1
      }
      row -= 1
    }
    return rows > 0 ? sum / rows : nil
  }

  /// Whether the drive is in motion all the time after a fix, for example on a circuit whose start it soon
  /// passes again.
  func keepsMoving(from index: Int) -> Bool {
    var cosines = 0.0
    var turns = 0.0
    var last = index
    var course: SIMD3<Double>?
    while time(last) - time(index) < MotionOnset.circuit.seconds {
      guard let next = firstIndex(after: last, by: MotionOnset.circuit.step) else { return false }
      let step = place(next) - place(last)
      guard step.length > MotionOnset.circuit.speed * (time(next) - time(last)) else { return false }
      if let course {
        cosines += course.dot(step.normalized)
        turns += 1
      }
      course = step.normalized
      last = next
    }
    return turns > 1 && cosines > MotionOnset.circuit.alignment * turns
  }

  /// Whether the receiver jumped to a fix and back within seconds.
  func isSpike(_ index: Int) -> Bool {
    /// Returns the nearest fix in one direction that is far from this one.
    func outside(_ step: Int) -> SIMD3<Double>? {
      var other = index + step
      while other >= 0, other < count, abs(time(other) - time(index)) <= MotionOnset.spike.seconds {
        if distance(index, other) > MotionOnset.spike.metres { return place(other) }
        other += step
      }
      return nil
    }
    guard let before = outside(-1), let after = outside(1) else { return false }
    let least = min((before - place(index)).length, (after - place(index)).length)
    return (after - before).length < MotionOnset.spike.share * least
  }

  /// Returns the mean position of the fixes in a time span that ends at `moment`, without those that are
  /// far from most others.
  ///
  /// - Returns: the position, and its standard deviation on one axis in metres. If the span contains no
  ///   other fixes, the last fix before the end of the span.
  func stationaryPlace(
    until moment: Double, over span: Double
  ) -> (place: SIMD3<Double>, error: Double) {
    let last = index(at: moment)
    var first = last
    while first > 0, time(first - 1) >= moment - span { first -= 1 }
    var middle = SIMD3<Double>.zero
    for axis in 0..<3 {
      var values = (first...last).map { place($0)[axis] }
      values.sort()
      middle[axis] = (values[(values.count - 1) / 2] + values[values.count / 2]) / 2
    }
    let near = (first...last).map { place($0) }.filter { ($0 - middle).length <= MotionOnset.returnRadius }
    guard !near.isEmpty else { return (place(last), 0) }
    // While a position settles, the last fixes are nearest to it.
    let settling = MotionOnset.settlingSpan
    if span > settling.seconds, last - first >= settling.fixes, case let third = (moment - time(first)) / 3,
      third > 0,
      let before = self.mean(from: time(first), to: time(first) + third),
      let after = self.mean(from: moment - third, to: moment),
      case let way = (after - before).length, way > settling.metres
    {
      let settled = stationaryPlace(until: moment, over: settling.seconds)
      return (settled.place, max(settled.error, settling.error * way))
    }
    let mean = near.reduce(.zero, +) / Double(near.count)
    let squares = near.reduce(0) { $0 + ($1 - mean).lengthSquared }
    let scatter = squares / Double(2 * near.count)
    // The error of a receiver drifts so slowly that the mean shares most of it, and in a short time the
    // fixes scatter little. The variance of the mean of a process with this correlation time, as a share of
    // that of a fix; the rest is the expected scatter.
    let spans = (time(last) - time(first)) / OnsetFit.drift.seconds
    guard spans > 0 else { return (mean, 0) }
    let share = 2 * (spans - 1 + exp(-spans)) / (spans * spans)
    let common = share / max(1 - share, MotionOnset.leastScatter)
    return (mean, (common * scatter).squareRoot())
  }
}
