/// Bytes on their way out: one growing allocation, written without a bounds check per byte.
///
/// Numbers and times are formatted straight into it. This file alone touches its memory.
@safe
package struct ByteBuffer: ~Copyable, @unchecked Sendable {  // Sendable: it has one owner, who moves with it.
  @usableFromInline var base: UnsafeMutablePointer<UInt8>
  @usableFromInline var capacity: Int
  /// The number of bytes in the buffer.
  package private(set) var count = 0

  package init(capacity: Int = 256) {
    self.capacity = max(capacity, 64)
    unsafe base = .allocate(capacity: self.capacity)
  }

  deinit { unsafe base.deallocate() }

  /// The bytes.
  package var bytes: Span<UInt8> {
    @_lifetime(borrow self) get {
      let span = unsafe Span(_unsafeStart: UnsafePointer(base), count: count)
      return unsafe _overrideLifetime(span, borrowing: self)
    }
  }

  /// The bytes as text; what is not UTF-8 becomes U+FFFD.
  package var string: String {
    unsafe String(decoding: UnsafeBufferPointer(start: base, count: count), as: UTF8.self)
  }

  /// A copy of the bytes.
  package var array: [UInt8] { unsafe Array(UnsafeBufferPointer(start: base, count: count)) }

  package mutating func removeAll() { count = 0 }

  /// Takes back what was appended beyond the first so many bytes.
  package mutating func truncate(to length: Int) { count = min(count, max(length, 0)) }

  /// Makes room for so many bytes more.
  package mutating func reserve(_ more: Int) {
    guard count + more > capacity else { return }
    let larger = max(capacity * 2, count + more)
    let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: larger)
    unsafe moved.update(from: base, count: count)
    unsafe base.deallocate()
    unsafe base = moved
    capacity = larger
  }

  package mutating func append(_ byte: UInt8) {
    if count == capacity { reserve(1) }
    unsafe base[count] = byte
    count += 1
  }

  package mutating func append(_ text: StaticString) {
    let length = text.utf8CodeUnitCount
    reserve(length)
    if text.hasPointerRepresentation {
      unsafe (base + count).update(from: text.utf8Start, count: length)
      count += length
    } else {
      for byte in String(describing: text).utf8 { append(byte) }
    }
  }

  package mutating func append(_ text: String) {
    var text = text
    text.withUTF8 { source in
      guard let start = source.baseAddress else { return }
      reserve(source.count)
      unsafe (base + count).update(from: start, count: source.count)
      count += source.count
    }
  }

  package mutating func append(contentsOf other: Span<UInt8>) {
    reserve(other.count)
    unsafe other.withUnsafeBufferPointer { source in
      guard let start = source.baseAddress else { return }
      unsafe (base + count).update(from: start, count: source.count)
    }
    count += other.count
  }

  /// Appends the lowest `width` decimal digits of a number that is not negative, with leading zeros.
  package mutating func append(_ value: Int, width: Int) {
    reserve(width)
    var rest = UInt(bitPattern: value)
    var index = count + width
    while index > count {
      index -= 1
      unsafe base[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    count += width
  }

  /// Appends a number in fixed-point notation with as few digits as read back to the same number.
  ///
  /// Never an exponent: GPX and KML have none for coordinates, and readers choke on `2e-07`. Numbers of up to
  /// 15 significant digits, and with at most 12 decimals below 1000, are scaled to an integer; such a decimal
  /// is the shortest, because no two of up to 15 digits share a `Double`. The rest takes the standard
  /// library's shortest description, written out. Minus zero is written as 0, a value that is not finite as 0.
  package mutating func append(decimal value: Double) {
    let magnitude = abs(value)
    if magnitude < 1e8 {
      // Most sensors count whole numbers.
      let whole = UInt64(magnitude)
      if Double(whole) == magnitude {
        append(scaled: whole, decimals: 0, isNegative: value < 0)
        return
      }
      let scaled = ByteBuffer.rounded(magnitude * 1e7)
      if scaled / 1e7 == magnitude, scaled < 1e15 {
        append(scaled: UInt64(scaled), decimals: 7, isNegative: value < 0)
        return
      }
      if magnitude < 1000 {
        let scaled = ByteBuffer.rounded(magnitude * 1e12)
        if scaled / 1e12 == magnitude {
          append(scaled: UInt64(scaled), decimals: 12, isNegative: value < 0)
          return
        }
      }
    }
    append(expanding: value)
  }

  /// The nearest whole number of one from 0 to 2^51: beyond 2^52 a `Double` has no fraction to keep. A call
  /// of the library's rounding costs more than the rest of a short number.
  @inline(__always)
  private static func rounded(_ value: Double) -> Double { (value + 0x1p52) - 0x1p52 }

  /// Appends `scaled` / 10^`decimals`, without trailing zeros.
  private mutating func append(scaled: UInt64, decimals: Int, isNegative: Bool) {
    reserve(40)
    var digits = scaled
    var decimals = decimals
    while decimals >= 3, digits % 1000 == 0 {
      digits /= 1000
      decimals -= 3
    }
    while decimals > 0, digits % 10 == 0 {
      digits /= 10
      decimals -= 1
    }
    var start = count
    if isNegative {
      unsafe base[start] = UInt8(ascii: "-")
      start += 1
    }
    // The number of digits: at least one before the point.
    var width = 1
    var bound: UInt64 = 10
    while width < 19, digits >= bound {
      width += 1
      bound *= 10
    }
    width = max(width, decimals + 1)
    var index = start + width + (decimals > 0 ? 1 : 0)
    count = index
    let point = decimals > 0 ? index - decimals - 1 : -1
    while index > start {
      index -= 1
      if index == point {
        unsafe base[index] = UInt8(ascii: ".")
        continue
      }
      unsafe base[index] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: digits % 10)
      digits /= 10
    }
  }

  /// The standard library's shortest description, without its exponent.
  private mutating func append(expanding value: Double) {
    guard value.isFinite else {
      append(UInt8(ascii: "0"))
      return
    }
    if value < 0 { append(UInt8(ascii: "-")) }
    let magnitude = abs(value)
    if magnitude >= 1e-4, magnitude < 1e15 {
      // Within these bounds the description has no exponent, and `.0` behind a whole number.
      append(magnitude.description)
      if count >= 2, unsafe base[count - 1] == UInt8(ascii: "0"), unsafe base[count - 2] == UInt8(ascii: ".")
      {
        count -= 2
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
