import TrackModel

/// Sequences of texts. A broken text is skipped, as RFC 8142, section 2.3, requires.
extension GeoJSONReader {
  /// The state of the texts up to the current one.
  struct Records {
    var hasAny = false
    /// The number of complete texts.
    var whole = 0
    /// Whether each text was on one line.
    var areLines = true
    /// The error of the first broken text.
    var fault: TrackError?
  }

  /// Records that the current text is complete.
  mutating func endRecord() {
    records.whole += 1
    records.areLines = records.areLines && lexer.isOnLine(of: root.start)
  }

  /// Prevents a broken text from consuming the next line, if each text is on a separate line.
  mutating func beginRecord() throws(TrackError) {
    let isFirst = records.whole == 0 && records.fault == nil
    let areLines = records.areLines && !isFirst && !lexer.isInSequence
    lexer.endsAtLineFeed = false
    if areLines { lexer.endsAtLineFeed = try !lexer.isAtIndentedObject() }
    records.hasAny = true
  }

  /// Handles the end of the texts.
  mutating func endRecords() {
    stage = .end
    if records.whole == 0 { pendingError = records.fault }
  }

  /// Skips content after a text up to the next line with an object.
  ///
  /// - Returns: whether there is another object.
  mutating func skipOtherRecords() throws(TrackError) -> Bool {
    if lexer.isInSequence { throw TrackError(.unknownFormat, "not a GeoJSON object", place: lexer.place) }
    let mark = lexer.mark()
    if !options.isStrict {
      var lines = 1
      while try lexer.advance(to: UInt8(ascii: "\n")), try lexer.nextText() {
        if try lexer.isAtObject() {
          try lexer.warn(.brokenRecord, "line that is not an object, skipped", count: lines, at: mark)
          return true
        }
        lines += 1
      }
    }
    try lexer.warn(.trailingContent, "content after the end of the document, ignored", at: mark)
    return false
  }

  /// Skips a broken text.
  ///
  /// - Parameter held: the number of its buffered positions of lines.
  /// - Returns: false if the error affects the whole file. Only the position in the input has then changed.
  mutating func leaveRecord(_ error: TrackError, held: Int) throws(TrackError) -> Bool {
    guard !options.isStrict, [.malformed, .unknownFormat, .limitExceeded].contains(error.code),
      let lost = try findNextRecord()
    else { return false }
    lexer.container = nil
    let isKept = stage != .texts && object.isStreamed && position > 0 || held >= 2
    if records.fault == nil { records.fault = error }
    try lexer.log.report(
      .brokenRecord,
      isKept ? "broken record, its complete part is kept" : "broken record, skipped", count: lost,
      at: error.place, offendingText: error.offendingText.flatMap { $0 == " " ? nil : $0 })
    if held >= 2 {
      deliverHeld()
    } else {
      stage = .texts
      if hasBegunTrack { queue = [.endTrack] + (hasBegunSegment ? [.endSegment] : []) }
      feature = GeoJSONFeature()
    }
    object = ObjectState()
    hasBegunTrack = false
    hasBegunSegment = false
    return true
  }

  /// Advances past the broken text.
  ///
  /// - Returns: the number of skipped texts, or `nil` if the start of the next one is unknown.
  private mutating func findNextRecord() throws(TrackError) -> Int? {
    if lexer.isInSequence {
      let isFound = try lexer.advance(to: JSONLexer.recordSeparator)
      return isFound || records.whole > 0 || records.fault != nil ? 1 : nil
    }
    if lexer.endsAtLineFeed {
      _ = try lexer.advance(to: UInt8(ascii: "\n"))
      return 1
    }
    // The first text may be a whole file or the first line of several.
    let place = lexer.place
    guard records.hasAny, records.areLines, !root.isCollection, object.type != .featureCollection,
      let line = place.line, let start = lexer.place(of: root.start).line
    else { return nil }
    if line == start {
      guard try lexer.advance(to: UInt8(ascii: "\n")), try lexer.nextText(), try lexer.isAtObject() else {
        return nil
      }
      return 1
    }
    // A truncated text extends into the following lines, up to an object in an invalid position.
    guard place.column == 1, try lexer.isAtObject() else { return nil }
    return line - start
  }
}

extension TrackWarning.Code {
  static let brokenRecord = TrackWarning.Code("broken-record")
}
