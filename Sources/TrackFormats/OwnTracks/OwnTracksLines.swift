import TrackModel

/// Reads the lines of the OwnTracks recorder (`.rec`): time of arrival, kind and JSON, between white space.
///
/// Locations are the points of one track with one segment. Descriptions of regions are waypoints, as are the
/// places at which they were entered and left. Encrypted messages are counted, others ignored.
struct OwnTracksLines: LogSource, ~Copyable {
  private var lines: TextLines
  private let options: ReadingOptions
  /// The further entries of a line, in reverse order.
  private var queue: [LogEntry] = []
  var log = WarningLog()

  init(_ input: consuming ByteInput, options: ReadingOptions) {
    lines = TextLines(input, options)
    self.options = options
  }

  /// Returns the bytes of the message in a line, which may be empty; nil for a line of another form.
  static func message(_ line: Span<UInt8>) -> Range<Int>? {
    let endOfTime = line.indexOfBlank(from: 0)
    let kind = line.indexAfterBlanks(from: endOfTime)
    let message = line.indexAfterBlanks(from: line.indexOfBlank(from: kind))
    guard kind < line.count, ISO8601.read(line.extracting(0..<endOfTime)) != nil else {
      return nil
    }
    return message..<line.count
  }

  mutating func next() throws(TrackError) -> LogEntry? {
    if let entry = queue.popLast() { return entry }
    while try lines.advance() {
      let line = lines.line
      guard line.indexAfterBlanks(from: 0) < line.count || lines.flaw != nil else { continue }
      var isEncrypted = false
      do throws(TrackError) {
        guard let range = OwnTracksLines.message(line), lines.isClosed || !range.isEmpty else {
          throw TrackError(.malformed, "")
        }
        // Some kinds have a plain text or nothing.
        guard !range.isEmpty, line[range.lowerBound] == UInt8(ascii: "{") else { continue }
        var lexer = JSONLexer(ByteInput(bytes: line.extracting(range).array))
        var message = OwnTracksMessage()
        try lexer.beginObject()
        while try lexer.nextMember() { try message.read(lexer.text, &lexer) }
        queue = message.waypoints.reversed().compactMap(\.entry)
        if let entry = message.entry ?? queue.popLast() { return entry }
        guard message.isLocation || message.isEncrypted else { continue }
        isEncrypted = message.isEncrypted
      } catch {
        try log.report(
          .invalidLine, "line that is not a message, skipped", line: lines, isStrict: options.isStrict)
        continue
      }
      if isEncrypted {
        try log.report(
          .encrypted, OwnTracksMessage.encrypted, isStrict: options.isStrict, at: lines.place)
        continue
      }
      try log.report(
        .invalidPosition, "location without a valid position, skipped", isStrict: options.isStrict,
        at: lines.place)
    }
    guard lines.number > 0 else { throw TrackError(.truncated, "the file is empty") }
    return nil
  }
}

extension TrackWarning.Code {
  static let invalidLine = TrackWarning.Code("invalid-line")
  static let encrypted = TrackWarning.Code("encrypted")
}
