import TrackModel

/// Reads the positions of an exercise of Samsung Health (`….location_data.json`): an array of objects.
///
/// All positions are one track; a change of `segment` starts a segment. Times are milliseconds since 1970.
struct SamsungSource: LogSource, ~Copyable {
  private var lexer: JSONLexer
  private var isOpen = false
  private var segment: Double?

  init(_ input: consuming ByteInput, options: ReadingOptions) {
    lexer = JSONLexer(input, options: options)
  }

  var log: WarningLog {
    get { lexer.log }
    set { lexer.log = newValue }
  }

  mutating func next() throws(TrackError) -> LogEntry? {
    if !isOpen {
      isOpen = true
      try lexer.beginArray()
    }
    while try lexer.nextElement() {
      guard try lexer.enterObject() else { continue }
      var point = LogPoint(latitude: .nan, longitude: .nan)
      var segment: Double?
      while try lexer.nextMember() {
        switch lexer.text {
        case "latitude": point.latitude = try lexer.numberOrNothing() ?? .nan
        case "longitude": point.longitude = try lexer.numberOrNothing() ?? .nan
        case "altitude": point[.elevation] = try lexer.numberOrNothing()
        case "accuracy":
          if let value = try lexer.numberOrNothing(), value >= 0 { point[.horizontalAccuracy] = value }
        case "heart_rate": if let value = try lexer.numberOrNothing(), value > 0 { point[.heartRate] = value }
        case "start_time":
          // 0 is an unknown time.
          if let time = try JSONTime.read(&lexer), time.microseconds != 0 { point.time = time.microseconds }
        case "segment": segment = try lexer.numberOrNothing()
        default: try lexer.skip()
        }
      }
      guard point.isValid else {
        try lexer.warn(.invalidPosition, "row without a valid position, skipped")
        continue
      }
      defer { self.segment = segment }
      guard let last = self.segment, let segment, last != segment else { return .point(point) }
      return .point(point, starts: .segment)
    }
    return nil
  }
}
