import TrackModel

/// The first bytes of a file read as JSON, with the properties that identify the format.
struct JSONOpening {
  /// Whether the first value is an array. The other properties then apply to its first element.
  private(set) var isArray = false
  /// The names of the members of the first object.
  private(set) var names: Set<String> = []
  /// The value of its member `type`, if that is a string.
  private(set) var type: String?
  /// Whether it begins with a record separator (RFC 8142), or a second object follows the first.
  private(set) var isSequence = false

  /// Whether `locations` begins with a Feature of GeoJSON, as in the requests that Overland sends to a
  /// server.
  private(set) var hasLocationFeatures = false

  init(_ bytes: [UInt8]) {
    let first = bytes.first { $0 > 0x20 || $0 == 0x1E }
    guard let first, [0x1E, UInt8(ascii: "{"), UInt8(ascii: "[")].contains(first) else { return }
    isSequence = first == 0x1E
    var lexer = JSONLexer(ByteInput(bytes: bytes))
    // The bytes may end anywhere. The properties found until then are used.
    do throws(TrackError) { try read(&lexer) } catch {}
  }

  private mutating func read(_ lexer: inout JSONLexer) throws(TrackError) {
    guard try lexer.nextText() else { return }
    if try !lexer.isAtObject() {
      try lexer.beginArray()
      isArray = true
      guard try lexer.nextElement() else { return }
    }
    try lexer.beginObject()
    while try lexer.nextMember() {
      let name = lexer.text
      names.insert(name)
      if name == "type", try lexer.kind() == .string {
        type = try lexer.string()
      } else if name == "locations", try lexer.kind() == .array {
        try readLocations(&lexer)
      } else {
        try lexer.skip()
      }
    }
    if !isArray, try lexer.nextText(), try lexer.isAtObject() { isSequence = true }
  }

  /// Examines the first element of `locations`.
  private mutating func readLocations(_ lexer: inout JSONLexer) throws(TrackError) {
    try lexer.beginArray()
    var isFirst = true
    while try lexer.nextElement() {
      guard isFirst, try lexer.kind() == .object else {
        try lexer.skip()
        continue
      }
      isFirst = false
      try lexer.beginObject()
      while try lexer.nextMember() {
        if lexer.text == "type", try lexer.kind() == .string {
          hasLocationFeatures = try lexer.string() == "Feature"
        } else {
          try lexer.skip()
        }
      }
    }
  }
}
