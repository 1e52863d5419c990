package import TrackModel

/// The kind of a value.
package enum JSONKind: Sendable {
  case object, array, string, number, `true`, `false`, null
}

/// A strict pull parser for JSON (RFC 8259), for input of any size. All JSON formats are read with it.
///
/// ```swift
/// try lexer.beginObject()
/// while try lexer.nextMember() {
///   if lexer.text == "name" { name = try lexer.string() } else { try lexer.skip() }
/// }
/// ```
///
/// Memory is bounded by the longest string or number. If the grammar leaves a choice, the lexer is strict:
/// UTF-8 only (optionally with a byte order mark), surrogates only in pairs. Unless reading is strict,
/// invalid UTF-8 and unpaired surrogates become U+FFFD with a warning. UTF-16, to which Windows converts the
/// output of other programs, and UTF-32 are read as well.
package struct JSONLexer: ~Copyable {
  var input: ByteInput
  let options: ReadingOptions
  var log = WarningLog()

  /// The index of the next byte in the input's window; larger than any window until the input is opened.
  var cursor = JSONLexer.unopened
  /// The first byte of the window that is still needed: the start of the current text.
  private var anchor = 0
  /// The content of the last string or name, or the last number.
  var textStart = 0
  private var textEnd = 0
  /// Whether the current string has escapes.
  private(set) var hasEscapes = false
  private var isRepaired = false
  /// Whether nothing in the innermost array or object has been read yet.
  var isAtStart = false
  var isTranscoded = false
  /// Whether a record separator was skipped (RFC 8142).
  private(set) var isInSequence = false
  /// Whether each text ends with its line.
  var endsAtLineFeed = false
  /// The largest size of a string or number in bytes.
  var textLimit: Int
  /// Whether names can be numbers without quotation marks, as some apps write them.
  var allowsNumericNames = false

  /// The line of the byte at `counted`, an index in the window, and the offset of that line in the input.
  var line = 1
  var lineStart = 0
  var counted = 0

  /// The container named in the locations of errors and warnings, as in `features[12]`.
  var container: StaticString?
  var containerIndex = 0

  static let unopened = 1 << 60

  /// The largest nesting depth of skipped values.
  static let depthLimit = 1 << 20

  package init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.input = input
    self.options = options
    textLimit = options.limits.jsonTextSize
  }

  // MARK: The window

  /// Adds at least one byte to the window, which is doubled, so that long texts are not scanned repeatedly.
  ///
  /// - Returns: false at the end of the input.
  mutating func more() throws(TrackError) -> Bool {
    if anchor > 0 {
      countLines(to: anchor)
      input.consume(anchor)
      counted -= anchor
      cursor -= anchor
      textStart -= anchor
      textEnd -= anchor
      anchor = 0
    }
    let held = input.available.count
    let limit = textLimit
    if held > limit {
      throw TrackError(
        .limitExceeded, "a text of more than \(ReadingLimits.text(size: limit))", place: place)
    }
    guard try input.fill() else { return false }
    if held > 0 { try input.fill(atLeast: min(held * 2, limit + 1)) }
    return true
  }

  /// Skips a byte order mark, and converts UTF-16 and UTF-32 to UTF-8.
  private mutating func open() throws(TrackError) {
    cursor = 0
    isTranscoded = try input.openText()
  }

  /// Returns the next byte that is not white space, or nil at the end of the input.
  ///
  /// - Parameter holdsText: whether the current text is still needed.
  @inline(__always)
  private mutating func peek(holdsText: Bool = false) throws(TrackError) -> UInt8? {
    if cursor < input.available.count {
      let byte = input.available[cursor]
      if byte > 0x20 { return byte }
    }
    return try peekBehindBlanks(holdsText: holdsText)
  }

  private mutating func peekBehindBlanks(holdsText: Bool) throws(TrackError) -> UInt8? {
    if cursor == JSONLexer.unopened { try open() }
    while true {
      cursor = JSONLexer.endOfBlanks(input.available, from: cursor, stopsAtLineFeed: endsAtLineFeed)
      if cursor < input.available.count { return input.available[cursor] }
      if !holdsText { anchor = cursor }
      guard try more() else { return nil }
    }
  }

  static func endOfBlanks(
    _ bytes: Span<UInt8>, from start: Int, stopsAtLineFeed: Bool = false
  ) -> Int {
    var position = start
    while position < bytes.count {
      let byte = bytes[position]
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { break }
      if stopsAtLineFeed, byte == 0x0A { break }
      position += 1
    }
    return position
  }

  /// Continues at an index in the window, after bytes that were processed directly.
  mutating func skip(to index: Int) {
    cursor = index
    anchor = index
    textStart = index
    textEnd = index
  }

  // MARK: Structure

  /// Returns the kind of the next value without consuming it.
  ///
  /// - Throws: ``TrackError`` if there is no value.
  package mutating func kind() throws(TrackError) -> JSONKind {
    switch try peek() {
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "t"): .true
    case UInt8(ascii: "f"): .false
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "-"), UInt8(ascii: "0"), UInt8(ascii: "1"), UInt8(ascii: "2"), UInt8(ascii: "3"),
      UInt8(ascii: "4"), UInt8(ascii: "5"), UInt8(ascii: "6"), UInt8(ascii: "7"), UInt8(ascii: "8"),
      UInt8(ascii: "9"):
      .number
    default: throw expected("a value")
    }
  }

  /// Enters an object. Its members are read with ``nextMember()``.
  package mutating func beginObject() throws(TrackError) {
    guard try peek() == UInt8(ascii: "{") else { throw expected("an object") }
    cursor += 1
    isAtStart = true
  }

  /// Reads the name of the next member of the innermost object, which becomes the current text. The value
  /// must be read before the next call.
  ///
  /// - Returns: false at the end of the object, which is then closed.
  package mutating func nextMember() throws(TrackError) -> Bool {
    guard let byte = try peek() else { throw expected(isAtStart ? "a name or }" : "a comma or }") }
    if byte == UInt8(ascii: "}") {
      cursor += 1
      isAtStart = false
      return false
    }
    if !isAtStart {
      guard byte == UInt8(ascii: ",") else { throw expected("a comma or }") }
      cursor += 1
    }
    if try peek() == UInt8(ascii: "\"") { try takeString() } else { try takeNumericName() }
    isAtStart = false
    guard try peek(holdsText: true) == UInt8(ascii: ":") else { throw expected("a colon") }
    cursor += 1
    return true
  }

  /// Enters an array. Its elements are read with ``nextElement()``.
  package mutating func beginArray() throws(TrackError) {
    guard try peek() == UInt8(ascii: "[") else { throw expected("an array") }
    cursor += 1
    isAtStart = true
  }

  /// Advances to the next element of the innermost array. The element must be read before the next call.
  ///
  /// - Returns: false at the end of the array, which is then closed.
  @inline(__always)
  package mutating func nextElement() throws(TrackError) -> Bool {
    let byte = try peek()
    if byte == UInt8(ascii: "]") {
      cursor += 1
      isAtStart = false
      return false
    }
    if !isAtStart {
      guard byte == UInt8(ascii: ",") else { throw expected("a comma or ]") }
      cursor += 1
      return true
    }
    isAtStart = false
    guard byte != nil else { throw expected("a value or ]") }
    return true
  }

  /// Returns whether another text follows at the outermost level, as in text sequences (RFC 8142) and files
  /// with one text per line. Record separators are treated as white space.
  package mutating func nextText() throws(TrackError) -> Bool {
    endsAtLineFeed = false
    while let byte = try peek() {
      guard byte == JSONLexer.recordSeparator else { return true }
      isInSequence = true
      cursor += 1
    }
    return false
  }

  /// Returns whether the next value is an object, without consuming it.
  mutating func isAtObject() throws(TrackError) -> Bool { try peek() == UInt8(ascii: "{") }

  // MARK: Values

  /// Reads a string, which becomes the current text.
  mutating func takeString() throws(TrackError) {
    guard try peek() == UInt8(ascii: "\"") else { throw expected("a string") }
    anchor = cursor
    while true {
      // Most strings are short and consist of plain characters.
      let end = JSONLexer.endOfPlain(input.available, from: cursor + 1)
      if end < input.available.count, input.available[end] == UInt8(ascii: "\"") {
        textStart = cursor + 1
        textEnd = end
        hasEscapes = false
        isRepaired = false
        cursor = end + 1
        return
      }
      let scan = JSONString.scan(input.available, from: end)
      switch scan.outcome {
      case .whole:
        textStart = cursor + 1
        textEnd = scan.end
        hasEscapes = scan.hasEscapes
        isRepaired = scan.flaw >= 0
        if isRepaired { try repair(scan) }
        cursor = scan.end + 1
        return
      case .incomplete:
        if try !more() {
          cursor = input.available.count
          throw expected("the end of a string")
        }
      case .controlCharacter:
        cursor = scan.end
        throw expected("an escape for a control character")
      case .escape:
        cursor = scan.end
        throw expected("an escape")
      }
    }
  }

  /// Returns the index of the first byte that is a quotation mark or needs further handling.
  @inline(__always)
  private static func endOfPlain(_ bytes: Span<UInt8>, from start: Int) -> Int {
    var position = start
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte < 0x20 || byte >= 0x80 { break }
      position += 1
    }
    return position
  }

  private mutating func repair(_ scan: JSONString.Scan) throws(TrackError) {
    let start = cursor
    cursor = scan.flaw
    let place = place
    let text = text
    cursor = start
    if scan.isSurrogateFlaw {
      try log.report(
        .invalidValue, "half a surrogate pair, replaced by U+FFFD", isStrict: options.isStrict, at: place)
    } else {
      try log.report(
        .invalidValue, "a text that is not UTF-8, what is wrong replaced by U+FFFD",
        isStrict: options.isStrict,
        at: place, offendingText: text)
    }
  }

  /// Reads a string.
  mutating func string() throws(TrackError) -> String {
    try takeString()
    return text
  }

  /// Reads a number.
  ///
  /// - Returns: nil if the number is out of range for a `Double`.
  mutating func number() throws(TrackError) -> Double? {
    if try peek() == nil { throw expected("a number") }
    anchor = cursor
    var isLast = false
    while true {
      var end = cursor
      let scan = JSONNumber.scan(input.available, at: &end, isLast: isLast)
      switch scan {
      case .value(let value):
        textStart = cursor
        textEnd = end
        cursor = end
        hasEscapes = false
        return value
      case .outOfRange:
        textStart = cursor
        textEnd = end
        cursor = end
        hasEscapes = false
        return nil
      case .incomplete: isLast = try !more()
      case .malformed(let fault):
        if fault == .digit || end == input.available.count { cursor = end }
        switch fault {
        case .number: throw expected("a number")
        case .digit: throw expected("a digit")
        case .leadingZero: throw expected("a number without leading zeros")
        }
      }
    }
  }

  /// Reads `true`, `false` or `null`.
  mutating func literal() throws(TrackError) {
    let word: StaticString =
      switch try kind() {
      case .true: "true"
      case .false: "false"
      case .null: "null"
      default: throw expected("true, false or null")
      }
    anchor = cursor
    while input.available.count - cursor < word.utf8CodeUnitCount, try more() {}
    let matching = JSONLexer.countMatching(input.available, from: cursor, "\(word)")
    guard matching == word.utf8CodeUnitCount else {
      // A truncated literal is reported at its end, a wrong one at its start.
      if cursor + matching == input.available.count { cursor += matching }
      throw expected("\(word)")
    }
    textStart = cursor
    textEnd = cursor + word.utf8CodeUnitCount
    hasEscapes = false
    cursor = textEnd
  }

  private static func countMatching(_ bytes: Span<UInt8>, from start: Int, _ word: String) -> Int {
    var count = 0
    for byte in word.utf8 {
      guard start + count < bytes.count, bytes[start + count] == byte else { break }
      count += 1
    }
    return count
  }

  /// Reads an array of two or three numbers, which becomes the current text.
  ///
  /// - Returns: nil, without reading anything, if the next value is something else.
  @inline(__always)
  mutating func takePosition() throws(TrackError) -> JSONPosition? {
    while true {
      var index = cursor
      switch JSONPosition.scan(input.available, at: &index) {
      case .whole(let position, let start):
        anchor = start
        textStart = start
        textEnd = index
        hasEscapes = false
        cursor = index
        return position
      case .incomplete:
        anchor = cursor
        guard try more() else { return nil }
      case .other: return nil
      }
    }
  }

  // MARK: The current text

  /// The value most recently copied by ``copyValue(limit:)``.
  var copied = ByteBuffer(capacity: 64)

  /// The current text as in the input: the content of a string or a name with its escapes, a number, or a
  /// position. Valid until the next value is read.
  var rawText: Span<UInt8> {
    @_lifetime(borrow self) get {
      let bytes = input.available
      return unsafe _overrideLifetime(bytes.extracting(textStart..<textEnd), borrowing: self)
    }
  }

  /// Appends the current text, as in the input, to the copy.
  mutating func copyRawText() {
    copied.append(contentsOf: input.available.extracting(textStart..<textEnd))
  }

  /// The current string or name, with escapes resolved.
  package var text: String {
    let raw = rawText
    if hasEscapes { return String(decoding: JSONString.unescaped(raw), as: UTF8.self) }
    return unsafe raw.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the code of the current name, or 0 if it is unknown.
  func code(in names: JSONNames) -> UInt16 {
    hasEscapes ? names.code(of: JSONString.unescaped(rawText).span) : names.code(of: rawText)
  }

  /// Whether the current string can be written unchanged.
  var isTextSound: Bool { !isRepaired }
}
