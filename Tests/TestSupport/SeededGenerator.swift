import Foundation

/// SplitMix64 (Sebastiano Vigna, public domain). The same seed gives the same numbers on every machine.
public struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  public init(seed: UInt64) { state = seed }

  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ word >> 30) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ word >> 27) &* 0x94D0_49BB_1331_11EB
    return word ^ word >> 31
  }

  /// Returns a new seed and prints it, so that a failure can be repeated.
  ///
  /// If the environment variable `TEST_SEED` is a number, each test always gets the same seed, so that test
  /// results are reproducible.
  public static func printedSeed(_ test: String = #function) -> UInt64 {
    let base = ProcessInfo.processInfo.environment["TEST_SEED"].flatMap { UInt64($0) }
    // The FNV-1a hash of the name.
    let seed =
      base.map { base in
        test.utf8.reduce(0xCBF2_9CE4_8422_2325 ^ base) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
      } ?? UInt64.random(in: .min ... .max)
    print("\(test): SeededGenerator(seed: \(seed))")
    return seed
  }
}
