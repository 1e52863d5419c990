import GhostModel
import TrackModel

/// The clock of two recordings of one motion, by which the dense fixes of one show the passing times of the
/// other between its sparse fixes.
struct SharedClock {
  /// The seconds from the start of the first recording to that of the second, without the lag of the second.
  private let delay: Double
  /// The standard deviation of the times of one place in seconds: the filters of two devices lag by
  /// different times.
  static let error = 0.3

  /// Whether it shows the times at all places: the recordings are not possibly those of two people.
  let givesTimes: Bool
  /// The seconds of the fixes since the first one of each recording.
  private let fixes: Paired<[Double]>

  /// - Returns: `nil` for drives that do not record one motion, or whose fixes have no times.
  init?(_ match: RideMatch, _ first: TimedDrive, _ second: TimedDrive) {
    guard match.relation.isOneMotion, first.hasTimestamps, second.hasTimestamps,
      let start = first.startTime, let other = second.startTime
    else { return nil }
    delay = other.seconds(since: start) - match.lag
    givesTimes = !match.variesSlowly
    fixes = Paired(first.elapsed, second.elapsed)
  }

  /// Returns the time in the second recording at a time in the first, both in seconds since their starts.
  func timeInSecond(_ elapsed: Double) -> Double { elapsed - delay }

  /// Returns the time in the first recording at a time in the second.
  func timeInFirst(_ elapsed: Double) -> Double { elapsed + delay }

  /// Returns the times at which both recordings passed a place, according to the recording with the denser
  /// fixes at that time, or nil if the fixes of the other are not sparse.
  func corrected(_ elapsed: Paired<Double>) -> Paired<Double>? {
    let own = Paired(
      Self.interval(fixes.first, at: elapsed.first), Self.interval(fixes.second, at: elapsed.second))
    let (inSecond, inFirst) = (timeInSecond(elapsed.first), timeInFirst(elapsed.second))
    let secondStep = Self.interval(fixes.second, at: inSecond)
    if secondStep >= TimedPlaces.sparseInterval, secondStep > own.first {
      return Paired(elapsed.first, inSecond)
    }
    let firstStep = Self.interval(fixes.first, at: inFirst)
    if firstStep >= TimedPlaces.sparseInterval, firstStep > own.second {
      return Paired(inFirst, elapsed.second)
    }
    return nil
  }

  /// Returns the times of one moment at an end of the road, according to the recording that is in progress.
  func aligned(_ elapsed: Paired<Double>) -> Paired<Double> {
    let inSecond = timeInSecond(elapsed.first)
    return inSecond >= 0 && inSecond <= fixes.second.last ?? 0
      ? Paired(elapsed.first, inSecond) : Paired(timeInFirst(elapsed.second), elapsed.second)
  }

  /// Returns the seconds between the fixes before and after a time, or 0 outside the recording and at a fix.
  private static func interval(_ fixes: [Double], at moment: Double) -> Double {
    let next = fixes.partitionIndex { $0 >= moment }
    guard next > 0, next < fixes.count, fixes[next] > moment else { return 0 }
    return fixes[next] - fixes[next - 1]
  }
}

/// Two people who ride together may part at an end of the road.
extension SharedClock {
  /// The seconds between the times at which a drive is checked for a wait.
  private static let waitInterval = 2.0
  /// The minimum distance from the end of the other drive's line at which a drive waits, the maximum distance
  /// next to the line in metres, and the minimum share of the time.
  private static let waitingPlace = (depth: 15.0, lateral: 8.0, share: 0.5)

  /// Whether one drive waited on the other's road before the other departed, or after it had arrived.
  ///
  /// The drift of a receiver has any direction, so that it rarely leads back along the road.
  func waits(_ lines: Paired<MatchablePolyline>, _ side: StretchEnd.Side) -> Bool {
    let moments = moments(lines, side)
    let isFirst =
      side == .start
      ? lines.first.motionStart < timeInFirst(lines.second.motionStart)
      : lines.first.motionEnd > timeInFirst(lines.second.motionEnd)
    let (waiting, other) = isFirst ? (lines.first, lines.second) : (lines.second, lines.first)
    guard waiting.count > 1, other.count > 1 else { return false }
    let part =
      side == .start
      ? 0...min(StretchEnd.searchReach, other.length)
      : max(other.length - StretchEnd.searchReach, 0)...other.length
    let times = Array(stride(from: moments.lowerBound, through: moments.upperBound, by: Self.waitInterval))
    let onRoad = times.count { time in
      let place = waiting.place(at: waiting.distance(at: isFirst ? time : timeInSecond(time)))
      let nearest = other.nearest(to: place, in: part)
      let depth = side == .start ? nearest.distanceAlong : other.length - nearest.distanceAlong
      return depth > Self.waitingPlace.depth && nearest.offset.length < Self.waitingPlace.lateral
    }
    return Double(onRoad) > Self.waitingPlace.share * Double(times.count)
  }

  /// Returns the times at which the two drives departed, or arrived, in the first drive's seconds.
  private func moments(_ lines: Paired<MatchablePolyline>, _ side: StretchEnd.Side) -> ClosedRange<Double> {
    let (first, second) =
      side == .start
      ? (lines.first.motionStart, timeInFirst(lines.second.motionStart))
      : (lines.first.motionEnd, timeInFirst(lines.second.motionEnd))
    return min(first, second)...max(first, second)
  }
}
