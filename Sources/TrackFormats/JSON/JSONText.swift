package import TrackModel

/// Writing of JSON.
extension ByteBuffer {
  /// Appends a string in quotation marks, escaping only the characters for which RFC 8259 requires it.
  package mutating func append(json text: String) {
    append(UInt8(ascii: "\""))
    let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
    if isPlain { append(text) } else { append(escaping: text) }
    append(UInt8(ascii: "\""))
  }

  private mutating func append(escaping text: String) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append("\\\"")
      case UInt8(ascii: "\\"): append("\\\\")
      case 0x08: append("\\b")
      case 0x0C: append("\\f")
      case 0x0A: append("\\n")
      case 0x0D: append("\\r")
      case 0x09: append("\\t")
      case 0..<0x20:
        append("\\u00")
        append(UInt8(ascii: "0") + byte >> 4)
        append("0123456789abcdef".utf8.dropFirst(Int(byte & 15)).first ?? UInt8(ascii: "0"))
      default: append(byte)
      }
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
