import TrackModel

/// Texts in a row, of which a broken one costs no more than itself: RFC 8142, section 2.3, asks that reading
/// goes on behind it.
extension GeoJSONReader {
  /// What is known of the texts up to the one at hand.
  struct Records {
    var hasAny = false
    /// How many were whole.
    var whole = 0
    /// Whether each stood on one line.
    var areLines = true
    /// What was wrong with the first that was broken.
    var fault: TrackError?
  }

  /// Takes note that the text at hand is whole.
  mutating func endRecord() {
    records.whole += 1
    records.areLines = records.areLines && lexer.isOnLine(of: root.start)
  }

  /// Sees to it that a text does not swallow the next line, where texts stand on lines of their own.
  mutating func beginRecord() throws(TrackError) {
    let isFirst = records.whole == 0 && records.fault == nil
    let areLines = records.areLines && !isFirst && !lexer.isInSequence
    lexer.endsAtLineFeed = false
    if areLines { lexer.endsAtLineFeed = try !lexer.isAtIndentedObject() }
    records.hasAny = true
  }

  /// There are no more texts.
  mutating func endRecords() {
    stage = .end
    if records.whole == 0 { pendingError = records.fault }
  }

  /// Passes over what is no object behind a text, up to the next line with one.
  ///
  /// - Returns: whether there is one.
  mutating func passOverOthers() throws(TrackError) -> Bool {
    if lexer.isInSequence { throw TrackError(.unknownFormat, "no object of GeoJSON", place: lexer.place) }
    let mark = lexer.mark()
    if !options.isStrict {
      var lines = 1
      while try lexer.advance(to: UInt8(ascii: "\n")), try lexer.nextText() {
        if try lexer.isAtObject() {
          try lexer.warn(.brokenRecord, "line that is no object, left out", count: lines, at: mark)
          return true
        }
        lines += 1
      }
    }
    try lexer.warn(.trailingContent, "content after the end of the document, ignored", at: mark)
    return false
  }

  /// Leaves a broken text for the one behind it.
  ///
  /// - Parameter held: how many positions of lines are held of it.
  /// - Returns: false, and nothing is changed but the place in the input, where the fault is one of the whole
  ///   file.
  mutating func leaveRecord(_ error: TrackError, held: Int) throws(TrackError) -> Bool {
    guard !options.isStrict, [.malformed, .unknownFormat, .limitExceeded].contains(error.code),
      let lost = try findNextRecord(error)
    else { return false }
    lexer.container = nil
    let isKept = stage != .texts && object.isStreamed && position > 0 || held >= 2
    if records.fault == nil { records.fault = error }
    try lexer.log.report(
      .brokenRecord,
      isKept ? "broken record, what was whole of it is kept" : "broken record, left out", count: lost,
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

  /// Goes behind the broken text.
  ///
  /// - Returns: how many texts it was; nil where there is nothing to tell where the next one begins.
  private mutating func findNextRecord(_ error: TrackError) throws(TrackError) -> Int? {
    if lexer.isInSequence {
      let isFound = try lexer.advance(to: JSONLexer.recordSeparator)
      return isFound || records.whole > 0 || records.fault != nil ? 1 : nil
    }
    if lexer.endsAtLineFeed {
      _ = try lexer.advance(to: UInt8(ascii: "\n"))
      return 1
    }
    // The first text may be a file of its own, or the first line of many.
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
    // Cut off, it went on into the lines behind it, up to an object where none can stand.
    guard place.column == 1, try lexer.isAtObject() else { return nil }
    return line - start
  }
}

extension TrackWarning.Code {
  static let brokenRecord = TrackWarning.Code("broken record")
}
