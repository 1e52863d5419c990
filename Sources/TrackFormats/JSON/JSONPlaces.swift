import TrackModel

/// Records locations in the input, and creates warnings and errors about them.
extension JSONLexer {
  /// Counts the lines of the window up to an index. Each line is counted once.
  mutating func countLines(to end: Int) {
    guard end > counted else { return }
    let found = input.available.extracting(counted..<end).lineFeeds()
    line += found.count
    if let last = found.last { lineStart = input.offset + counted + last + 1 }
    counted = end
  }

  /// A location in the input that is cheap to record.
  struct Mark {
    fileprivate var line = 1
    fileprivate var column = 1
    fileprivate var byteOffset = 0
  }

  /// Returns the location of the next byte.
  mutating func mark() -> Mark {
    guard cursor != JSONLexer.unopened else { return Mark() }
    countLines(to: cursor)
    let offset = input.offset + cursor
    return Mark(line: line, column: offset - lineStart + 1, byteOffset: offset)
  }

  /// Returns a recorded location, with the path of the current container.
  func place(of mark: Mark) -> InputLocation {
    InputLocation(
      line: mark.line, column: mark.column,
      // After a conversion the offsets differ from those in the file.
      byteOffset: isTranscoded ? nil : mark.byteOffset, path: path)
  }

  /// The location of the next byte.
  var place: InputLocation { place(at: cursor) }

  /// The location of the start of the current text.
  var placeOfText: InputLocation { place(at: textStart) }

  private func place(at position: Int) -> InputLocation {
    let bytes = input.available
    let position = min(position, bytes.count)
    var mark = Mark(line: line, column: 1, byteOffset: input.offset + position)
    var start = lineStart
    if position >= counted {
      for index in counted..<position where bytes[index] == UInt8(ascii: "\n") {
        mark.line += 1
        start = input.offset + index + 1
      }
    } else {
      for index in position..<counted where bytes[index] == UInt8(ascii: "\n") { mark.line -= 1 }
      var index = position
      while index > 0, bytes[index - 1] != UInt8(ascii: "\n") { index -= 1 }
      // If the line begins before the window, its start is that of the counted line, or unknown.
      start = mark.line == line ? lineStart : input.offset + index
    }
    mark.column = mark.byteOffset - start + 1
    return place(of: mark)
  }

  private var path: String? { container.map { "\($0)[\(containerIndex)]" } }

  /// Returns the error for unexpected input at the cursor, or for the end of the input.
  mutating func expected(_ what: String) -> TrackError {
    // Reads enough bytes to show, whatever the chunks. If that fails, the available ones are shown.
    do throws(TrackError) { try input.fill(atLeast: cursor + 40) } catch {}
    let bytes = input.available
    if cursor >= bytes.count {
      return TrackError(.truncated, "the file ends where \(what) was expected", place: place)
    }
    if bytes[cursor] == JSONLexer.recordSeparator || endsAtLineFeed && bytes[cursor] == UInt8(ascii: "\n") {
      return TrackError(.malformed, "the record ends where \(what) was expected", place: place)
    }
    var shown: [UInt8] = []
    for position in cursor..<min(cursor + 40, bytes.count) {
      let byte = bytes[position]
      let isMark = byte <= 0x20 || [UInt8(ascii: ","), UInt8(ascii: "}"), UInt8(ascii: "]")].contains(byte)
      if isMark, position > cursor { break }
      shown.append(byte)
    }
    return TrackError(
      .malformed, "expected \(what)", place: place, offendingText: String(decoding: shown, as: UTF8.self))
  }

  /// Counts a warning at the cursor.
  mutating func warn(_ code: TrackWarning.Code, _ message: String, count: Int = 1) throws(TrackError) {
    // Counting the lines up to the place takes time.
    if !options.isStrict, log.reportRepeated(code, message, count: count) { return }
    let place = place
    try log.report(code, message, count: count, isStrict: options.isStrict, at: place)
  }

  /// Counts a warning about the current text.
  mutating func warnOfText(_ code: TrackWarning.Code, _ message: String) throws(TrackError) {
    if !options.isStrict, log.reportRepeated(code, message) { return }
    let place = placeOfText
    let text = text
    try log.report(code, message, isStrict: options.isStrict, at: place, offendingText: text)
  }

  /// Counts a warning about an earlier location.
  mutating func warn(
    _ code: TrackWarning.Code, _ message: String, count: Int = 1, at mark: Mark
  ) throws(TrackError) {
    if !options.isStrict, log.reportRepeated(code, message, count: count) { return }
    let place = place(of: mark)
    try log.report(code, message, count: count, isStrict: options.isStrict, at: place)
  }

  /// Counts a warning at the location of an error.
  mutating func warn(_ code: TrackWarning.Code, _ message: String, at place: InputLocation) throws(TrackError)
  {
    try log.report(code, message, isStrict: options.isStrict, at: place)
  }
}
