import CMath
import TestSupport

/// The errors of a receiver, in metres on two axes, correlated over 20 s, or smooth and correlated over longer.
struct ReceiverNoise {
  /// The source of all random numbers.
  var generator: SeededGenerator
  private let deviation: Double
  private let drift: Double?
  private var error = SIMD2(0.0, 0.0)
  private var smooth = SIMD2(0.0, 0.0)

  /// - Parameters:
  ///   - deviation: the standard deviation per axis in metres.
  ///   - drift: the correlation time of smooth errors in seconds, or nil for rough errors.
  init(_ deviation: Double, seed: UInt64, drift: Double? = nil) {
    self.deviation = deviation
    self.drift = drift
    generator = SeededGenerator(seed: seed)
    error = SIMD2(gauss(), gauss()) * deviation
    // Independent of the first error.
    if let drift { for _ in 0..<100 { _ = next(after: drift / 20) } }
  }

  /// Returns the error some seconds after the previous one.
  mutating func next(after seconds: Double) -> SIMD2<Double> {
    // Two filters of half the time.
    let memory = exp(-seconds / (drift.map { $0 / 2 } ?? 20))
    error = error * memory + SIMD2(gauss(), gauss()) * (deviation * (1 - memory * memory).squareRoot())
    guard drift != nil else { return error }
    // The second filter halves the variance.
    smooth = smooth * memory + error * (1 - memory)
    return smooth * 2.0.squareRoot()
  }

  private mutating func gauss() -> Double {
    let radius = (-2 * log(Double.random(in: 0x1p-60..<1, using: &generator))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
  }
}
