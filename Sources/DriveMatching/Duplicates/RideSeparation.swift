import GhostModel
import TrackModel

/// Finds out whether two recordings of one road at the same time are those of two people who do not stay
/// together, for example because one stops and the other waits farther on.
///
/// For some time the recordings are at different places of the road, and then together again. Both move in
/// that time: one on, and the other after it. A receiver that keeps an old position does not move, and one in
/// error is not on the road.
struct RideSeparation {
  /// The distance from which two people are separated, in metres and in seconds at their speed.
  private static let distance = (metres: 60.0, lead: 4.0)
  /// The minimum duration in seconds, the number of fixes, and the seconds between those that are compared.
  private static let least = (seconds: 30.0, fixes: 3, interval: 5.0)
  /// The minimum speed in metres per second of motion, and the seconds and metres of it.
  private static let motion = (speed: 0.5, seconds: 5.0, metres: 30.0)
  /// The distance in metres from the way of the other, the share of the fixes within it, and the seconds
  /// before and after the separation in which the other was there.
  private static let road = (reach: 30.0, share: 0.8, around: 60.0)
  /// The maximum number of fixes from which a speed is computed, or whose distances from the road are.
  private static let samples = (speed: 256, road: 64)

  /// The recording with fewer fixes, and the other one.
  private let own: RideFingerprint
  private let other: RideFingerprint
  /// The seconds from the start of ``other`` to that of ``own``.
  private let shift: Double

  /// Returns whether two people are separated for some time.
  ///
  /// - Parameter lag: the seconds by which the second recording lags.
  /// - Complexity: O(*n* log *n*) for *n* fixes.
  static func isFound(between first: RideFingerprint, _ second: RideFingerprint, lag: Double) -> Bool {
    let offset = second.start.seconds(since: first.start) - lag
    return first.count <= second.count
      ? RideSeparation(own: first, other: second, shift: -offset).isFound
      : RideSeparation(own: second, other: first, shift: offset).isFound
  }

  private var isFound: Bool {
    let limit = Self.distance.metres + Self.distance.lead * max(usualSpeed(own), usualSpeed(other))
    var wereTogether = false
    var begin: (row: Int, fixes: Int)?
    var last = 0
    for row in 0..<own.count {
      let moment = Double(own.elapsed[row]) + shift
      guard moment >= 0, moment <= other.duration,
        row == 0 || Double(own.elapsed[row] - own.elapsed[last]) >= Self.least.interval
      else { continue }
      defer { last = row }
      let (coordinate, step, _) = other.place(at: moment)
      // Between two fixes, a drive can stop and start again.
      if Geodesy.distance(from: own.coordinate(at: row), to: coordinate) > limit + step * step / 8 {
        begin = begin.map { ($0.row, $0.fixes + 1) } ?? (row, 1)
      } else {
        if wereTogether, let begin, begin.fixes >= Self.least.fixes, areApart(begin.row...last) {
          return true
        }
        begin = nil
        wereTogether = true
      }
    }
    return false
  }

  /// Whether both move along the road between two fixes.
  private func areApart(_ rows: ClosedRange<Int>) -> Bool {
    let (start, end) = (Double(own.elapsed[rows.lowerBound]), Double(own.elapsed[rows.upperBound]))
    return end - start >= Self.least.seconds && moves(own, start...end, along: other, shift)
      && moves(other, start + shift...end + shift, along: own, -shift)
  }

  /// Whether a drive moves in a span of time on the road on which the other one is some time before or after.
  ///
  /// - Parameter shift: the seconds from the start of the other drive to that of this one.
  private func moves(
    _ drive: RideFingerprint, _ span: ClosedRange<Double>, along other: RideFingerprint, _ shift: Double
  ) -> Bool {
    let rows = drive.row(from: span.lowerBound)..<drive.row(from: span.upperBound.nextUp)
    var (seconds, metres) = (0.0, 0.0)
    for row in rows.dropFirst() {
      let step = Double(drive.elapsed[row] - drive.elapsed[row - 1])
      let way = Geodesy.distance(from: drive.coordinate(at: row - 1), to: drive.coordinate(at: row))
      if way > Self.motion.speed * step { (seconds, metres) = (seconds + step, metres + way) }
    }
    guard seconds >= Self.motion.seconds, metres >= Self.motion.metres else { return false }
    let around = Self.road.around + span.upperBound - span.lowerBound
    let first = other.row(from: span.lowerBound + shift - around)
    let last = min(other.row(from: span.upperBound + shift + around), other.count - 1)
    guard last > first else { return false }
    let checked = Array(
      stride(from: rows.lowerBound, to: rows.upperBound, by: rows.count / Self.samples.road + 1))
    let road = (first...last).map { other.coordinate(at: $0) }
    let beside = checked.count {
      Geodesy.distance(from: drive.coordinate(at: $0), toLine: road) <= Self.road.reach
    }
    return Double(beside) >= Self.road.share * Double(checked.count)
  }

  /// Returns the median speed of a drive in motion in metres per second, or 0 if it does not move.
  private func usualSpeed(_ drive: RideFingerprint) -> Double {
    stride(from: 0, to: drive.count, by: drive.count / Self.samples.speed + 1)
      .map { drive.motion(at: Double(drive.elapsed[$0])).speed }
      .filter { $0 > Self.motion.speed }.upperMedian ?? 0
  }
}
