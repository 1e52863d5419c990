import TrackModel

/// A scanner for XML 1.0 in UTF-8 without a document type, writing to a tape: what nearly every track file is.
///
/// Three times as fast as a general parser because it does less: one encoding, no entities but the predefined
/// ones and character references, names compared as bytes and resolved once per spelling and scope. It checks
/// the document as strictly as libxml2 does; the two are compared on the same inputs in the tests. Documents of
/// another kind go to ``LibXMLParser`` before the first byte is scanned.
@safe
struct XMLScanner: ~Copyable {
  private let state: UnsafeMutablePointer<ScannerState>

  /// - Parameter tape: outlives the scanner.
  init(_ tape: borrowing XMLTape) {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: ScannerState(tape: tape.memory))
  }

  deinit {
    unsafe state.pointee.free()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Scans as much of the bytes as is whole; tokens come behind those on the tape. Does nothing after a fault.
  ///
  /// - Parameter isLast: whether no bytes follow.
  /// - Returns: how many bytes were scanned; what is left has to come again, with more behind it.
  mutating func scan(_ bytes: Span<UInt8>, isLast: Bool) -> Int {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      guard let start = buffer.baseAddress else {
        if isLast { unsafe state.pointee.finish() }
        return 0
      }
      return unsafe state.pointee.scan(start, buffer.count, isLast: isLast)
    }
  }
}

/// The state between two chunks. Positions are pointers into the chunk at hand.
@unsafe
private struct ScannerState {
  private let tape: UnsafeMutablePointer<XMLTapeMemory>
  var names: XMLNameTable
  /// The open elements, the outermost first.
  private let open: UnsafeMutablePointer<OpenElement>
  private var depth = 0
  private var attributes: [Attribute] = unsafe []
  private var line = 1
  /// Where the line begins, counted from the start of the chunk; negative when it began in an earlier one.
  private var lineStart = 0
  private var isAtStart = true
  /// Which bytes of text stand for themselves.
  private let ordinary: UnsafeMutablePointer<UInt8>

  private struct OpenElement {
    var entry: Int
    var scope: Int
  }

  /// An attribute of the tag at hand: its name in the chunk, its value on the tape.
  @unsafe
  private struct Attribute {
    var name: UnsafePointer<UInt8>
    var nameCount: Int
    var value: Int
    var valueCount: Int
  }

  /// What became of a piece of markup.
  private enum Outcome { case done, incomplete, fault }

  init(tape: UnsafeMutablePointer<XMLTapeMemory>) {
    unsafe self.tape = unsafe tape
    unsafe names = XMLNameTable()
    unsafe ordinary = XMLByte.makeTable()
    unsafe open = .allocate(capacity: XMLTape.maximumDepth)
  }

  func free() {
    unsafe names.free()
    unsafe ordinary.deallocate()
    unsafe open.deallocate()
  }

  // MARK: The loop

  mutating func scan(_ start: UnsafePointer<UInt8>, _ count: Int, isLast: Bool) -> Int {
    guard unsafe tape.pointee.fault == nil else { return count }
    let end = unsafe start + count
    var position = unsafe start
    while unsafe position < end {
      if unsafe position.pointee == UInt8(ascii: "<") {
        let outcome = unsafe markup(&position, end, start)
        if outcome == .done { continue }
        if outcome == .fault { return count }
        break
      }
      let before = unsafe position
      guard unsafe text(&position, end, start, isLast: isLast) else { return count }
      if unsafe position == before { break }
    }
    let scanned = unsafe position - start
    if isLast {
      if scanned < count {
        unsafe fail("the document ends inside a tag", at: position, start)
      } else {
        unsafe finish()
      }
      return count
    }
    if count - scanned > XMLTape.maximumText {
      unsafe fail("a comment or section of more than \(XMLTape.maximumText >> 20) MiB", at: position, start)
      return count
    }
    unsafe lineStart -= scanned
    return scanned
  }

  /// The document is over; what is missing is a fault.
  mutating func finish() {
    guard unsafe tape.pointee.fault == nil else { return }
    if unsafe depth > 0 {
      unsafe tape.pointee.record(
        "the document ends inside an element", line: line, column: max(1 - lineStart, 1))
    } else if unsafe !tape.pointee.hasClosedRoot {
      unsafe tape.pointee.record("there is no element", line: line, column: 1)
    }
  }

  private mutating func fail(_ message: String, at position: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>) {
    unsafe tape.pointee.record(message, line: line, column: position - start - lineStart + 1)
  }

  @inline(__always)
  private mutating func newline(at position: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>) {
    unsafe line &+= 1
    unsafe lineStart = unsafe position - start &+ 1
  }

  // MARK: Text

  /// Takes text up to the next tag, or as far as it is whole.
  ///
  /// - Returns: false after a fault.
  private mutating func text(
    _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>,
    isLast: Bool
  ) -> Bool {
    // White space between tags is most of it, and is not kept.
    var cursor = unsafe position
    let mayDrop = unsafe !tape.pointee.isLeafOpen && tape.pointee.textCount == tape.pointee.pendingText
    while unsafe cursor < end, unsafe cursor.pointee <= 0x20 {
      // Indentation comes in eights.
      while unsafe end - cursor >= 8,
        unsafe UnsafeRawPointer(cursor).loadUnaligned(as: UInt64.self) == 0x2020_2020_2020_2020
      {
        unsafe cursor += 8
      }
      guard unsafe cursor < end else { break }
      let byte = unsafe cursor.pointee
      if byte == 0x0A {
        unsafe newline(at: cursor, start)
      } else if byte != 0x20, byte != 0x09 {
        break
      }
      unsafe cursor += 1
    }
    if unsafe depth == 0 {
      unsafe position = unsafe cursor
      guard unsafe cursor < end, unsafe cursor.pointee != UInt8(ascii: "<") else { return true }
      if unsafe cursor.pointee == 0x0D {
        unsafe position += 1
        return true
      }
      unsafe fail("text outside of the root element", at: cursor, start)
      return false
    }
    if mayDrop, unsafe cursor < end, unsafe cursor.pointee == UInt8(ascii: "<") {
      unsafe position = unsafe cursor
      return true
    }
    unsafe tape.pointee.appendText(position, cursor - position)
    unsafe position = unsafe cursor
    while unsafe position < end {
      var run = unsafe position
      while unsafe run < end, unsafe ordinary[Int(run.pointee)] == XMLByte.ordinary { unsafe run += 1 }
      unsafe tape.pointee.appendText(position, run - position)
      unsafe position = unsafe run
      guard unsafe position < end else { break }
      switch unsafe position.pointee {
      case UInt8(ascii: "<"): return unsafe checkTextLength(position, start)
      case 0x0A:
        unsafe newline(at: position, start)
        unsafe tape.pointee.appendText(0x0A)
        unsafe position += 1
      case 0x09:
        unsafe tape.pointee.appendText(0x09)
        unsafe position += 1
      default:
        switch unsafe special(&position, end, start, isAttribute: false) {
        case .done: continue
        case .fault: return false
        case .incomplete:
          if isLast { unsafe fail("the document ends inside a reference or a character", at: position, start) }
          return unsafe checkTextLength(position, start)
        }
      }
    }
    return unsafe checkTextLength(position, start)
  }

  private mutating func checkTextLength(_ position: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>) -> Bool {
    guard unsafe tape.pointee.textCount - tape.pointee.pendingText > XMLTape.maximumText else { return true }
    unsafe fail("a text of more than \(XMLTape.maximumText >> 20) MiB", at: position, start)
    return false
  }

  /// Takes one character that is not simply itself: a reference, a line end, one beyond ASCII.
  private mutating func special(
    _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>,
    isAttribute: Bool
  ) -> Outcome {
    let byte = unsafe position.pointee
    switch byte {
    case UInt8(ascii: "&"): return unsafe reference(&position, end, start)
    case 0x0D:
      // A carriage return is a line feed, and with one behind it they are one.
      guard unsafe position + 1 < end else { return .incomplete }
      unsafe position += 1
      if unsafe position.pointee != 0x0A {
        unsafe newline(at: position - 1, start)
        unsafe tape.pointee.appendText(isAttribute ? 0x20 : 0x0A)
      }
      return .done
    case UInt8(ascii: ">"):
      // "]]>" must not stand in text. The brackets are on the tape, wherever the chunk began.
      let count = unsafe tape.pointee.textCount
      if !isAttribute, unsafe count - tape.pointee.pendingText >= 2,
        unsafe tape.pointee.text[count - 1] == UInt8(ascii: "]"),
        unsafe tape.pointee.text[count - 2] == UInt8(ascii: "]")
      {
        unsafe fail("]]> in a text", at: position, start)
        return .fault
      }
      unsafe tape.pointee.appendText(byte)
      unsafe position += 1
      return .done
    case 0x80...:
      switch unsafe XMLByte.sequence(position, end) {
      case .whole(let length, _):
        unsafe tape.pointee.appendText(position, length)
        unsafe position += length
        return .done
      case .cut: return .incomplete
      case .invalid:
        unsafe fail("bytes that are no UTF-8", at: position, start)
        return .fault
      }
    default:
      unsafe fail("a control character that XML does not allow", at: position, start)
      return .fault
    }
  }

  /// Takes `&name;`, `&#number;` or `&#xnumber;`.
  private mutating func reference(
    _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
  ) -> Outcome {
    var cursor = unsafe position + 1
    while unsafe cursor < end, unsafe cursor.pointee != UInt8(ascii: ";") {
      let byte = unsafe cursor.pointee
      let isTooLong = unsafe cursor - position > 64
      if byte <= 0x20 || byte == UInt8(ascii: "<") || byte == UInt8(ascii: "&") || isTooLong {
        unsafe fail("an & that begins no reference", at: position, start)
        return .fault
      }
      unsafe cursor += 1
    }
    guard unsafe cursor < end else { return .incomplete }
    let name = unsafe UnsafeBufferPointer(start: position + 1, count: cursor - position - 1)
    if unsafe name.first == UInt8(ascii: "#") {
      guard let scalar = unsafe XMLByte.scalar(name.dropFirst()) else {
        unsafe fail("a reference to a character that XML does not allow", at: position, start)
        return .fault
      }
      for byte in String(scalar).utf8 { unsafe tape.pointee.appendText(byte) }
    } else if let byte = unsafe XMLByte.predefined(name) {
      unsafe tape.pointee.appendText(byte)
    } else {
      let text = unsafe String(decoding: name, as: UTF8.self)
      unsafe fail("the entity \(TrackError.printable(text)) is not defined", at: position, start)
      return .fault
    }
    unsafe position = unsafe cursor + 1
    return .done
  }

  // MARK: Markup

  /// Takes what begins with `<`; leaves the position where it was unless it is whole.
  private mutating func markup(
    _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
  ) -> Outcome {
    guard unsafe end - position >= 2 else { return .incomplete }
    switch unsafe position[1] {
    case UInt8(ascii: "/"): return unsafe endTag(&position, end, start)
    case UInt8(ascii: "!"): return unsafe declaration(&position, end, start)
    case UInt8(ascii: "?"): return unsafe instruction(&position, end, start)
    default:
      defer { unsafe isAtStart = false }
      return unsafe startTag(&position, end, start)
    }
  }

  private mutating func endTag(
    _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
  ) -> Outcome {
    guard unsafe depth > 0 else {
      unsafe fail("an end tag without a start tag", at: position, start)
      return .fault
    }
    let entry = unsafe names.entry(open[depth - 1].entry)
    var cursor = unsafe position + 2
    let available = unsafe end - cursor
    // The name that has to stand here is known; only when it does not is it worth a look what stands instead.
    let nameCount = unsafe entry.pointee.count
    guard unsafe names.matches(entry.pointee.offset, cursor, min(available, nameCount)) else {
      return unsafe mismatch(entry, position, end, start)
    }
    guard available > nameCount else { return .incomplete }
    unsafe cursor += nameCount
    if unsafe cursor.pointee != UInt8(ascii: ">") {
      if unsafe !XMLByte.isBlank(cursor.pointee) { return unsafe mismatch(entry, position, end, start) }
      while unsafe cursor < end, unsafe XMLByte.isBlank(cursor.pointee) { unsafe cursor += 1 }
      guard unsafe cursor < end else { return .incomplete }
      if unsafe cursor.pointee != UInt8(ascii: ">") { return unsafe mismatch(entry, position, end, start) }
      for offset in 0..<(unsafe cursor - position) where unsafe position[offset] == 0x0A {
        unsafe newline(at: position + offset, start)
      }
    }
    unsafe position = unsafe cursor + 1
    unsafe depth &-= 1
    if unsafe depth == 0 { unsafe tape.pointee.hasClosedRoot = true }
    if unsafe tape.pointee.isLeafOpen {
      unsafe tape.pointee.closeLeaf()
      return .done
    }
    let column = unsafe position - start - lineStart + 1
    unsafe tape.pointee.flushText(line: line, column: column)
    unsafe tape.pointee.append(
      .end, name: entry.pointee.index, code: entry.pointee.code, textOffset: tape.pointee.textCount, textCount: 0, line: line,
      column: column)
    return .done
  }

  private mutating func mismatch(
    _ entry: UnsafePointer<XMLNameTable.Entry>, _ position: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>,
    _ start: UnsafePointer<UInt8>
  ) -> Outcome {
    var cursor = unsafe position + 2
    while unsafe cursor < end, unsafe cursor.pointee != UInt8(ascii: ">"), unsafe cursor - position < 256 {
      unsafe cursor += 1
    }
    if unsafe cursor == end, unsafe cursor - position < 256 { return .incomplete }
    let found = unsafe String(
      decoding: UnsafeBufferPointer(start: position + 2, count: cursor - position - 2), as: UTF8.self)
    unsafe fail(
      "the end tag \(TrackError.printable(found)) where \(names.spelling(entry.pointee)) is open", at: position, start)
    return .fault
  }

  private mutating func startTag(
    _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
  ) -> Outcome {
    if unsafe tape.pointee.hasClosedRoot {
      unsafe fail("a second root element", at: position, start)
      return .fault
    }
    let first = unsafe position + 1
    guard unsafe XMLByte.beginsName(first.pointee) else {
      unsafe fail("a < that begins no tag", at: position, start)
      return .fault
    }
    var cursor = unsafe first
    while unsafe cursor < end, unsafe XMLByte.isName(cursor.pointee) { unsafe cursor += 1 }
    guard unsafe cursor < end else { return unsafe incompleteTag(position, end, start) }
    let nameCount = unsafe cursor - first
    // What comes before the tag is whole, whether or not the tag is.
    unsafe tape.pointee.flushText(line: line, column: position - start - lineStart + 1)
    var scope = unsafe depth > 0 ? open[depth - 1].scope : 0
    var isEmpty = false
    var hasAttributes = false
    if unsafe cursor.pointee == UInt8(ascii: ">") {
      unsafe cursor += 1
    } else {
      let savedLine = unsafe (line, lineStart)
      switch unsafe attributes(&cursor, end, start) {
      case .incomplete:
        unsafe (line, lineStart) = savedLine
        unsafe tape.pointee.textCount = unsafe tape.pointee.pendingText
        return unsafe incompleteTag(position, end, start)
      case .fault: return .fault
      case .done: break
      }
      if unsafe cursor.pointee == UInt8(ascii: "/") {
        isEmpty = true
        unsafe cursor += 1
      }
      unsafe cursor += 1
      if unsafe !attributes.isEmpty {
        guard let inner = unsafe declareNamespaces(scope, at: position, start) else { return .fault }
        scope = inner
        hasAttributes = true
      }
    }
    guard unsafe depth < XMLTape.maximumDepth else {
      unsafe fail("elements nested more than \(XMLTape.maximumDepth) deep", at: position, start)
      return .fault
    }
    guard let found = unsafe names.findElement(first, nameCount, scope: scope, tape) else {
      unsafe fail("a name that is none, or more than \(XMLTape.maximumNames) names", at: first, start)
      return .fault
    }
    let entry = unsafe names.entry(found)
    let column = unsafe cursor - start - lineStart + 1
    unsafe tape.pointee.append(
      .start, name: entry.pointee.index, code: entry.pointee.code, textOffset: tape.pointee.textCount, textCount: 0, line: line,
      column: column)
    if hasAttributes {
      let isRoot = unsafe depth == 0
      guard unsafe emitAttributes(scope, isRoot: isRoot, column: column, at: position, start) else {
        return .fault
      }
    }
    unsafe tape.pointee.pendingText = unsafe tape.pointee.textCount
    // A tag that declares only namespaces has no attribute tokens, and is a leaf if nothing is inside.
    unsafe tape.pointee.isLeafOpen =
      unsafe !hasAttributes || tape.pointee.tokens[tape.pointee.tokenCount - 1].kind == .start
    unsafe position = unsafe cursor
    guard isEmpty else {
      unsafe open[depth] = OpenElement(entry: found, scope: scope)
      unsafe depth &+= 1
      return .done
    }
    if unsafe depth == 0 { unsafe tape.pointee.hasClosedRoot = true }
    if unsafe tape.pointee.isLeafOpen {
      unsafe tape.pointee.closeLeaf()
    } else {
      unsafe tape.pointee.append(
        .end, name: entry.pointee.index, code: entry.pointee.code, textOffset: tape.pointee.textCount, textCount: 0, line: line,
        column: column)
    }
    return .done
  }

  private mutating func incompleteTag(
    _ position: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
  ) -> Outcome {
    guard unsafe end - position > XMLTape.maximumTag else { return .incomplete }
    unsafe fail("a tag of more than \(XMLTape.maximumTag >> 10) KiB", at: position, start)
    return .fault
  }

  /// Takes the attributes up to the `>` or `/>` that ends the tag, and leaves the cursor on it.
  private mutating func attributes(
    _ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
  ) -> Outcome {
    unsafe attributes.removeAll(keepingCapacity: true)
    while true {
      let before = unsafe cursor
      while unsafe cursor < end, unsafe XMLByte.isBlank(cursor.pointee) {
        if unsafe cursor.pointee == 0x0A { unsafe newline(at: cursor, start) }
        unsafe cursor += 1
      }
      guard unsafe cursor < end else { return .incomplete }
      if unsafe cursor.pointee == UInt8(ascii: ">") { return .done }
      if unsafe cursor.pointee == UInt8(ascii: "/") {
        guard unsafe cursor + 1 < end else { return .incomplete }
        if unsafe cursor[1] == UInt8(ascii: ">") { return .done }
      }
      guard unsafe cursor > before, unsafe XMLByte.beginsName(cursor.pointee) else {
        unsafe fail("something in a tag that is no attribute", at: cursor, start)
        return .fault
      }
      let name = unsafe cursor
      while unsafe cursor < end, unsafe XMLByte.isName(cursor.pointee) { unsafe cursor += 1 }
      let nameCount = unsafe cursor - name
      while unsafe cursor < end, unsafe XMLByte.isBlank(cursor.pointee) {
        if unsafe cursor.pointee == 0x0A { unsafe newline(at: cursor, start) }
        unsafe cursor += 1
      }
      guard unsafe cursor < end else { return .incomplete }
      guard unsafe cursor.pointee == UInt8(ascii: "=") else {
        unsafe fail("an attribute without a value", at: cursor, start)
        return .fault
      }
      unsafe cursor += 1
      while unsafe cursor < end, unsafe XMLByte.isBlank(cursor.pointee) {
        if unsafe cursor.pointee == 0x0A { unsafe newline(at: cursor, start) }
        unsafe cursor += 1
      }
      guard unsafe cursor < end else { return .incomplete }
      let quote = unsafe cursor.pointee
      guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
        unsafe fail("the value of an attribute without quotes", at: cursor, start)
        return .fault
      }
      unsafe cursor += 1
      let value = unsafe tape.pointee.textCount
      let outcome = unsafe attributeValue(quote, &cursor, end, start)
      if outcome != .done { return outcome }
      unsafe attributes.append(
        Attribute(
          name: name, nameCount: nameCount, value: value, valueCount: tape.pointee.textCount - value))
      if unsafe attributes.count > XMLTape.maximumAttributes {
        unsafe fail("more than \(XMLTape.maximumAttributes) attributes on one element", at: cursor, start)
        return .fault
      }
    }
  }

  private mutating func attributeValue(
    _ quote: UInt8, _ cursor: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>,
    _ start: UnsafePointer<UInt8>
  ) -> Outcome {
    while true {
      var run = unsafe cursor
      while unsafe run < end, unsafe run.pointee != quote,
        unsafe ordinary[Int(run.pointee)] == XMLByte.ordinary
      {
        unsafe run += 1
      }
      unsafe tape.pointee.appendText(cursor, run - cursor)
      unsafe cursor = unsafe run
      guard unsafe cursor < end else { return .incomplete }
      switch unsafe cursor.pointee {
      case quote:
        unsafe cursor += 1
        return .done
      case UInt8(ascii: "<"):
        unsafe fail("a < in the value of an attribute", at: cursor, start)
        return .fault
      case 0x0A:
        unsafe newline(at: cursor, start)
        unsafe tape.pointee.appendText(0x20)
        unsafe cursor += 1
      case 0x0D:
        guard unsafe cursor + 1 < end else { return .incomplete }
        // With a line feed behind it, that one becomes the blank.
        if unsafe cursor[1] != 0x0A {
          unsafe newline(at: cursor, start)
          unsafe tape.pointee.appendText(0x20)
        }
        unsafe cursor += 1
      case 0x09:
        unsafe tape.pointee.appendText(0x20)
        unsafe cursor += 1
      default:
        let outcome = unsafe special(&cursor, end, start, isAttribute: true)
        if outcome != .done { return outcome }
      }
    }
  }

  // MARK: Namespaces

  /// The scope inside the tag at hand: the one around it, or a new one where the tag declares something.
  private mutating func declareNamespaces(
    _ scope: Int, at position: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
  ) -> Int? {
    var declared: [XMLNameTable.Binding] = []
    for unsafe attribute in unsafe attributes {
      guard let prefix = unsafe XMLByte.declaredPrefix(attribute.name, attribute.nameCount) else { continue }
      let uri = unsafe String(
        decoding: UnsafeBufferPointer(start: tape.pointee.text + attribute.value, count: attribute.valueCount),
        as: UTF8.self)
      if declared.contains(where: { $0.prefix == prefix }) {
        unsafe fail("a prefix declared twice in one tag", at: position, start)
        return nil
      }
      declared.append(XMLNameTable.Binding(prefix: prefix, uri: uri))
    }
    guard !declared.isEmpty else { return scope }
    let inner = unsafe names.enter(scope, declared)
    if inner == nil {
      unsafe fail("more than \(XMLTape.maximumNames) different sets of namespaces", at: position, start)
    }
    return inner
  }

  private mutating func emitAttributes(
    _ scope: Int, isRoot: Bool, column: Int, at position: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
  ) -> Bool {
    let first = unsafe tape.pointee.tokenCount
    for unsafe attribute in unsafe attributes {
      if let prefix = unsafe XMLByte.declaredPrefix(attribute.name, attribute.nameCount) {
        // The default namespace needs no declaration to be remembered: names say it.
        guard isRoot, let prefix else { continue }
        let name = unsafe tape.pointee.intern(XMLName(namespace: nil, prefix: nil, local: prefix))
        unsafe tape.pointee.append(
          .namespace, name: name.index, code: name.code, textOffset: attribute.value,
          textCount: attribute.valueCount, line: line, column: column)
        continue
      }
      guard
        let found = unsafe names.find(
          attribute.name, attribute.nameCount, scope: scope, isAttribute: true, tape)
      else {
        unsafe fail("a name that is none, or more than \(XMLTape.maximumNames) names", at: position, start)
        return false
      }
      let entry = unsafe names.entry(found)
      unsafe tape.pointee.append(
        .attribute, name: entry.pointee.index, code: entry.pointee.code, textOffset: attribute.value,
        textCount: attribute.valueCount, line: line, column: column)
    }
    return unsafe hasNoTwins(first, at: position, start)
  }

  /// Whether no two attributes have one name.
  private mutating func hasNoTwins(
    _ first: Int, at position: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
  ) -> Bool {
    let last = unsafe tape.pointee.tokenCount
    var seen: Set<XMLName> = []
    for index in first..<last where unsafe tape.pointee.tokens[index].kind == .attribute {
      let name = unsafe tape.pointee.tokens[index].name
      let isTwin: Bool
      if last - first <= 8 {
        // Two spellings of one name have two indices only where their prefixes differ.
        isTwin = (first..<index).contains { other in
          unsafe tape.pointee.tokens[other].kind == .attribute
            && names.areTwins(tape.pointee.tokens[other].name, name, tape)
        }
      } else {
        var bare = unsafe tape.pointee.names[Int(name)]
        if bare.namespace != nil { bare.prefix = nil }
        isTwin = !seen.insert(bare).inserted
      }
      if isTwin {
        unsafe fail("an attribute twice in one tag", at: position, start)
        return false
      }
    }
    return true
  }

  // MARK: Comments, sections, instructions

  private mutating func declaration(
    _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
  ) -> Outcome {
    switch unsafe XMLByte.begins(position, end, with: "<!--") {
    case nil: return .incomplete
    case true?: return unsafe comment(&position, end, start)
    case false?: break
    }
    switch unsafe XMLByte.begins(position, end, with: "<![CDATA[") {
    case nil: return .incomplete
    case true? where unsafe depth > 0: return unsafe section(&position, end, start)
    default:
      unsafe fail("a declaration where none may stand", at: position, start)
      return .fault
    }
  }

  private mutating func comment(
    _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
  ) -> Outcome {
    guard let close = unsafe XMLByte.find("--", from: position + 4, end), unsafe close + 2 < end else {
      return .incomplete
    }
    guard unsafe close[2] == UInt8(ascii: ">") else {
      unsafe fail("-- inside a comment", at: close, start)
      return .fault
    }
    guard unsafe checkCharacters(position + 4, close, start) else { return .fault }
    unsafe position = unsafe close + 3
    return .done
  }

  private mutating func section(
    _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
  ) -> Outcome {
    let first = unsafe position + 9
    guard let close = unsafe XMLByte.find("]]>", from: first, end) else { return .incomplete }
    guard unsafe checkCharacters(first, close, start) else { return .fault }
    var cursor = unsafe first
    while unsafe cursor < close {
      let byte = unsafe cursor.pointee
      if byte != 0x0D {
        unsafe tape.pointee.appendText(byte)
      } else if unsafe cursor + 1 == close || cursor[1] != 0x0A {
        unsafe tape.pointee.appendText(0x0A)
      }
      unsafe cursor += 1
    }
    unsafe position = unsafe close + 3
    return unsafe checkTextLength(position, start) ? .done : .fault
  }

  private mutating func instruction(
    _ position: inout UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
  ) -> Outcome {
    guard let close = unsafe XMLByte.find("?>", from: position + 2, end) else { return .incomplete }
    let target = unsafe position + 2
    var cursor = unsafe target
    while unsafe cursor < close, unsafe XMLByte.isName(cursor.pointee) { unsafe cursor += 1 }
    let name = unsafe String(
      decoding: UnsafeBufferPointer(start: target, count: cursor - target), as: UTF8.self)
    let isDeclaration = name.lowercased() == "xml"
    let isSound = unsafe !name.isEmpty && XMLByte.beginsName(target.pointee)
    guard isSound, unsafe !isDeclaration || (isAtStart && name == "xml") else {
      unsafe fail("an XML declaration that is not at the start, or an instruction without a name", at: position, start)
      return .fault
    }
    unsafe isAtStart = false
    guard unsafe checkCharacters(target, close, start) else { return .fault }
    unsafe position = unsafe close + 2
    return .done
  }

  /// Counts lines, and checks that there are only characters that XML allows.
  private mutating func checkCharacters(
    _ first: UnsafePointer<UInt8>, _ end: UnsafePointer<UInt8>, _ start: UnsafePointer<UInt8>
  ) -> Bool {
    var cursor = unsafe first
    while unsafe cursor < end {
      let byte = unsafe cursor.pointee
      if byte >= 0x80 {
        guard case .whole(let length, _) = unsafe XMLByte.sequence(cursor, end) else {
          unsafe fail("bytes that are no UTF-8", at: cursor, start)
          return false
        }
        unsafe cursor += length
        continue
      }
      if byte == 0x0A { unsafe newline(at: cursor, start) }
      if byte < 0x20, byte != 0x0A, byte != 0x0D, byte != 0x09 {
        unsafe fail("a control character that XML does not allow", at: cursor, start)
        return false
      }
      unsafe cursor += 1
    }
    return true
  }
}
