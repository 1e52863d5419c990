import TrackModel

/// The tokens of the most recently parsed part of a document, with their text. A parser writes them, and a
/// format's grammar reads them.
///
/// The tape has a fixed address so that C callbacks can access it. Only this file and the two parsers
/// (``XMLScanner``, ``LibXMLParser``) access its memory.
@safe
struct XMLTape: ~Copyable {
  /// The size in bytes above which text is split into pieces, if the grammar requests this.
  static let piece = 1 << 18

  @unsafe let memory: UnsafeMutablePointer<XMLTapeMemory>

  /// - Parameters:
  ///   - pieces: the code of elements whose text is a list separated by white space and of any length. It is
  ///     delivered as several texts between a start and an end, and incomplete in a truncated document. 0 for
  ///     none.
  ///   - limits: the limits of the parsers.
  ///   - classify: returns the code of a name in the format's grammar, 0 if unknown; called once per
  ///     distinct name.
  init(
    pieces: UInt16 = 0, limits: ReadingLimits = ReadingLimits(), classify: @escaping (XMLName) -> UInt16
  ) {
    unsafe memory = .allocate(capacity: 1)
    unsafe memory.initialize(to: XMLTapeMemory(pieces: pieces, limits: limits, classify: classify))
  }

  deinit {
    unsafe memory.pointee.free()
    unsafe memory.deinitialize(count: 1)
    unsafe memory.deallocate()
  }

  /// The number of complete tokens.
  var count: Int { unsafe memory.pointee.tokenCount - (memory.pointee.isLeafOpen ? 1 : 0) }

  /// - Precondition: `0 <= index < count`.
  subscript(index: Int) -> XMLToken {
    precondition(index >= 0 && index < count, "no such token")
    return unsafe memory.pointee.tokens[index]
  }

  /// Returns a token's text, as UTF-8.
  @_lifetime(borrow self)
  func text(of token: XMLToken) -> Span<UInt8> {
    let start = unsafe UnsafePointer(memory.pointee.text + Int(token.textOffset))
    let span = unsafe Span(_unsafeStart: start, count: Int(token.textCount))
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// Returns a token's text as a string.
  func string(of token: XMLToken) -> String {
    unsafe String(
      decoding: UnsafeBufferPointer(
        start: memory.pointee.text + Int(token.textOffset), count: Int(token.textCount)), as: UTF8.self)
  }

  /// Returns the name with an index, as used by tokens.
  func name(_ index: UInt32) -> XMLName { unsafe memory.pointee.names[Int(index)] }

  /// The reason why the parser stopped, or nil.
  var fault: XMLFault? { unsafe memory.pointee.fault }

  /// Clears the tape except for an incomplete element.
  mutating func recycle() { unsafe memory.pointee.recycle() }
}

/// The memory that the parsers write to.
@unsafe
struct XMLTapeMemory {
  var tokens: UnsafeMutablePointer<XMLToken>
  var tokenCount = 0
  private var tokenCapacity = 1 << 12

  var text: UnsafeMutablePointer<UInt8>
  var textCount = 0
  private var textCapacity = 1 << 17

  /// The start of the text since the last tag.
  var pendingText = 0
  /// Whether the last token is a start tag without attributes, which may become a leaf.
  var isLeafOpen = false
  var hasClosedRoot = false
  /// The code of elements whose text is split into pieces, and whether the open element is one of them.
  private let pieces: UInt16
  private var isInPieces = false

  let limits: ReadingLimits

  private(set) var names: [XMLName] = []
  private var codes: [UInt16] = []
  private var indices: [XMLName: UInt32] = [:]
  private let classify: (XMLName) -> UInt16

  private(set) var fault: XMLFault?

  init(pieces: UInt16, limits: ReadingLimits, classify: @escaping (XMLName) -> UInt16) {
    unsafe self.pieces = pieces
    unsafe self.limits = limits
    unsafe self.classify = classify
    unsafe tokens = .allocate(capacity: tokenCapacity)
    unsafe text = .allocate(capacity: textCapacity)
  }

  func free() {
    unsafe tokens.deallocate()
    unsafe text.deallocate()
  }

  mutating func recycle() {
    let rest = unsafe textCount - pendingText
    unsafe text.update(from: text + pendingText, count: rest)
    unsafe textCount = rest
    unsafe pendingText = 0
    if unsafe isLeafOpen {
      unsafe tokens[0] = tokens[tokenCount - 1]
      unsafe tokenCount = 1
    } else {
      unsafe tokenCount = 0
    }
  }

  /// Records why the parser stops. Only the first reason is kept.
  ///
  /// - Parameter isLimit: whether the document exceeds one of the ``limits``.
  mutating func record(_ message: String, line: Int, column: Int, isLimit: Bool = false) {
    guard unsafe fault == nil else { return }
    unsafe fault = XMLFault(
      message: message, line: line, column: column, isBehindRoot: hasClosedRoot, isLimit: isLimit)
  }

  /// Returns the index and the code of a name, adding it if it is new.
  mutating func intern(_ name: XMLName) -> (index: UInt32, code: UInt16) {
    if let index = unsafe indices[name] { return unsafe (index, codes[Int(index)]) }
    let index = unsafe UInt32(names.count)
    let isUndeclared = name.prefix != nil && name.namespace == nil
    let code = unsafe classify(name) | (isUndeclared ? XMLToken.undeclared : 0)
    unsafe names.append(name)
    unsafe codes.append(code)
    unsafe indices[name] = index
    return (index, code)
  }

  @inline(__always)
  mutating func append(
    _ kind: XMLToken.Kind, name: UInt32, code: UInt16, textOffset: Int, textCount: Int, line: Int, column: Int
  ) {
    if unsafe tokenCount == tokenCapacity { unsafe growTokens() }
    unsafe (tokens + tokenCount).initialize(
      to: XMLToken(
        kind: kind, code: code, name: name, textOffset: UInt32(truncatingIfNeeded: textOffset),
        textCount: UInt32(truncatingIfNeeded: textCount), line: UInt32(truncatingIfNeeded: line),
        column: UInt32(truncatingIfNeeded: column)))
    unsafe tokenCount &+= 1
  }

  /// Reserves capacity for `more` tokens.
  @inline(__always)
  mutating func reserveTokens(_ more: Int) {
    while unsafe tokenCount + more > tokenCapacity { unsafe growTokens() }
  }

  private mutating func growTokens() {
    let larger = UnsafeMutablePointer<XMLToken>.allocate(capacity: unsafe tokenCapacity * 2)
    unsafe larger.update(from: tokens, count: tokenCount)
    unsafe tokens.deallocate()
    unsafe tokens = unsafe larger
    unsafe tokenCapacity *= 2
  }

  /// Creates a token from the text since the last tag, unless it is only white space.
  ///
  /// - Parameter end: the end of that text. No text is pending afterwards, even if bytes follow it.
  @inline(__always)
  mutating func flushText(upTo end: Int, line: Int, column: Int) {
    unsafe isLeafOpen = false
    unsafe isInPieces = false
    let start = unsafe pendingText
    unsafe pendingText = unsafe textCount
    var index = start
    while index < end, unsafe text[index] <= 0x20 { index &+= 1 }
    if index < end {
      unsafe append(
        .text, name: 0, code: 0, textOffset: start, textCount: end - start, line: line, column: column)
    }
  }

  /// Skips the white space since the last tag, none of which is on the tape.
  @inline(__always)
  mutating func skipWhitespace() {
    unsafe isLeafOpen = false
    unsafe isInPieces = false
  }

  /// Creates a token from the pending text of an element whose text is split into pieces: up to the last
  /// white space if the text is long, and all of it at the end of the document. Call it after parsing a
  /// chunk.
  ///
  /// - Returns: the number of bytes of the pending text that the token contains.
  mutating func cutText(line: Int, column: Int, isLast: Bool) -> Int {
    guard unsafe isLast || textCount - pendingText > XMLTape.piece else { return 0 }
    if unsafe isLeafOpen { unsafe isInPieces = unsafe tokens[tokenCount - 1].code == pieces && pieces != 0 }
    guard unsafe isInPieces else { return 0 }
    var end = unsafe textCount
    while !isLast, unsafe end > pendingText, unsafe text[end - 1] > 0x20 { end -= 1 }
    let count = unsafe end - pendingText
    var first = unsafe pendingText
    while first < end, unsafe text[first] <= 0x20 { first += 1 }
    // White space alone is not a text. Leading white space of a piece is omitted.
    if first < end {
      unsafe isLeafOpen = false
      unsafe append(
        .text, name: 0, code: 0, textOffset: pendingText, textCount: count, line: line, column: column)
    }
    unsafe pendingText = end
    return count
  }

  /// Turns the open start tag into a leaf with the text after it.
  @inline(__always)
  mutating func closeLeaf() {
    unsafe isLeafOpen = false
    let index = unsafe tokenCount &- 1
    unsafe tokens[index].kind = .leaf
    unsafe tokens[index].textOffset = UInt32(truncatingIfNeeded: pendingText)
    unsafe tokens[index].textCount = UInt32(truncatingIfNeeded: textCount &- pendingText)
    unsafe pendingText = textCount
  }

  @inline(__always)
  mutating func appendText(_ start: UnsafePointer<UInt8>, _ count: Int) {
    if unsafe textCount &+ count > textCapacity { unsafe growText(count) }
    if count < 16 {
      // A call costs more than copying these few bytes.
      let target = unsafe text + textCount
      for index in 0..<count { unsafe target[index] = start[index] }
    } else {
      unsafe (text + textCount).update(from: start, count: count)
    }
    unsafe textCount &+= count
  }

  /// Reserves capacity for `more` bytes of text, plus some for copies in whole words.
  mutating func reserveText(_ more: Int) {
    if unsafe textCount + more + 16 > textCapacity { unsafe growText(more + 16) }
  }

  @inline(__always)
  mutating func appendText(_ byte: UInt8) {
    if unsafe textCount == textCapacity { unsafe growText(1) }
    unsafe text[textCount] = byte
    unsafe textCount += 1
  }

  private mutating func growText(_ more: Int) {
    let capacity = unsafe max(textCapacity * 2, textCount + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    unsafe larger.update(from: text, count: textCount)
    unsafe text.deallocate()
    unsafe text = unsafe larger
    unsafe textCapacity = capacity
  }
}
