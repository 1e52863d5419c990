/// Correctly rounded parsing of decimal text to `Double`, without system calls or allocations for typical
/// numbers.
///
/// Up to 15 digits use Clinger's exact path (one multiplication or division of two exact doubles). Up to 19
/// digits with up to 27 decimals use a 128-bit division by a power of five with a sticky remainder, which is
/// also exact. Longer numbers (28 digits from Garmin Connect) are bracketed between their first 19 digits and
/// the next number. If these round differently, the standard library decides.
package enum DecimalReading {
  /// Parses a whole text: an optional sign, digits with at most one point, an optional exponent, and
  /// surrounding whitespace.
  ///
  /// - Returns: `nil` for any other text, including hexadecimal numbers, `NaN`, `INF`, and overflow.
  package static func read(_ text: Span<UInt8>) -> Double? {
    var index = 0
    if let value = scanPlain(text, at: &index), index == text.count { return value }
    index = 0
    var end = text.count
    while index < end, text[index] <= 0x20 { index += 1 }
    while index < end, text[end - 1] <= 0x20 { end -= 1 }
    guard let value = scan(text, at: &index), index == end else { return nil }
    return value
  }

  /// Parses the longest number at `index` and advances `index` past it.
  ///
  /// - Returns: `nil` if there is no finite number. `index` is then unchanged.
  @inline(__always)
  package static func scan(_ text: Span<UInt8>, at index: inout Int) -> Double? {
    scanPlain(text, at: &index) ?? scanAny(text, at: &index)
  }

  /// Parses a number of the most common form, eight digits at a time: up to seven digits before the point, up
  /// to fifteen after it, 18 in total, without a plus sign or an exponent.
  ///
  /// - Returns: `nil` for any other form. `index` is then unchanged.
  @inline(__always)
  package static func scanPlain(_ text: Span<UInt8>, at index: inout Int) -> Double? {
    guard index < text.count else { return nil }
    var position = index
    let isNegative = text[position] == UInt8(ascii: "-")
    if isNegative { position &+= 1 }
    var word = text.word(at: position) ^ DecimalDigits.ascii
    let digits: Int
    var mantissa: UInt64
    // Tests for the point (with the digits' transformation) and a preceding digit by branches, which are
    // predicted, so that the rest does not depend on the counts.
    if word & 0xFFF0 == 0x1E00, word & 0xF <= 9 {
      mantissa = word & 0xF
      digits = 1
      position &+= 1
    } else if word & 0xFF_F0F0 == 0x1E_0000, word & 0xF <= 9, word & 0xF00 <= 0x900 {
      mantissa = (word & 0xF) &* 10 &+ (word >> 8) & 0xF
      digits = 2
      position &+= 2
    } else {
      digits = DecimalDigits.count(word)
      guard digits > 0, digits < 8 else { return nil }
      mantissa = DecimalDigits.value(word, digits)
      position &+= digits
    }
    var decimals = 0
    // The following bytes are already in the word.
    if (word &>> UInt64(digits &* 8)) & 0xFF == 0x1E {  // a point, as the digits above are changed
      position &+= 1
      word = text.word(at: position) ^ DecimalDigits.ascii
      decimals = DecimalDigits.count(word)
      guard decimals > 0 else { return nil }
      if decimals == 7 {
        mantissa = mantissa &* 10_000_000 &+ DecimalDigits.value(word, 7)
        position &+= 7
      } else if decimals == 1 {
        mantissa = mantissa &* 10 &+ word & 0xF
        position &+= 1
      } else {
        mantissa = mantissa &* powersOfTenAsIntegers[decimals] &+ DecimalDigits.value(word, decimals)
        position &+= decimals
      }
      if decimals == 8 {
        word = text.word(at: position) ^ DecimalDigits.ascii
        let more = DecimalDigits.count(word)
        guard more < 8, digits &+ more <= 10 else { return nil }
        if more > 0 {
          mantissa = mantissa &* powersOfTenAsIntegers[more] &+ DecimalDigits.value(word, more)
          position &+= more
          decimals &+= more
        }
      }
    }
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") { return nil }
    let magnitude =
      mantissa <= 1 << 53
      ? Double(mantissa) / powersOfTen[decimals] : divide(mantissa, byPowerOfTen: decimals, isMore: false)
    index = position
    return isNegative ? -magnitude : magnitude
  }

  private static func scanAny(_ text: Span<UInt8>, at index: inout Int) -> Double? {
    let start = index
    let end = text.count
    var position = index
    var isNegative = false
    if position < end, text[position] == UInt8(ascii: "-") || text[position] == UInt8(ascii: "+") {
      isNegative = text[position] == UInt8(ascii: "-")
      position += 1
    }
    var mantissa: UInt64 = 0
    var taken = 0  // significant digits in the mantissa, 19 at the most
    var exponent = 0
    var hasDigits = false
    var hasDropped = false  // a digit other than zero did not fit
    while position < end {
      let digit = text[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      hasDigits = true
      if taken < 19 {
        mantissa = mantissa &* 10 &+ UInt64(digit)
        if mantissa != 0 { taken += 1 }
      } else {
        exponent += 1
        if digit != 0 { hasDropped = true }
      }
      position += 1
    }
    if position < end, text[position] == UInt8(ascii: ".") {
      position += 1
      while position < end {
        let digit = text[position] &- UInt8(ascii: "0")
        guard digit <= 9 else { break }
        hasDigits = true
        if taken < 19 {
          mantissa = mantissa &* 10 &+ UInt64(digit)
          if mantissa != 0 { taken += 1 }
          exponent -= 1
        } else if digit != 0 {
          hasDropped = true
        }
        position += 1
      }
    }
    guard hasDigits else { return nil }
    if position < end, text[position] | 0x20 == UInt8(ascii: "e") {
      if let (value, next) = scanExponent(text, from: position + 1) {
        exponent += value
        position = next
      }
    }
    guard
      let magnitude = magnitude(
        mantissa, exponent, hasDropped: hasDropped, text: text.extracting(start..<position))
    else { return nil }
    index = position
    return isNegative ? -magnitude : magnitude
  }

  /// Returns the exponent after an `e`, clamped to ±10^12, or `nil` if it has no digits.
  ///
  /// The limit exceeds the number of digits of any text, which is added to the exponent.
  private static func scanExponent(_ text: Span<UInt8>, from start: Int) -> (value: Int, next: Int)? {
    var position = start
    var isNegative = false
    if position < text.count, text[position] == UInt8(ascii: "-") || text[position] == UInt8(ascii: "+") {
      isNegative = text[position] == UInt8(ascii: "-")
      position += 1
    }
    let first = position
    var value = 0
    while position < text.count {
      let digit = text[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      value = min(value * 10 + Int(digit), 1_000_000_000_000)
      position += 1
    }
    return position > first ? (isNegative ? -value : value, position) : nil
  }

  /// Returns `mantissa` × 10^`exponent`. `text` is the whole number, used if only its digits decide the
  /// rounding.
  private static func magnitude(
    _ mantissa: UInt64, _ exponent: Int, hasDropped: Bool, text: Span<UInt8>
  ) -> Double? {
    if mantissa == 0 { return 0 }
    if !hasDropped, mantissa <= 1 << 53, exponent >= -22, exponent <= 22 {
      return exponent < 0
        ? Double(mantissa) / powersOfTen[-exponent] : Double(mantissa) * powersOfTen[exponent]
    }
    if exponent < 0, exponent >= -27 {
      let value = divide(mantissa, byPowerOfTen: -exponent, isMore: hasDropped)
      if !hasDropped || value == divide(mantissa + 1, byPowerOfTen: -exponent, isMore: false) { return value }
    }
    // Rare, so the allocation is acceptable.
    var copy: [UInt8] = []
    copy.reserveCapacity(text.count)
    for index in text.indices { copy.append(text[index]) }
    guard let value = Double(String(decoding: copy, as: UTF8.self)), value.isFinite else { return nil }
    return abs(value)
  }

  /// Returns `mantissa` / 10^`power`, rounded half to even. If `isMore` is true, the exact value is slightly
  /// larger.
  ///
  /// With both operands normalised, the quotient has 63 or 64 bits, ten more than a `Double`, and the
  /// remainder is the sticky bit.
  private static func divide(_ mantissa: UInt64, byPowerOfTen power: Int, isMore: Bool) -> Double {
    let divisor = powersOfFive[power]
    let mantissaShift = mantissa.leadingZeroBitCount
    let divisorShift = divisor.leadingZeroBitCount
    let dividend = mantissa << UInt64(mantissaShift)
    let (quotient, remainder) = (divisor << UInt64(divisorShift)).dividingFullWidth(
      (dividend >> 1, dividend << 63))
    let quotientShift = quotient.leadingZeroBitCount
    let normal = quotient << UInt64(quotientShift)
    let exponent = divisorShift - mantissaShift - power - quotientShift
    let rest = normal & 0x7FF
    var bits = UInt64(exponent + 1023) << 52 | (normal >> 11 & ~(1 << 52))
    if rest > 0x400 || (rest == 0x400 && (remainder != 0 || isMore || bits & 1 == 1)) { bits += 1 }
    return Double(bitPattern: bits)
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]

  private static let powersOfTenAsIntegers: [UInt64] = [
    1, 10, 100, 1000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000,
  ]

  /// The powers 5^0…5^27. The last is the largest that fits.
  private static let powersOfFive: [UInt64] = [
    1, 5, 25, 125, 625, 3125, 15625, 78125, 390_625, 1_953_125, 9_765_625, 48_828_125, 244_140_625,
    1_220_703_125, 6_103_515_625, 30_517_578_125, 152_587_890_625, 762_939_453_125, 3_814_697_265_625,
    19_073_486_328_125, 95_367_431_640_625, 476_837_158_203_125, 2_384_185_791_015_625,
    11_920_928_955_078_125, 59_604_644_775_390_625, 298_023_223_876_953_125, 1_490_116_119_384_765_625,
    7_450_580_596_923_828_125,
  ]
}
