import TrackModel

/// Text: runs of bytes, references, line ends.
extension XMLScannerState {
  /// Reads text up to the next `<`, or as far as it is complete.
  mutating func text(_ position: inout Position) -> Outcome {
    // Most text is white space between tags, which is not kept.
    if unsafe !tape.pointee.isLeafOpen, unsafe tape.pointee.textCount == tape.pointee.pendingText {
      let before = unsafe (line, lineStart)
      var cursor = unsafe position
      unsafe skipBlanks(&cursor)
      if unsafe isTag(cursor) {
        unsafe position = unsafe cursor
        return .done
      }
      if unsafe depth == 0 {
        unsafe position = unsafe cursor
        let isText = unsafe cursor < end && cursor.pointee != UInt8(ascii: "<")
        return unsafe !isText ? .done : fail("text outside of the root element", at: cursor)
      }
      // The white space is part of a text, or the chunk ends inside it.
      unsafe (line, lineStart) = before
    }
    while unsafe position < end {
      unsafe run(&position, stop: UInt8(ascii: "<"))
      guard unsafe position < end, unsafe position.pointee != UInt8(ascii: "<") else { break }
      let outcome = unsafe special(&position, isAttribute: false)
      if outcome == .fault { return .fault }
      if outcome == .incomplete { return unsafe checkTextLength(position, .incomplete) }
    }
    return unsafe checkTextLength(position, .done)
  }

  /// Returns whether a start tag or an end tag begins at the cursor, rather than a comment or a section,
  /// which can be inside text.
  @inline(__always)
  private func isTag(_ cursor: Position) -> Bool {
    guard unsafe end - cursor >= 2, unsafe cursor.pointee == UInt8(ascii: "<") else { return false }
    return unsafe cursor[1] != UInt8(ascii: "!") && cursor[1] != UInt8(ascii: "?")
  }

  @inline(__always)
  func isBlank(_ byte: UInt8) -> Bool { unsafe classes[Int(byte)] & XMLByte.blank != 0 }

  /// Skips white space and counts its lines.
  @inline(__always)
  mutating func skipBlanks(_ cursor: inout Position) {
    while unsafe cursor < end {
      // Indentation: a line feed and spaces, eight at a time.
      while unsafe end - cursor >= 8 {
        let others = unsafe XMLByte.word(cursor) ^ XMLByte.repeated(0x20)
        unsafe cursor += others.trailingZeroBitCount >> 3
        if others != 0 { break }
      }
      guard unsafe cursor < end, unsafe isBlank(cursor.pointee) else { return }
      if unsafe cursor.pointee == 0x0A { unsafe newline(at: cursor) }
      unsafe cursor += 1
    }
  }

  /// Copies bytes to the tape up to a special byte or `stop`.
  @inline(__always)
  mutating func run(_ position: inout Position, stop: UInt8) {
    var cursor = unsafe position
    var target = unsafe tape.pointee.text + tape.pointee.textCount
    let stops = XMLByte.repeated(stop)
    while unsafe end - cursor >= 8 {
      let word = unsafe XMLByte.word(cursor)
      unsafe UnsafeMutableRawPointer(target).storeBytes(of: word.littleEndian, as: UInt64.self)
      let specials = XMLByte.specials(in: word, or: stops)
      guard specials == 0 else {
        unsafe finishRun(&position, cursor + specials.trailingZeroBitCount >> 3)
        return
      }
      unsafe cursor += 8
      unsafe target += 8
    }
    while unsafe cursor < end, case let byte = unsafe cursor.pointee, byte != stop,
      unsafe classes[Int(byte)] & XMLByte.special == 0
    {
      unsafe target.pointee = byte
      unsafe target += 1
      unsafe cursor += 1
    }
    unsafe finishRun(&position, cursor)
  }

  @inline(__always)
  private mutating func finishRun(_ position: inout Position, _ cursor: Position) {
    unsafe tape.pointee.textCount &+= cursor - position
    unsafe position = unsafe cursor
  }

  /// Returns the outcome, or a fault if the text has become too long.
  @inline(__always)
  mutating func checkTextLength(_ position: Position, _ outcome: Outcome) -> Outcome {
    guard unsafe tape.pointee.textCount &- tape.pointee.pendingText > tape.pointee.limits.textSize else {
      return outcome
    }
    return unsafe fail(
      "a text of more than \(ReadingLimits.text(size: tape.pointee.limits.textSize))", at: position,
      isLimit: true)
  }

  /// Whether the text so far ends in two adjacent brackets that occur literally in the document.
  private var endsInBrackets: Bool {
    let count = unsafe tape.pointee.textCount
    guard unsafe count - tape.pointee.pendingText - literalText >= 2 else { return false }
    return unsafe tape.pointee.text[count - 1] == UInt8(ascii: "]")
      && tape.pointee.text[count - 2] == UInt8(ascii: "]")
  }

  /// Ends the current run of literal characters.
  @inline(__always)
  mutating func breakText() {
    unsafe literalText = unsafe tape.pointee.textCount &- tape.pointee.pendingText
  }

  /// Scans a character that needs conversion: a reference, a line end or a non-ASCII character.
  mutating func special(_ position: inout Position, isAttribute: Bool) -> Outcome {
    let byte = unsafe position.pointee
    switch byte {
    case UInt8(ascii: "&"): return unsafe reference(&position)
    case 0x0A:
      unsafe newline(at: position)
      unsafe tape.pointee.appendText(isAttribute ? 0x20 : 0x0A)
    case 0x09: unsafe tape.pointee.appendText(isAttribute ? 0x20 : 0x09)
    case 0x0D:
      // A carriage return, with or without a following line feed, is read as one line feed.
      guard unsafe position + 1 < end else { return .incomplete }
      if unsafe position[1] != 0x0A { unsafe tape.pointee.appendText(isAttribute ? 0x20 : 0x0A) }
    case UInt8(ascii: ">"):
      if unsafe !isAttribute && endsInBrackets { return unsafe fail("]]> in a text", at: position) }
      unsafe tape.pointee.appendText(byte)
    case 0x80...: return unsafe character(&position)
    default: return unsafe fail("a control character that XML does not allow", at: position)
    }
    unsafe position += 1
    return .done
  }

  /// Scans a non-ASCII character.
  mutating func character(_ position: inout Position) -> Outcome {
    switch unsafe XMLByte.sequence(position, end) {
    case .whole(let length, _):
      for offset in 0..<length { unsafe tape.pointee.appendText(position[offset]) }
      unsafe position += length
      return .done
    case .cut: return .incomplete
    case .invalid:
      return unsafe fail(
        "invalid UTF-8 (other encodings must be declared in the first line), or a character that XML forbids",
        at: position)
    }
  }

  /// Scans `&name;`, `&#number;` or `&#xnumber;`.
  private mutating func reference(_ position: inout Position) -> Outcome {
    var cursor = unsafe position + 1
    while unsafe cursor < end, unsafe cursor.pointee != UInt8(ascii: ";") {
      let byte = unsafe cursor.pointee
      let isTooLong = unsafe cursor - position > 64
      if byte <= 0x20 || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || isTooLong {
        return unsafe fail("an & that is not escaped as &amp;", at: position)
      }
      unsafe cursor += 1
    }
    guard unsafe cursor < end else { return .incomplete }
    let name = unsafe UnsafeBufferPointer(start: position + 1, count: cursor - position - 1)
    if unsafe name.first == UInt8(ascii: "#") {
      guard let scalar = unsafe XMLByte.scalar(name.dropFirst()) else {
        return unsafe fail("a reference to a character that XML does not allow", at: position)
      }
      for byte in String(scalar).utf8 { unsafe tape.pointee.appendText(byte) }
    } else if let byte = unsafe XMLByte.predefined(name) {
      unsafe tape.pointee.appendText(byte)
    } else {
      let text = unsafe String(decoding: name, as: UTF8.self)
      return unsafe fail("the entity \(TrackError.printable(text)) is not defined", at: position)
    }
    unsafe position = unsafe cursor + 1
    unsafe breakText()
    return .done
  }
}
