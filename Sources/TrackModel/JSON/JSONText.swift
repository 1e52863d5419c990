/// Writing of JSON.
extension ByteBuffer {
  /// Appends a string in quotation marks, escaping the characters for which RFC 8259 requires it.
  ///
  /// - Parameter isLine: whether to escape all characters that any reader treats as a line break or a control
  ///   character as well.
  package mutating func append(json text: String, isLine: Bool = false) {
    append(UInt8(ascii: "\""))
    let isPlain = text.utf8.allSatisfy {
      $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") && ($0 < 0x7F || !isLine)
    }
    if isPlain { append(text) } else { append(escaping: text, isLine: isLine) }
    append(UInt8(ascii: "\""))
  }

  private mutating func append(escaping text: String, isLine: Bool) {
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x22: append("\\\"")
      case 0x5C: append("\\\\")
      case 0x08: append("\\b")
      case 0x0C: append("\\f")
      case 0x0A: append("\\n")
      case 0x0D: append("\\r")
      case 0x09: append("\\t")
      case 0..<0x20: append(escape: UInt16(scalar.value))
      case 0x7F...0x9F where isLine, 0x2028...0x2029 where isLine: append(escape: UInt16(scalar.value))
      default: for unit in scalar.utf8 { append(unit) }
      }
    }
  }

  private mutating func append(escape unit: UInt16) {
    append("\\u")
    for shift in stride(from: 12, through: 0, by: -4) {
      let digit = UInt8(unit >> UInt16(shift) & 15)
      append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
    }
  }

  /// Appends a comma, except directly after an opening bracket or brace.
  package mutating func separate() {
    guard count > 0 else { return }
    let last = bytes[count - 1]
    if last != UInt8(ascii: "{"), last != UInt8(ascii: "[") { append(UInt8(ascii: ",")) }
  }

  /// Appends `,"name":`, without the comma for the first member.
  package mutating func append(member name: String) {
    separate()
    append(json: name)
    append(UInt8(ascii: ":"))
  }

  /// Appends a member that is a string, or nothing for nil.
  package mutating func append(member name: String, _ text: String?) {
    guard let text else { return }
    append(member: name)
    append(json: text)
  }

  /// Appends a member that is a number, or nothing for nil.
  package mutating func append(member name: String, _ value: Double?) {
    guard let value else { return }
    append(member: name)
    append(decimal: value)
  }

  /// Appends a member that is a time in UTC, or nothing for nil.
  package mutating func append(member name: String, _ time: Instant?) {
    guard let time else { return }
    append(member: name)
    append(json: time)
  }

  /// Appends a time in quotation marks.
  package mutating func append(json time: Instant) {
    append(UInt8(ascii: "\""))
    ISO8601.append(time, to: &self)
    append(UInt8(ascii: "\""))
  }
}
