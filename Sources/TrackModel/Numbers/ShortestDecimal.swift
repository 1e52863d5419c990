/// The shortest decimal that is read as a number; if there are several, the one closest to it.
///
/// It is found by Raffaele Giulietti's algorithm (Schubfach): of the multiples of a power of ten, chosen so
/// that the interval of decimals that round to the number contains one to nine of them, at most four are
/// candidates. In the supported range the power divided by its power of two fits in 64 bits, so that all
/// values are exact.
struct ShortestDecimal {
  /// The decimal without its point, below 2^57.
  let digits: UInt64
  /// The number of digits after the point, at most 19.
  let decimals: Int

  /// - Returns: nil for numbers below 0.001, from 10^8, or that are a power of two.
  @inline(__always)
  init?(_ value: Double) {
    // The interval below a power of two is shorter.
    guard value >= 1e-3, value < 1e8, value.significandBitPattern != 0 else { return nil }
    let significand = value.significandBitPattern | 1 << 52
    let exponent = Int(value.exponentBitPattern) - 1075
    // 1262611 / 2^22 is log10 2. The product is negative, and the shift rounds down.
    let decimals = -((exponent &* 1_262_611) >> 22)
    let scale = Scale(factor: DecimalReading.powersOfFive[decimals], shift: UInt64(-exponent &- decimals))
    // All in quarters of a unit of the last decimal. A number with an odd significand does not include the
    // limits.
    let odd = significand & 1
    let middle = scale.apply(significand &* 4)
    let lower = scale.apply(significand &* 4 &- 2) &+ odd
    let upper = scale.apply(significand &* 4 &+ 2) &- odd
    let digits = middle / 4
    let shorter = digits / 10
    let isShorterInside = lower <= shorter &* 40
    if isShorterInside != (shorter &* 40 &+ 40 <= upper) {
      self.digits = isShorterInside ? shorter : shorter &+ 1
      self.decimals = decimals &- 1
      return
    }
    let isInside = lower <= digits &* 4
    let half = digits &* 4 &+ 2
    let isNextCloser =
      isInside != (digits &* 4 &+ 4 <= upper)
      ? !isInside : middle > half || (middle == half && digits & 1 == 1)
    self.digits = isNextCloser ? digits &+ 1 : digits
    self.decimals = decimals
  }

  /// A multiplication by `factor` / 2^`shift`.
  private struct Scale {
    let factor: UInt64
    /// At most 43.
    let shift: UInt64

    /// Returns a product, which must fit in 64 bits, rounded to odd: comparisons with even numbers are exact.
    @inline(__always)
    func apply(_ value: UInt64) -> UInt64 {
      let (high, low) = value.multipliedFullWidth(by: factor)
      let product = high << (64 &- shift) | low &>> shift
      return low & (1 &<< shift &- 1) == 0 ? product : product | 1
    }
  }
}
