import GhostModel
import TrackModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The start or end of the compared stretch, where a recording begins or ends on the other drive's road.
///
/// The stretch extends from the later of the two places at which the drives begin to the earlier of the two
/// at which they end. A drive's clock starts when it finally leaves the former and stops when it first
/// reaches the latter. Stationary time there is not included, whether before departure, after arrival or at
/// a light where the other recording begins.
///
/// Two properties of an end are uncertain.
///
/// *Its place:* the distance between the two starts is uncertain due to the noise of the fixes, so the gap is
/// the mean over the likely distances, and their spread is part of its variance: small at speed, large where
/// a drive is slow. Stationary drives may also begin or end at the same place.
///
/// *Its time:* the jitter of a stationary receiver hides the time at which a car departs or arrives. The gap
/// is therefore measured a few metres inside, where both drives move. The difference of the two times from
/// there to the end is the mean of two estimates, weighted by their variances: the measured difference, and
/// that of two cars with the same acceleration or braking. All fixes around the departures, or
/// arrivals, give another estimate (``JointDepartures``), for walkers the only one.
struct StretchEnd {
  /// The place on each of the two lines. On one of them it is the end.
  private(set) var place: SharedRoad.Place
  /// The times in seconds since the first recorded point of each drive.
  private(set) var elapsed: Paired<Double>
  /// The variance of the difference of the two times, in square seconds.
  private(set) var variance: Double

  enum Side {
    case start
    case end
  }

  /// The lateral distance in metres within which a drive's end is on the other's line, with low noise.
  static let leastReach = 20.0
  /// The distance along the line in metres, on both sides of the nearest shared place, within which the end
  /// of the other drive is searched.
  static let searchReach = 100.0
  /// The distance within which a stop is at the end of the stretch, in metres and in standard deviations of
  /// the place. For a slow drive only the metres apply, because its drift looks like stops, and none of them
  /// if the other drive ends in motion, because then it is not at that stop.
  static let stopReach = (metres: 4.0, deviations: 2.5)
  /// The distance inside the end at which the gap is measured, in metres and in standard deviations of the
  /// place.
  static let readingDepth = (metres: 6.0, deviations: 2.0, most: 25.0)
  /// One standard deviation of the gap if the fixes of both drives are sparse, as a share of an interval of
  /// this many seconds, measured on simulated drives. It grows faster than the interval, because the roads
  /// that both cut off differ more.
  static let sparseError = (share: 0.16, interval: 60.0)
  /// The distance in metres within which drives end at the same place.
  static let samePlace = 0.5
  /// The assumed share of pairs of stationary drives that begin, or end, at the same place, and one standard
  /// deviation of the distance between the places of the others in metres.
  static let onePlace = (share: 0.3, otherwise: 20.0)
  /// The assumed shares of recordings that begin near a wait of the other drive: of stationary ones that
  /// begin where the other begins, and of the rest that begin at the wait.
  static let nearStop = (samePlace: 0.2, atStop: 0.7)
  /// The probability up to which a stop counts as outside the stretch. It is higher at the start, where a
  /// wait of both drives is not part of the race.
  static let leastShare = (start: 0.2, end: 0.02)
  /// The speed in metres per second below which a drive's line folds due to noise.
  static let foldingSpeed = 3.0
  /// One standard deviation of the onset of a drive that is slower than a car, as a share of the interval
  /// between two fixes, measured on simulated rides; their mean speeds in metres per second, and the
  /// shortest interval in seconds.
  static let slowOnset = (share: 0.2, speed: 2.0..<8.0, interval: 2.5)
  /// One standard deviation of the time that a car loses by accelerating or braking, as a share of it.
  static let restError = 0.2
  /// The number of standard deviations from which two estimates of a gap contradict each other.
  static let contradiction = 6.0
  /// The number of standard deviations from which an estimate from all fixes is ignored.
  static let disagreement = 1.2
  /// The 11-quantiles of the standard normal distribution at 1/22, 3/22, … 21/22.
  static let quantiles = [
    -1.6906, -1.0968, -0.7479, -0.4728, -0.2299, 0, 0.2299, 0.4728, 0.7479, 1.0968, 1.6906,
  ]

  /// Finds the end of the stretch near its first or last shared position.
  ///
  /// - Parameters:
  ///   - places: the shared places of the first or last stretch of the road.
  ///   - deviation: one standard deviation of the distance along the road between two fixes at one place,
  ///     in metres.
  ///   - drift: the part of it that lasts for half a minute.
  /// - Returns: nil if neither drive's end is near the other's line.
  init?(
    _ lines: Paired<MatchablePolyline>, _ side: Side, _ places: [SharedRoad.Place], deviation: Double,
    drift: Double = 0
  ) {
    guard lines.first.count > 1, lines.second.count > 1,
      let edge = side == .start ? places.first : places.last
    else { return nil }
    let first = LineEnd(lines.first, side)
    let second = LineEnd(lines.second, side)
    let reach = max(Self.leastReach, 4 * deviation)
    let ahead = first.depth(of: second.place, near: edge.first, within: reach, deviation)
    let behind = second.depth(of: first.place, near: edge.second, within: reach, deviation)
    let rest = Paired(first.depth(at: edge.first), second.depth(at: edge.second))
    guard let depth = Self.depth(ahead, behind, rest, within: reach) else { return nil }
    let placeError =
      first.line.placeError(side) * first.line.placeError(side)
      + second.line.placeError(side) * second.line.placeError(side)
    // The line of a slow drive folds due to noise, so that the distance to it is too small.
    let speed = min(lines.first.speed(about: edge.first), lines.second.speed(about: edge.second))
    let lateral = deviation
    let isSlow = speed < Self.foldingSpeed
    // In a queue, a place is uncertain by metres of its length.
    let isUncertain =
      isSlow || first.isInQueue(first.distance(at: 0)) || second.isInQueue(second.distance(at: 0))
    var deviation = isUncertain ? 1.6 * deviation : deviation
    deviation = max(deviation, (0.5 * deviation * deviation + 0.5 * placeError).squareRoot())
    let slack = Self.stopReach.metres + (isSlow ? 0 : Self.stopReach.deviations * deviation)
    func stopReach(_ other: LineEnd) -> Double { other.isStationary || other.rareFix != nil ? slack : 0 }
    let least = min(
      Self.readingDepth.metres + Self.readingDepth.deviations * deviation, Self.readingDepth.most)
    let inside = Self.readingDepths(first, second, depth: depth, least: least, places)
    let isFirstRare =
      (first.rareFix == nil) == (second.rareFix == nil)
      ? first.lastInterval > second.lastInterval : first.rareFix != nil
    let forecast =
      inside.first > 2 * least
      ? PaceForecast(lines.first, lines.second, isFirstRare: isFirstRare, places, side) : nil
    let shares = Self.sparseShares(side, depth)
    var sums = Paired(0.0, 0.0)
    var squares = 0.0
    var inner = 0.0
    let areStationary =
      first.isStationary && second.isStationary && first.rareFix == nil && second.rareFix == nil
    let stop =
      depth > 0
      ? first.stopDepth(near: depth, within: stopReach(second), deviation)
      : second.stopDepth(near: -depth, within: stopReach(first), deviation).map { -$0 }
    for (depth, weight, stopsInside) in Self.likelyCases(
      side, depth, deviation, stop: stop, areStationary: areStationary)
    {
      let start = first.run(
        from: max(depth, 0), isOwnEnd: depth <= 0, to: max(depth, 0) + inside.first, stopReach(second),
        stopsInside: stopsInside, deviation)
      let other = second.run(
        from: max(-depth, 0), isOwnEnd: depth >= 0, to: max(-depth, 0) + inside.second, stopReach(first),
        stopsInside: stopsInside, deviation)
      let estimate = Self.difference(start, other, forecast, shares)
      let sign = side == .start ? -1.0 : 1.0
      let gap = other.reading - start.reading + sign * estimate.seconds
      let correction = gap - (other.moment - start.moment)
      let share = start.variance / max(start.variance + other.variance, 1e-9)
      let times = Paired(start.moment - share * correction, other.moment + (1 - share) * correction)
      sums.first += weight * times.first
      sums.second += weight * times.second
      squares += weight * gap * gap
      inner += weight * estimate.variance
    }
    // Within both recordings.
    let excess =
      min(sums.first, sums.second, 0)
      + max(sums.first - lines.first.duration, sums.second - lines.second.duration, 0)
    elapsed = Paired(sums.first - excess, sums.second - excess)
    let mean = elapsed.second - elapsed.first
    variance = max(squares - mean * mean, 0) + inner
    if [first, second].allSatisfy({ $0.rareFix != nil || $0.lastInterval >= MotionOnset.longStep }) {
      for step in [first.lastInterval, second.lastInterval] {
        let seconds = Self.sparseError.share * step * (step / Self.sparseError.interval).squareRoot()
        variance += seconds * seconds
      }
    }
    let isOnePlace = abs(depth) < Self.samePlace
    place = Paired(
      first.distance(at: isOnePlace ? 0 : max(depth, 0)), second.distance(at: isOnePlace ? 0 : max(-depth, 0))
    )
    if let joint = JointDepartures(
      Paired(first.fixes, second.fixes), depth: depth, deviation: lateral, drift: drift)
    {
      combine(with: joint, replacing: isSlow, side, lines)
      // A fit to few seconds does not show an error that changes slowly.
      if isSlow { variance = max(variance, lateral * lateral / (speed * speed)) }
    }
    for end in [first, second] where end.isStationary && end.rareFix == nil {
      if end.line.usualInterval > Self.slowOnset.interval,
        Self.slowOnset.speed.contains(end.line.movingSpeed)
      {
        let seconds = Self.slowOnset.share * end.line.usualInterval
        variance += seconds * seconds
      }
    }
    // A drift of stationary receivers beyond the noise continues while the drives depart or arrive.
    variance += 0.5 * max(0, placeError - lateral * lateral) / max(speed * speed, 1)
  }

  /// Creates the end of two parts that begin, or end, at one gate. Its times are those of the parts.
  init(atGateOf lines: Paired<MatchablePolyline>, _ side: Side, deviation: Double) {
    let (first, second) = (LineEnd(lines.first, side), LineEnd(lines.second, side))
    place = Paired(first.distance(at: 0), second.distance(at: 0))
    elapsed = side == .start ? Paired(0, 0) : Paired(lines.first.duration, lines.second.duration)
    let speed = min(lines.first.speed(about: place.first), lines.second.speed(about: place.second))
    let seconds = [
      deviation / max(speed, 0.3), LineEnd.intervalShare.passing * first.lastInterval,
      LineEnd.intervalShare.passing * second.lastInterval,
    ]
    variance = seconds.reduce(0) { $0 + $1 * $1 }
  }

  /// Returns the likely distances between the two ends in metres, whether the stop near them is inside the
  /// stretch, and their weights, whose sum is 1.
  ///
  /// Many drives begin and end at the same place, such as a parking space. Others begin where the other drive
  /// waits, so that its wait does not count. Each of these cases is one distance, weighted by its probability
  /// given the measured distances. Otherwise the distances spread around the measured one, and a stop counts
  /// if it is farther inside: if both drives wait at the light where one recording ends, the order in the
  /// queue decides.
  ///
  /// - Parameters:
  ///   - stop: the place of the stop, measured like `depth`, or nil without a stop.
  ///   - areStationary: whether both drives are stationary at their ends.
  static func likelyCases(
    _ side: Side, _ depth: Double, _ deviation: Double, stop: Double?, areStationary: Bool
  ) -> [(depth: Double, weight: Double, stopsInside: Bool)] {
    func density(of offset: Double, _ deviation: Double) -> Double {
      exp(-offset * offset / (2 * deviation * deviation)) / deviation
    }
    let isNearStop = stop != nil && side == .start
    let share = areStationary ? isNearStop ? nearStop.samePlace : onePlace.share : 0
    let same = share * density(of: depth, max(deviation, samePlace))
    var others = 1 - share
    var atStop = 0.0
    if let stop, isNearStop {
      atStop = others * nearStop.atStop * density(of: stop - depth, deviation)
      others *= 1 - nearStop.atStop
    }
    let offset = min(abs(depth), stop.map { abs($0 - depth) } ?? .infinity)
    // Not 0 for distant ends.
    others *= max(density(of: offset, onePlace.otherwise), 1e-100)
    let sum = same + atStop + others
    let weight = others / sum / Double(quantiles.count)
    var cases = quantiles.map { quantile in
      let likely = depth + quantile * deviation
      let isInside = stop.map { abs($0) > (depth > 0 ? likely : -likely) } ?? false
      return (depth: likely, weight: weight, stopsInside: isInside)
    }
    let inside = cases.reduce(0) { $0 + ($1.stopsInside ? $1.weight : 0) }
    if inside < (side == .start ? leastShare.start : leastShare.end) {
      for index in cases.indices { cases[index].stopsInside = false }
    }
    if same > 0 { cases.append((0, same / sum, false)) }
    if let stop, atStop > 0 { cases.append((stop, atStop / sum, false)) }
    return cases
  }

  /// Returns the distance of the second drive's end inside the end of the first line in metres, negative if
  /// the first drive's end is inside the second line.
  ///
  /// - Parameters:
  ///   - ahead: the depth of the second drive's end on the first line, or nil if it is not near it.
  ///   - behind: the depth of the first drive's end on the second line, or nil if it is not near it.
  ///   - rest: the depths of the last shared place.
  private static func depth(
    _ ahead: Double?, _ behind: Double?, _ rest: Paired<Double>, within reach: Double
  ) -> Double? {
    guard let ahead, let behind else { return ahead ?? behind.map { -$0 } }
    if ahead > 0, behind <= 0 { return ahead }
    if behind > 0, ahead <= 0 { return -behind }
    if max(abs(ahead), abs(behind)) <= reach { return (ahead - behind) / 2 }
    // Another lap passes the end again.
    return rest.first > rest.second ? ahead : -behind
  }

  /// Combines the estimate with that from all fixes around the departures, or arrivals: both weighted by
  /// their variances, unless they contradict each other. For walkers, the latter replaces it.
  private mutating func combine(
    with joint: JointDepartures, replacing: Bool, _ side: Side, _ lines: Paired<MatchablePolyline>
  ) {
    let times =
      side == .start
      ? joint.moments
      : Paired(lines.first.duration - joint.moments.first, lines.second.duration - joint.moments.second)
    let error = joint.variance + LineEnd.momentError.departure * LineEnd.momentError.departure
    let total = variance + error
    let difference = times.second - times.first - (elapsed.second - elapsed.first)
    guard replacing || difference * difference < Self.disagreement * Self.disagreement * total else { return }
    let share = replacing ? 1 : variance / total
    elapsed = Paired(
      elapsed.first + share * (times.first - elapsed.first),
      elapsed.second + share * (times.second - elapsed.second))
    // The errors of both have the same cause.
    variance = (1 - share) * variance + share * error
  }

  /// Combines the estimate with that of a common motion, in which the gap at the end equals the gap further
  /// inside.
  ///
  /// Both estimates are weighted by their variances. If they contradict each other, one of the drives waited
  /// at the end, or departed, unless both record one ride: then only the estimate here is wrong.
  mutating func combine(with motion: CommonMotion) {
    let difference = motion.gap - (elapsed.second - elapsed.first)
    if difference * difference > Self.contradiction * Self.contradiction * (variance + motion.variance) {
      guard motion.isOneRide else { return }
      variance = difference * difference
    }
    let total = variance + motion.variance
    let share = variance / total
    let shifted = Paired(elapsed.first - share * difference / 2, elapsed.second + share * difference / 2)
    let excess = min(shifted.first, shifted.second, 0)
    elapsed = Paired(shifted.first - excess, shifted.second - excess)
    variance = variance * motion.variance / total
  }

  /// Returns the distance inside the end at which the gap is measured along each line, in metres: where
  /// both drives move, and at a fix if fixes are sparse.
  private static func readingDepths(
    _ first: LineEnd, _ second: LineEnd, depth: Double, least: Double, _ places: [SharedRoad.Place]
  ) -> Paired<Double> {
    let bases = Paired(max(depth, 0), max(-depth, 0))
    var depths = Paired(least, least)
    let fixes = Paired(
      first.depthOfFix(beyond: bases.first + least), second.depthOfFix(beyond: bases.second + least))
    if fixes.first > bases.first + 2 * least,
      fixes.first - bases.first >= fixes.second - bases.second
    {
      let distance = first.distance(at: fixes.first)
      if let other = places.interpolated(at: distance, \.first, \.second) {
        depths = Paired(fixes.first - bases.first, second.depth(at: other) - bases.second)
      }
    } else if fixes.second > bases.second + 2 * least {
      let distance = second.distance(at: fixes.second)
      if let other = places.interpolated(at: distance, \.second, \.first) {
        depths = Paired(first.depth(at: other) - bases.first, fixes.second - bases.second)
      }
    }
    return Paired(max(depths.first, least), max(depths.second, least))
  }

  /// Returns the additional time of the second drive between the end and the place of the measurement.
  ///
  /// - Parameter forecast: the pace near the end if fixes are sparse, otherwise nil.
  private static func difference(
    _ first: EndRun, _ second: EndRun, _ forecast: PaceForecast?,
    _ shares: (passing: Double, heldUp: Double)
  ) -> (seconds: Double, variance: Double) {
    guard !first.isInQueue, !second.isInQueue, first.usual != nil || second.usual != nil else {
      return (second.duration - first.duration, first.variance + second.variance)
    }
    if let forecast {
      // The fixes of one drive determine the time that the other one needs.
      let (rare, dense) = forecast.isFirstRare ? (first, second) : (second, first)
      let sign = forecast.isFirstRare ? -1.0 : 1.0
      let atSpeed = dense.secondsAtSpeed
      let ratio = forecast.ratio(at: rare.metres / 2, pace: atSpeed / max(dense.metres, 1))
      if let interval = rare.interval, dense.interval == nil {
        let result = difference(of: rare, in: interval, from: dense, ratio, shares)
        return (sign * result.seconds, result.variance)
      }
      let loss = rare.usual == nil ? 0 : rare.restLoss
      let needed = atSpeed * ratio.value + rare.waiting + loss
      let error = 0.3 + ratio.deviation * atSpeed * ratio.value + restError * loss
      let duration = weightedMean(
        (rare.duration, rare.variance), (needed, error * error + first.noise + second.noise))
      return (sign * (duration.value - dense.duration), duration.variance + dense.variance)
    }
    let measured = second.duration - first.duration
    func expected(_ run: EndRun) -> Double { run.usual.map { $0 + run.waiting } ?? run.duration }
    let expected = expected(second) - expected(first)
    let error =
      0.3 + (first.usual != nil && second.usual != nil ? 0.15 : 0.25)
      * max(first.usual ?? 0, second.usual ?? 0)
    let mean = weightedMean(
      (measured, first.variance + second.variance), (expected, error * error + first.noise + second.noise))
    return (mean.value, mean.variance)
  }

  /// Returns the mean of two estimates weighted by their variances, and its variance.
  private static func weightedMean(
    _ first: (value: Double, variance: Double), _ second: (value: Double, variance: Double)
  ) -> (value: Double, variance: Double) {
    let weights = (first: 1 / max(first.variance, 1e-6), second: 1 / max(second.variance, 1e-6))
    let total = weights.first + weights.second
    return ((weights.first * first.value + weights.second * second.value) / total, 1 / total)
  }
}

extension Array where Element == SharedRoad.Place {
  /// Interpolates one coordinate at a value of the other between two places, or returns nil outside all
  /// places.
  func interpolated(
    at value: Double, _ known: (Element) -> Double, _ wanted: (Element) -> Double
  ) -> Double? {
    guard let first, let last, value >= known(first), value <= known(last) else { return nil }
    guard count > 1 else { return wanted(first) }
    let next = (1..<count - 1).partitionIndex { known(self[$0]) > value }
    let (from, to) = (self[next - 1], self[next])
    let span = known(to) - known(from)
    let fraction = span > 0 ? (value - known(from)) / span : 0
    return wanted(from) + fraction * (wanted(to) - wanted(from))
  }
}

extension MatchablePolyline {
  /// The error of the place at one end, in metres.
  fileprivate func placeError(_ side: StretchEnd.Side) -> Double {
    side == .start ? startPlaceError : endPlaceError
  }
}
