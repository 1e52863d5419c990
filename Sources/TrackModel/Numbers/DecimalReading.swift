/// Correctly rounded parsing of decimal text to `Double`, without system calls or allocations for typical
/// numbers.
///
/// Up to 15 digits use Clinger's exact path (one multiplication or division of two exact doubles). The first
/// 19 digits of longer numbers (28 from Garmin Connect), with up to 27 decimals, are multiplied by a
/// truncated reciprocal of the power of ten. If the error of the product could change its rounding, a 128-bit
/// division by a power of five with a sticky remainder decides for up to 19 digits, and the standard library
/// for more.
///
/// Intended for the readers of this package. It is public because the compiler inlines only public functions
/// across modules.
public enum DecimalReading {
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

  /// Parses a number like `scanPlain`. The most common numbers, with one or seven decimals, are
  /// parsed inline, so that the next number does not wait for a call to return its position.
  @inlinable @inline(__always)
  public static func scanInline(_ text: Span<UInt8>, at index: inout Int) -> Double? {
    // Seven digits on each side of the point take less space.
    guard index >= 0, index <= text.count &- 24 else { return scanUncommon(text, at: &index) }
    var position = index
    let isNegative = text.uncheckedByte(at: position) == UInt8(ascii: "-")
    if isNegative { position &+= 1 }
    let word = text.uncheckedWord(at: position) ^ DecimalDigits.ascii
    var mantissa: UInt64
    // Tests for the point (with the digits' transformation) and a preceding digit by branches, as below.
    if word & 0xFFF0 == 0x1E00, word & 0xF <= 9 {
      mantissa = word & 0xF
      position &+= 2
    } else if word & 0xFF_F0F0 == 0x1E_0000, word & 0xF <= 9, word & 0xF00 <= 0x900 {
      mantissa = (word & 0xF) &* 10 &+ (word >> 8) & 0xF
      position &+= 3
    } else if word & 0xFFF0_F0F0 == 0x1E00_0000, DecimalDigits.count(word) == 3 {
      mantissa = DecimalDigits.value(word, 3)
      position &+= 4
    } else {
      return scanUncommon(text, at: &index)
    }
    let fraction = text.uncheckedWord(at: position) ^ DecimalDigits.ascii
    let decimals = DecimalDigits.count(fraction)
    let scale: Double
    if decimals == 7 {
      mantissa = mantissa &* 10_000_000 &+ DecimalDigits.value(fraction, 7)
      position &+= 7
      scale = 1e7
    } else if decimals == 1 {
      mantissa = mantissa &* 10 &+ fraction & 0xF
      position &+= 1
      scale = 10
    } else {
      return scanDecimals(text, at: &index, from: position &- 1, mantissa, isNegative: isNegative)
    }
    guard text.uncheckedByte(at: position) | 0x20 != UInt8(ascii: "e") else { return nil }
    index = position
    let magnitude = Double(mantissa) / scale
    return isNegative ? -magnitude : magnitude
  }

  @usableFromInline @inline(never)
  static func scanUncommon(_ text: Span<UInt8>, at index: inout Int) -> Double? {
    scanPlain(text, at: &index)
  }

  /// Parses the decimals of a number at `index`, and moves `index` past it.
  ///
  /// - Parameters:
  ///   - start: the index of the point.
  ///   - whole: the number formed by the digits before the point.
  @usableFromInline @inline(never)
  static func scanDecimals(
    _ text: Span<UInt8>, at index: inout Int, from start: Int, _ whole: UInt64, isNegative: Bool
  ) -> Double? {
    let digits = start &- index &- (isNegative ? 1 : 0)
    return scanRest(text, at: &index, from: start, hasPoint: true, whole, digits, isNegative: isNegative)
  }

  /// Parses a number of the most common form, eight digits at a time: up to seven digits before the point,
  /// without a plus sign or an exponent, with up to fifteen decimals and 18 digits in total, or up to three
  /// digits before the point and at least 16 decimals.
  ///
  /// - Returns: `nil` for any other form, and for some of more than 15 digits. `index` is then unchanged.
  @inline(__always)
  package static func scanPlain(_ text: Span<UInt8>, at index: inout Int) -> Double? {
    guard index < text.count else { return nil }
    var position = index
    let isNegative = text[position] == UInt8(ascii: "-")
    if isNegative { position &+= 1 }
    let word = text.word(at: position) ^ DecimalDigits.ascii
    let digits: Int
    let mantissa: UInt64
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
    // The following bytes are already in the word. A point is changed like the digits above.
    let hasPoint = (word &>> UInt64(digits &* 8)) & 0xFF == 0x1E
    return scanRest(
      text, at: &index, from: position, hasPoint: hasPoint, mantissa, digits, isNegative: isNegative)
  }

  /// Parses the decimals, if any, and the end of a number, and moves `index` past it.
  ///
  /// - Parameters:
  ///   - start: the index after the digits before the point.
  ///   - whole: the number formed by those digits.
  ///   - digits: the number of digits.
  @inline(__always)
  private static func scanRest(
    _ text: Span<UInt8>, at index: inout Int, from start: Int, hasPoint: Bool, _ whole: UInt64, _ digits: Int,
    isNegative: Bool
  ) -> Double? {
    var position = start
    var mantissa = whole
    var decimals = 0
    var isMore = false
    if hasPoint {
      position &+= 1
      var word = text.word(at: position) ^ DecimalDigits.ascii
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
        guard more == 8 ? digits <= 3 : digits &+ more <= 10 else { return nil }
        if more > 0 {
          mantissa = mantissa &* powersOfTenAsIntegers[more] &+ DecimalDigits.value(word, more)
          position &+= more
          decimals &+= more
        }
        if more == 8 {
          let end = endOfDigits(text, at: position)
          isMore = end > position
          position = end
        }
      }
    }
    if position < text.count, text[position] | 0x20 == UInt8(ascii: "e") { return nil }
    let magnitude: Double
    if mantissa <= 1 << 53, !isMore {
      magnitude = Double(mantissa) / powersOfTen[decimals]
    } else {
      guard let quotient = quotient(mantissa, byPowerOfTen: decimals, isMore: isMore) else { return nil }
      magnitude = quotient
    }
    index = position
    return isNegative ? -magnitude : magnitude
  }

  /// Returns the index after a number of digits with an optional minus sign and decimals, or `nil` for any
  /// other form, which can be a number, too.
  @inline(__always)
  package static func endOfPlainNumber(_ text: Span<UInt8>, at index: Int) -> Int? {
    guard index < text.count else { return nil }
    let start = text[index] == UInt8(ascii: "-") ? index &+ 1 : index
    var end = endOfDigits(text, at: start)
    guard end > start, end < text.count else { return nil }
    if text[end] == UInt8(ascii: ".") {
      end = endOfDigits(text, at: end &+ 1)
      guard end < text.count else { return nil }
    }
    return text[end] | 0x20 == UInt8(ascii: "e") ? nil : end
  }

  /// Returns the index of the first byte from `start` that is not a digit.
  @inline(__always)
  private static func endOfDigits(_ text: Span<UInt8>, at start: Int) -> Int {
    var index = start
    while true {
      let count = DecimalDigits.count(text.word(at: index) ^ DecimalDigits.ascii)
      index &+= count
      if count < 8 { return index }
    }
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
      if let value = quotient(mantissa, byPowerOfTen: -exponent, isMore: hasDropped) { return value }
      if !hasDropped { return divide(mantissa, byPowerOfTen: -exponent) }
    }
    // Rare, so the allocation is acceptable.
    var copy: [UInt8] = []
    copy.reserveCapacity(text.count)
    for index in text.indices { copy.append(text[index]) }
    guard let value = Double(String(decoding: copy, as: UTF8.self)), value.isFinite else { return nil }
    return abs(value)
  }

  /// Returns `mantissa` / 10^`power`, rounded half to even, or nil if a truncated reciprocal does not decide
  /// the rounding.
  ///
  /// - Parameters:
  ///   - power: 0…27.
  ///   - isMore: whether the exact dividend is greater, by less than 1.
  private static func quotient(_ mantissa: UInt64, byPowerOfTen power: Int, isMore: Bool) -> Double? {
    guard mantissa > 0, power > 0 else { return isMore || power > 0 ? nil : Double(mantissa) }
    let mantissaShift = mantissa.leadingZeroBitCount
    // The truncations of the reciprocal and of the product are less than 1 each in the upper half of the
    // product, and a greater dividend is less than 2^`mantissaShift` in it.
    let (high, _) = (mantissa &<< UInt64(mantissaShift)).multipliedFullWidth(by: reciprocals[power])
    let error: UInt64 = isMore ? 1 &+ 1 &<< UInt64(mantissaShift) : 1
    // The product of two numbers from 2^63 is at least 2^126.
    let shift = 1 &- high &>> 63
    let half = 0x400 &>> shift
    let rest = high & (half &* 2 &- 1)
    guard rest != half, rest &+ error < (rest > half ? 3 &* half : half) else { return nil }
    let exponent = 1023 &- Int(shift) &- mantissaShift &+ powersOfFive[power].leadingZeroBitCount &- power
    var bits = UInt64(exponent) << 52 | (high &>> (11 &- shift) & ~(1 << 52))
    if rest > half { bits += 1 }
    return Double(bitPattern: bits)
  }

  /// Returns `mantissa` / 10^`power`, rounded half to even.
  ///
  /// With both operands normalised, the quotient has 63 or 64 bits, ten more than a `Double`, and the
  /// remainder is the sticky bit.
  private static func divide(_ mantissa: UInt64, byPowerOfTen power: Int) -> Double {
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
    if rest > 0x400 || (rest == 0x400 && (remainder != 0 || bits & 1 == 1)) { bits += 1 }
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
  static let powersOfFive: [UInt64] = [
    1, 5, 25, 125, 625, 3125, 15625, 78125, 390_625, 1_953_125, 9_765_625, 48_828_125, 244_140_625,
    1_220_703_125, 6_103_515_625, 30_517_578_125, 152_587_890_625, 762_939_453_125, 3_814_697_265_625,
    19_073_486_328_125, 95_367_431_640_625, 476_837_158_203_125, 2_384_185_791_015_625,
    11_920_928_955_078_125, 59_604_644_775_390_625, 298_023_223_876_953_125, 1_490_116_119_384_765_625,
    7_450_580_596_923_828_125,
  ]
  /// The reciprocals of the powers 5^0…5^27, scaled by a power of two to 2^63…2^64 and rounded down. The
  /// first does not fit.
  private static let reciprocals: [UInt64] = [
    0, 0xCCCC_CCCC_CCCC_CCCC, 0xA3D7_0A3D_70A3_D70A, 0x8312_6E97_8D4F_DF3B, 0xD1B7_1758_E219_652B,
    0xA7C5_AC47_1B47_8423, 0x8637_BD05_AF6C_69B5, 0xD6BF_94D5_E57A_42BC, 0xABCC_7711_8461_CEFC,
    0x8970_5F41_36B4_A597, 0xDBE6_FECE_BDED_D5BE, 0xAFEB_FF0B_CB24_AAFE, 0x8CBC_CC09_6F50_88CB,
    0xE12E_1342_4BB4_0E13, 0xB424_DC35_095C_D80F, 0x901D_7CF7_3AB0_ACD9, 0xE695_94BE_C44D_E15B,
    0xB877_AA32_36A4_B449, 0x9392_EE8E_921D_5D07, 0xEC1E_4A7D_B695_61A5, 0xBCE5_0864_9211_1AEA,
    0x971D_A050_74DA_7BEE, 0xF1C9_0080_BAF7_2CB1, 0xC16D_9A00_9592_8A27, 0x9ABE_14CD_4475_3B52,
    0xF796_87AE_D3EE_C551, 0xC612_0625_7658_9DDA, 0x9E74_D1B7_91E0_7E48,
  ]
}
