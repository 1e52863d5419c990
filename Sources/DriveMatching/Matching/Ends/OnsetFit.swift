#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// Estimates the time at which a stationary drive began to move, from its distance from the first place.
///
/// In the model, the drive is stationary, accelerates evenly for T seconds, and keeps its speed: y = c for
/// t < t₀, then c + k (t − t₀)², then a straight line. With T = 0 the drive has its full speed immediately,
/// as in a cropped recording. The fit returns the most likely t₀ and T.
///
/// The errors of successive fixes are correlated: a receiver drifts by metres within a minute, which a
/// least squares fit of the positions would treat as motion. They are modelled as an Ornstein–Uhlenbeck
/// process with some white noise, and the columns of the model are whitened by the Kalman filter of that
/// process. The size of the errors is estimated with the fit.
struct OnsetFit {
  /// The time in seconds from an arbitrary origin, ascending, and the distance from the first place in
  /// metres.
  private(set) var samples: [(time: Double, out: Double)] = []

  /// The durations in seconds for which cars accelerate.
  static let accelerations = [0.0, 1, 2, 4, 6, 8, 10]
  /// The usual acceleration in metres per second squared, and the factor within which most accelerations
  /// are.
  static let usual = (acceleration: 1.9, factor: 1.6)
  /// The largest cost of an unusual acceleration, as twice the negative log-likelihood.
  static let leastLikely = 6.0
  /// The correlation time of the errors of fixes in seconds, and the share of white noise in their
  /// variance.
  static let drift = (seconds: 20.0, whiteShare: 0.01)
  /// The usual size of the errors in metres (one standard deviation), and its weight as a number of
  /// samples.
  static let usualError = (metres: 2.5, samples: 4.0)

  init() {}

  /// Returns the time for a distance from rest in seconds, with a car's usual acceleration up to a speed in
  /// metres per second.
  static func seconds(fromRest metres: Double, upTo speed: Double) -> Double {
    let gaining = speed * speed / (2 * usual.acceleration)
    return metres < gaining
      ? (2 * max(metres, 0) / usual.acceleration).squareRoot()
      : speed / usual.acceleration + (metres - gaining) / speed
  }

  mutating func append(time: Double, out: Double) { samples.append((time, out)) }

  /// Returns the most likely time within a range in seconds, or the end of the range if the model does not
  /// fit.
  func moment(within range: ClosedRange<Double>) -> Double {
    let whitened = Whitened(samples)
    var best = (cost: Double.infinity, time: range.upperBound)
    // A quarter of a second apart, unless fixes are hours apart.
    let step = max(0.25, (range.upperBound - range.lowerBound) / 1000)
    var candidate = range.lowerBound
    var first = 0
    while candidate < range.upperBound {
      while first < samples.count, samples[first].time <= candidate { first += 1 }
      for seconds in Self.accelerations {
        let cost = cost(whitened, from: first, startingAt: candidate, acceleratingFor: seconds)
        if cost < best.cost { best = (cost, candidate) }
      }
      candidate += step
    }
    return best.time
  }

  /// Returns twice the negative log-likelihood, up to a constant.
  ///
  /// - Parameter first: the first sample after the start.
  private func cost(
    _ whitened: Whitened, from first: Int, startingAt start: Double, acceleratingFor seconds: Double
  ) -> Double {
    var sumLevel = 0.0, sumOut = 0.0, sumSquares = 0.0
    var state = 0.0
    for index in first..<samples.count {
      let moving = samples[index].time - start
      let gaining = min(moving, seconds)
      let distance = seconds > 0 ? gaining * (2 * moving - gaining) : moving
      let step = whitened.steps[index]
      let predicted = step.decay * state
      let innovation = distance - predicted
      state = predicted + step.gain * innovation
      let value = innovation * step.weight
      sumLevel += value * step.level
      sumOut += value * step.out
      sumSquares += value * value
    }
    let determinant = whitened.levels * sumSquares - sumLevel * sumLevel
    guard determinant > 1e-9 * whitened.levels * sumSquares else { return .infinity }
    let rate = (whitened.levels * sumOut - sumLevel * whitened.levelOut) / determinant
    guard rate > 0 else { return .infinity }
    let level = (sumSquares * whitened.levelOut - sumLevel * sumOut) / determinant
    let rest = max(0, whitened.outs - level * whitened.levelOut - rate * sumOut)
    let error = Self.usualError
    let fit =
      (Double(samples.count) + error.samples)
      * log(rest + error.samples * error.metres * error.metres)
    guard seconds > 0 else { return fit + Self.leastLikely }
    let factor = log(2 * rate / Self.usual.acceleration) / log(Self.usual.factor)
    return fit + min(factor * factor, Self.leastLikely)
  }

  /// The samples after the filter that decorrelates their errors.
  private struct Whitened {
    struct Step {
      /// The remaining share of the error before this sample, and the gain of the filter.
      var decay: Double
      var gain: Double
      /// The factor that scales innovations to the variance of the errors.
      var weight: Double
      /// The constant column and the distances, whitened.
      var level = 0.0
      var out = 0.0
    }

    private(set) var steps: [Step] = []
    private(set) var levels = 0.0
    private(set) var levelOut = 0.0
    private(set) var outs = 0.0

    init(_ samples: [(time: Double, out: Double)]) {
      steps.reserveCapacity(samples.count)
      var variance = 1.0
      var states = (level: 0.0, out: 0.0)
      var time = -Double.infinity
      for sample in samples {
        let decay = exp(-(sample.time - time) / OnsetFit.drift.seconds)
        time = sample.time
        let predicted = decay * decay * variance + (1 - decay * decay)
        let total = predicted + OnsetFit.drift.whiteShare
        let gain = predicted / total
        variance = (1 - gain) * predicted
        var step = Step(decay: decay, gain: gain, weight: 1 / total.squareRoot())
        let innovations = (level: 1 - decay * states.level, out: sample.out - decay * states.out)
        states.level = decay * states.level + gain * innovations.level
        states.out = decay * states.out + gain * innovations.out
        step.level = innovations.level * step.weight
        step.out = innovations.out * step.weight
        steps.append(step)
        levels += step.level * step.level
        levelOut += step.level * step.out
        outs += step.out * step.out
      }
    }
  }
}
