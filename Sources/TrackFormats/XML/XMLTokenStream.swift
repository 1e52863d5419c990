import TrackModel

/// The tokens of a document, one at a time, with the path of the current one: the basis of every XML
/// format's reader.
struct XMLTokenStream: ~Copyable {
  private var input: ByteInput
  private var tape: XMLTape
  private var scanner: XMLScanner
  /// The parser for documents that the scanner does not support.
  private var library: LibXMLParser?
  private let options: ReadingOptions
  private let usesLibrary: Bool
  var log = WarningLog()

  private var cursor = 0
  private var limit = 0
  private var hasOpened = false
  private var isFinished = false
  private var hasEnded = false
  private var needsMore = false
  /// The elements that repeat, or nil if every element is read as tokens.
  private let rows: XMLRowLearning?
  private var shapes = XMLRowShapes()
  /// The values of the row that ``nextRow()`` has read.
  private(set) var row = XMLRow()
  /// The namespace scope in which the shapes are valid.
  private var shapeScope: Int?
  /// The number of rows of unknown shape that are tolerated until the next chunk. Searching for the shape of
  /// each row of a document without common shapes would cost more than it gains.
  private var patience = XMLTokenStream.patience
  private static let patience = 8
  /// The number of lines skipped before the document.
  private var skippedLines = 0
  /// The names of the `depth` open elements, root first, with capacity for ``ReadingLimits/maximumDepth``.
  private var path = [256 of UInt32](repeating: 0)
  private var depth = 0
  /// The token most recently returned by ``next()``.
  private(set) var current = XMLToken(
    kind: .end, code: 0, name: 0, textOffset: 0, textCount: 0, line: 0, column: 0)
  /// Whether ``next()`` returns the current token again.
  private var isRepeated = false

  /// - Parameters:
  ///   - pieces: the code of elements whose text may be of any length, as for ``XMLTape``; 0 for none.
  ///   - rows: elements whose values ``nextRow()`` returns without tokens.
  ///   - usesLibrary: whether libxml2 always reads the document, for comparing the two parsers.
  ///   - classify: returns the code of a name in the format's grammar, 0 if unknown. Its second argument is
  ///     the namespace of the root, or nil.
  init(
    _ input: consuming ByteInput, options: ReadingOptions, pieces: UInt16 = 0,
    rows: XMLRowLearning? = nil, usesLibrary: Bool = false,
    classify: @escaping (_ name: XMLName, _ root: String?) -> UInt16
  ) {
    self.input = input
    self.usesLibrary = usesLibrary
    self.options = options
    // Limits that a row may exceed are left to the scanner.
    self.rows = min(options.limits.textSize, options.limits.tagSize) >= 4096 ? rows : nil
    var root: String?
    var hasRoot = false
    tape = XMLTape(pieces: pieces, limits: options.limits) { name in
      if !hasRoot {
        hasRoot = true
        root = name.namespace
      }
      return classify(name, root)
    }
    scanner = XMLScanner(tape)
    scanner.pause(after: self.rows?.elements)
    library = nil
  }

  var isStrict: Bool { options.isStrict }
  /// Whether ``next()`` has reached the end of the document or a fault.
  var isAtEnd: Bool { isFinished }
  /// Whether a fault follows the current token, whose text may be incomplete.
  var isBeforeFault: Bool { cursor == limit && tape.fault != nil }

  // MARK: Iteration

  /// Returns the next token, or nil at the end of the document.
  ///
  /// - Throws: ``TrackError/Code/malformed``, `.truncated` if the input ends inside the document, or
  ///   `.limitExceeded`, after all tokens before the fault.
  @inline(__always)
  mutating func next() throws(TrackError) -> XMLToken? {
    while true {
      while cursor == limit {
        guard try refill() else { return nil }
      }
      let token = tape[cursor]
      cursor &+= 1
      switch token.kind {
      case .start:
        path[depth] = token.name
        depth &+= 1
      case .end: depth &-= 1
      default: break
      }
      current = token
      if token.code & XMLToken.undeclared != 0 || token.kind == .unresolvedEntity {
        guard try examine() else { continue }
        return current
      }
      isRepeated = false
      return token
    }
  }

  /// Warns about an irregular token that was just read.
  ///
  /// - Returns: whether the token is used.
  private mutating func examine() throws(TrackError) -> Bool {
    let isUndeclared = current.code & XMLToken.undeclared != 0
    current.code &= ~XMLToken.undeclared
    if isUndeclared, current.kind != .end, !isRepeated {
      try warn(.undeclaredPrefix, "prefix that no namespace is declared for, name taken without it")
    }
    isRepeated = false
    guard current.kind == .unresolvedEntity else { return true }
    try warn(.unresolvedEntity, "undefined entity, ignored")
    return false
  }

  /// Whether ``nextRow()`` may find a row: all tokens up to the end of a row have been read.
  var isBetweenRows: Bool { cursor == limit && scanner.isPaused }

  /// Reads ``row`` after the last token, if it has a shape that occurred before or is simple enough. The
  /// tokens of all other rows are next.
  ///
  /// Call it only if the grammar expects a row.
  mutating func nextRow() -> Bool {
    guard isBetweenRows else { return false }
    if shapeScope != scanner.scope {
      shapes.removeAll()
      shapeScope = scanner.scope
    }
    while true {
      switch shapes.read(input.available, into: &row) {
      case .row(let end, let lines, let lineStart):
        input.consume(end)
        scanner.skip(end, lines: lines, lineStart: lineStart)
        return true
      case .cut: return false
      case .other:
        patience -= 1
        if patience <= 0 { scanner.pause(after: nil) }
        let steps = rows?.steps(input.available) { scanner.code(of: $0, isAttribute: $1) }
        guard let steps, shapes.add(steps) else { return false }
      }
    }
  }

  /// Reads ahead to the end of the innermost open element, and goes back.
  ///
  /// - Returns: whether it contains only leaves with a code and without attributes from here on. False if the
  ///   input can be read only once, and if the end is among the bytes that have already been read, as not
  ///   worth the effort.
  mutating func onlyLeavesFollow(_ code: UInt16) throws(TrackError) -> Bool {
    guard isBetweenRows, input.isSeekable, !options.isLive,
      let search = XMLLeafSearch(
        input.available, isLeaf: { scanner.code(of: $0, isAttribute: false) == code })
    else { return false }
    var index = 0
    var outcome = search.next(input.available, at: &index)
    guard outcome == .cut else { return false }
    let start = input.offset
    while outcome == .cut {
      input.consume(index)
      index = 0
      // An error is thrown again when reading gets there.
      guard (try? input.fill()) == true else { break }
      outcome = search.next(input.available, at: &index)
    }
    try input.seek(to: start)
    return outcome == .end
  }

  /// Returns the next token if it is another attribute or namespace of the start tag just read. Otherwise,
  /// returns nil without consuming a token. These tokens directly follow their start tag, so this never waits
  /// for input.
  @inline(__always)
  mutating func nextAttribute() throws(TrackError) -> XMLToken? {
    guard cursor < limit, case let kind = tape[cursor].kind, kind == .attribute || kind == .namespace else {
      return nil
    }
    return try next()
  }

  /// Makes the next call of ``next()`` return the last token again. Call it directly after ``next()``.
  mutating func unsupportedContent() {
    cursor -= 1
    isRepeated = true
    switch current.kind {
    case .start: depth -= 1
    case .end:
      path[depth] = current.name
      depth += 1
    default: break
    }
  }

  /// Skips to the end of the element whose start tag ``next()`` has just returned.
  mutating func skipElement() throws(TrackError) {
    var depth = 1
    while depth > 0, let token = try next() {
      if token.kind == .start { depth += 1 } else if token.kind == .end { depth -= 1 }
    }
  }

  private mutating func refill() throws(TrackError) -> Bool {
    guard !isFinished else { return false }
    if let fault = tape.fault {
      isFinished = true
      try settle(fault)
      return false
    }
    guard !hasEnded || scanner.isPaused else {
      isFinished = true
      return false
    }
    tape.recycle()
    cursor = 0
    if !hasOpened {
      try open()
      hasOpened = true
    }
    if library != nil {
      if input.available.isEmpty, try !input.fill() {
        if library?.parseRest() != true {
          // A fault found only now is missing content.
          hasEnded = true
          library?.finish()
        }
      } else {
        library?.parse(input.available)
        input.consumeAll()
      }
    } else {
      // Reading enough to grow a long tag by half limits the time for scanning it repeatedly.
      let rest = input.available.count
      if needsMore {
        patience = XMLTokenStream.patience
        scanner.pause(after: rows?.elements)
        try input.fill(atLeast: rest + (rest < 4096 ? 1 : rest / 2))
        hasEnded = input.available.count == rest
      }
      input.consume(scanner.scan(input.available, isLast: hasEnded))
      // Without a pause, the bytes not scanned are an incomplete tag.
      needsMore = !scanner.isPaused
    }
    limit = tape.count
    return true
  }

  /// Chooses the parser for the document.
  private mutating func open() throws(TrackError) {
    try skipOpening()
    try input.fill(atLeast: XMLOpening.length)
    // Only these bytes, so that the choice does not depend on how many more have arrived.
    let opening = input.available.extracting(0..<min(input.available.count, XMLOpening.length))
    if usesLibrary || !XMLOpening.isPlain(opening) { library = LibXMLParser(tape) }
    needsMore = input.available.isEmpty
  }

  /// Skips a byte order mark and the white space that some exporters write before the document. XML allows no
  /// white space before its declaration, and other readers reject these files.
  private mutating func skipOpening() throws(TrackError) {
    try input.fill(atLeast: 4)
    input.skipByteOrderMark()
    while true {
      if input.available.isEmpty, try !input.fill() { return }
      guard isBlank(input.available[0]) else { return }
      if input.available[0] == UInt8(ascii: "\n") { skippedLines += 1 }
      input.consume(1)
    }
  }

  private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  /// Handles a fault: content after the root's end tag is ignored, other faults are errors.
  private mutating func settle(_ fault: XMLFault) throws(TrackError) {
    let place = InputLocation(line: fault.line + skippedLines, column: fault.column, path: pathText)
    if fault.isBehindRoot {
      try log.report(
        .trailingContent, "content after the end of the document, ignored", isStrict: options.isStrict,
        at: place)
      return
    }
    if hasEnded, depth > 0 {
      throw TrackError(.truncated, "the file ends inside an element", place: place)
    }
    throw TrackError(fault.isLimit ? .limitExceeded : .malformed, fault.message, place: place)
  }

  // MARK: Token values

  func text(of token: XMLToken) -> String { tape.string(of: token) }

  /// Returns the text as UTF-8, valid until the next token is read.
  @_lifetime(borrow self)
  func bytes(of token: XMLToken) -> Span<UInt8> { tape.text(of: token) }

  /// Returns the text without surrounding white space, or nil if it is empty.
  func trimmedText(of token: XMLToken) -> String? {
    let bytes = tape.text(of: token)
    var first = 0
    var end = bytes.count
    while first < end, bytes[first] <= 0x20 { first += 1 }
    while end > first, bytes[end - 1] <= 0x20 { end -= 1 }
    guard first < end else { return nil }
    let trimmed = bytes.extracting(first..<end)
    return unsafe trimmed.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the text as a number, or nil if it is not a number.
  func number(of token: XMLToken) -> Double? { DecimalReading.read(tape.text(of: token)) }

  /// Returns the text as a time, or nil if it is not a time.
  func time(of token: XMLToken) -> ISO8601.Reading? { ISO8601.read(tape.text(of: token)) }

  func isBlank(_ token: XMLToken) -> Bool {
    let bytes = tape.text(of: token)
    for index in bytes.indices where bytes[index] > 0x20 { return false }
    return true
  }

  func name(of token: XMLToken) -> XMLName { tape.name(token.name) }

  /// The location of the last token. The path includes a leaf.
  var place: InputLocation {
    var names = (0..<depth).map { path[$0] }
    if current.kind == .leaf, !isRepeated { names.append(current.name) }
    return InputLocation(
      line: Int(current.line) + skippedLines, column: Int(current.column),
      path: names.map { tape.name($0).qualified }.joined(separator: "/"))
  }

  private var pathText: String? {
    depth == 0 ? nil : (0..<depth).map { tape.name(path[$0]).qualified }.joined(separator: "/")
  }

  /// Counts a warning about the last token, whose text is the invalid one.
  mutating func warn(_ code: TrackWarning.Code, _ message: String, quoting token: XMLToken? = nil)
    throws(TrackError)
  {
    if !options.isStrict, log.reportRepeated(code, message) { return }
    let place = place
    let quoted = token.map { text(of: $0) }
    try log.report(code, message, isStrict: options.isStrict, at: place, offendingText: quoted)
  }

  /// Counts a warning at the last token about the text of an earlier one.
  mutating func warn(_ code: TrackWarning.Code, _ message: String, quotingText text: String?)
    throws(TrackError)
  {
    if !options.isStrict, log.reportRepeated(code, message) { return }
    let place = place
    try log.report(code, message, isStrict: options.isStrict, at: place, offendingText: text)
  }

  /// Counts a warning without a token.
  mutating func warn(_ code: TrackWarning.Code, _ message: String, at place: InputLocation) throws(TrackError)
  {
    try log.report(code, message, isStrict: options.isStrict, at: place)
  }
}
