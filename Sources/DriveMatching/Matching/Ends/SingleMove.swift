import TrackModel

/// The only move of a drive between two waits, for example from a parking space to a light.
///
/// It is the largest advance of the receiver (``LargestAdvance``) if that is too long for its drift.
struct SingleMove {
  /// The time in seconds at which the move begins, and the distance along the road in metres before it.
  private(set) var start: (time: Double, along: Double)
  /// The time at which it ends, and the distance after it.
  private(set) var end: (time: Double, along: Double)
  /// Whether the drift explains how far the receiver advances before the move and after it.
  private(set) var isOnly = true
  /// The length of the move in metres.
  var metres: Double { end.along - start.along }

  /// The number of standard deviations of its drift by which a receiver does not advance.
  static let deviations = 5.0
  /// The minimum way in metres, the minimum speed in metres per second, and the minimum seconds at rest
  /// before and after a move.
  static let least = (metres: 5.0, speed: 1.0, before: 3.0, after: 8.0)
  /// The largest share of the way in one second: a receiver jumps.
  static let step = 0.6
  /// The seconds before and after the move over which fixes are averaged, and the ratio of the largest
  /// advance to the way between these places.
  static let rest = (seconds: 8.0, ratio: 0.5...1.6)
  /// The shares of the way whose times give the begin and the end: a car that accelerates and brakes evenly
  /// passes them after 0.354 and 0.646 of the move.
  static let passed = (early: 0.25, late: 0.75, moment: 0.354)

  /// - Parameters:
  ///   - times: the times of the fixes in seconds.
  ///   - along: the distances along the road in metres.
  ///   - aside: the offsets from it in metres.
  ///   - advance: the largest advance in these distances.
  /// - Returns: nil unless the drive moves once, and waits before and after it.
  init?(_ times: [Double], _ along: [Double], _ aside: [SIMD3<Double>], _ advance: LargestAdvance) {
    guard let first = times.first, let last = times.last else { return nil }
    let (from, to) = (advance.from, advance.to)
    let move = along[to] - along[from]
    let before = EndMoves.mean(times, along, in: times[from] - Self.rest.seconds...times[from])
    let after = EndMoves.mean(times, along, in: times[to]...times[to] + Self.rest.seconds)
    guard advance.deviations > Self.deviations, advance.back < Self.deviations,
      move > max(Self.least.metres, Self.least.speed * (times[to] - times[from])),
      Self.rest.ratio.contains(move / (after - before)),
      EndMoves.longestWay(times, along, within: 1) < Self.step * move,
      times[from] - first >= Self.least.before, last - times[to] >= Self.least.after
    else { return nil }
    func moment(_ share: Double) -> Double {
      let place = before + share * (after - before)
      let next = (from + 1...to).first { along[$0] >= place } ?? to
      let step = along[next] - along[next - 1]
      let part = step > 0 ? min(max((place - along[next - 1]) / step, 0), 1) : 1
      return times[next - 1] + part * (times[next] - times[next - 1])
    }
    let (early, late) = (moment(Self.passed.early), moment(Self.passed.late))
    let rest = Self.passed.moment / (1 - 2 * Self.passed.moment) * (late - early)
    start = (max(early - rest, first), before)
    end = (min(late + rest, last), after)
    isOnly = advance.other < LargestAdvance.possible
  }
}
