/// Numbers as defined in RFC 8259, section 6: `-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?`.
package enum JSONNumber {
  package enum Scan {
    case value(Double)
    /// A valid number that is out of range for a `Double`.
    case outOfRange
    /// The bytes end inside the number, or at a position where it may continue. Not if they are the last.
    case incomplete
    /// An invalid number. ``JSONNumber/Fault`` describes what was expected.
    case malformed(Fault)
  }

  package enum Fault {
    case number, digit, leadingZero
  }

  /// Reads the number at `index`, correctly rounded, and moves `index` past it. After a fault `index` is
  /// moved to the fault; otherwise it is unchanged.
  ///
  /// - Parameter isLast: whether no bytes follow, so that a number may end with them.
  package static func scan(_ bytes: Span<UInt8>, at index: inout Int, isLast: Bool) -> Scan {
    let start = index
    let end = bytes.count
    var position = index
    var isNegative = false
    if position < end, bytes[position] == UInt8(ascii: "-") {
      isNegative = true
      position += 1
    }
    // Up to 18 digits fit. Longer numbers are read by the general code below.
    var mantissa: UInt64 = 0
    let first = position
    while position < end {
      let digit = bytes[position] &- UInt8(ascii: "0")
      guard digit <= 9 else { break }
      mantissa = mantissa &* 10 &+ UInt64(digit)
      position += 1
    }
    guard position > first else {
      if position == end, !isLast { return .incomplete }
      index = position
      return .malformed(.number)
    }
    var digits = position - first
    if digits > 1, bytes[first] == UInt8(ascii: "0") {
      index = first
      return .malformed(.leadingZero)
    }
    var decimals = 0
    if position < end, bytes[position] == UInt8(ascii: ".") {
      position += 1
      let start = position
      while position < end {
        let digit = bytes[position] &- UInt8(ascii: "0")
        guard digit <= 9 else { break }
        mantissa = mantissa &* 10 &+ UInt64(digit)
        position += 1
      }
      decimals = position - start
      guard decimals > 0 else {
        if position == end, !isLast { return .incomplete }
        index = position
        return .malformed(.digit)
      }
      digits += decimals
    }
    if position < end, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < end, bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-") {
        position += 1
      }
      let start = position
      while position < end, bytes[position] &- UInt8(ascii: "0") <= 9 { position += 1 }
      guard position > start else {
        if position == end, !isLast { return .incomplete }
        index = position
        return .malformed(.digit)
      }
      digits = .max
    }
    guard position < end || isLast else { return .incomplete }
    index = position
    if digits <= 18, decimals <= 22, mantissa <= 1 << 53 {
      // Both are exact, so one division rounds correctly (Clinger).
      let magnitude = decimals == 0 ? Double(mantissa) : Double(mantissa) / powersOfTen[decimals]
      return .value(isNegative ? -magnitude : magnitude)
    }
    var whole = start
    guard let value = DecimalReading.scan(bytes.extracting(0..<position), at: &whole) else {
      return .outOfRange
    }
    return .value(value)
  }

  private static let powersOfTen: [Double] = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
    1e19, 1e20, 1e21, 1e22,
  ]
}
