import TrackModel

/// Reads the logs of Suunto watches (`sml/DeviceLog/Samples/Sample`).
///
/// Samples with a latitude and a longitude, in radians, are the points of one track with one segment. Most
/// values of sensors are in samples of their own; a point has those of the two seconds before it.
struct SMLSource: LogSource, ~Copyable {
  private var tokens: XMLTokenStream
  private var path: [SMLElement] = []
  private var info = TrackInfo()
  private var hasRoot = false
  private var hasSentInfo = false
  private var sample = Sample()
  /// The most recent value of each channel, and its time in seconds since the start of the log.
  private var recent: [Channel: (value: Double, seconds: Double)] = [:]
  /// The start of the log in seconds since 1970, for samples that have only the time since then.
  private var start: Double?
  private var waitingPoint: LogPoint?

  private struct Sample {
    var latitude: Double?
    var longitude: Double?
    var time: Instant?
    /// The time since the start of the log in seconds.
    var seconds: Double?
    var values: [Channel: Double] = [:]
    /// The altitude of the receiver, for points without that of the barometer.
    var altitude: Double?
  }

  /// The age in seconds above which the value of a sensor does not belong to a point.
  private static let maximumAge = 2.0

  init(_ input: consuming ByteInput, options: ReadingOptions) {
    tokens = XMLTokenStream(input, options: options) { name, _ in SMLElement(name).rawValue }
  }

  var log: WarningLog {
    get { tokens.log }
    set { tokens.log = newValue }
  }

  mutating func next() throws(TrackError) -> LogEntry? {
    if let point = waitingPoint {
      waitingPoint = nil
      return .point(point)
    }
    while let token = try tokens.next() {
      let element = SMLElement(rawValue: token.code) ?? .other
      switch token.kind {
      case .start:
        try checkRoot(element)
        path.append(element)
        if element == .sample { sample = Sample() }
      case .leaf:
        try checkRoot(element)
        try take(element, token)
      case .end:
        guard path.popLast() == .sample, let point = try endSample() else { continue }
        if hasSentInfo { return .point(point) }
        hasSentInfo = true
        waitingPoint = point
        return .track(info)
      case .namespace, .attribute, .text, .unresolvedEntity: break
      }
    }
    return nil
  }

  private mutating func checkRoot(_ element: SMLElement) throws(TrackError) {
    guard !hasRoot else { return }
    hasRoot = true
    guard element == .sml else {
      throw TrackError(
        .unknownFormat, "the root element is not sml", place: tokens.place, suggestion: .listFormats)
    }
  }

  private mutating func take(_ element: SMLElement, _ token: XMLToken) throws(TrackError) {
    switch (path.last, element) {
    case (.header, .activity): info.type = tokens.trimmedText(of: token)
    case (.device, .name): info.source = tokens.trimmedText(of: token)
    case (.sample, .utc):
      // The time is UTC even without a zone.
      sample.time = tokens.time(of: token)?.instant
      if sample.time == nil { try tokens.warn(.invalidTime, "invalid time, ignored", quoting: token) }
    case (.sample, .time): sample.seconds = try tokens.readNumber(token)
    case (.sample, .latitude): sample.latitude = try tokens.readNumber(token)
    case (.sample, .longitude): sample.longitude = try tokens.readNumber(token)
    case (.sample, .gpsAltitude): sample.altitude = try tokens.readNumber(token)
    case (.sample, .other): break
    case (.sample, _):
      guard let number = try tokens.readNumber(token), let (channel, value) = element.value(number) else {
        return
      }
      sample.values[channel] = value
    default: break
    }
  }

  /// Returns the point of a sample with a position, and keeps the values of others.
  private mutating func endSample() throws(TrackError) -> LogPoint? {
    if let time = sample.time, let seconds = sample.seconds { start = time.secondsSince1970 - seconds }
    guard let latitude = sample.latitude, let longitude = sample.longitude else {
      for (channel, value) in sample.values { recent[channel] = (value, sample.seconds ?? 0) }
      return nil
    }
    var point = LogPoint(
      latitude: SMLSource.degrees(latitude), longitude: SMLSource.degrees(longitude))
    guard point.isValid else {
      try tokens.warn(.invalidPosition, "position out of range, point skipped")
      return nil
    }
    var time = sample.time
    if time == nil, let start, let seconds = sample.seconds {
      time = Instant(secondsSince1970: start + seconds)
    }
    if let time { point.time = time.microseconds }
    let seconds = sample.seconds ?? 0
    for (channel, last) in recent where abs(seconds - last.seconds) <= SMLSource.maximumAge {
      point[channel] = last.value
    }
    for (channel, value) in sample.values { point[channel] = value }
    if point[.elevation] == nil { point[.elevation] = sample.altitude }
    return point
  }

  /// Returns degrees, rounded to billionths to undo the division.
  private static func degrees(_ radians: Double) -> Double { (radians * 180 / .pi * 1e9).rounded() / 1e9 }
}
