/// The start of a drive's motion: the time and the place at which it finally left its first place.
///
/// Speed alone does not distinguish the jitter of a stationary receiver from motion. Instead, the search
/// finds the first fix that is far from the first place without returning soon, and then estimates the
/// start of the motion before it (``OnsetFit``). Applied to ``TimedPlaces/backwards``, it finds the end of
/// the motion.
struct MotionOnset {
  /// The time in seconds since the first point; that of the first fix, usually 0, if the recording begins at
  /// speed.
  private(set) var moment: Double
  /// The time of the first fix that is not ignored, in seconds since the first point.
  private(set) var since: Double
  /// The position that was left: the mean of the fixes while stationary, or the first fix.
  private(set) var place: SIMD3<Double>
  /// One standard deviation of ``place`` on one axis in metres, or 0 for a single fix.
  private(set) var placeError = 0.0
  /// The fix before the onset if fixes are sparse. The onset is then anywhere between it and the next fix.
  private(set) var sparseFix: SparseFix?
  /// Whether the drive was stationary there, or started accelerating.
  private(set) var isStationary: Bool
  /// The first fix if the drive may have rolled from it to the position that was left, for example to a
  /// light.
  private(set) var rollingStart: RollingFix?

  /// The last fix at the position that was left.
  struct SparseFix {
    /// In seconds since the first point.
    var time: Double
    /// Whether an earlier fix was at the same position, so that the drive was stationary there.
    var isStationary: Bool
  }

  /// The distance in metres from the stationary place that jitter does not exceed.
  static let leavingRadius = 25.0
  /// The distance in metres within which the drive has returned.
  static let returnRadius = 15.0
  /// The distance in metres that jitter does not exceed, and the time in seconds within which it returns:
  /// soon from far away, and later from nearby.
  static let jitterReach = (soon: 80.0, late: 45.0)
  static let jitterDuration = (soon: 30.0, late: 120.0)
  /// The ages of the fixes that define the place, in seconds. Fixes younger than the first number, or than
  /// half of the time so far, are excluded, so that slow walkers do not shift the place. Fixes older than
  /// the second number are dropped, so that the place follows the drift of a receiver.
  static let settledAge = (least: 45.0, most: 165.0)
  /// The time in seconds before the motion from which fixes are included in the fit and the mean place.
  static let stationarySpan = (fit: 20.0, place: 45.0)
  /// The number of these fixes, and the distance in metres between the first and the last third of them, from
  /// which a position still settles; the span in which it is averaged then, and its error as a share of that
  /// distance.
  static let settlingSpan = (fixes: 8, metres: 8.0, seconds: 10.0, error: 0.25)
  /// The share of the variance of the fixes that is attributed to their scatter around the mean place, at
  /// least.
  static let leastScatter = 0.1
  /// The interval in seconds in which a car reaches its full speed, and the share of it that must be idle
  /// to be counted unless an earlier fix was at the same place.
  static let longStep = 14.0
  static let leastIdle = 0.35
  /// The distance in metres within which a fix is at the stationary place.
  static let restRadius = 12.0
  /// The share of the later speed below which a step is not motion.
  static let crawlingShare = 0.35
  /// The distance in metres over which a start is fitted.
  static let accelerationReach = 45.0
  /// The idle time at a recording's end in seconds below which it is noise, unless the drive accelerates.
  static let shortestIdle = 5.0
  /// The distance in metres from the place to which the receiver jumped within which the next fixes are if
  /// the car is stationary there.
  static let jumpScatter = 18.0
  /// The share of the next fixes that may be outside this radius: one of three.
  static let jumpedShare = 0.35
  /// The distance in metres within which fixes are at the place to which the receiver jumped, and the
  /// minimum difference, in metres and as a factor, between a jump and the usual step there.
  static let jumpNoise = 8.0
  static let jumpStep = (least: 3.0, factor: 4.0)
  /// The minimum cosine of the angle between two steps of a car.
  static let movingAlignment = 0.8
  /// The number of times by which a jump is faster than the steps before it.
  static let jumpPace = 2.0
  /// The time in seconds over which the fixes after a jump are checked, and its maximum if fewer than three
  /// fixes are in it.
  static let jumpSpan = (usual: 10.0, most: 30.0)
  /// The times in seconds over which the speed of a drift and the course of a walker are measured, and over
  /// which fixes are averaged.
  static let driftSpan = (approach: 15.0, course: 20.0, place: 6.0)
  /// The speed in metres per second that a drift does not exceed, and the one that a walker exceeds.
  static let driftSpeed = (most: 1.0, walking: 0.35)
  /// The acceleration of a car in metres per square second that only a jump exceeds.
  static let carAcceleration = 3.5
  /// The length of a receiver's jump in metres, its duration in seconds, and the distance between the fixes
  /// on both sides as a share of the jump.
  static let spike = (metres: 9.0, seconds: 4.0, share: 0.5)
  /// The time in seconds in which the receiver may jump from a position that is old, and the speed in metres
  /// per second, plus a factor of the later speed, that no drive reaches there.
  static let staleFix = (seconds: 30.0, speed: 20.0, factor: 2.0)
  /// The distance in metres between fixes below which the position is frozen, and the ratio of the speeds of
  /// two steps of a car before it.
  static let frozenStep = 0.5
  static let accelerating = 0.5...2.0
  /// The maximum duration of the first two steps of a drive that begins at speed in seconds, the minimum of
  /// their speed in metres per second, the ratio of their speeds, and the minimum cosine of the angle between
  /// them.
  static let rolling = (seconds: 6.0, speed: 4.0, ratio: 0.7...1.2, alignment: 0.9)
  /// The distance in metres of the first fix from the place at which a position settles; the ratio of the
  /// mean speed to the first speed; and the cosine of the angle between the direction of arrival and that of
  /// the departure. A position settles if one of the last two is smaller.
  static let settling = (reach: 13.0...80.0, braking: 0.6, alignment: 0.0)
  /// The seconds after which a drive that begins at speed and has not left its first place has stopped there,
  /// or its position has settled.
  static let longestRoll = 20.0
  /// The minimum duration of a step whose speed and direction are not determined by noise, in seconds.
  static let leastStep = 0.9
  /// The duration in seconds and the minimum speed in metres per second of a motion on a circuit, the seconds
  /// between the fixes from which its course is measured, and the mean cosine of the angle between two of
  /// these steps. Noise turns back in each of them.
  static let circuit = (seconds: 45.0, speed: 2.0, step: 2.5, alignment: 0.4)
  /// The number of steps after a jump that define the usual speed.
  static let stepsAfterJump = 7
  /// The share of the later speed up to which the speed over the first metres indicates acceleration from
  /// rest.
  static let slowShare = 0.5
  static let slowReach = (first: 15.0, from: 40.0, to: 140.0)
  /// The first seconds whose way shows whether a drive starts from rest, and the lowest later speed in metres
  /// per second for which it does.
  static let fromRest = (seconds: 1.9...8.0, speed: 4.0)

  /// Finds the start of the motion, or returns nil if the drive never leaves its first place.
  ///
  /// - Parameter isRolling: whether the drive moves at the first fix, although it stops soon after it.
  init?(_ recorded: TimedPlaces, isRolling: Bool = false) {
    let settled = isRolling ? 0 : recorded.settled ?? 0
    let falseStart = isRolling ? nil : FalseStart(settled > 0 ? recorded.dropFirst(settled) : recorded)
    let jump = recorded.firstJump
    let ignored = max(jump, settled + (falseStart?.count ?? 0))
    let isRolling = isRolling || ignored > jump && falseStart?.isRolling == true
    let places = ignored > 0 ? recorded.dropFirst(ignored) : recorded
    guard places.count > 1 else { return nil }
    since = places.time(0)
    if isRolling {
      self.moment = places.time(0)
      place = places.place(0)
      isStationary = false
      return
    }
    guard let found = Self.crossing(places) else { return nil }
    let moment: Double
    let speed = Self.speed(places, after: found.index)
    func isMoving(_ index: Int) -> Bool {
      places.distance(index - 1, index) > Self.crawlingShare * speed
        * (places.time(index) - places.time(index - 1))
    }
    var last = found.index - 1
    while last > 0,
      isMoving(last)
        || (places.place(last) - found.centre).length > Self.restRadius && isMoving(last + 1)
    {
      last -= 1
    }
    if places.time(last + 1) - places.time(last) >= Self.longStep {
      moment = Self.beforeLongStep(places, last, speed: speed)
      sparseFix = SparseFix(time: places.time(last), isStationary: last > 0)
    } else {
      moment = Self.refined(places, found)
    }
    let isIdle = moment - places.time(0) >= Self.shortestIdle
    let isMoving = places.beginsAtSpeed && moment - places.time(0) < Self.longestRoll
    guard !isMoving, isIdle || Self.beginsSlowly(places) else {
      self.moment = places.time(0)
      place = places.place(0)
      isStationary = false
      return
    }
    self.moment = moment
    (place, placeError) = places.stationaryPlace(until: moment, over: Self.stationarySpan.place)
    isStationary = true
    if ignored > jump, let falseStart { placeError = max(placeError, falseStart.placeError) }
    if settled > 0, settled == ignored {
      placeError = max(placeError, FalseStart.error.approaching * recorded.distance(0, ignored))
      rollingStart =
        RollingFix(recorded, walkingTo: place) ?? RollingFix(recorded, settledAt: settled, until: moment)
    }
    if isIdle,
      let fix = RollingFix(places, walkingTo: place) ?? RollingFix(places, to: place, until: moment)
        ?? RollingFix(places, atSpeedTo: place, until: moment)
    {
      rollingStart = fix
    }
  }

  /// The first fix that is far from the position before it.
  private struct Crossing {
    var index: Int
    /// The position before it.
    var centre: SIMD3<Double>
  }

  /// The position of a stationary drive: the mean of recent fixes.
  private struct RestPosition {
    /// The first fix, and the one after the last.
    private var oldest: Int
    private var settled: Int
    private var sum: SIMD3<Double>
    private var count: Double

    var centre: SIMD3<Double> { sum / count }

    init(_ places: TimedPlaces, _ fixes: ClosedRange<Int>) {
      oldest = fixes.lowerBound
      settled = fixes.upperBound + 1
      sum = fixes.reduce(.zero) { $0 + places.place($1) }
      count = Double(fixes.count)
    }

    /// Adds the fixes that are old enough at a later fix, and removes those that are too old.
    mutating func advance(to index: Int, _ places: TimedPlaces) {
      let time = places.time(index)
      let age = min(settledAge.least, (time - places.time(0)) / 2)
      while settled < index, places.time(settled) <= time - age {
        sum += places.place(settled)
        count += 1
        settled += 1
      }
      while oldest + 1 < settled, count > 1, places.time(oldest) < time - settledAge.most {
        sum -= places.place(oldest)
        count -= 1
        oldest += 1
      }
    }
  }

  /// Returns nil if the drive stays at its first place.
  private static func crossing(_ places: TimedPlaces) -> Crossing? {
    var index = 1
    var rest = RestPosition(places, 0...0)
    while index < places.count {
      let time = places.time(index)
      rest.advance(to: index, places)
      let centre = rest.centre
      guard (places.place(index) - centre).length > leavingRadius else {
        index += 1
        continue
      }
      if let back = firstReturn(places, index, to: centre),
        places.time(back) - time <= spike.seconds || !places.keepsMoving(from: index)
      {
        index = back
      } else if isReceiverJump(places, index, from: centre) {
        rest = RestPosition(places, index...index)
        index += 1
      } else {
        switch drift(places, index) {
        case .departure(let departure)?:
          return departure
        case .parked?:
          rest = RestPosition(places, places.index(at: time - driftSpan.place)...index)
          index += 1
        case nil:
          return Crossing(index: index, centre: centre)
        }
      }
    }
    return nil
  }

  private enum Drift {
    /// The drive stays where the receiver drifted to.
    case parked
    /// The drive leaves that position: the first fix that is far from it, and the position.
    case departure(Crossing)
  }

  /// Returns whether a slow drift of the receiver led to a fix, and whether the drive then departs; nil for a
  /// motion.
  ///
  /// In a building, the position of a parked receiver drifts by tens of metres in minutes. It is slower than
  /// a departing car, and in contrast to a slow walker it does not keep its course.
  private static func drift(_ places: TimedPlaces, _ index: Int) -> Drift? {
    let time = places.time(index)
    guard time - places.time(0) > driftSpan.approach + driftSpan.place else { return nil }
    let here = places.mean(from: time - driftSpan.place, to: time)
    let before = places.mean(
      from: time - driftSpan.approach - driftSpan.place, to: time - driftSpan.approach)
    guard let here, let before,
      (here - before).length < driftSpeed.most * driftSpan.approach
    else { return nil }
    // A walker continues in the same direction at the same pace.
    let course = (here - before).normalized
    func advance(after seconds: Double) -> Double? {
      places.mean(from: time + seconds - driftSpan.place, to: time + seconds).map { ($0 - here).dot(course) }
    }
    guard let near = advance(after: driftSpan.course), let far = advance(after: 2 * driftSpan.course) else {
      return .parked
    }
    let most = 2 * driftSpeed.most * driftSpan.course
    if near > 0, far > 2 * driftSpeed.walking * driftSpan.course, near < most, far - near < most {
      return nil
    }
    var next = index + 1
    while next < places.count, places.time(next) - time <= driftSpan.course {
      if (places.place(next) - here).length > leavingRadius {
        return .departure(Crossing(index: next, centre: here))
      }
      next += 1
    }
    return .parked
  }

  /// Returns the first fix near the position again, or `nil` if none follows soon.
  private static func firstReturn(_ places: TimedPlaces, _ start: Int, to centre: SIMD3<Double>) -> Int? {
    var index = start + 1
    while index < places.count, case let age = places.time(index) - places.time(start),
      age <= jitterDuration.late
    {
      let metres = (places.place(index) - centre).length
      if metres < returnRadius { return index }
      if metres > (age <= jitterDuration.soon ? jitterReach.soon : jitterReach.late) { return nil }
      index += 1
    }
    return nil
  }

  /// Whether a jump of the receiver, not the car, reached another place: in one step, and stationary there.
  /// First fixes may be inaccurate, and a receiver in a parked car may jump occasionally.
  private static func isReceiverJump(_ places: TimedPlaces, _ index: Int, from centre: SIMD3<Double>) -> Bool
  {
    let place = places.place(index)
    var last = index
    var far = 0
    func age(_ next: Int) -> Double { places.time(next) - places.time(index) }
    func isFar(_ next: Int) -> Bool { (places.place(next) - place).length > jumpScatter }
    while last + 1 < places.count,
      age(last + 1) <= jumpSpan.usual || last - index < 3 && age(last + 1) <= jumpSpan.most
    {
      last += 1
      if isFar(last) { far += 1 }
    }
    // A receiver may jump again, whereas a departing car is far away for half of the time.
    guard last - index >= 3, Double(far) <= jumpedShare * Double(last - index) else { return false }
    let areSparse = age(last) > jumpSpan.usual
    // The jump may have been earlier, to a place whose jitter exceeds the radius.
    var first = index
    while first > 0, (places.place(first - 1) - place).length <= jumpNoise { first -= 1 }
    func isJump(_ index: Int, over least: Double) -> Bool {
      guard index > 0, !places.movesOn(besideStepTo: index) else { return false }
      let seconds = places.time(index) - places.time(index - 1)
      // A car that rolls to a stop covers the distance in steps of similar length. If the fixes are sparse,
      // it may also have covered the distance in one step.
      let metres = max(
        least, jumpPace * seconds * places.slowestPace(before: index - 1),
        areSparse ? carAcceleration * seconds * seconds / 2 : 0)
      return seconds <= 5 && places.distance(index - 1, index) > metres
    }
    // Another jump soon after this one is not a usual step.
    let steps = (first..<last).filter { !isFar($0) && !isFar($0 + 1) }
    let usual = steps.reduce(0) { $0 + places.distance($1, $1 + 1) } / Double(max(steps.count, 1))
    return isJump(first, over: jumpStep.least + jumpStep.factor * usual)
  }

  /// Returns the time of departure within a step that is so long that the car has its full speed after it.
  ///
  /// The driving time is the time for the distance of the step from rest to the later speed. Without
  /// another fix at the same place, only a large idle share is counted, because a chord across bends is
  /// shorter than the road.
  private static func beforeLongStep(_ places: TimedPlaces, _ last: Int, speed: Double) -> Double {
    let start = places.time(last)
    let seconds = places.time(last + 1) - start
    let metres = places.distance(last, last + 1)
    let speed = max(speed, metres / seconds)
    guard speed > 0 else { return start }
    let idle = seconds - OnsetFit.seconds(fromRest: metres, upTo: speed, acceleration: places.acceleration)
    return idle > (last > 0 ? 0 : leastIdle * seconds) ? start + idle : start
  }

  /// Returns the larger speed of the two steps after a fix in metres per second, or 0 at the last fix.
  private static func speed(_ places: TimedPlaces, after index: Int) -> Double {
    (index..<max(min(index + 2, places.count - 1), index)).reduce(0) { speed, next in
      let seconds = places.time(next + 1) - places.time(next)
      return seconds > 0 ? max(speed, places.distance(next, next + 1) / seconds) : speed
    }
  }

  /// Returns the start of the motion, searching backwards from a fix that is far away.
  private static func refined(_ places: TimedPlaces, _ found: Crossing) -> Double {
    let (crossing, centre) = (found.index, found.centre)
    // One and a half times the duration of the distance to the crossing at the speed after it.
    var beyond = crossing
    while beyond + 1 < places.count, places.distance(crossing, beyond) < leavingRadius,
      places.time(beyond) - places.time(crossing) < 2 * jitterDuration.soon
    { beyond += 1 }
    let metres = places.distance(crossing, beyond)
    let pace = metres > 0 ? (places.time(beyond) - places.time(crossing)) / metres : 0
    let span = stationarySpan.fit + 1.5 * leavingRadius * min(pace, 2)
    let direction = (places.place(crossing) - centre).normalized
    var first = crossing
    while first > 0, places.time(crossing) - places.time(first) < span { first -= 1 }
    let origin = places.time(first)
    var fit = OnsetFit(acceleration: places.acceleration)
    var index = first
    while index < places.count {
      let out = (places.place(index) - centre).dot(direction)
      fit.append(time: places.time(index) - origin, out: out)
      if index > crossing, out > accelerationReach { break }
      index += 1
      // A long crawl adds no information.
      if places.time(min(index, places.count - 1)) - places.time(crossing) > 10 { break }
    }
    return origin + fit.moment(within: 0...max(places.time(crossing) - origin, 0))
  }

  /// Whether the drive is clearly slower over its first metres than later.
  private static func beginsSlowly(_ places: TimedPlaces) -> Bool {
    var index = 0
    var metres = 0.0
    func advance(to distance: Double) -> Bool {
      while index + 1 < places.count, metres < distance {
        metres += places.distance(index, index + 1)
        index += 1
      }
      return metres >= distance
    }
    guard advance(to: slowReach.first), places.time(index) > places.time(0) else { return false }
    let first = metres / (places.time(index) - places.time(0))
    guard advance(to: slowReach.from) else { return false }
    let start = (metres: metres, time: places.time(index))
    // One step of sparse fixes may be longer.
    guard advance(to: max(slowReach.to, metres.nextUp)), places.time(index) > start.time else { return false }
    let speed = (metres - start.metres) / (places.time(index) - start.time)
    return first < slowShare * speed || accelerates(places, upTo: speed)
  }

  /// Whether the time of the first seconds' way is nearer to that of a car that starts from rest than to that
  /// at the later speed in metres per second.
  private static func accelerates(_ places: TimedPlaces, upTo speed: Double) -> Bool {
    guard speed > fromRest.speed, let next = places.firstIndex(after: 0, by: fromRest.seconds.lowerBound),
      case let seconds = places.time(next) - places.time(0), seconds <= fromRest.seconds.upperBound
    else { return false }
    let metres = places.distance(0, next)
    let fromRest = OnsetFit.seconds(
      fromRest: metres, upTo: speed, acceleration: TimedPlaces.usualAcceleration.car)
    return seconds > (fromRest + metres / speed) / 2
  }
}
