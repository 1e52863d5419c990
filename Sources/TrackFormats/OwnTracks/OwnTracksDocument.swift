import TrackModel

/// Reads JSON that contains messages of OwnTracks at any depth, as the interface of the recorder returns:
/// objects one after another, in an array, or in arrays by user and device.
///
/// The objects of one array, or one after another, are the points of one track with one segment.
struct OwnTracksDocument: LogSource, ~Copyable {
  private var lexer: JSONLexer
  /// The open arrays and objects, outermost first.
  private var open: [Container] = []
  private var array = 0
  /// The array of the last location, if it is not the last array that was entered.
  private var arrayOfTrack: Int?

  private enum Container {
    case array(Int)
    case object(OwnTracksMessage)
  }

  /// The largest nesting depth of messages.
  private static let depth = 16

  init(_ input: consuming ByteInput, options: ReadingOptions) {
    lexer = JSONLexer(input, options: options)
  }

  var log: WarningLog {
    get { lexer.log }
    set { lexer.log = newValue }
  }

  mutating func next() throws(TrackError) -> LogEntry? {
    while true {
      switch open.last {
      case nil:
        guard try lexer.nextText() else { return nil }
        try enter()
      case .array:
        if try lexer.nextElement() { try enter() } else { open.removeLast() }
      case .object(var message):
        if try lexer.nextMember() {
          let name = lexer.text
          let kind = try lexer.kind()
          if kind == .object || kind == .array {
            try enter()
          } else {
            open.removeLast()
            try message.read(name, &lexer)
            open.append(.object(message))
          }
          continue
        }
        open.removeLast()
        if let entry = try entry(of: message) { return entry }
      }
    }
  }

  /// Enters an array or an object, or skips another value.
  private mutating func enter() throws(TrackError) {
    let kind = try lexer.kind()
    guard open.count < OwnTracksDocument.depth, kind == .array || kind == .object else {
      return try lexer.skip()
    }
    if kind == .array {
      try lexer.beginArray()
      array += 1
      open.append(.array(array))
    } else {
      try lexer.beginObject()
      open.append(.object(OwnTracksMessage()))
    }
  }

  private mutating func entry(of message: OwnTracksMessage) throws(TrackError) -> LogEntry? {
    guard let entry = message.entry else {
      if message.isLocation {
        try lexer.warn(.invalidPosition, "location without a valid position, skipped")
      }
      if message.isEncrypted { try lexer.warn(.encrypted, OwnTracksMessage.encrypted) }
      return nil
    }
    guard case .point(let point, _) = entry else { return entry }
    // Each device has its own array.
    var current = 0
    if case .array(let number)? = open.last { current = number }
    defer { arrayOfTrack = current }
    guard let arrayOfTrack, arrayOfTrack != current else { return entry }
    return .point(point, starts: .track(TrackInfo()))
  }
}
