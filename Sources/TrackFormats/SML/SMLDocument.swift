import TrackModel

/// Reads the logs of Suunto watches in JSON: `DeviceLog` with its `Samples`, as the app exports them, or
/// `Samples` with `Attributes`, as the service stores them.
///
/// The points are those of ``SMLSource``.
struct SMLDocument: LogSource, ~Copyable {
  private var lexer: JSONLexer
  private var info = TrackInfo()
  private var samples = SMLSamples()
  /// The number of open objects around the samples.
  private var depth = 0
  private var isInSamples = false
  private var hasSamples = false
  private var hasSentInfo = false

  /// The deepest nesting of a sample in its entry.
  private static let maximumDepth = 8

  init(_ input: consuming ByteInput, options: ReadingOptions) {
    lexer = JSONLexer(input, options: options)
  }

  var log: WarningLog {
    get { lexer.log }
    set { lexer.log = newValue }
  }

  mutating func next() throws(TrackError) -> LogEntry? {
    while true {
      if isInSamples {
        guard try lexer.nextElement() else {
          isInSamples = false
          continue
        }
        guard let point = try readEntry() else { continue }
        if hasSentInfo { return .point(point) }
        hasSentInfo = true
        return .point(point, starts: .track(info))
      }
      if depth == 0 {
        guard try lexer.nextText() else { break }
        if try lexer.enterObject() { depth = 1 }
      } else if try lexer.nextMember() {
        try takeMember()
      } else {
        depth -= 1
      }
    }
    guard hasSamples else { throw TrackError(.malformed, "no samples of a Suunto log") }
    return nil
  }

  private mutating func takeMember() throws(TrackError) {
    switch lexer.text {
    case "Samples":
      isInSamples = try lexer.enterArray()
      hasSamples = hasSamples || isInSamples
    case "DeviceLog", "Data", "Summary": if try lexer.enterObject() { depth += 1 }
    case "Header": if try lexer.enterObject() { try readHeader() }
    default: try lexer.skip()
    }
  }

  /// Reads the name of the watch.
  private mutating func readHeader() throws(TrackError) {
    while try lexer.nextMember() {
      if lexer.text == "Device", try lexer.kind() == .object {
        try lexer.beginObject()
        while try lexer.nextMember() {
          if lexer.text == "Name" { info.source = try lexer.stringOrNothing() } else { try lexer.skip() }
        }
      } else {
        try lexer.skip()
      }
    }
  }

  private mutating func readEntry() throws(TrackError) -> LogPoint? {
    guard try lexer.enterObject() else { return nil }
    var sample = SMLSample()
    try SMLDocument.read(&lexer, &sample, depth: 0)
    guard let point = samples.point(of: sample) else { return nil }
    guard point.isValid else {
      try lexer.warn(.invalidPosition, "position out of range, point skipped")
      return nil
    }
    return point
  }

  /// Reads the members of an object that is a sample or contains one.
  private static func read(
    _ lexer: inout JSONLexer, _ sample: inout SMLSample, depth: Int
  ) throws(TrackError) {
    while try lexer.nextMember() {
      let name = lexer.text
      let kind = try lexer.kind()
      switch name {
      case "Attributes", "suunto/sml", "Sample":
        if kind == .object, depth < maximumDepth {
          try lexer.beginObject()
          try read(&lexer, &sample, depth: depth + 1)
        } else if kind == .string {
          // Some exports have the attributes as text.
          var inner = JSONLexer(ByteInput(bytes: Array(try lexer.string().utf8)))
          if depth < maximumDepth, try inner.enterObject() { try read(&inner, &sample, depth: depth + 1) }
        } else {
          try lexer.skip()
        }
      case "UTC": sample.time = try JSONTime.read(&lexer) ?? sample.time
      case "TimeISO8601":
        let time = try JSONTime.read(&lexer)
        sample.time = sample.time ?? time
      default:
        if kind == .number, let element = SMLElement(name: name), let number = try lexer.number() {
          sample.take(element, number)
        } else {
          try lexer.skip()
        }
      }
    }
  }
}
