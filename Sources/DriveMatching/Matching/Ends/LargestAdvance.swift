import TrackModel

/// The span of some seconds in which a receiver advances along the road by the most standard deviations of
/// its drift.
///
/// The drift of a parked receiver is a random walk with equal steps along and across the road. An advance of
/// more deviations is a motion.
struct LargestAdvance {
  /// The first and last fix of the span.
  private(set) var (from, to) = (0, 0)
  /// The number of standard deviations.
  private(set) var deviations = 0.0
  /// The most deviations of an advance before the span, or after it, and those of a way backwards.
  private(set) var (other, back) = (0.0, 0.0)

  /// The number of standard deviations that drift rarely exceeds.
  static let possible = 4.0
  /// The longest span in seconds.
  static let seconds = 14.0
  /// The smallest drift in metres in one second.
  static let leastDrift = 0.4

  /// - Parameters:
  ///   - times: the times of the fixes in seconds.
  ///   - along: the distances along the road in metres.
  ///   - aside: the offsets from it in metres.
  /// - Complexity: O(*n*) for fixes at even intervals.
  init(_ times: [Double], _ along: [Double], _ aside: [SIMD3<Double>]) {
    guard let first = times.first, let last = times.last, last > first else { return }
    let drift = Drift(times, aside)
    func forEachSpan(_ body: (_ from: Int, _ to: Int, _ deviations: Double) -> Void) {
      for from in times.indices {
        for to in times.indices[(from + 1)...] {
          let seconds = times[to] - times[from]
          guard seconds <= Self.seconds else { break }
          body(from, to, (along[to] - along[from]) / drift.deviation(after: seconds))
        }
      }
    }
    var most = (deviations: 0.0, from: 0, to: 0)
    var back = 0.0
    forEachSpan { from, to, deviations in
      if deviations > most.deviations { most = (deviations, from, to) }
      back = max(back, -deviations)
    }
    var other = 0.0
    forEachSpan { from, to, deviations in
      if to < most.from || from > most.to { other = max(other, deviations) }
    }
    (deviations, from, to) = most
    (self.other, self.back) = (other, back)
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
      walk = max((steps / (times[times.count - 1] - times[0])).squareRoot(), LargestAdvance.leastDrift)
      var sums = Array(repeating: (squares: 0.0, count: 0.0), count: Int(LargestAdvance.seconds) + 1)
      for from in times.indices {
        for to in times.indices[(from + 1)...] {
          let seconds = times[to] - times[from]
          guard seconds <= LargestAdvance.seconds else { break }
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
