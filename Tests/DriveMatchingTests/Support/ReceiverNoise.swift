import TestSupport

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The errors of a receiver, in metres on two axes, correlated over 20 s.
struct ReceiverNoise {
  /// The source of all random numbers.
  var generator: SeededGenerator
  private let deviation: Double
  private var error = SIMD2(0.0, 0.0)

  /// - Parameter deviation: the standard deviation per axis in metres.
  init(_ deviation: Double, seed: UInt64) {
    self.deviation = deviation
    generator = SeededGenerator(seed: seed)
    error = SIMD2(gauss(), gauss()) * deviation
  }

  /// Returns the error some seconds after the previous one.
  mutating func next(after seconds: Double) -> SIMD2<Double> {
    let memory = exp(-seconds / 20)
    error = error * memory + SIMD2(gauss(), gauss()) * (deviation * (1 - memory * memory).squareRoot())
    return error
  }

  private mutating func gauss() -> Double {
    let radius = (-2 * log(Double.random(in: 0x1p-60..<1, using: &generator))).squareRoot()
    return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &generator))
  }
}
