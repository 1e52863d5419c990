/// A natural number of any size times a power of ten, for the exact decimal digits of numbers between
/// doubles.
struct ExactDecimal {
  /// Nine decimal digits each, the lowest first.
  private var limbs: [UInt32]
  /// The number of digits after the decimal point.
  private var decimals = 0

  /// Creates `mantissa` × 2^`exponent` exactly.
  init(_ mantissa: UInt64, timesTwoTo exponent: Int) {
    limbs = []
    var rest = mantissa
    while rest > 0 {
      limbs.append(UInt32(rest % 1_000_000_000))
      rest /= 1_000_000_000
    }
    // 2^−n = 5^n / 10^n.
    let (base, chunk): (UInt64, Int) = exponent < 0 ? (5, 12) : (2, 29)
    var left = abs(exponent)
    while left > 0 {
      let power = min(left, chunk)
      multiply(by: (0..<power).reduce(UInt64(1)) { product, _ in product * base })
      left -= power
    }
    decimals = max(-exponent, 0)
  }

  /// Returns the middle between `value`, which is positive and finite, and the next larger double.
  ///
  /// For the largest finite number, it is the number above which values are rounded to infinity.
  static func middle(above value: Double) -> ExactDecimal {
    let exponent = value.exponentBitPattern == 0 ? 1 : Int(value.exponentBitPattern)
    let mantissa = value.significandBitPattern | (value.exponentBitPattern == 0 ? 0 : 1 << 52)
    return ExactDecimal(2 * mantissa + 1, timesTwoTo: exponent - 1076)
  }

  private mutating func multiply(by factor: UInt64) {
    var carry: UInt64 = 0
    for index in limbs.indices {
      // Below 10^9 · 5^12 + 2^32, far from an overflow.
      let product = UInt64(limbs[index]) * factor + carry
      limbs[index] = UInt32(product % 1_000_000_000)
      carry = product / 1_000_000_000
    }
    while carry > 0 {
      limbs.append(UInt32(carry % 1_000_000_000))
      carry /= 1_000_000_000
    }
  }

  /// All digits as an integer, without leading but with trailing zeros. The value is `text` × 10^`scale`.
  var digits: (text: String, scale: Int) {
    let padded = limbs.reversed().map { limb in
      let digits = String(limb)
      return String(repeating: "0", count: 9 - digits.count) + digits
    }
    return (String(padded.joined().drop { $0 == "0" }), -decimals)
  }
}

/// Returns `digits` × 10^`scale` in fixed-point notation.
func fixedPoint(_ digits: String, scale: Int) -> String {
  if scale >= 0 { return digits + String(repeating: "0", count: scale) }
  let padded = String(repeating: "0", count: max(1 - scale - digits.count, 0)) + digits
  return padded.dropLast(-scale) + "." + padded.suffix(-scale)
}
