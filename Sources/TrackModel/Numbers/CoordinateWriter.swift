/// Formats consecutive coordinates like ``ByteBuffer/append(decimal:)``, computing the digits that they share
/// with the previous coordinate once.
///
/// Consecutive points of a track are near each other, so that most coordinates differ from the previous one
/// only after the third of seven decimals, or of nine if they were resampled.
package struct CoordinateWriter: Sendable {
  /// The text before every coordinate.
  private let prefix: WordPair
  /// The previous coordinate without the decimals after the third, in units of the seventh and of the ninth
  /// decimal. At first, no coordinate is in its range.
  private var sharedSeven: UInt64 = 1 << 62
  private var sharedNine: UInt64 = 1 << 62
  /// The sign of the previous coordinate, in the highest bit.
  private var sign: UInt64 = 0
  /// Its text including the third decimal, and the length of the text.
  private var text: UInt64 = 0
  private var count = 0
  /// Whether a coordinate had more than seven decimals, so that nine are checked.
  private var isFine = false
  /// The number of consecutive coordinates with more than nine decimals.
  private var misses = 0
  /// The number of these coordinates after which the others are not checked.
  private static let patience = 64

  /// - Parameter prefix: the text before every coordinate, of at most 16 bytes.
  package init(after prefix: StaticString = "") { self.prefix = WordPair(prefix) }

  /// Appends the prefix, and the same text as ``ByteBuffer/append(decimal:)``.
  package mutating func append(_ value: Double, to bytes: inout ByteBuffer) {
    if isFine { appendNine(value, to: &bytes) } else { appendSeven(value, to: &bytes) }
  }

  private mutating func appendSeven(_ value: Double, to bytes: inout ByteBuffer) {
    let magnitude = abs(value)
    let scaled = DecimalDigits.rounded(magnitude * 1e7)
    guard magnitude < 1000, scaled / 1e7 == magnitude else {
      isFine = true
      return appendNine(value, to: &bytes)
    }
    let number = DecimalDigits.integer(scaled)
    if number &- sharedSeven >= 10_000 || isOther(value) { share(number / 10_000, value) }
    let low = number &- sharedSeven
    // Without these decimals, zeros before them would be left out as well.
    guard low > 0 else { return appendWhole(value, to: &bytes) }
    let hundreds = (low &* 10_486) >> 20
    let digits = DecimalDigits.two(hundreds) | DecimalDigits.two(low &- hundreds &* 100) << 16
    // The zeros at the end are the highest bytes.
    let zeros = ((digits ^ 0x3030_3030) << 32).leadingZeroBitCount >> 3
    bytes.append(prefix, then: text, count, then: digits, 4 &- zeros)
  }

  /// Appends a coordinate with up to nine decimals, as resampling computes them.
  private mutating func appendNine(_ value: Double, to bytes: inout ByteBuffer) {
    let magnitude = abs(value)
    let scaled = DecimalDigits.rounded(magnitude * 1e9)
    guard misses < CoordinateWriter.patience, magnitude < 1000, scaled / 1e9 == magnitude else {
      misses &+= 1
      return appendWhole(value, to: &bytes)
    }
    misses = 0
    let number = DecimalDigits.integer(scaled)
    if number &- sharedNine >= 1_000_000 || isOther(value) { share(number / 1_000_000, value) }
    let low = number &- sharedNine
    guard low > 0 else { return appendWhole(value, to: &bytes) }
    // Six digits and two zeros.
    let digits = DecimalDigits.eight(low &* 100)
    let zeros = digits.leadingZeroBitCount >> 3
    bytes.append(prefix, then: text, count, then: digits | DecimalDigits.ascii, 8 &- zeros)
  }

  /// Whether the sign of a coordinate is not that of the previous one.
  @inline(__always)
  private func isOther(_ value: Double) -> Bool { (value.bitPattern ^ sign) >> 63 != 0 }

  /// Appends the prefix and all digits of a coordinate.
  private func appendWhole(_ value: Double, to bytes: inout ByteBuffer) {
    bytes.append(prefix, then: 0, 0, then: 0, 0)
    bytes.append(decimal: value)
  }

  /// Makes the digits up to the third decimal the shared ones.
  ///
  /// - Parameter high: the magnitude of the coordinate in units of the third decimal.
  private mutating func share(_ high: UInt64, _ value: Double) {
    sharedSeven = high &* 10_000
    sharedNine = high &* 1_000_000
    sign = value.bitPattern
    text = 0
    count = 0
    if value.sign == .minus { add(UInt8(ascii: "-")) }
    let whole = high / 1000
    if whole >= 100 { add(digit: whole / 100) }
    if whole >= 10 { add(digit: whole / 10 % 10) }
    add(digit: whole % 10)
    add(UInt8(ascii: "."))
    add(digit: high / 100 % 10)
    add(digit: high / 10 % 10)
    add(digit: high % 10)
  }

  private mutating func add(digit: UInt64) { add(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digit)) }

  private mutating func add(_ byte: UInt8) {
    text |= UInt64(byte) << UInt64(8 * count)
    count += 1
  }
}
