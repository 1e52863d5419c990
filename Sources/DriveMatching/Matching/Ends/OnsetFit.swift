import CMath

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

  /// The durations in seconds for which cars accelerate, in the lanes of a vector, which are computed at the
  /// same time. The first is 0, the last one is repeated.
  private static let accelerations = SIMD8<Double>(0, 1, 2, 4, 6, 8, 10, 10)
  /// The usual acceleration of the drive in metres per second squared.
  private let acceleration: Double
  /// The factor within which most accelerations are.
  static let usualFactor = 1.6
  /// The largest cost of an unusual acceleration, as twice the negative log-likelihood.
  static let leastLikely = 6.0
  /// The correlation time of the errors of fixes in seconds, and the share of white noise in their
  /// variance.
  static let drift = (seconds: 20.0, whiteShare: 0.01)
  /// The usual size of the errors in metres (one standard deviation), and its weight as a number of
  /// samples.
  static let usualError = (metres: 2.5, samples: 4.0)

  /// - Parameter acceleration: the usual acceleration of the drive in metres per second squared.
  init(acceleration: Double) { self.acceleration = acceleration }

  /// Returns the time for a distance from rest in seconds, with an even acceleration up to a speed in metres
  /// per second.
  static func seconds(fromRest metres: Double, upTo speed: Double, acceleration: Double) -> Double {
    let gaining = speed * speed / (2 * acceleration)
    return metres < gaining
      ? (2 * max(metres, 0) / acceleration).squareRoot() : speed / acceleration + (metres - gaining) / speed
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
      let sums = Sums(whitened, samples, from: first, startingAt: candidate)
      for lane in Self.accelerations.indices {
        let cost = cost(whitened, sums, lane)
        if cost < best.cost { best = (cost, candidate) }
      }
      candidate += step
    }
    return best.time
  }

  /// The inner products of the moving column of the model with the columns of the samples and with itself,
  /// all whitened, for each duration of acceleration.
  private struct Sums {
    private(set) var level = SIMD8<Double>.zero
    private(set) var out = SIMD8<Double>.zero
    private(set) var square = SIMD8<Double>.zero

    /// - Parameter first: the first sample after the start.
    init(
      _ whitened: Whitened, _ samples: [(time: Double, out: Double)], from first: Int,
      startingAt start: Double
    ) {
      var state = SIMD8<Double>.zero
      for index in first..<samples.count {
        let elapsed = samples[index].time - start
        let moving = SIMD8(repeating: elapsed)
        let gaining = accelerations.replacing(with: moving, where: moving .< accelerations)
        var distance = gaining * (2 * moving - gaining)
        distance[0] = elapsed
        let step = whitened.steps[index]
        let predicted = step.decay * state
        let innovation = distance - predicted
        state = predicted + step.gain * innovation
        let value = innovation * step.weight
        level += value * step.level
        out += value * step.out
        square += value * value
      }
    }
  }

  /// Returns twice the negative log-likelihood, up to a constant.
  private func cost(_ whitened: Whitened, _ sums: Sums, _ lane: Int) -> Double {
    let (sumLevel, sumOut, sumSquares) = (sums.level[lane], sums.out[lane], sums.square[lane])
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
    guard Self.accelerations[lane] > 0 else { return fit + Self.leastLikely }
    let factor = log(2 * rate / acceleration) / log(Self.usualFactor)
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
