/// Reproducible random numbers. The description is the Swift expression that recreates the generator of a
/// failing test.
struct SeededRandom: RandomNumberGenerator, CustomStringConvertible {
  let seed: UInt64
  private var state: UInt64

  init(seed: UInt64 = .random(in: .min ... .max)) {
    self.seed = seed
    state = seed
  }

  /// SplitMix64 (Steele, Lea and Flood, 2014).
  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ bits >> 30) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ bits >> 27) &* 0x94D0_49BB_1331_11EB
    return bits ^ bits >> 31
  }

  var description: String { "SeededRandom(seed: 0x\(String(seed, radix: 16)))" }

  /// Returns `count` random decimal digits; the first may be 0.
  mutating func digits(_ count: Int) -> String {
    String(decoding: (0..<count).map { _ in UInt8(ascii: "0") + UInt8(next() % 10) }, as: UTF8.self)
  }

  mutating func integer(_ range: ClosedRange<Int>) -> Int { .random(in: range, using: &self) }
}
