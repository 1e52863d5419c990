import TrackModel

/// The fast path for the bulk of track files: elements in the same order as before, without special
/// characters.
///
/// A step checks everything first and changes the state only if all its bytes are present, expected, and
/// lead to the same tokens as the general path. Everything else, including every fault, is left to the
/// general path from its start.
extension XMLScannerState {
  /// Scans tags, leaves and the white space between them while they are expected, and advances the position
  /// accordingly.
  @inline(__always)
  mutating func matchExpected(_ position: inout Position) {
    while unsafe depth > 0, unsafe tape.pointee.textCount == tape.pointee.pendingText, unsafe !isPaused {
      guard unsafe matchExpectedTag(&position) else { return }
    }
  }

  /// Scans white space and the following tag or leaf.
  ///
  /// - Returns: false, with the position unchanged, if the general path is needed.
  @inline(__always)
  private mutating func matchExpectedTag(_ position: inout Position) -> Bool {
    var cursor = unsafe position
    let before = unsafe (line, lineStart)
    unsafe skipIndentation(&cursor)
    guard unsafe end - cursor > 2, unsafe cursor.pointee == UInt8(ascii: "<") else {
      unsafe (line, lineStart) = before
      return false
    }
    let isTaken =
      unsafe cursor[1] == UInt8(ascii: "/")
      ? matchExpectedEnd(&cursor) : matchExpectedStart(&cursor, blanks: cursor - position)
    guard isTaken else {
      unsafe (line, lineStart) = before
      return false
    }
    unsafe position = unsafe cursor
    unsafe literalText = 0
    return true
  }

  /// Skips white space, most of which is a line feed and up to seven spaces.
  @inline(__always)
  private mutating func skipIndentation(_ cursor: inout Position) {
    if unsafe end - cursor > 9, unsafe cursor.pointee == 0x0A {
      unsafe newline(at: cursor)
      let others = unsafe XMLByte.word(cursor + 1) ^ XMLByte.repeated(0x20)
      unsafe cursor += 1 &+ others.trailingZeroBitCount >> 3
    }
    if unsafe cursor < end, unsafe cursor.pointee != UInt8(ascii: "<") { unsafe skipBlanks(&cursor) }
  }

  /// Scans the end tag of an element that has children and is not the root.
  @inline(__always)
  private mutating func matchExpectedEnd(_ cursor: inout Position) -> Bool {
    guard unsafe depth > 1, unsafe !tape.pointee.isLeafOpen else { return false }
    let entry = unsafe names.entry(open[depth &- 1].entry)
    let first = unsafe cursor + 2
    guard unsafe names.begins(first, end, with: entry), case let behind = unsafe first + entry.pointee.count,
      unsafe behind < end, unsafe behind.pointee == UInt8(ascii: ">")
    else { return false }
    unsafe cursor = unsafe behind + 1
    unsafe tape.pointee.skipWhitespace()
    unsafe depth &-= 1
    unsafe appendExpected(.end, entry, at: cursor)
    unsafe isPaused = unsafe pauses.contains(entry.pointee.code)
    return true
  }

  /// Scans the expected start tag, and the whole element if it is a leaf.
  ///
  /// - Parameter blanks: the number of white space bytes before it.
  @inline(__always)
  private mutating func matchExpectedStart(_ cursor: inout Position, blanks: Int) -> Bool {
    // White space that exceeds the length of a text is a fault if it may become part of one.
    guard unsafe depth < tape.pointee.limits.depth,
      unsafe !tape.pointee.isLeafOpen || blanks <= tape.pointee.limits.textSize
    else { return false }
    let first = unsafe cursor + 1
    let scope = unsafe open[depth &- 1].scope
    guard let element = unsafe names.expected(first, end, scope: scope, classes) else { return false }
    let entry = unsafe names.entry(element)
    var behind = unsafe first + entry.pointee.count
    guard unsafe behind.pointee == UInt8(ascii: ">") else {
      guard unsafe matchExpectedAttributes(&behind, of: entry, scope: scope) else { return false }
      unsafe cursor = unsafe behind
      unsafe enterExpected(element, scope)
      return true
    }
    unsafe behind += 1
    let text = unsafe tape.pointee.textCount
    var value = unsafe behind
    let isLeaf = unsafe copyPlain(&value, to: tape.pointee.text + text)
    if isLeaf, let next = unsafe behindEnd(of: entry, at: value) {
      let count = unsafe value - behind
      guard unsafe count <= tape.pointee.limits.textSize else { return false }
      unsafe tape.pointee.skipWhitespace()
      unsafe tape.pointee.append(
        .leaf, name: entry.pointee.index, code: entry.pointee.code, textOffset: text, textCount: count,
        line: line, column: column(at: behind))
      unsafe tape.pointee.textCount = text &+ count
      unsafe tape.pointee.pendingText = text &+ count
      unsafe names.pass(element)
      unsafe isPaused = unsafe pauses.contains(entry.pointee.code)
      unsafe cursor = unsafe next
      return true
    }
    // The next step examines the content.
    unsafe tape.pointee.skipWhitespace()
    unsafe appendExpected(.start, entry, at: behind)
    unsafe tape.pointee.isLeafOpen = true
    unsafe cursor = unsafe behind
    unsafe enterExpected(element, scope)
    return true
  }

  /// Scans the expected attributes and the `>` after them, and writes the tag to the tape.
  @inline(__always)
  private mutating func matchExpectedAttributes(
    _ cursor: inout Position, of element: UnsafePointer<XMLNameTable.Entry>, scope: Int
  ) -> Bool {
    // A number small enough that comparing all pairs costs little.
    let maximum = 4
    // They are written after the end of the tape, which is moved only when the tag is complete and valid.
    unsafe tape.pointee.reserveTokens(1 + maximum)
    let tokens = unsafe tape.pointee.tokens + tape.pointee.tokenCount + 1
    var textEnd = unsafe tape.pointee.textCount
    var count = 0
    var guess = unsafe element.pointee.firstAttribute
    repeat {
      guard guess >= 0, count < maximum else { return false }
      let entry = unsafe names.entry(guess)
      let name = unsafe cursor + 1
      guard unsafe cursor.pointee == 0x20, unsafe entry.pointee.scope == scope,
        unsafe !entry.pointee.hasPrefix, unsafe names.begins(name, end, with: entry)
      else { return false }
      unsafe cursor = unsafe name + entry.pointee.count
      guard unsafe end - cursor > 2, unsafe cursor.pointee == UInt8(ascii: "="),
        unsafe cursor[1] == UInt8(ascii: "\"")
      else { return false }
      unsafe cursor += 2
      let value = unsafe cursor
      guard unsafe copyPlain(&cursor, stop: UInt8(ascii: "\""), to: tape.pointee.text + textEnd),
        unsafe cursor.pointee == UInt8(ascii: "\"")
      else { return false }
      // Names without a prefix are equal if they are spelled the same.
      for other in 0..<count where unsafe tokens[other].name == entry.pointee.index { return false }
      let valueCount = unsafe cursor - value
      unsafe (tokens + count).initialize(
        to: XMLToken(
          kind: .attribute, code: entry.pointee.code, name: entry.pointee.index,
          textOffset: UInt32(truncatingIfNeeded: textEnd), textCount: UInt32(truncatingIfNeeded: valueCount),
          line: UInt32(truncatingIfNeeded: line), column: 0))
      textEnd &+= valueCount
      count &+= 1
      guess = unsafe entry.pointee.successor
      // Skips the quote, which `copyPlain` found inside the chunk and not at its end.
      unsafe cursor += 1
    } while unsafe cursor.pointee != UInt8(ascii: ">")
    unsafe cursor += 1
    let column = unsafe UInt32(truncatingIfNeeded: self.column(at: cursor))
    for index in 0..<count { unsafe tokens[index].column = column }
    unsafe tape.pointee.skipWhitespace()
    unsafe tape.pointee.textCount = textEnd
    unsafe tape.pointee.pendingText = textEnd
    unsafe appendExpected(.start, element, at: cursor)
    unsafe tape.pointee.tokenCount &+= count
    return true
  }

  /// Opens the element whose start tag was scanned.
  @inline(__always)
  private mutating func enterExpected(_ element: Int, _ scope: Int) {
    unsafe names.pass(element)
    unsafe open[depth] = OpenElement(entry: element, scope: scope)
    unsafe depth &+= 1
  }

  @inline(__always)
  private func appendExpected(
    _ kind: XMLToken.Kind, _ entry: UnsafePointer<XMLNameTable.Entry>, at position: Position
  ) {
    unsafe tape.pointee.append(
      kind, name: entry.pointee.index, code: entry.pointee.code, textOffset: tape.pointee.textCount,
      textCount: 0, line: line, column: column(at: position))
  }

  /// Returns the position after the end tag of an element if that tag begins at a position, or nil.
  @inline(__always)
  private func behindEnd(of entry: UnsafePointer<XMLNameTable.Entry>, at position: Position) -> Position? {
    guard unsafe end - position > 2, unsafe position.pointee == UInt8(ascii: "<"),
      unsafe position[1] == UInt8(ascii: "/"), unsafe names.begins(position + 2, end, with: entry),
      case let behind = unsafe position + 2 + entry.pointee.count, unsafe behind < end,
      unsafe behind.pointee == UInt8(ascii: ">")
    else { return nil }
    return unsafe behind + 1
  }

  /// Copies bytes to the end of the tape's text up to a special byte or `stop`, and leaves the cursor there.
  ///
  /// - Returns: false if the chunk ends at or before that byte.
  @inline(__always)
  private func copyPlain(
    _ cursor: inout Position, stop: UInt8? = nil, to start: UnsafeMutablePointer<UInt8>
  ) -> Bool {
    var target = unsafe start
    let stops = stop.map(XMLByte.repeated)
    while unsafe end - cursor > 8 {
      let word = unsafe XMLByte.word(cursor)
      unsafe UnsafeMutableRawPointer(target).storeBytes(of: word.littleEndian, as: UInt64.self)
      let specials = stops.map { XMLByte.specials(in: word, or: $0) } ?? XMLByte.specials(in: word)
      guard specials == 0 else {
        unsafe cursor += specials.trailingZeroBitCount >> 3
        return true
      }
      unsafe cursor += 8
      unsafe target += 8
    }
    return false
  }
}
