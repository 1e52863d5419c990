import TrackModel

/// JSON for scripts: keys in the order in which they are given, never an exponent, never NaN.
enum JSONValue {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([(String, JSONValue)])

  static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
  static func optional(_ number: Double?) -> JSONValue { number.map { .number($0) } ?? .null }
  static func time(_ instant: Instant?) -> JSONValue {
    instant.map { .string(ISO8601.text($0, decimals: 3)) } ?? .null
  }
  static func position(_ coordinate: Coordinate?) -> JSONValue {
    guard let coordinate else { return .null }
    return .object([("lat", .number(coordinate.latitude)), ("lon", .number(coordinate.longitude))])
  }
  static func warnings(_ warnings: [TrackWarning]) -> JSONValue {
    .array(
      warnings.map { warning in
        .object([
          ("code", .string(warning.code.description)), ("message", .string(warning.message)),
          ("count", .integer(warning.count)),
          ("line", warning.place.line.map { .integer($0) } ?? .null),
        ])
      })
  }
  static func error(_ error: TrackError) -> JSONValue {
    .object([
      ("code", .string(error.code.description)), ("message", .string(error.message)),
      ("line", error.place.line.map { .integer($0) } ?? .null), ("hint", .optional(error.hint)),
    ])
  }

  /// The value on one line.
  var text: String {
    var buffer = ByteBuffer()
    append(to: &buffer)
    return buffer.string
  }

  private func append(to buffer: inout ByteBuffer) {
    switch self {
    case .null: buffer.append("null")
    case .bool(let value): buffer.append(value ? "true" : "false")
    case .integer(let value): buffer.append(String(value))
    case .number(let value):
      if value.isFinite { buffer.append(decimal: value) } else { buffer.append("null") }
    case .string(let value): JSONValue.append(value, to: &buffer)
    case .array(let values):
      buffer.append("[")
      for (index, value) in values.enumerated() {
        if index > 0 { buffer.append(", ") }
        value.append(to: &buffer)
      }
      buffer.append("]")
    case .object(let members):
      buffer.append("{")
      for (index, member) in members.enumerated() {
        if index > 0 { buffer.append(", ") }
        JSONValue.append(member.0, to: &buffer)
        buffer.append(": ")
        member.1.append(to: &buffer)
      }
      buffer.append("}")
    }
  }

  private static func append(_ text: String, to buffer: inout ByteBuffer) {
    let hexadecimal = Array("0123456789abcdef".utf8)
    buffer.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): buffer.append("\\\"")
      case UInt8(ascii: "\\"): buffer.append("\\\\")
      case UInt8(ascii: "\n"): buffer.append("\\n")
      case 0..<0x20:
        buffer.append("\\u00")
        buffer.append(hexadecimal[Int(byte >> 4)])
        buffer.append(hexadecimal[Int(byte & 15)])
      default: buffer.append(byte)
      }
    }
    buffer.append(UInt8(ascii: "\""))
  }
}
