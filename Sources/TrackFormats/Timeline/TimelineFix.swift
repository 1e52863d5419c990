import TrackModel

/// A fix of a recording: an element of `locations`, `rawSignals` or `timelineEdits`.
struct TimelineFix {
  var coordinate: Coordinate?
  /// Microseconds since 1970.
  var time = Instant.absent
  var accuracy = Double.nan
  var verticalAccuracy = Double.nan
  var altitude = Double.nan
  var speed = Double.nan
  var heading = Double.nan
  /// The most likely activity, if the element contains activities.
  var activity: String?

  // MARK: Reading

  /// Reads an element of `locations`.
  ///
  /// - Parameter readsActivities: whether to read activities instead of skipping them.
  init(record lexer: inout JSONLexer, readsActivities: Bool) throws(TrackError) {
    let mark = lexer.mark()
    var latitude: Double?
    var longitude: Double?
    try lexer.beginObject()
    while try lexer.nextMember() {
      switch TimelineName(lexer) {
      case .latitudeE7: latitude = try lexer.numberOrNothing()
      case .longitudeE7: longitude = try lexer.numberOrNothing()
      // Polarsteps writes `{"lat": 52.52, "lon": 13.405, "time": 1560000000.123}`.
      case .latitude: latitude = try lexer.numberOrNothing().map { $0 * 1e7 }
      case .longitude: longitude = try lexer.numberOrNothing().map { $0 * 1e7 }
      case .activity where readsActivities: activity = try TimelineFix.latestActivity(&lexer) ?? activity
      case let name: try readValue(name, &lexer)
      }
    }
    guard let latitude, let longitude else {
      try lexer.warn(.invalidPosition, "record without latitude or longitude, skipped", at: mark)
      return
    }
    coordinate = try TimelinePlace.checked(latitudeE7: latitude, longitudeE7: longitude, mark, &lexer)
  }

  /// Reads an element of `rawSignals`, or one of `timelineEdits`, which contains it in `rawSignal.signal`.
  init(signal lexer: inout JSONLexer) throws(TrackError) { try readSignal(&lexer) }

  private mutating func readSignal(_ lexer: inout JSONLexer) throws(TrackError) {
    try lexer.beginObject()
    while try lexer.nextMember() {
      switch TimelineName(lexer) {
      case .position:
        guard try lexer.enterObject() else { continue }
        while try lexer.nextMember() {
          switch TimelineName(lexer) {
          case .latLng, .point: coordinate = try TimelinePlace.read(&lexer) ?? coordinate
          case let name: try readValue(name, &lexer)
          }
        }
      case .signal where try lexer.isAtObject(): try readSignal(&lexer)
      case .activityRecord:
        guard try lexer.enterObject() else { continue }
        while try lexer.nextMember() {
          if TimelineName(lexer) == .activities {
            activity = try TimelineFix.likeliest(&lexer) ?? activity
          } else {
            try lexer.skip()
          }
        }
      default: try lexer.skip()
      }
    }
  }

  private mutating func readValue(_ name: TimelineName, _ lexer: inout JSONLexer) throws(TrackError) {
    switch name {
    case .time: time = try JSONTime.read(&lexer)?.microseconds ?? time
    case .accuracy: accuracy = try lexer.numberOrNothing() ?? .nan
    case .accuracyInMillimetres: accuracy = try lexer.numberOrNothing().map { $0 / 1000 } ?? .nan
    case .verticalAccuracy: verticalAccuracy = try lexer.numberOrNothing() ?? .nan
    case .altitude: altitude = try lexer.numberOrNothing() ?? .nan
    case .speed: speed = try lexer.numberOrNothing() ?? .nan
    case .heading: heading = try lexer.numberOrNothing() ?? .nan
    default: try lexer.skip()
    }
  }

  /// Reads `[{"timestamp": …, "activity": [{"type": …, "confidence": …}]}]`.
  private static func latestActivity(_ lexer: inout JSONLexer) throws(TrackError) -> String? {
    var latest: String?
    guard try lexer.enterArray() else { return nil }
    while try lexer.nextElement() {
      guard try lexer.enterObject() else { continue }
      while try lexer.nextMember() {
        switch TimelineName(lexer) {
        case .activity, .activities: latest = try likeliest(&lexer) ?? latest
        default: try lexer.skip()
        }
      }
    }
    return latest
  }

  /// Reads `[{"type": …, "confidence": …}]` and returns the first type with the highest confidence.
  static func likeliest(_ lexer: inout JSONLexer) throws(TrackError) -> String? {
    var best: String?
    var bestConfidence = -1.0
    guard try lexer.enterArray() else { return nil }
    while try lexer.nextElement() {
      guard try lexer.enterObject() else { continue }
      var type: String?
      var confidence = 0.0
      while try lexer.nextMember() {
        switch TimelineName(lexer) {
        case .type: type = try lexer.stringOrNothing()
        case .confidence: confidence = try lexer.numberOrNothing() ?? 0
        default: try lexer.skip()
        }
      }
      if let type, confidence > bestConfidence {
        best = type
        bestConfidence = confidence
      }
    }
    return best
  }

  // MARK: Giving

  /// Appends the fix as a row.
  func append(_ coordinate: Coordinate, to batch: inout PointBatch) {
    batch.append(latitude: coordinate.latitude, longitude: coordinate.longitude, time: time)
    batch.set(.elevation, ifKnown: altitude)
    batch.set(.horizontalAccuracy, ifKnown: accuracy)
    batch.set(.verticalAccuracy, ifKnown: verticalAccuracy)
    batch.set(.speed, ifKnown: speed)
    batch.set(.course, ifKnown: heading)
  }
}
