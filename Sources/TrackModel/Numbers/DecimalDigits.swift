/// Conversions between integers and decimal digits, eight at a time.
@usableFromInline
enum DecimalDigits {
  /// `0` in all eight bytes.
  @inlinable static var ascii: UInt64 { 0x3030_3030_3030_3030 }

  /// Returns the digits of a number below 10^8 as eight values 0…9, the first in the lowest bits.
  ///
  /// The number is split three times, into two parts of four digits, four of two and eight of one, with all
  /// parts in lanes of one word. Divisions are multiplications by a reciprocal that is exact within a lane.
  @inline(__always)
  static func eight(_ value: UInt64) -> UInt64 {
    let high = value / 10_000
    let fours = high | (value &- high &* 10_000) << 32
    let hundreds = (fours &* 10_486) >> 20 & 0x7F_0000_007F
    let twos = hundreds | (fours &- hundreds &* 100) << 16
    let tens = (twos &* 103) >> 10 & 0x000F_000F_000F_000F
    return tens | (twos &- tens &* 10) << 8
  }

  /// Returns the digits of a number below 100 as text, the first in the lowest bits.
  @inline(__always)
  static func two(_ value: UInt64) -> UInt64 {
    let tens = (value &* 103) >> 10
    return (tens | (value &- tens &* 10) << 8) | 0x3030
  }

  /// Rounds a number from 0 to 2^51 by adding 2^52, above which `Double` has no fraction. Faster than a call
  /// of the standard library.
  @inline(__always)
  static func rounded(_ value: Double) -> Double { (value + 0x1p52) - 0x1p52 }

  /// Converts a whole number from 0 to 2^51 to an integer. After adding 2^52 its value is in the lowest bits.
  @inline(__always)
  static func integer(_ whole: Double) -> UInt64 { (whole + 0x1p52).bitPattern & (1 << 52 - 1) }

  // MARK: Reading

  /// Returns the number of leading digits, 0…8.
  ///
  /// - Parameter word: the first eight bytes, exclusive or ``ascii``. Values above 9 are not digits. A carry
  ///   affects only bytes after the first of those.
  @inlinable @inline(__always)
  static func count(_ word: UInt64) -> Int {
    let others = ((word &+ 0x7676_7676_7676_7676) | word) & 0x8080_8080_8080_8080
    return others.trailingZeroBitCount >> 3
  }

  /// Returns the number formed by the first 1…8 digits.
  ///
  /// Adjacent parts are combined three times: digits to pairs, pairs to fours, fours to eight.
  @inlinable @inline(__always)
  static func value(_ word: UInt64, _ count: Int) -> UInt64 {
    // Padded with leading zeros to eight digits.
    let digits = word &<< UInt64(64 &- count &* 8)
    let twos = (digits &* 10 &+ digits >> 8) & 0x00FF_00FF_00FF_00FF
    let fours = (twos &* 100 &+ twos >> 16) & 0x0000_FFFF_0000_FFFF
    return (fours &* 10_000 &+ fours >> 32) & 0xFFFF_FFFF
  }
}
