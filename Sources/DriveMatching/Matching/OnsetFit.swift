#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The moment at which a car that stood began to move, told from how far out it was when.
///
/// It stood, gained speed evenly for T seconds, and kept it: y = c for t < t₀, then c + k (t − t₀)², then on
/// in a straight line. The t₀ and T with the least squares; of those that fit alike, the one whose gain of
/// speed is most like a car's. T = 0 is a thing that moves at full speed at once, as in a recording that was
/// cut or made by a simple machine.
struct OnsetFit {
  /// Seconds from an origin of its own, ascending, and metres out.
  private(set) var samples: [(time: Double, out: Double)] = []

  /// Seconds for which cars gain speed before they keep it.
  static let accelerations = [0.0, 1, 2, 4, 6, 8, 10]
  /// Metres per second squared that cars gain or lose, and the factor by which most differ from that.
  static let usual = (acceleration: 1.9, factor: 1.6)
  /// Square metres that a gain of speed off by that factor costs, and the most that any costs.
  static let doubt = (single: 0.5, most: 3.0)

  init() {}

  /// Seconds for a way from rest with a car's usual acceleration, up to a speed in metres per second.
  static func seconds(fromRest metres: Double, upTo speed: Double) -> Double {
    let gaining = speed * speed / (2 * usual.acceleration)
    return metres < gaining
      ? (2 * max(metres, 0) / usual.acceleration).squareRoot()
      : speed / usual.acceleration + (metres - gaining) / speed
  }

  mutating func append(time: Double, out: Double) { samples.append((time, out)) }

  /// The moment within a range of seconds that fits best; its end where none does.
  func moment(within range: ClosedRange<Double>) -> Double {
    var best = (error: Double.infinity, time: range.upperBound)
    // A quarter of a second apart, but where fixes are hours apart.
    let step = max(0.25, (range.upperBound - range.lowerBound) / 1000)
    var candidate = range.lowerBound
    while candidate < range.upperBound {
      for seconds in Self.accelerations {
        let error = error(startingAt: candidate, gainingSpeedFor: seconds)
        if error < best.error { best = (error, candidate) }
      }
      candidate += step
    }
    return best.time
  }

  /// The sum of squares that a stand and an even acceleration leave over, and the doubt about the latter.
  private func error(startingAt start: Double, gainingSpeedFor seconds: Double) -> Double {
    var count = 0.0, sumX = 0.0, sumY = 0.0, sumXX = 0.0, sumXY = 0.0, sumYY = 0.0
    var longest = 0.0
    for sample in samples {
      let moving = max(0, sample.time - start)
      let gaining = min(moving, seconds)
      longest = max(longest, gaining)
      let x = seconds > 0 ? gaining * (2 * moving - gaining) : moving
      count += 1
      sumX += x
      sumY += sample.out
      sumXX += x * x
      sumXY += x * sample.out
      sumYY += sample.out * sample.out
    }
    let spread = count * sumXX - sumX * sumX
    guard spread > 0 else { return .infinity }
    let rate = (count * sumXY - sumX * sumY) / spread
    guard rate > 0 else { return .infinity }
    let level = (sumY - rate * sumX) / count
    let rest = max(0, sumYY - level * sumY - rate * sumXY)
    guard seconds > 0 else { return rest + Self.doubt.most }
    let factor = log(2 * rate / Self.usual.acceleration) / log(Self.usual.factor)
    return rest + min(Self.doubt.single * factor * factor, Self.doubt.most)
  }
}
