package import TrackModel

/// Iterates over the rows of a table as ranges of the input buffer (RFC 4180).
///
/// Rows end at a line feed, a carriage return or both. A field that starts with a quote, optionally after
/// spaces, extends to the closing quote, and doubled quotes in it represent one. Other quotes are ordinary
/// characters, and so is a first quote that is not closed: the input ends, or the quote that closes it is in
/// another line and followed by other text. Rows that start with `#` are comments without quoting.
/// Spaces separate fields in files that begin with `%`, as RTKLIB writes it before comments.
package struct CSVRecords: ~Copyable {
  /// The range of a field of the current row in the buffer, without surrounding quotes and spaces.
  private struct Field {
    var start: Int
    var end: Int
    var hasEscapes: Bool
    var isQuoted: Bool
    /// The end of the text after a closing quote.
    var endOfText: Int
  }

  private enum State { case fieldStart, plain, quoted, quoteInQuoted, behindQuote }

  private var input: ByteInput
  let separator: UInt8
  private var fields: [Field] = []
  private var nextLine = 1
  /// The lines of the rows in reverse, if they are not those of a file.
  private var lines: [Int]
  /// The size of the current row in bytes, including its line end.
  private var length = 0
  /// Whether the previous row ended with a carriage return, which a line feed may follow.
  private var mayFollowLineFeed = false

  /// The line at which the current row starts, from 1.
  package private(set) var line = 0
  private(set) var isComment = false
  /// Whether the current row was ended by a line end, not by the end of the input.
  private(set) var isClosed = false
  /// Whether the input ended inside quotes.
  package private(set) var isCut = false
  /// Whether there was text between a closing quote and the separator.
  private(set) var hasTextBehindQuote = false

  /// Whether a field of the current row starts with a quote that is not closed.
  package private(set) var hasUnclosedQuote = false

  /// Whether the current row has zero bytes in place of lost data. Some loggers pad fields with a few.
  private(set) var hasLostData = false
  /// The number of consecutive zero bytes that padding has at most.
  private static let maximumPadding = 64

  /// The longest row in bytes. A longer row has an unclosed quote.
  private let rowSize: Int

  package init(
    _ input: consuming ByteInput, separator: UInt8, limits: ReadingLimits = ReadingLimits(), lines: [Int] = []
  ) {
    rowSize = limits.rowSize
    self.lines = lines.reversed()
    self.input = input
    self.separator = separator
  }

  /// The number of fields of the current row, at least 1.
  package var count: Int { fields.count }

  /// Whether all fields of the current row are empty.
  var isBlank: Bool {
    for field in fields where field.start < field.end { return false }
    return true
  }

  /// Whether another complete row is available, so that ``next()`` does not wait.
  var hasNext: Bool {
    var index = length
    while index < input.available.count {
      if input.available[index] == 0x0A || input.available[index] == 0x0D {
        // The line feed after a carriage return.
        if index == length, mayFollowLineFeed, input.available[index] == 0x0A {
          index += 1
          continue
        }
        return true
      }
      index += 1
    }
    return false
  }

  /// Advances to the next row.
  ///
  /// - Returns: false at the end of the input.
  /// - Throws: ``TrackError/Code/limitExceeded`` for a row that is too long, and errors of the input.
  package mutating func next() throws(TrackError) -> Bool {
    input.consume(length)
    length = 0
    fields.removeAll(keepingCapacity: true)
    isComment = false
    isCut = false
    hasTextBehindQuote = false
    hasUnclosedQuote = false
    if input.available.isEmpty, try !input.fill() { return false }
    if mayFollowLineFeed {
      mayFollowLineFeed = false
      if input.available[0] == 0x0A {
        input.consume(1)
        if input.available.isEmpty, try !input.fill() { return false }
      }
    }
    line = lines.popLast() ?? nextLine
    isComment =
      input.available[0] == UInt8(ascii: "#")
      || separator == 0x20 && input.available[0] == UInt8(ascii: "%")
    var scan = Scan()
    while true {
      if let end = scanField(&scan) {
        close(scan)
        scan.index += 1
        scan.start = scan.index
        scan.state = .fieldStart
        guard end != separator else { continue }
        mayFollowLineFeed = end == 0x0D
        nextLine = line + scan.lines + 1
        try checkSize(scan.index - 1)
        length = scan.index
        isClosed = true
        finish(scan)
        return true
      }
      let isAtEnd = scan.index <= rowSize ? try !input.fill() : false
      if scan.state == .quoted, scan.hasLines, isAtEnd || scan.index > rowSize {
        scan.takeQuoteAsText()
        continue
      }
      try checkSize(scan.index)
      if isAtEnd {
        close(scan)
        isClosed = false
        isCut = scan.state == .quoted
        length = scan.index
        finish(scan)
        return true
      }
    }
  }

  /// Sets the properties of the row that was scanned.
  private mutating func finish(_ scan: Scan) {
    hasTextBehindQuote = scan.hasTextBehindQuote
    hasUnclosedQuote = scan.hasUnclosedQuote
    hasLostData = searchLostData()
    removeKind()
  }

  /// Whether there are zeros inside a field that is not quoted, or more of them inside the row than padding
  /// has.
  private func searchLostData() -> Bool {
    let bytes = input.available.extracting(0..<length)
    guard bytes.containsZero, !isBlank else { return false }
    var run = 0
    for index in bytes.indices {
      if bytes[index] > 0x20, run > CSVRecords.maximumPadding { return true }
      run = bytes[index] == 0 ? run + 1 : 0
    }
    return fields.contains { field in
      !field.isQuoted && (field.start..<field.end).contains { bytes[$0] == 0 }
    }
  }

  private func checkSize(_ size: Int) throws(TrackError) {
    guard size > rowSize else { return }
    throw TrackError(
      .limitExceeded, "row of more than \(ReadingLimits.text(size: rowSize))",
      place: InputLocation(line: line),
      suggestion: .text("check for an unclosed quote"))
  }

  /// Removes the first cells of a row of FlySight 2: `$COL,GNSS`, `$UNIT,GNSS`, or `$GNSS` before values.
  private mutating func removeKind() {
    guard let first = fields.first, first.start < first.end, input.available[first.start] == UInt8(ascii: "$")
    else { return }
    switch text(of: 0) {
    case "$GNSS": fields.removeFirst()
    case "$COL" where text(of: 1) == "GNSS", "$UNIT" where text(of: 1) == "GNSS": fields.removeFirst(2)
    default: break
    }
  }

  /// Appends the current row with its line end, and returns its size.
  func append(to rows: inout [UInt8]) -> Int {
    rows += input.available.extracting(0..<length).array
    if !isClosed { rows.append(0x0A) }
    return length
  }

  /// Returns complete rows from the current one on, of at most `limit` bytes unless one is longer.
  mutating func sample(_ limit: Int) throws(TrackError) -> [UInt8] {
    try input.fill(atLeast: limit)
    let bytes = input.available.extracting(first: limit)
    guard bytes.count == limit else { return bytes.array }
    var end = bytes.count
    while end > 0, bytes[end - 1] != 0x0A, bytes[end - 1] != 0x0D { end -= 1 }
    return bytes.extracting(first: max(end, min(length, bytes.count))).array
  }

  /// The state of scanning a row.
  private struct Scan {
    var index = 0
    var start = 0
    /// The end of the field including trailing text, if different from its detected end.
    var quoteEnd = 0
    var hasEscapes = false
    var state = State.fieldStart
    var lines = 0
    /// The lines before the field.
    var linesBefore = 0
    var lastWasReturn = false
    var hasTextBehindQuote = false
    var hasUnclosedQuote = false

    /// Whether the field in quotes has several lines.
    var hasLines: Bool { lines > linesBefore }

    /// Goes back to the start of a field, whose quote is an ordinary character.
    mutating func takeQuoteAsText() {
      index = start
      start -= 1
      lines = linesBefore
      lastWasReturn = false
      state = .plain
      hasUnclosedQuote = true
    }
  }

  /// Scans to the end of the field or of the available bytes.
  ///
  /// - Returns: the byte that ends the field, or `nil` if it is not available yet.
  private func scanField(_ scan: inout Scan) -> UInt8? {
    let bytes = input.available
    let count = bytes.count
    while scan.index < count {
      let byte = bytes[scan.index]
      switch scan.state {
      case .fieldStart where byte == 0x20 || byte == 0:
        scan.index += 1
        continue
      case .fieldStart where byte == UInt8(ascii: "\"") && !isComment:
        scan.index += 1
        scan.start = scan.index
        scan.hasEscapes = false
        scan.linesBefore = scan.lines
        scan.state = .quoted
        continue
      case .fieldStart, .plain:
        scan.state = .plain
        var index = scan.index
        while index < count {
          let byte = bytes[index]
          if byte == separator || byte == 0x0A || byte == 0x0D { break }
          index += 1
        }
        scan.index = index
        return index < count ? bytes[index] : nil
      case .quoted:
        if byte == UInt8(ascii: "\"") {
          scan.quoteEnd = scan.index
          scan.state = .quoteInQuoted
        } else if byte == 0x0D || (byte == 0x0A && !scan.lastWasReturn) {
          scan.lines += 1
        }
        scan.lastWasReturn = byte == 0x0D
        scan.index += 1
        continue
      case .quoteInQuoted where byte == UInt8(ascii: "\""):
        scan.hasEscapes = true
        scan.state = .quoted
        scan.index += 1
        continue
      case .quoteInQuoted, .behindQuote:
        guard byte != separator, byte != 0x0A, byte != 0x0D else { return byte }
        if byte != 0x20, scan.hasLines {
          scan.takeQuoteAsText()
          continue
        }
        if byte != 0x20 { scan.hasTextBehindQuote = true }
        scan.state = .behindQuote
        scan.index += 1
      }
    }
    return nil
  }

  /// Adds the field that ends at the current position.
  private mutating func close(_ scan: Scan) {
    var start = scan.start
    var end = scan.index
    var hasEscapes = false
    switch scan.state {
    case .quoteInQuoted, .behindQuote:
      end = scan.quoteEnd
      hasEscapes = scan.hasEscapes
    case .quoted: hasEscapes = scan.hasEscapes
    case .fieldStart, .plain:
      let bytes = input.available
      while start < end, CSVRecords.isBlank(bytes[start]) { start += 1 }
      while end > start, CSVRecords.isBlank(bytes[end - 1]) { end -= 1 }
    }
    let isQuoted = scan.state != .fieldStart && scan.state != .plain
    fields.append(
      Field(
        start: start, end: end, hasEscapes: hasEscapes, isQuoted: isQuoted, endOfText: max(end, scan.index)))
  }

  /// Whether a byte is white space, or a zero, with which some loggers pad their fields and headers.
  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0 }

  // MARK: Fields

  /// Returns the raw bytes of a field, empty if the row does not have it.
  @inline(__always)
  @_lifetime(borrow self)
  package func bytes(of index: Int) -> Span<UInt8> {
    guard index < fields.count else { return input.available.extracting(0..<0) }
    let field = fields[index]
    return input.available.extracting(field.start..<field.end)
  }

  func isEmpty(_ index: Int) -> Bool { index >= fields.count || fields[index].start == fields[index].end }

  /// Decodes a field as text. Bytes that are not valid UTF-8 are decoded as Windows-1252, which includes
  /// Latin-1.
  package func text(of index: Int) -> String {
    guard index < fields.count else { return "" }
    let bytes = bytes(of: index)
    var copy: [UInt8] = []
    copy.reserveCapacity(bytes.count)
    var position = 0
    while position < bytes.count {
      let byte = bytes[position]
      copy.append(byte)
      // The second of two quotes.
      if byte == UInt8(ascii: "\""), fields[index].hasEscapes { position += 1 }
      position += 1
    }
    return CSVRecords.text(copy)
  }

  /// Returns ` (mph)` for a heading of RaceCapture such as `"Speed"|"mph"|0.0|150.0|10`, or nothing.
  func unit(of index: Int) -> String {
    guard hasTextBehindQuote, index < fields.count else { return "" }
    let text = input.available.extracting(fields[index].end..<fields[index].endOfText).array
    let parts = text.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    guard parts.count == 4, parts[1].elementsEqual([UInt8(ascii: "|")]), !parts[2].isEmpty else { return "" }
    return " (\(CSVRecords.text(Array(parts[2]))))"
  }

  static func text(_ bytes: [UInt8]) -> String {
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let value = (0x80...0x9F).contains(byte) ? windows1252[Int(byte) - 0x80] : UInt32(byte)
      text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
    }
    return String(text)
  }

  /// The characters of Windows-1252 that differ from Latin-1. Its five undefined codes are kept.
  private static let windows1252: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152,
    0x8D,
    0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161,
    0x203A,
    0x0153, 0x9D, 0x017E, 0x0178,
  ]
}
