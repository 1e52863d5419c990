import TrackModel

/// Times in JSON: ISO 8601 in a string, as GDAL writes it too, or seconds or milliseconds since 1970.
enum JSONTime {
  /// Takes a value; nil for null and an empty string and, with a warning, for what is no time.
  static func read(_ lexer: inout JSONLexer) throws(TrackError) -> Instant? {
    switch try lexer.kind() {
    case .string:
      try lexer.takeString()
      return try text(&lexer)
    case .number:
      if let number = try lexer.number(), let time = sinceEpoch(number) { return time }
      try lexer.warnOfText(.invalidTime, "time cannot be read, left out")
    case .null: try lexer.literal()
    case .true, .false, .array, .object:
      try lexer.warn(.invalidTime, "time cannot be read, left out")
      try lexer.skip()
    }
    return nil
  }

  /// The string at hand as a time.
  private static func text(_ lexer: inout JSONLexer) throws(TrackError) -> Instant? {
    if let reading = ISO8601.read(lexer.rawText) ?? slashed(lexer.rawText) {
      if !reading.hasZone { try lexer.warnOfText(.timeWithoutZone, "time without a zone, taken as UTC") }
      return reading.instant
    }
    if lexer.rawText.isEmpty { return nil }
    if let number = DecimalReading.read(lexer.rawText), let time = sinceEpoch(number) { return time }
    try lexer.warnOfText(.invalidTime, "time cannot be read, left out")
    return nil
  }

  /// Seconds since 1970, or milliseconds from 10^11 on, which as seconds would be the year 5138; nil for what
  /// no four-digit year holds.
  static func sinceEpoch(_ number: Double) -> Instant? {
    let seconds = abs(number) >= 1e11 ? number / 1000 : number
    // Years 0000 to 9999.
    guard seconds >= -62_167_219_200, seconds < 253_402_300_800 else { return nil }
    return Instant(secondsSince1970: seconds)
  }

  /// `2012/10/24 23:29:40.5+00`, as GDAL writes a field of times.
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
