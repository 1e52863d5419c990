import TrackModel

/// Reads the logs of Suunto watches (`sml/DeviceLog/Samples/Sample`).
///
/// Samples with a latitude and a longitude, in radians, are the points of one track with one segment. Most
/// values of sensors are in separate samples; a point has those of the two seconds before it. Laps follow
/// the points.
struct SMLSource: SMLLog, ~Copyable {
  private var tokens: XMLTokenStream
  private var path: [SMLElement] = []
  private(set) var info = TrackInfo()
  private var hasRoot = false
  var track = SMLTrack()
  private var sample = SMLSample()

  init(_ input: consuming ByteInput, options: ReadingOptions) {
    tokens = XMLTokenStream(input, options: options) { name, _ in SMLElement(name).rawValue }
  }

  var log: WarningLog {
    get { tokens.log }
    set { tokens.log = newValue }
  }

  mutating func warn(_ code: TrackWarning.Code, _ message: String) throws(TrackError) {
    try tokens.warn(code, message)
  }

  /// Reads up to the end of a sample.
  ///
  /// - Returns: false at the end of the log.
  mutating func advance() throws(TrackError) -> Bool {
    while let token = try tokens.next() {
      let element = SMLElement(rawValue: token.code) ?? .other
      switch token.kind {
      case .start:
        try checkRoot(element)
        if path.last == .events { begin(element) }
        path.append(element)
        if element == .sample { sample = SMLSample() }
      case .leaf:
        try checkRoot(element)
        if path.last == .events { begin(element) }
        try take(element, token)
      case .end:
        guard path.popLast() == .sample else { continue }
        try take(sample)
        return true
      case .namespace, .attribute, .text, .unresolvedEntity: break
      }
    }
    return false
  }

  private mutating func checkRoot(_ element: SMLElement) throws(TrackError) {
    guard !hasRoot else { return }
    hasRoot = true
    guard element == .sml else {
      throw TrackError(
        .unknownFormat, "the root element is not sml", place: tokens.place, suggestion: .listFormats)
    }
  }

  /// Begins an event of the current sample.
  private mutating func begin(_ element: SMLElement) {
    switch element {
    case .lap: sample.events.append(.lap(trigger: nil))
    default: break
    }
  }

  private mutating func take(_ element: SMLElement, _ token: XMLToken) throws(TrackError) {
    switch (path.last, element) {
    case (.header, .activity): info.type = tokens.trimmedText(of: token)
    case (.header, .activityType), (.activity, .activityType):
      if info.type == nil { info.type = tokens.number(of: token).flatMap(SMLActivity.name) }
    case (.header, .dateTime): track.samples.header = track.samples.header ?? tokens.time(of: token)
    case (.activity, .type): info.type = info.type ?? tokens.trimmedText(of: token)
    case (.lap, .type):
      if case .lap = sample.events.last {
        sample.events[sample.events.count - 1] = .lap(trigger: tokens.trimmedText(of: token))
      }
    case (.device, .name): info.source = tokens.trimmedText(of: token)
    case (.sample, .utc):
      // The time is UTC even without a zone.
      sample.time = tokens.time(of: token)?.instant
      if sample.time == nil { try tokens.warn(.invalidTime, "invalid time, ignored", quoting: token) }
    case (.sample, _) where element.isNumber:
      if let number = try tokens.readNumber(token) { sample.take(element, number) }
    default: break
    }
  }
}
