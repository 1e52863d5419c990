import TrackModel

/// The tokens of the part of a document that was parsed last, with their text: what a parser writes and a
/// format's grammar walks.
///
/// The tape lives at a fixed address, so that C callbacks can find it. Only this file and the two parsers
/// (``XMLScanner``, ``LibXMLParser``) touch its memory.
@safe
struct XMLTape: ~Copyable {
  /// Bytes from which on a text comes in pieces, where the grammar asks for that.
  static let piece = 1 << 18

  @unsafe let memory: UnsafeMutablePointer<XMLTapeMemory>

  /// - Parameters:
  ///   - pieces: the code of elements whose text is a list parted by blanks, and may be of any length: it
  ///     comes as texts of some of the list each, between a start and an end. 0 for none.
  ///   - limits: what the parsers accept.
  ///   - classify: gives a name its code in the format's grammar, 0 for unknown; called once per distinct
  ///     name.
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

  /// The number of tokens that are whole.
  var count: Int { unsafe memory.pointee.tokenCount - (memory.pointee.isLeafOpen ? 1 : 0) }

  /// - Precondition: `0 <= index < count`.
  subscript(index: Int) -> XMLToken {
    precondition(index >= 0 && index < count, "no such token")
    return unsafe memory.pointee.tokens[index]
  }

  /// A token's text, as UTF-8.
  @_lifetime(borrow self)
  func text(of token: XMLToken) -> Span<UInt8> {
    let start = unsafe UnsafePointer(memory.pointee.text + Int(token.textOffset))
    let span = unsafe Span(_unsafeStart: start, count: Int(token.textCount))
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// A token's text as a string.
  func string(of token: XMLToken) -> String {
    unsafe String(
      decoding: UnsafeBufferPointer(
        start: memory.pointee.text + Int(token.textOffset), count: Int(token.textCount)), as: UTF8.self)
  }

  /// The name with an index, as tokens carry it.
  func name(_ index: UInt32) -> XMLName { unsafe memory.pointee.names[Int(index)] }

  /// Why the parser stopped, once it has.
  var fault: XMLFault? { unsafe memory.pointee.fault }

  /// Clears the tape but for an element that is not yet whole.
  mutating func recycle() { unsafe memory.pointee.recycle() }
}

/// What the parsers write to.
@unsafe
struct XMLTapeMemory {
  var tokens: UnsafeMutablePointer<XMLToken>
  var tokenCount = 0
  private var tokenCapacity = 1 << 12

  var text: UnsafeMutablePointer<UInt8>
  var textCount = 0
  private var textCapacity = 1 << 17

  /// Where the text since the last tag begins.
  var pendingText = 0
  /// Whether the last token is a start tag without attributes, which may yet turn out to be a leaf.
  var isLeafOpen = false
  var hasClosedRoot = false
  /// The code of elements whose text comes in pieces, and whether that of the open one does.
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

  /// Remembers why the parser stops; only the first reason counts.
  ///
  /// - Parameter isLimit: whether the document exceeds one of the ``limits``.
  mutating func record(_ message: String, line: Int, column: Int, isLimit: Bool = false) {
    guard unsafe fault == nil else { return }
    unsafe fault = XMLFault(
      message: message, line: line, column: column, isBehindRoot: hasClosedRoot, isLimit: isLimit)
  }

  /// The index and the code of a name, which is new or known.
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

  /// Makes room for so many tokens.
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

  /// Makes a token of the text since the last tag, unless it is only white space.
  ///
  /// - Parameter end: where that text ends; nothing is pending any more, whatever lies behind it.
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

  /// Says that what came since the last tag is white space, of which nothing is on the tape.
  @inline(__always)
  mutating func passBlanks() {
    unsafe isLeafOpen = false
    unsafe isInPieces = false
  }

  /// Makes a token of a long text as far as it goes, up to its last blank, where its element is one whose
  /// text comes in pieces. To be called when a chunk was parsed.
  ///
  /// - Returns: how many bytes of the pending text went into the token.
  mutating func cutText(line: Int, column: Int) -> Int {
    guard unsafe textCount - pendingText > XMLTape.piece else { return 0 }
    if unsafe isLeafOpen { unsafe isInPieces = unsafe tokens[tokenCount - 1].code == pieces && pieces != 0 }
    guard unsafe isInPieces else { return 0 }
    var end = unsafe textCount
    while unsafe end > pendingText, unsafe text[end - 1] > 0x20 { end -= 1 }
    let count = unsafe end - pendingText
    var first = unsafe pendingText
    while first < end, unsafe text[first] <= 0x20 { first += 1 }
    // White space alone is no text; a text that begins with it goes on as if it did not.
    if first < end {
      unsafe isLeafOpen = false
      unsafe append(
        .text, name: 0, code: 0, textOffset: pendingText, textCount: count, line: line, column: column)
    }
    unsafe pendingText = end
    return count
  }

  /// Turns the open start tag into a leaf with the text since.
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
      // A call costs more than these few bytes.
      let target = unsafe text + textCount
      for index in 0..<count { unsafe target[index] = start[index] }
    } else {
      unsafe (text + textCount).update(from: start, count: count)
    }
    unsafe textCount &+= count
  }

  /// Makes room for so many bytes of text, and some more that a copy by words may touch.
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
