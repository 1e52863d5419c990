/// A JSON value for output, with keys in insertion order and numbers without exponents or NaN.
package enum JSONValue {
  case null
  case bool(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSONValue])
  /// An array whose elements are made while it is written, so that a long one is never in memory. The
  /// closure passes them on one by one.
  case elements(@Sendable (_ add: (JSONValue) -> Void) -> Void)
  case object([(String, JSONValue)])
  /// A string that needs no escaping, such as hexadecimal digits or Base64.
  case plain([UInt8])

  package static func optional(_ text: String?) -> JSONValue { text.map { .string($0) } ?? .null }
  package static func optional(_ number: Double?) -> JSONValue { number.map { .number($0) } ?? .null }
  package static func time(_ instant: Instant?) -> JSONValue {
    instant.map { .string(ISO8601.text($0, decimals: 3)) } ?? .null
  }
  package static func position(_ coordinate: Coordinate?) -> JSONValue {
    guard let coordinate else { return .null }
    return .object([("lat", .number(coordinate.latitude)), ("lon", .number(coordinate.longitude))])
  }
  /// The members of an object with a place: degrees, rounded to seven decimals (about a centimetre).
  package static func place(_ coordinate: Coordinate) -> [(String, JSONValue)] {
    [("lat", .rounded(coordinate.latitude, 1e7)), ("lon", .rounded(coordinate.longitude, 1e7))]
  }
  /// Returns a number rounded to a multiple of 1/`scale`. A scale of 1e3 rounds to thousandths.
  package static func rounded(_ value: Double?, _ scale: Double) -> JSONValue {
    // Numbers of this magnitude would overflow the scaling, and need no rounding.
    value.map { .number(abs($0) < 1e12 ? ($0 * scale).rounded() / scale + 0 : $0) } ?? .null
  }
  package static func warnings(_ warnings: [TrackWarning]) -> JSONValue {
    .array(
      warnings.map { warning in
        .object([
          ("code", .string(warning.code.description)), ("message", .string(warning.message)),
          ("count", .integer(warning.count)),
          ("line", warning.place.line.map { .integer($0) } ?? .null),
          ("location", .optional(warning.place.text)),
          ("remedies", .array((warning.suggestion?.remedies ?? []).map { .string($0) })),
        ])
      })
  }
  package static func error(_ error: TrackError, hint: String?) -> JSONValue {
    .object([
      ("code", .string(error.code.description)), ("message", .string(error.message)),
      ("line", error.place.line.map { .integer($0) } ?? .null), ("hint", .optional(hint)),
    ])
  }

  /// The value as JSON on one line.
  package var text: String {
    var buffer = ByteBuffer()
    append(to: &buffer) { _ in }
    return buffer.string
  }

  /// Writes the value as JSON on one line with a line feed, in parts of about 64 KiB.
  package func writeLine(_ write: ([UInt8]) -> Void) {
    var buffer = ByteBuffer()
    append(to: &buffer) { buffer in
      guard buffer.count >= 1 << 16 else { return }
      write(buffer.array)
      buffer.removeAll()
    }
    buffer.append(UInt8(ascii: "\n"))
    write(buffer.array)
  }

  package func append(to buffer: inout ByteBuffer) { append(to: &buffer) { _ in } }

  /// Appends the value as JSON. After each element of a long array, `flush` may empty the buffer.
  private func append(to buffer: inout ByteBuffer, flush: (inout ByteBuffer) -> Void) {
    switch self {
    case .plain(let bytes):
      buffer.append(UInt8(ascii: "\""))
      buffer.append(contentsOf: bytes.span)
      buffer.append(UInt8(ascii: "\""))
    case .null: buffer.append("null")
    case .bool(let value): buffer.append(value ? "true" : "false")
    case .integer(let value): buffer.append(String(value))
    case .number(let value):
      if value.isFinite { buffer.append(decimal: value) } else { buffer.append("null") }
    case .string(let value): buffer.append(json: value, isLine: true)
    case .array(let values):
      JSONValue.elements { values.forEach($0) }.append(to: &buffer, flush: flush)
    case .elements(let make):
      buffer.append(UInt8(ascii: "["))
      var isFirst = true
      make { value in
        if !isFirst { buffer.append(", ") }
        isFirst = false
        value.append(to: &buffer, flush: flush)
        flush(&buffer)
      }
      buffer.append(UInt8(ascii: "]"))
    case .object(let members):
      buffer.append(UInt8(ascii: "{"))
      for (index, member) in members.enumerated() {
        if index > 0 { buffer.append(", ") }
        buffer.append(json: member.0, isLine: true)
        buffer.append(": ")
        member.1.append(to: &buffer, flush: flush)
      }
      buffer.append(UInt8(ascii: "}"))
    }
  }
}

extension InputLocation {
  /// The location for people and reports, such as `line 12, gpx/trk` or `point 5`, or `nil` if unknown.
  package var text: String? {
    let position = line.map { "line \($0)" } ?? byteOffset.map { "byte \($0)" }
    let parts = [position, path].compactMap(\.self)
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }
}

extension Suggestion {
  /// The identifiers of suggestions in JSON reports.
  package var remedies: [String] {
    switch self {
    case .dropSpikes: ["drop-spikes"]
    case .splitAtGaps, .provideSplitGap: ["split-at-gaps"]
    case .splitAtStops: ["split-at-stops"]
    case .lengthenSplitGap: ["lengthen-split-gap"]
    case .lengthenCadence: ["lengthen-cadence"]
    case .allowLowerAccuracy: ["allow-lower-accuracy"]
    case .splitOrSimplify: ["split-at-gaps", "simplify"]
    case .provideStart: ["provide-start"]
    case .provideDuration: ["provide-duration"]
    case .provideDurationOrSpeed, .provideDurationOrSpeedOfRoute: ["provide-duration", "provide-speed"]
    case .nameColumns: ["name-columns"]
    case .nameDateOrder: ["name-date-order"]
    case .joinTimedWaypoints: ["join-timed-waypoints"]
    case .reverseTracks: ["reverse"]
    case .combineRecordings: ["combine-recordings"]
    case .either(let first, let second): first.remedies + second.remedies
    default: []
    }
  }
}
