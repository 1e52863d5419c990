import TrackModel

/// Parses the positions of Google's exports.
enum TimelinePlace {
  /// Reads a position: `"48.83°, 2.25°"` and `"48.83, 2.25"` (Android), `"geo:48.83,2.25"` (iPhone), an
  /// object with one of these as `latLng`, or an object with degrees times 10^7.
  ///
  /// - Returns: `nil` for null and an empty object, and with a warning for an invalid position.
  static func read(_ lexer: inout JSONLexer) throws(TrackError) -> Coordinate? {
    let mark = lexer.mark()
    switch try lexer.kind() {
    case .string:
      try lexer.takeString()
      if let coordinate = parse(lexer) { return coordinate }
      try lexer.warnOfText(.invalidPosition, "invalid position, skipped")
    case .object:
      var latitude: Double?
      var longitude: Double?
      var coordinate: Coordinate?
      try lexer.beginObject()
      while try lexer.nextMember() {
        switch TimelineName(lexer) {
        case .latLng: coordinate = try read(&lexer) ?? coordinate
        case .latitudeE7: latitude = try lexer.numberOrNothing()
        case .longitudeE7: longitude = try lexer.numberOrNothing()
        default: try lexer.skip()
        }
      }
      if let coordinate { return coordinate }
      guard let latitude, let longitude else { return nil }
      return try checked(latitudeE7: latitude, longitudeE7: longitude, mark, &lexer)
    case .null: try lexer.literal()
    case .array, .number, .true, .false:
      try lexer.warn(.invalidPosition, "invalid position, skipped")
      try lexer.skip()
    }
    return nil
  }

  /// Converts degrees times 10^7 to degrees. Returns `nil` with a warning if out of range.
  ///
  /// Files of some years contain negative numbers to which 2^32 was added.
  static func checked(
    latitudeE7: Double, longitudeE7: Double, _ mark: JSONLexer.Mark, _ lexer: inout JSONLexer
  ) throws(TrackError) -> Coordinate? {
    let latitude = (latitudeE7 > 900_000_000 ? latitudeE7 - 0x1p32 : latitudeE7) / 1e7
    let longitude = (longitudeE7 > 1_800_000_000 ? longitudeE7 - 0x1p32 : longitudeE7) / 1e7
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    if coordinate.isValid { return coordinate }
    try lexer.warn(.invalidPosition, "latitude or longitude out of range, point skipped", at: mark)
    return nil
  }

  /// Parses the current string as latitude and longitude.
  private static func parse(_ lexer: borrowing JSONLexer) -> Coordinate? {
    if lexer.hasEscapes {
      let text = Array(lexer.text.utf8)
      return parse(text.span)
    }
    return parse(lexer.rawText)
  }

  static func parse(_ text: Span<UInt8>) -> Coordinate? {
    var index = 0
    // The numbers are separated by other characters: `geo:`, a degree sign (C2 B0), a comma, spaces.
    func skipMarks() {
      while index < text.count {
        let byte = text[index]
        let isNumber =
          byte &- UInt8(ascii: "0") <= 9 || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "+")
          || byte == UInt8(ascii: ".")
        if isNumber { return }
        index += 1
      }
    }
    skipMarks()
    guard let latitude = DecimalReading.scan(text, at: &index) else { return nil }
    skipMarks()
    guard let longitude = DecimalReading.scan(text, at: &index) else { return nil }
    let coordinate = Coordinate(latitude: latitude, longitude: longitude)
    return coordinate.isValid ? coordinate : nil
  }
}
