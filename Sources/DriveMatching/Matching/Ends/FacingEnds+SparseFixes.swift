import CMath

/// Ends at which the fixes of a drive are sparse.
extension FacingEnds {
  /// Returns the additional time of a drive with sparse fixes compared with another, based on the time that
  /// it usually needs.
  ///
  /// The onset is somewhere between two fixes. Either the drive passed the first of them at speed, or it
  /// was idle for a part of the interval. Both cases are weighted by the likelihood of the remaining time.
  static func difference(
    of sparse: EndRun, in interval: EndRun.Interval, from dense: EndRun,
    _ ratio: (value: Double, deviation: Double), _ shares: (passing: Double, heldUp: Double)
  ) -> (seconds: Double, variance: Double) {
    let atSpeed = dense.secondsAtSpeed * ratio.value
    // Stops that the fixes show are known.
    let duration = interval.duration - sparse.waiting
    let error =
      (ratio.deviation * atSpeed * ratio.deviation * atSpeed + 0.1 + sparse.noise + dense.noise).squareRoot()
    // The time from the outer fix to the end of the stretch in seconds, at speed and from rest, and the
    // idle time before.
    let speed = max(dense.speed / ratio.value, 0.3)
    let lead = (
      atSpeed: interval.depth / speed,
      fromRest: OnsetFit.seconds(fromRest: interval.depth, upTo: speed, acceleration: sparse.acceleration)
    )
    let idle = duration - atSpeed - lead.atSpeed - speed / (2 * sparse.acceleration)
    // Some drives are delayed by a light or by traffic, more often where the other drive waited.
    let waitedBetween = dense.waiting - dense.innerStop > 0
    let heldUp = waitedBetween ? Self.heldUpTogether : shares.heldUp * min(interval.step / 60, 1)
    let standing = dense.innerStop > 0 ? Self.standingShare(at: speed) : 0
    func density(_ delay: Double) -> Double {
      func normal(_ mean: Double, _ deviation: Double) -> Double {
        let variance = error * error + deviation * deviation
        return exp(-(delay - mean) * (delay - mean) / (2 * variance)) / variance.squareRoot()
      }
      return standing * normal(Self.standing.mean, Self.standing.deviation) + (1 - standing)
        * ((1 - heldUp) * normal(0, 0) + heldUp * normal(Self.delay.mean, Self.delay.deviation))
    }
    var weights = (sum: 0.0, mean: 0.0, square: 0.0)
    func add(_ seconds: Double, _ weight: Double) {
      weights.sum += weight
      weights.mean += weight * seconds
      weights.square += weight * seconds * seconds
    }
    // Both may wait at one light.
    let likely = dense.isAtStop ? min(shares.passing, 0.5) : shares.passing
    let stationary = (1 - likely) * min(interval.step / longestIdle, 1)
    let passing = interval.isStationary ? 0.02 : likely / (likely + stationary)
    add(lead.atSpeed, passing * density(duration - atSpeed - lead.atSpeed) + 1e-12)
    let steps = 60
    for index in 0..<steps {
      let seconds = (Double(index) + 0.5) * interval.step / Double(steps)
      add(seconds + lead.fromRest, (1 - passing) / Double(steps) * density(idle - seconds))
    }
    let mean = weights.mean / weights.sum
    let variance = max(weights.square / weights.sum - mean * mean, 0)
    return (interval.duration - mean - dense.duration, variance + 0.09 + dense.variance)
  }

  /// The maximum idle time in seconds of a recording that does not begin or end at speed. With more sparse
  /// fixes, fewer of these recordings have a second fix at the first place.
  private static let longestIdle = 60.0

  /// Returns the share of recordings with sparse fixes that begin or end at speed, and the share of drives
  /// that are delayed per minute.
  ///
  /// The first fix is at the start of the recording, whereas the last fix is up to an interval earlier than
  /// its end. If the other drive continues for a long distance, this one was probably moving, too. Otherwise
  /// the last fix is rarely in the 8 s in which a car brakes, and more often in the half minute after that.
  /// The fix before the departure is at the start of the drive, whereas the one before the arrival may be at
  /// a light.
  ///
  /// - Parameter depth: the distance from the end of one drive to that of the other, in metres.
  static func sparseShares(_ side: StretchEnd.Side, _ depth: Double) -> (passing: Double, heldUp: Double) {
    let isFar = abs(depth) > RouteEventSearch.shortestApproach
    return switch side {
    case .start: (isFar ? 0.6 : 0.18, 0.06)
    case .end: (isFar ? 0.92 : 0.22, 0.15)
    }
  }

  /// Returns the probability that a fix near a stop of the other drive is one of a stop, too, not of a drive
  /// that passes at a speed in metres per second: the shares of the time that both spend there.
  static func standingShare(at speed: Double) -> Double {
    let stopping = heldUpTogether * delay.mean
    return stopping / (stopping + 2 * standing.reach / speed)
  }

  /// The share of drives that are delayed where the other drive waited.
  private static let heldUpTogether = 0.5
  /// The duration of a delay in seconds: lights are red for up to a minute.
  private static let delay = (mean: 28.0, deviation: 15.0)
  /// The distance in metres from a stop of the other drive within which a fix may be one of a stop, too, and
  /// the duration of such a stop before the fix, or after it, in seconds: the residual life of a delay.
  static let standing = (reach: 12.0, mean: 18.0, deviation: 12.0)
}
