import TrackModel

/// The only move of a drive between two waits, for example from a parking space to a light.
///
/// The drift of a parked receiver is a random walk with equal steps along and across the road. The move is
/// the span in which the receiver advances by most standard deviations of that walk, if these are too many
/// for it.
struct SingleMove {
  /// The time in seconds at which the move begins, and the distance along the road in metres before it.
  private(set) var start: (time: Double, along: Double)
  /// The time at which it ends, and the distance after it.
  private(set) var end: (time: Double, along: Double)
  /// Whether the drift explains how far the receiver advances before the move and after it.
  private(set) var isOnly = true
  /// The length of the move in metres.
  var metres: Double { end.along - start.along }

  /// The number of standard deviations of its drift by which a receiver does not advance, the number from
  /// which another advance may be a move as well, the smallest drift in metres in one second, and the largest
  /// way across the road as a share of the way along it.
  static let drift = (deviations: 5.0, other: 4.0, least: 0.4, across: 0.6)
  /// The minimum way in metres, the minimum speed in metres per second, the maximum seconds, and the minimum
  /// seconds at rest before and after a move.
  static let least = (metres: 5.0, speed: 1.0, seconds: 14.0, before: 3.0, after: 8.0)
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
  /// - Returns: nil unless the drive moves once, and waits before and after it.
  /// - Complexity: O(*n*) for fixes at even intervals.
  init?(_ times: [Double], _ along: [Double], _ aside: [SIMD3<Double>]) {
    guard let first = times.first, let last = times.last, last > first else { return nil }
    let drift = Drift(times, aside)
    var most = (deviations: 0.0, from: 0, to: 0)
    var back = 0.0
    func forEachSpan(_ body: (_ from: Int, _ to: Int, _ deviations: Double) -> Void) {
      for from in times.indices {
        for to in times.indices[(from + 1)...] {
          let seconds = times[to] - times[from]
          guard seconds <= Self.least.seconds else { break }
          body(from, to, (along[to] - along[from]) / drift.deviation(after: seconds))
        }
      }
    }
    forEachSpan { from, to, deviations in
      if deviations > most.deviations { most = (deviations, from, to) }
      back = min(back, deviations)
    }
    let (from, to) = (most.from, most.to)
    let move = along[to] - along[from]
    func mean(_ span: ClosedRange<Double>) -> Double {
      let near = zip(times, along).filter { span.contains($0.0) }
      return near.reduce(0) { $0 + $1.1 } / Double(near.count)
    }
    let before = mean(times[from] - Self.rest.seconds...times[from])
    let after = mean(times[to]...times[to] + Self.rest.seconds)
    guard most.deviations > Self.drift.deviations, back > -Self.drift.deviations,
      move > max(Self.least.metres, Self.least.speed * (times[to] - times[from])),
      after - before > Self.least.metres, Self.rest.ratio.contains(move / (after - before)),
      (aside[to] - aside[from]).length < Self.drift.across * move,
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
    var other = 0.0
    forEachSpan { begin, end, deviations in
      if end < from || begin > to { other = max(other, deviations) }
    }
    isOnly = other < Self.drift.other
  }

  /// The drift of a parked receiver, from its way across the road.
  private struct Drift {
    /// The standard deviation of a random walk after one second in metres.
    private let walk: Double
    /// The standard deviation of the way after each number of seconds. A receiver that smooths its positions
    /// keeps its direction for some seconds, so that it drifts farther than a random walk.
    private var ways: [Double]

    init(_ times: [Double], _ aside: [SIMD3<Double>]) {
      let steps = zip(aside, aside.dropFirst()).reduce(0) { $0 + ($1.1 - $1.0).lengthSquared }
      walk = max((steps / (times[times.count - 1] - times[0])).squareRoot(), SingleMove.drift.least)
      var sums = Array(repeating: (squares: 0.0, count: 0.0), count: Int(SingleMove.least.seconds) + 1)
      for from in times.indices {
        for to in times.indices[(from + 1)...] {
          let seconds = times[to] - times[from]
          guard seconds <= SingleMove.least.seconds else { break }
          sums[Int(seconds)].squares += (aside[to] - aside[from]).lengthSquared
          sums[Int(seconds)].count += 1
        }
      }
      ways = sums.map { $0.count > 0 ? ($0.squares / $0.count).squareRoot() : 0 }
    }

    /// Returns the standard deviation of the way after some seconds in metres.
    func deviation(after seconds: Double) -> Double {
      max(walk * seconds.squareRoot(), ways[Int(seconds)])
    }
  }
}
