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
  private var sample = SMLSample()
  private var samples = SMLSamples()

  init(_ input: consuming ByteInput, options: ReadingOptions) {
    tokens = XMLTokenStream(input, options: options) { name, _ in SMLElement(name).rawValue }
  }

  var log: WarningLog {
    get { tokens.log }
    set { tokens.log = newValue }
  }

  mutating func next() throws(TrackError) -> LogEntry? {
    while let token = try tokens.next() {
      let element = SMLElement(rawValue: token.code) ?? .other
      switch token.kind {
      case .start:
        try checkRoot(element)
        path.append(element)
        if element == .sample { sample = SMLSample() }
      case .leaf:
        try checkRoot(element)
        try take(element, token)
      case .end:
        guard path.popLast() == .sample, let point = samples.point(of: sample) else { continue }
        guard point.isValid else {
          try tokens.warn(.invalidPosition, "position out of range, point skipped")
          continue
        }
        if hasSentInfo { return .point(point) }
        hasSentInfo = true
        return .point(point, starts: .track(info))
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
    case (.sample, .other): break
    case (.sample, _): if let number = try tokens.readNumber(token) { sample.take(element, number) }
    default: break
    }
  }
}
