/// Formats `Double` as decimal text, with integer arithmetic for typical numbers.
extension ByteBuffer {
  /// Appends a number in fixed-point notation with the fewest digits that round-trip.
  ///
  /// The text has no exponent, because GPX and KML do not allow it for coordinates, and readers fail on
  /// `2e-07`. Numbers of up to 15 significant digits, with at most 12 decimals if below 1000, are scaled to
  /// an integer. This is the shortest text, because distinct decimals of up to 15 digits are distinct as
  /// `Double`. Other numbers from 0.001 to 10^8 use ``ShortestDecimal``, and all others the standard
  /// library's shortest description without its exponent. Negative zero and non-finite values are written as
  /// 0.
  package mutating func append(decimal value: Double) {
    let magnitude = abs(value)
    if magnitude < 1e8 {
      // Most sensor values are whole numbers.
      let whole = DecimalDigits.rounded(magnitude)
      if whole == magnitude {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(whole: DecimalDigits.integer(whole))
        return
      }
      let scaled = DecimalDigits.rounded(magnitude * 1e7)
      if scaled / 1e7 == magnitude, scaled < 1e15 {
        if value < 0 { append(UInt8(ascii: "-")) }
        append(tenMillionths: DecimalDigits.integer(scaled))
        return
      }
      if magnitude < 1000 {
        let scaled = DecimalDigits.rounded(magnitude * 1e12)
        if scaled / 1e12 == magnitude {
          if value < 0 { append(UInt8(ascii: "-")) }
          let digits = DecimalDigits.integer(scaled)
          append(whole: digits / 1_000_000_000_000)
          append(fraction: digits / 10_000 % 100_000_000, then: digits % 10_000 * 10_000)
          return
        }
      }
    }
    if let shortest = ShortestDecimal(magnitude) {
      if value < 0 { append(UInt8(ascii: "-")) }
      append(shortest, whole: UInt64(magnitude))
      return
    }
    append(expanding: value)
  }

  /// Appends a number below 10^8.
  @inline(__always)
  private mutating func append(whole value: UInt64) {
    if value < 10 {
      append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value))
    } else {
      let digits = DecimalDigits.eight(value)
      let zeros = digits.trailingZeroBitCount >> 3
      append(word: (digits | DecimalDigits.ascii) &>> UInt64(zeros &* 8), count: 8 &- zeros)
    }
  }

  /// Appends `value` / 10^7, which must not be a whole number, without trailing zeros.
  ///
  /// - Parameter value: the scaled value, below 10^15.
  @inline(__always)
  private mutating func append(tenMillionths value: UInt64) {
    let whole = value / 10_000_000
    let fraction = DecimalDigits.eight((value &- whole &* 10_000_000) &* 10)
    let zeros = fraction.leadingZeroBitCount >> 3
    let text: UInt64
    let count: Int
    if whole < 10 {
      text = whole | 0x30
      count = 1
    } else if whole < 100 {
      text = DecimalDigits.two(whole)
      count = 2
    } else {
      let digits = DecimalDigits.eight(whole)
      let zeros = digits.trailingZeroBitCount >> 3
      text = (digits | DecimalDigits.ascii) &>> UInt64(zeros &* 8)
      count = 8 &- zeros
    }
    append(
      word: text, count: count, then: (fraction | DecimalDigits.ascii) << 8 | UInt64(UInt8(ascii: ".")),
      count: 9 &- zeros)
  }

  /// Appends a point and the sixteen digits of two numbers below 10^8, without trailing zeros.
  private mutating func append(fraction high: UInt64, then low: UInt64) {
    guard high | low > 0 else { return }
    append(UInt8(ascii: "."))
    let digits = DecimalDigits.eight(high)
    guard low > 0 else {
      append(word: digits | DecimalDigits.ascii, count: 8 &- digits.leadingZeroBitCount >> 3)
      return
    }
    append(word: digits | DecimalDigits.ascii, count: 8)
    let rest = DecimalDigits.eight(low)
    append(word: rest | DecimalDigits.ascii, count: 8 &- rest.leadingZeroBitCount >> 3)
  }

  /// Appends a decimal, whose digits before the point are those of `whole`.
  private mutating func append(_ decimal: ShortestDecimal, whole: UInt64) {
    append(whole: whole)
    let power = DecimalReading.powersOfFive[decimal.decimals] << UInt64(decimal.decimals)
    var fraction = decimal.digits &- whole &* power
    guard decimal.decimals > 16 else {
      let missing = 16 - decimal.decimals
      fraction = fraction &* DecimalReading.powersOfFive[missing] << UInt64(missing)
      append(fraction: fraction / 100_000_000, then: fraction % 100_000_000)
      return
    }
    append(UInt8(ascii: "."))
    append(Int(fraction / 10_000_000_000_000_000), width: decimal.decimals - 16)
    fraction %= 10_000_000_000_000_000
    append(word: DecimalDigits.eight(fraction / 100_000_000) | DecimalDigits.ascii, count: 8)
    append(word: DecimalDigits.eight(fraction % 100_000_000) | DecimalDigits.ascii, count: 8)
    var end = count
    while bytes[end - 1] == UInt8(ascii: "0") { end -= 1 }
    truncate(to: end)
  }

  // MARK: Any number

  /// Returns the standard library's shortest description with its exponent expanded.
  private mutating func append(expanding value: Double) {
    guard value.isFinite else {
      append(UInt8(ascii: "0"))
      return
    }
    if value < 0 { append(UInt8(ascii: "-")) }
    let magnitude = abs(value)
    if magnitude >= 1e-4, magnitude < 1e15 {
      // Within these bounds the description has no exponent, and whole numbers end in `.0`.
      append(magnitude.description)
      if count >= 2, bytes[count - 1] == UInt8(ascii: "0"), bytes[count - 2] == UInt8(ascii: ".") {
        truncate(to: count - 2)
      }
      return
    }
    appendWithoutExponent(magnitude.description)
  }

  private mutating func appendWithoutExponent(_ description: String) {
    var digits: [UInt8] = []
    var pointAfter = 0
    var seenPoint = false
    var exponent = 0
    let text = Array(description.utf8)
    for (index, byte) in text.enumerated() {
      if byte == UInt8(ascii: ".") {
        seenPoint = true
      } else if byte == UInt8(ascii: "e") {
        exponent = Int(String(decoding: text[(index + 1)...], as: UTF8.self)) ?? 0
        break
      } else {
        digits.append(byte)
        if !seenPoint { pointAfter += 1 }
      }
    }
    pointAfter += exponent
    while digits.count > max(pointAfter, 1), digits.last == UInt8(ascii: "0") { digits.removeLast() }
    if pointAfter <= 0 {
      append("0.")
      for _ in pointAfter..<0 { append(UInt8(ascii: "0")) }
      for digit in digits { append(digit) }
    } else {
      for index in 0..<max(digits.count, pointAfter) {
        if index == pointAfter { append(UInt8(ascii: ".")) }
        append(index < digits.count ? digits[index] : UInt8(ascii: "0"))
      }
    }
  }
}
