import TrackModel

/// Strings: their grammar is checked while passing over them, their content built only where it is asked for.
extension JSONScanner {
  /// The string at the position as UTF-8, its escapes resolved.
  mutating func string() throws(TrackError) -> [UInt8] {
    let (content, hasEscapes) = try rangeOfString()
    return hasEscapes ? unescaped(content) : copy(content)
  }

  /// The string at the position as text.
  mutating func text() throws(TrackError) -> String {
    String(decoding: try string(), as: UTF8.self)
  }

  /// Moves behind a string and tells where its content lies, and whether it holds escapes.
  mutating func rangeOfString() throws(TrackError) -> (content: Range<Int>, hasEscapes: Bool) {
    if !take(UInt8(ascii: "\"")) { throw expected("a string") }
    let start = index
    var position = start
    var hasEscapes = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") {
        index = position + 1
        return (start..<position, hasEscapes)
      }
      if byte == UInt8(ascii: "\\") {
        hasEscapes = true
        position = try endOfEscape(at: position)
      } else if byte < 0x20 {
        throw expected("an escape for a control character", at: position)
      } else if byte < 0x80 {
        position += 1
      } else {
        position += try lengthOfUTF8(at: position)
      }
    }
    throw expected("the end of a string", at: position)
  }

  /// Behind the escape that begins at a backslash; a pair of surrogates is one.
  private func endOfEscape(at start: Int) throws(TrackError) -> Int {
    guard start + 1 < bytes.count else { throw expected("an escape", at: start + 1) }
    switch bytes[start + 1] {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
      UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
      return start + 2
    case UInt8(ascii: "u"):
      let unit = try hexadecimal(at: start + 2)
      if unit & 0xF800 != 0xD800 { return start + 6 }
      guard unit < 0xDC00, start + 7 < bytes.count, bytes[start + 6] == UInt8(ascii: "\\"),
        bytes[start + 7] == UInt8(ascii: "u"), try hexadecimal(at: start + 8) & 0xFC00 == 0xDC00
      else { throw expected("a pair of surrogates", at: start) }
      return start + 12
    default: throw expected("an escape", at: start)
    }
  }

  private func hexadecimal(at start: Int) throws(TrackError) -> UInt32 {
    var value: UInt32 = 0
    for position in start..<(start + 4) {
      guard position < bytes.count, let digit = Self.hexadecimalDigit(bytes[position]) else {
        throw expected("four hexadecimal digits", at: position)
      }
      value = value << 4 | digit
    }
    return value
  }

  private static func hexadecimalDigit(_ byte: UInt8) -> UInt32? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
    case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt32(byte - UInt8(ascii: "a")) + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt32(byte - UInt8(ascii: "A")) + 10
    default: nil
    }
  }

  /// The length of the multi-byte character at a position, by table 3-7 of the Unicode standard.
  private func lengthOfUTF8(at start: Int) throws(TrackError) -> Int {
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
    default: throw expected("UTF-8", at: start)
    }
    for offset in 1..<length {
      let allowed = offset == 1 ? second : 0x80...0xBF
      guard start + offset < bytes.count else { throw expected("UTF-8", at: start + offset) }
      guard allowed.contains(bytes[start + offset]) else { throw expected("UTF-8", at: start) }
    }
    return length
  }

  private func copy(_ content: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    for position in content { result.append(bytes[position]) }
    return result
  }

  /// The bytes of a string whose escapes are known to be sound.
  func unescaped(_ content: Range<Int>) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(content.count)
    var position = content.lowerBound
    while position < content.upperBound {
      let byte = bytes[position]
      guard byte == UInt8(ascii: "\\") else {
        result.append(byte)
        position += 1
        continue
      }
      let kind = bytes[position + 1]
      position += 2
      switch kind {
      case UInt8(ascii: "b"): result.append(0x08)
      case UInt8(ascii: "f"): result.append(0x0C)
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "u"):
        var scalar = soundHexadecimal(at: position)
        position += 4
        if scalar & 0xF800 == 0xD800 {
          scalar = 0x10000 + (scalar & 0x3FF) << 10 + soundHexadecimal(at: position + 2) & 0x3FF
          position += 6
        }
        if let scalar = Unicode.Scalar(scalar) { result.append(contentsOf: UTF8.encode(scalar) ?? .init()) }
      default: result.append(kind)
      }
    }
    return result
  }

  private func soundHexadecimal(at start: Int) -> UInt32 {
    (start..<(start + 4)).reduce(0) { $0 << 4 | (Self.hexadecimalDigit(bytes[$1]) ?? 0) }
  }
}
