import TrackModel

/// Comments, CDATA sections and processing instructions. They may be long, so they are scanned in parts.
extension XMLScannerState {
  /// Markup that begins with `<!` or `<?` and has its own closing delimiter.
  enum Section {
    case comment, characterData, instruction

    /// The first byte of its closing delimiter.
    var closing: UInt8 {
      switch self {
      case .comment: UInt8(ascii: "-")
      case .characterData: UInt8(ascii: "]")
      case .instruction: UInt8(ascii: "?")
      }
    }
  }

  /// Scans the beginning of a comment or a CDATA section.
  mutating func declaration(_ position: inout Position) -> Outcome {
    unsafe isAtStart = false
    switch unsafe XMLByte.begins(position, end, with: "<!--") {
    case nil: return .incomplete
    case true?:
      unsafe position += 4
      unsafe section = .comment
      return .done
    case false?: break
    }
    switch unsafe XMLByte.begins(position, end, with: "<![CDATA[") {
    case nil: return .incomplete
    case true? where unsafe depth > 0:
      unsafe position += 9
      unsafe section = .characterData
      return .done
    default: return unsafe fail("a declaration where none may stand", at: position)
    }
  }

  /// Scans the target of an instruction or of the XML declaration, which ``XMLOpening`` has validated.
  mutating func instruction(_ position: inout Position) -> Outcome {
    let target = unsafe position + 2
    var cursor = unsafe target
    unsafe skipName(&cursor)
    guard unsafe cursor < end else {
      guard unsafe end - position > tape.pointee.limits.tagSize else { return .incomplete }
      return unsafe fail(
        "a name of more than \(ReadingLimits.text(size: tape.pointee.limits.tagSize))", at: position,
        isLimit: true)
    }
    let name = unsafe String(
      validating: UnsafeBufferPointer(start: target, count: cursor - target), as: UTF8.self)
    guard let name, XMLByte.isUnqualifiedName(name),
      name.lowercased() != "xml" || (unsafe isAtStart && name == "xml")
    else {
      return unsafe fail(
        "an XML declaration that is not at the start, or an instruction without a name", at: position)
    }
    guard unsafe isBlank(cursor.pointee) || cursor.pointee == UInt8(ascii: "?") else {
      return unsafe fail("no white space after the name of an instruction", at: cursor)
    }
    // A question mark directly after the name must be part of the end.
    if unsafe cursor.pointee == UInt8(ascii: "?") {
      guard unsafe cursor + 1 < end else { return .incomplete }
      guard unsafe cursor[1] == UInt8(ascii: ">") else {
        return unsafe fail("no white space after the name of an instruction", at: cursor)
      }
    }
    unsafe isAtStart = false
    unsafe section = .instruction
    unsafe position = unsafe cursor
    return .done
  }

  /// Scans more of the current section, up to and including its end.
  mutating func goOn(_ position: inout Position) -> Outcome {
    guard let kind = unsafe section else { return .done }
    while unsafe position < end {
      let kept = unsafe tape.pointee.textCount
      unsafe run(&position, stop: kind.closing)
      // Only a CDATA section is text.
      if kind != .characterData { unsafe tape.pointee.textCount = kept }
      guard unsafe position < end else { break }
      let outcome: Outcome
      switch unsafe position.pointee {
      case kind.closing: outcome = unsafe closing(kind, &position)
      case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"):
        unsafe tape.pointee.appendText(position.pointee)
        unsafe position += 1
        outcome = .done
      default: outcome = unsafe special(&position, isAttribute: false)
      }
      if kind != .characterData { unsafe tape.pointee.textCount = kept }
      if outcome != .done { return outcome }
      if unsafe section == nil { break }
    }
    if kind == .characterData { return unsafe checkTextLength(position, .done) }
    return .done
  }

  /// Scans the possible end of a section.
  private mutating func closing(_ kind: Section, _ position: inout Position) -> Outcome {
    let available = unsafe end - position
    guard available >= 2 else { return .incomplete }
    let isDouble = unsafe position[1] == kind.closing
    if kind != .instruction, isDouble, available < 3 { return .incomplete }
    var length = 0
    switch kind {
    case .instruction: if unsafe position[1] == UInt8(ascii: ">") { length = 2 }
    case .comment, .characterData: if unsafe isDouble && position[2] == UInt8(ascii: ">") { length = 3 }
    }
    if length == 0 {
      if kind == .comment, isDouble { return unsafe fail("-- inside a comment", at: position) }
      unsafe tape.pointee.appendText(kind.closing)
      unsafe position += 1
      return .done
    }
    unsafe position += length
    unsafe section = nil
    unsafe breakText()
    return .done
  }
}
