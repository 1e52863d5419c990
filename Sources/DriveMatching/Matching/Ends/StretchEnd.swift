import GhostModel
import TrackModel

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
/// that of two drives with the usual acceleration or braking. All fixes around the departures, or arrivals,
/// give another estimate (``JointDepartures``).
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
  /// The speed in metres per second below which a drive's line folds due to noise.
  static let foldingSpeed = 3.0
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
    guard let ends = FacingEnds(lines, side, places, deviation: deviation) else { return nil }
    let mean = ends.meanOfLikelyCases()
    // Within both recordings.
    let excess =
      min(mean.elapsed.first, mean.elapsed.second, 0)
      + max(mean.elapsed.first - lines.first.duration, mean.elapsed.second - lines.second.duration, 0)
    elapsed = Paired(mean.elapsed.first - excess, mean.elapsed.second - excess)
    variance = mean.variance + ends.sparseVariance
    place = ends.place
    if let joint = JointDepartures(
      Paired(ends.first.drive.fixes, ends.second.drive.fixes), depth: ends.depth, deviation: deviation,
      drift: drift)
    {
      combine(with: joint, isSlow: ends.isSlow, side, lines)
    }
    variance += ends.slowOnsetVariance + ends.driftVariance
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

  /// Combines the estimate with that from all fixes around the departures, or arrivals: both weighted by
  /// their variances, unless they contradict each other. Those of walkers often do, because the errors of
  /// their fixes are seconds of way.
  private mutating func combine(
    with joint: JointDepartures, isSlow: Bool, _ side: Side, _ lines: Paired<MatchablePolyline>
  ) {
    let times =
      side == .start
      ? joint.moments
      : Paired(lines.first.duration - joint.moments.first, lines.second.duration - joint.moments.second)
    let error = joint.variance + LineEnd.momentError.departure * LineEnd.momentError.departure
    let total = variance + error
    let difference = times.second - times.first - (elapsed.second - elapsed.first)
    guard isSlow || difference * difference < Self.disagreement * Self.disagreement * total else { return }
    let share = variance / total
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
  /// at the end, or departed.
  mutating func combine(with motion: CommonMotion) {
    let difference = motion.gap - (elapsed.second - elapsed.first)
    let total = variance + motion.variance
    guard difference * difference <= Self.contradiction * Self.contradiction * total else { return }
    let share = variance / total
    let shifted = Paired(elapsed.first - share * difference / 2, elapsed.second + share * difference / 2)
    let excess = min(shifted.first, shifted.second, 0)
    elapsed = Paired(shifted.first - excess, shifted.second - excess)
    variance = variance * motion.variance / total
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
