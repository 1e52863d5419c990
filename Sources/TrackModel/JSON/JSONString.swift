/// Scans, validates and decodes JSON strings (RFC 8259, section 7).
package enum JSONString {
  /// The result of scanning a string.
  package struct Scan: Equatable {
    package enum Outcome: Equatable {
      /// The string is complete. `end` is the closing quotation mark.
      case whole
      /// The bytes end inside the string.
      case incomplete
      /// There is an unescaped control character at `end`.
      case controlCharacter
      /// There is an invalid escape at `end`.
      case escape
    }
    package var outcome: Outcome
    package var end: Int
    package var hasEscapes = false
    /// The index of the first invalid UTF-8 byte or unpaired surrogate, both of which can be replaced, or -1.
    package var flaw = -1
    package var isSurrogateFlaw = false
    /// The index of the first character of an escape that is not a hexadecimal digit, or -1.
    package var missingDigit = -1
  }

  /// Scans the string whose content starts at `start`, after its quotation mark, or the rest of a string from
  /// a character boundary. Callers can skip short plain strings themselves for speed.
  package static func scan(_ bytes: Span<UInt8>, from start: Int) -> Scan {
    var scan = Scan(outcome: .incomplete, end: start)
    var position = start
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        scan.outcome = .whole
        break
      }
      if byte == UInt8(ascii: "\\") {
        scan.hasEscapes = true
        switch escape(bytes, at: position) {
        case .sound(let length): position += length
        case .loneSurrogate:
          if scan.flaw < 0 {
            scan.flaw = position
            scan.isSurrogateFlaw = true
          }
          position += 6
        case .incomplete:
          position = bytes.count
        case .malformed:
          scan.outcome = .escape
          scan.end = position
          return scan
        case .noDigit(let digit):
          scan.outcome = .escape
          scan.end = position
          scan.missingDigit = digit
          return scan
        }
      } else if byte < 0x20 {
        scan.outcome = .controlCharacter
        break
      } else if byte < 0x80 {
        position += 1
      } else {
        let length = lengthOfUTF8(bytes, at: position)
        if length == 0 {
          if scan.flaw < 0 { scan.flaw = position }
          position += 1
        } else {
          position += length
        }
      }
    }
    scan.end = position
    return scan
  }

  private enum Escape {
    case sound(Int)
    case loneSurrogate
    case incomplete, malformed
    /// There is no hexadecimal digit at the position.
    case noDigit(Int)
  }

  /// Decodes the escape that starts with the backslash at `start`. A surrogate pair is one escape.
  private static func escape(_ bytes: Span<UInt8>, at start: Int) -> Escape {
    guard start + 1 < bytes.count else { return .incomplete }
    switch bytes[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return .sound(2)
    case UInt8(ascii: "u"): break
    default: return .malformed
    }
    for position in (start + 2)..<(start + 6) {
      guard position < bytes.count else { return .incomplete }
      if hexadecimalDigit(bytes[position]) == nil { return .noDigit(position) }
    }
    let unit = hexadecimal(bytes, at: start + 2)
    if unit & 0xF800 != 0xD800 { return .sound(6) }
    if unit >= 0xDC00 { return .loneSurrogate }
    // If the second surrogate is missing, the first one stands alone.
    for (offset, expected) in [(6, UInt8(ascii: "\\")), (7, UInt8(ascii: "u"))] {
      guard start + offset < bytes.count else { return .incomplete }
      if bytes[start + offset] != expected { return .loneSurrogate }
    }
    for position in (start + 8)..<(start + 12) {
      guard position < bytes.count else { return .incomplete }
      // The malformed escape is reported when the scan reaches it.
      if hexadecimalDigit(bytes[position]) == nil { return .loneSurrogate }
    }
    return hexadecimal(bytes, at: start + 8) & 0xFC00 == 0xDC00 ? .sound(12) : .loneSurrogate
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }

  /// Returns the value of four hexadecimal digits, which must exist.
  private static func hexadecimal(_ bytes: Span<UInt8>, at start: Int) -> UInt32 {
    (start..<(start + 4)).reduce(0) { $0 << 4 | (hexadecimalDigit(bytes[$1]) ?? 0) }
  }

  /// Returns the length of the multi-byte character at a position (table 3-7 of the Unicode standard), or 0
  /// if it is invalid. A truncated character has the length of its available bytes.
  private static func lengthOfUTF8(_ bytes: Span<UInt8>, at start: Int) -> Int {
    let lead = bytes[start]
    let length: Int
    var second: ClosedRange<UInt8> = 0x80...0xBF
    switch lead {
    case 0xC2...0xDF: length = 2
    case 0xE0: (length, second) = (3, 0xA0...0xBF)
    case 0xED: (length, second) = (3, 0x80...0x9F)
    case 0xE1...0xEF: length = 3
    case 0xF0: (length, second) = (4, 0x90...0xBF)
    case 0xF1...0xF3: length = 4
    case 0xF4: (length, second) = (4, 0x80...0x8F)
    default: return 0
    }
    for offset in 1..<length {
      guard start + offset < bytes.count else { return offset }
      let allowed = offset == 1 ? second : 0x80...0xBF
      guard allowed.contains(bytes[start + offset]) else { return 0 }
    }
    return length
  }

  /// Decodes the content of a string that ``scan(_:from:)`` found complete. Invalid UTF-8 is kept, and
  /// unpaired surrogates become U+FFFD.
  package static func unescaped(_ content: Span<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    var position = 0
    while position < content.count {
      let byte = content[position]
      guard byte == UInt8(ascii: "\\"), position + 1 < content.count else {
        result.append(byte)
        position += 1
        continue
      }
      let kind = content[position + 1]
      switch kind {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        guard position + 6 <= content.count else { return result }
        var value = hexadecimal(content, at: position + 2)
        if case .sound(12) = escape(content, at: position) {
          value = 0x10000 + (value & 0x3FF) << 10 + hexadecimal(content, at: position + 8) & 0x3FF
          position += 6
        }
        let scalar = Unicode.Scalar(value) ?? "\u{FFFD}"
        result.append(contentsOf: UTF8.encode(scalar) ?? .init())
        position += 4
      default: result.append(kind)
      }
      position += 2
    }
    return result
  }
}
