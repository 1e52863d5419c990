import TrackModel

/// Start tags and end tags.
extension XMLScannerState {
  mutating func startTag(_ position: inout Position) -> Outcome {
    if unsafe tape.pointee.hasClosedRoot { return unsafe fail("a second root element", at: position) }
    let first = unsafe position + 1
    var scope = unsafe depth > 0 ? open[depth &- 1].scope : 0
    let expected = unsafe names.expected(first, end, scope: scope, classes)
    var cursor = unsafe first
    if let expected {
      unsafe cursor += names.entry(expected).pointee.count
    } else {
      guard unsafe classes[Int(first.pointee)] & XMLByte.nameStart != 0 else {
        return unsafe fail("a < that begins no tag", at: position)
      }
      unsafe skipName(&cursor)
      guard unsafe cursor < end else { return unsafe incompleteTag(position) }
    }
    let nameCount = unsafe cursor - first
    unsafe attributeCount = 0
    unsafe declaresNamespaces = false
    var isEmpty = false
    // Nothing is written before the tag is known to be complete and valid.
    let textEnd = unsafe tape.pointee.textCount
    let textPlace = unsafe (line: line, column: column(at: position))
    if unsafe cursor.pointee != UInt8(ascii: ">") {
      let lineStart = unsafe self.lineStart
      let outcome = unsafe takeAttributes(&cursor)
      if outcome == .incomplete {
        unsafe line = textPlace.line
        unsafe self.lineStart = lineStart
        unsafe tape.pointee.textCount = textEnd
        return unsafe incompleteTag(position)
      }
      if outcome == .fault { return .fault }
      isEmpty = unsafe cursor.pointee == UInt8(ascii: "/")
      if isEmpty { unsafe cursor += 1 }
      if unsafe declaresNamespaces {
        guard let inner = unsafe declareNamespaces(in: scope, at: position) else { return .fault }
        scope = inner
      }
    }
    unsafe cursor += 1
    guard unsafe depth < tape.pointee.limits.depth else {
      return unsafe fail(
        "elements nested more than \(tape.pointee.limits.depth) deep", at: position, isLimit: true)
    }
    let element: Int
    if let expected, unsafe !declaresNamespaces {
      element = expected
      unsafe names.pass(expected)
    } else if let found = unsafe names.element(first, nameCount, scope: scope, tape) {
      element = found
    } else {
      return unsafe failName(at: position)
    }
    if unsafe attributeCount > 0, unsafe !resolveAttributes(of: element, scope, at: position) {
      return .fault
    }
    unsafe tape.pointee.flushText(upTo: textEnd, line: textPlace.line, column: textPlace.column)
    unsafe appendTag(.start, element, at: cursor)
    unsafe tape.pointee.isLeafOpen = true
    if unsafe attributeCount > 0 { unsafe writeAttributes(column: column(at: cursor)) }
    unsafe literalText = 0
    unsafe isAtStart = false
    unsafe position = unsafe cursor
    unsafe open[depth] = OpenElement(entry: element, scope: scope)
    unsafe depth &+= 1
    if isEmpty { unsafe close(element, at: position) }
    return .done
  }

  mutating func endTag(_ position: inout Position) -> Outcome {
    guard unsafe depth > 0 else { return unsafe fail("an end tag without a start tag", at: position) }
    let element = unsafe open[depth &- 1].entry
    let entry = unsafe names.entry(element)
    // The required name is known. Another name is examined only to report the fault.
    guard unsafe names.begins(position + 2, end, with: entry) else {
      return unsafe mismatch(entry, position)
    }
    var cursor = unsafe position + 2 + entry.pointee.count
    guard unsafe cursor < end else { return .incomplete }
    if unsafe cursor.pointee != UInt8(ascii: ">") {
      guard unsafe isBlank(cursor.pointee) else { return unsafe mismatch(entry, position) }
      let before = unsafe (line, lineStart)
      unsafe skipBlanks(&cursor)
      guard unsafe cursor < end else {
        unsafe (line, lineStart) = before
        return .incomplete
      }
      if unsafe cursor.pointee != UInt8(ascii: ">") { return unsafe mismatch(entry, position) }
    }
    if unsafe !tape.pointee.isLeafOpen {
      unsafe tape.pointee.flushText(
        upTo: tape.pointee.textCount, line: line, column: column(at: position))
    }
    unsafe position = unsafe cursor + 1
    unsafe close(element, at: position)
    return .done
  }

  /// Closes the innermost element. The position is after its tag.
  @inline(__always)
  private mutating func close(_ element: Int, at position: Position) {
    unsafe depth &-= 1
    if unsafe depth == 0 { unsafe tape.pointee.hasClosedRoot = true }
    if unsafe tape.pointee.isLeafOpen {
      unsafe tape.pointee.closeLeaf()
    } else {
      unsafe appendTag(.end, element, at: position)
    }
    unsafe literalText = 0
    unsafe isPaused = unsafe pauses.contains(names.entry(element).pointee.code)
  }

  @inline(__always)
  private func appendTag(_ kind: XMLToken.Kind, _ element: Int, at position: Position) {
    let entry = unsafe names.entry(element)
    unsafe tape.pointee.append(
      kind, name: entry.pointee.index, code: entry.pointee.code, textOffset: tape.pointee.textCount,
      textCount: 0, line: line, column: column(at: position))
  }

  @inline(__always)
  func skipName(_ cursor: inout Position) {
    while unsafe cursor < end, unsafe classes[Int(cursor.pointee)] & XMLByte.name != 0 { unsafe cursor += 1 }
  }

  @discardableResult
  mutating func failName(at position: Position) -> Outcome {
    guard let limit = unsafe names.exceededLimit(tape) else {
      return unsafe fail("an invalid name", at: position)
    }
    return unsafe fail(limit, at: position, isLimit: true)
  }

  /// Returns the outcome for a tag that continues after the end of the chunk.
  private mutating func incompleteTag(_ position: Position) -> Outcome {
    guard unsafe end - position > tape.pointee.limits.tagSize else { return .incomplete }
    return unsafe fail(
      "a tag of more than \(ReadingLimits.text(size: tape.pointee.limits.tagSize))", at: position,
      isLimit: true)
  }

  /// Returns the outcome for an end tag that does not match the open element.
  private mutating func mismatch(
    _ entry: UnsafePointer<XMLNameTable.Entry>, _ position: Position
  ) -> Outcome {
    var cursor = unsafe position + 2
    while unsafe cursor < end, unsafe cursor.pointee != UInt8(ascii: ">") { unsafe cursor += 1 }
    guard unsafe cursor < end else { return unsafe incompleteTag(position) }
    let found = unsafe String(
      decoding: UnsafeBufferPointer(start: position + 2, count: cursor - position - 2), as: UTF8.self)
    let name = unsafe names.spelling(entry.pointee)
    return unsafe fail(
      "the end tag \(TrackError.printable(found)) where \(TrackError.printable(name)) is open", at: position)
  }
}
