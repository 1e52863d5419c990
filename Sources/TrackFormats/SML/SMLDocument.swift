import TrackModel

/// Reads the logs of Suunto watches in JSON: `DeviceLog` with its `Samples`, as the app exports them, or
/// `Samples` with `Attributes`, as the service stores them.
///
/// The points, segments and laps are those of ``SMLSource``.
struct SMLDocument: SMLLog, ~Copyable {
  private var lexer: JSONLexer
  private(set) var info = TrackInfo()
  var track = SMLTrack()
  /// The number of open objects around the samples.
  private var depth = 0
  private var isInSamples = false
  private var hasSamples = false

  /// The deepest nesting of a sample in its entry.
  private static let maximumDepth = 8

  init(_ input: consuming ByteInput, options: ReadingOptions) {
    lexer = JSONLexer(input, options: options)
  }

  var log: WarningLog {
    get { lexer.log }
    set { lexer.log = newValue }
  }

  mutating func warn(_ code: TrackWarning.Code, _ message: String) throws(TrackError) {
    try lexer.warn(code, message)
  }

  /// Reads an entry or a member.
  ///
  /// - Returns: false at the end of the log.
  mutating func advance() throws(TrackError) -> Bool {
    if isInSamples {
      isInSamples = try lexer.nextElement()
      if isInSamples { try readEntry() }
    } else if depth == 0 {
      guard try lexer.nextText() else {
        guard hasSamples else { throw TrackError(.malformed, "no samples of a Suunto log") }
        return false
      }
      if try lexer.enterObject() { depth = 1 }
    } else if try lexer.nextMember() {
      try takeMember()
    } else {
      depth -= 1
    }
    return true
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

  /// Reads the name of the watch, the kind of activity and the start.
  private mutating func readHeader() throws(TrackError) {
    while try lexer.nextMember() {
      if lexer.text == "Device", try lexer.kind() == .object {
        try lexer.beginObject()
        while try lexer.nextMember() {
          if lexer.text == "Name" { info.source = try lexer.stringOrNothing() } else { try lexer.skip() }
        }
      } else if lexer.text == "DateTime" {
        let text = try lexer.stringOrNothing() ?? ""
        track.samples.header = track.samples.header ?? ISO8601.read(Array(text.utf8).span)
      } else if lexer.text == "ActivityType" {
        try readActivityType()
      } else {
        try lexer.skip()
      }
    }
  }

  private mutating func readActivityType() throws(TrackError) {
    let type = try lexer.numberOrNothing().flatMap(SMLActivity.name)
    info.type = info.type ?? type
  }

  private mutating func readEntry() throws(TrackError) {
    guard try lexer.enterObject() else { return }
    var sample = SMLSample()
    try SMLDocument.read(&lexer, &sample, depth: 0)
    info.type = info.type ?? sample.activity
    try take(sample)
  }

  /// Reads the members of an object that is a sample or contains one.
  private static func read(
    _ lexer: inout JSONLexer, _ sample: inout SMLSample, depth: Int
  ) throws(TrackError) {
    while try lexer.nextMember() {
      let name = lexer.text
      let kind = try lexer.kind()
      switch name {
      case "Attributes", "suunto/sml", "Sample", "Header":
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
      case "ActivityType" where kind == .number:
        sample.activity = try lexer.number().flatMap(SMLActivity.name)
      case "Events": try readEvents(&lexer, &sample)
      case "UTC": sample.time = try JSONTime.read(&lexer) ?? sample.time
      case "TimeISO8601":
        let time = try JSONTime.read(&lexer)
        sample.time = sample.time ?? time
      default:
        if kind == .number, let element = SMLElement(name: name), element.isNumber,
          let number = try lexer.number()
        {
          sample.take(element, number)
        } else {
          try lexer.skip()
        }
      }
    }
  }

  /// Reads an object of events, or an array of such objects.
  private static func readEvents(_ lexer: inout JSONLexer, _ sample: inout SMLSample) throws(TrackError) {
    if try lexer.kind() == .array {
      try lexer.beginArray()
      while try lexer.nextElement() {
        if try lexer.kind() == .array { try lexer.skip() } else { try readEvent(&lexer, &sample) }
      }
    } else {
      try readEvent(&lexer, &sample)
    }
  }

  private static func readEvent(_ lexer: inout JSONLexer, _ sample: inout SMLSample) throws(TrackError) {
    guard try lexer.enterObject() else { return }
    while try lexer.nextMember() {
      let name = lexer.text
      guard ["Lap", "Activity"].contains(name) else {
        try lexer.skip()
        continue
      }
      guard try lexer.enterObject() else { continue }
      var trigger: String?
      while try lexer.nextMember() {
        switch (name, lexer.text) {
        case ("Lap", "Type"): trigger = try lexer.stringOrNothing()
        case ("Activity", "ActivityType"):
          sample.activity = try lexer.numberOrNothing().flatMap(SMLActivity.name)
        default: try lexer.skip()
        }
      }
      if name == "Lap" { sample.events.append(.lap(trigger: trigger)) }
    }
  }
}
