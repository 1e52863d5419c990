import CMath
import GhostModel
import TrackModel

/// The ends of two drives at one end of the road that they share.
struct FacingEnds {
  let first: LineEnd
  let second: LineEnd
  /// The distance of the second drive's end inside the end of the first line in metres, negative if the first
  /// drive's end is inside the second line.
  let depth: Double
  /// The lower of the two speeds near the end, in metres per second.
  let speed: Double
  /// The shared places of the first or last stretch of the road.
  private let places: [SharedRoad.Place]
  private let side: StretchEnd.Side
  /// One standard deviation of the noise, and of ``depth``, in metres.
  private let noise: Double
  private let deviation: Double
  /// The variance of the places at which the drives were stationary, in square metres.
  private let placeVariance: Double

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
  /// One standard deviation of the onset of a drive that is slower than a car, as a share of the interval
  /// between two fixes, measured on simulated rides; their mean speeds in metres per second, and the
  /// shortest interval in seconds.
  static let slowOnset = (share: 0.2, speed: 2.0..<8.0, interval: 2.5)
  /// The distance of an end from the other line that the noise, or another lane, explains: in standard
  /// deviations, and at least in metres.
  static let explainedOffset = (deviations: 2.0, metres: 8.0)
  /// One standard deviation of the time that a car loses by accelerating or braking, as a share of it.
  static let restError = 0.2

  /// Finds the ends near the first or last shared place.
  ///
  /// - Returns: nil if neither drive's end is near the other's line.
  init?(
    _ lines: Paired<MatchablePolyline>, _ side: StretchEnd.Side, _ places: [SharedRoad.Place],
    deviation noise: Double
  ) {
    guard lines.first.count > 1, lines.second.count > 1,
      let edge = side == .start ? places.first : places.last
    else { return nil }
    (first, second) = (LineEnd(lines.first, side), LineEnd(lines.second, side))
    let reach = max(StretchEnd.leastReach, 4 * noise)
    let ahead = first.depth(of: second.place, near: edge.first, within: reach, noise)
    let behind = second.depth(of: first.place, near: edge.second, within: reach, noise)
    let rest = Paired(first.depth(at: edge.first), second.depth(at: edge.second))
    guard let depth = Self.depth(ahead, behind, rest, within: reach) else { return nil }
    self.depth = depth
    self.places = places
    self.side = side
    self.noise = noise
    speed = min(lines.first.speed(about: edge.first), lines.second.speed(about: edge.second))
    let errors = Paired(first.drive.placeError, second.drive.placeError)
    // Only one of the ends is inside the other line.
    let offset =
      depth > 0
      ? lines.first.unexplainedOffset(of: second.place, near: first.distance(at: depth), noise)
      : lines.second.unexplainedOffset(of: first.place, near: second.distance(at: -depth), noise)
    placeVariance = errors.first * errors.first + errors.second * errors.second + offset
    // The line of a slow drive folds due to noise, so that the distance to it is too small. In a queue, a
    // place is uncertain by metres of its length.
    let isUncertain =
      speed < StretchEnd.foldingSpeed || first.isInQueue(first.distance(at: 0))
      || second.isInQueue(second.distance(at: 0))
    let deviation = isUncertain ? 1.6 * noise : noise
    self.deviation = max(deviation, (0.5 * deviation * deviation + 0.5 * placeVariance).squareRoot())
  }

  /// Whether the drives are so slow that noise folds their lines.
  var isSlow: Bool { speed < StretchEnd.foldingSpeed }

  /// The place at which the compared stretch begins or ends, on each of the two lines.
  var place: SharedRoad.Place {
    let depth = abs(depth) < Self.samePlace ? 0 : depth
    return Paired(first.distance(at: max(depth, 0)), second.distance(at: max(-depth, 0)))
  }

  /// Whether the fixes of neither drive are sparse, and both were stationary.
  private var areStationary: Bool {
    [first, second].allSatisfy { $0.drive.isStationary && $0.drive.sparseFix == nil }
  }

  /// Whether the fixes of the first drive are the sparser ones.
  private var isFirstSparse: Bool {
    (first.drive.sparseFix == nil) == (second.drive.sparseFix == nil)
      ? first.lastInterval > second.lastInterval : first.drive.sparseFix != nil
  }

  /// Returns the distance in metres within which a stop of one drive is at the end of the other one. If that
  /// one moved to a stop of its own, both stops belong together.
  private func stopReach(_ other: LineEnd) -> Double {
    guard other.drive.isStationary || other.drive.sparseFix != nil, !other.drive.movesOnce else { return 0 }
    return Self.stopReach.metres + (isSlow ? 0 : Self.stopReach.deviations * deviation)
  }

  /// The place of the longest stop near the end of the drive that is inside, measured like ``depth``.
  private var stop: Double? {
    depth > 0
      ? first.stopDepth(near: depth, within: stopReach(second), deviation)
      : second.stopDepth(near: -depth, within: stopReach(first), deviation).map { -$0 }
  }

  // MARK: Estimates

  /// Returns the mean of the likely cases: the times in seconds since the first recorded point of each drive,
  /// and the variance of their difference.
  func meanOfLikelyCases() -> (elapsed: Paired<Double>, variance: Double) {
    let least = min(
      Self.readingDepth.metres + Self.readingDepth.deviations * deviation, Self.readingDepth.most)
    let inside = readingDepths(least: least)
    let forecast =
      inside.first > 2 * least
      ? PaceForecast(first.line, second.line, isFirstSparse: isFirstSparse, places, side) : nil
    let shares = Self.sparseShares(side, depth)
    let reaches = Paired(stopReach(second), stopReach(first))
    var sums = Paired(0.0, 0.0)
    var squares = 0.0
    var inner = 0.0
    let cases = Self.likelyCases(side, depth, deviation, stop: stop, areStationary: areStationary)
    for (depth, weight, stopsInside) in cases {
      let run = first.run(
        from: max(depth, 0), isOwnEnd: depth <= 0, to: max(depth, 0) + inside.first, reaches.first,
        stopsInside: stopsInside, deviation)
      let other = second.run(
        from: max(-depth, 0), isOwnEnd: depth >= 0, to: max(-depth, 0) + inside.second, reaches.second,
        stopsInside: stopsInside, deviation)
      let estimate = Self.difference(run, other, forecast, shares)
      let sign = side == .start ? -1.0 : 1.0
      let gap = other.reading - run.reading + sign * estimate.seconds
      let correction = gap - (other.moment - run.moment)
      let share = run.variance / max(run.variance + other.variance, 1e-9)
      sums.first += weight * (run.moment - share * correction)
      sums.second += weight * (other.moment + (1 - share) * correction)
      squares += weight * gap * gap
      inner += weight * estimate.variance
    }
    let mean = sums.second - sums.first
    return (sums, max(squares - mean * mean, 0) + inner)
  }

  /// The variance of the gap in square seconds that is due to sparse fixes of both drives.
  var sparseVariance: Double {
    let ends = [first, second]
    guard ends.allSatisfy({ $0.drive.sparseFix != nil || $0.lastInterval >= MotionOnset.longStep }) else {
      return 0
    }
    return ends.reduce(0) { sum, end in
      let step = end.lastInterval
      let seconds = Self.sparseError.share * step * (step / Self.sparseError.interval).squareRoot()
      return sum + seconds * seconds
    }
  }

  /// The variance of the gap in square seconds that is due to the onsets of drives slower than a car.
  var slowOnsetVariance: Double {
    [first, second].reduce(0) { sum, end in
      let interval = end.line.usualInterval
      guard end.drive.isStationary, end.drive.sparseFix == nil, interval > Self.slowOnset.interval,
        Self.slowOnset.speed.contains(end.line.movingSpeed)
      else { return sum }
      let seconds = Self.slowOnset.share * interval
      return sum + seconds * seconds
    }
  }

  /// The variance of the gap in square seconds that is due to a drift of stationary receivers beyond the
  /// noise, which continues while the drives depart or arrive.
  var driftVariance: Double { 0.5 * max(0, placeVariance - noise * noise) / max(speed * speed, 1) }

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
    _ side: StretchEnd.Side, _ depth: Double, _ deviation: Double, stop: Double?, areStationary: Bool
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
    let weight = others / sum / Double(StretchEnd.quantiles.count)
    var cases = StretchEnd.quantiles.map { quantile in
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
    if max(abs(ahead), abs(behind)) <= reach { return (ahead - behind) / 2 }
    // Another lap passes the end again.
    return rest.first > rest.second ? ahead : -behind
  }

  /// Returns the distance inside the end at which the gap is measured along each line, in metres: where
  /// both drives move, and at a fix if fixes are sparse.
  ///
  /// - Parameter least: the smallest such distance.
  private func readingDepths(least: Double) -> Paired<Double> {
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
      let (sparse, dense) = forecast.isFirstSparse ? (first, second) : (second, first)
      let sign = forecast.isFirstSparse ? -1.0 : 1.0
      let atSpeed = dense.secondsAtSpeed
      let ratio = forecast.ratio(at: sparse.metres / 2, pace: atSpeed / max(dense.metres, 1))
      if let interval = sparse.interval, dense.interval == nil {
        let result = difference(of: sparse, in: interval, from: dense, ratio, shares)
        return (sign * result.seconds, result.variance)
      }
      let loss = sparse.usual == nil ? 0 : sparse.restLoss
      let needed = atSpeed * ratio.value + sparse.waiting + loss
      let error = 0.3 + ratio.deviation * atSpeed * ratio.value + restError * loss
      var duration = weightedMean(
        (sparse.duration, sparse.variance), (needed, error * error + first.noise + second.noise))
      if let interval = sparse.interval,
        let possible = possibleDurations(of: sparse, in: interval, atSpeed, dense)
      {
        duration.value = min(max(duration.value, possible.lowerBound), possible.upperBound)
      }
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

  /// Returns the durations of a run with sparse fixes that its fixes permit, or nil for fixes that are wrong.
  ///
  /// The drive is at the end between two fixes, and from the inner one it is no faster than ``fastest`` times
  /// the other drive.
  private static func possibleDurations(
    of sparse: EndRun, in interval: EndRun.Interval, _ secondsAtSpeed: Double, _ dense: EndRun
  ) -> ClosedRange<Double>? {
    let needed = interval.metres / max(dense.metres, 1) * secondsAtSpeed / fastest
    let least = interval.duration - interval.step + needed
    return least < interval.duration ? least...interval.duration : nil
  }

  /// The factor by which a drive is faster at an end than the other one, at most.
  private static let fastest = 1.6

  /// Returns the mean of two estimates weighted by their variances, and its variance.
  private static func weightedMean(
    _ first: (value: Double, variance: Double), _ second: (value: Double, variance: Double)
  ) -> (value: Double, variance: Double) {
    let weights = (first: 1 / max(first.variance, 1e-6), second: 1 / max(second.variance, 1e-6))
    let total = weights.first + weights.second
    return ((weights.first * first.value + weights.second * second.value) / total, 1 / total)
  }
}

extension MatchablePolyline {
  /// Returns the squared distance in square metres of another drive's end from the line, as far as the noise
  /// does not explain it: the receiver is still settling, and errs as much along the road.
  fileprivate func unexplainedOffset(
    of place: SIMD3<Double>, near distance: Double, _ noise: Double
  ) -> Double {
    let reach = StretchEnd.leastReach
    let nearest = nearest(to: place, in: max(distance - reach, 0)...min(distance + reach, length))
    guard nearest.distanceAlong > 0, nearest.distanceAlong < length else { return 0 }
    let explained = max(
      FacingEnds.explainedOffset.deviations * noise, FacingEnds.explainedOffset.metres)
    return max(0, nearest.offset.lengthSquared - explained * explained)
  }
}
