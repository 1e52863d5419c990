import TrackModel

/// Times in JSON: strings in ISO 8601 or GDAL's notation, or seconds or milliseconds since 1970.
enum JSONTime {
  /// Reads a value. Returns nil for null, an empty string and, with a warning, for values that are not
  /// times.
  static func read(_ lexer: inout JSONLexer) throws(TrackError) -> Instant? {
    switch try lexer.kind() {
    case .string:
      try lexer.takeString()
      return try text(&lexer)
    case .number:
      if let number = try lexer.number(), let time = sinceEpoch(number) { return time }
      try lexer.warnOfText(.invalidTime, "invalid time, ignored")
    case .null: try lexer.literal()
    case .true, .false, .array, .object:
      try lexer.warn(.invalidTime, "invalid time, ignored")
      try lexer.skip()
    }
    return nil
  }

  /// Returns the current string as a time.
  private static func text(_ lexer: inout JSONLexer) throws(TrackError) -> Instant? {
    if let reading = ISO8601.read(lexer.rawText) ?? slashed(lexer.rawText) {
      if !reading.hasZone { try lexer.warnOfText(.timeWithoutZone, "time without a zone, treated as UTC") }
      return reading.instant
    }
    if lexer.rawText.isEmpty { return nil }
    if let number = DecimalReading.read(lexer.rawText), let time = sinceEpoch(number) { return time }
    try lexer.warnOfText(.invalidTime, "invalid time, ignored")
    return nil
  }

  /// Returns the time for seconds since 1970. Numbers of at least 10¹¹, which would be the year 5138, are
  /// milliseconds. Returns nil if the year does not have four digits.
  static func sinceEpoch(_ number: Double) -> Instant? {
    let seconds = abs(number) >= 1e11 ? number / 1000 : number
    return Instant(secondsSince1970: seconds).flatMap { $0.hasFourDigitYear ? $0 : nil }
  }

  /// Reads `2012/10/24 23:29:40.5+00`, GDAL's notation for fields of times.
  private static func slashed(_ text: Span<UInt8>) -> ISO8601.Reading? {
    guard text.count >= 10, text.count <= 40, text[4] == UInt8(ascii: "/"), text[7] == UInt8(ascii: "/")
    else {
      return nil
    }
    var dashed: [UInt8] = []
    for index in text.indices { dashed.append(index == 4 || index == 7 ? UInt8(ascii: "-") : text[index]) }
    return ISO8601.read(dashed.span)
  }
}
