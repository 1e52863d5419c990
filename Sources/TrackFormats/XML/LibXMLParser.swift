private import CLibXML2
import TrackModel

/// libxml2's push parser, writing to a tape. It reads documents in encodings other than UTF-8 and documents
/// with a document type, and serves as the reference for ``XMLScanner`` in tests.
///
/// The callbacks are functions without captures that append tokens and copy text. No C frame remains on the
/// stack after a chunk. This is the only file that uses libxml2. It restricts every document: no network
/// access, no external entities, only predefined entities, libxml2's own limits enabled, and the limits of
/// the tape.
@safe
struct LibXMLParser: ~Copyable {
  private let state: UnsafeMutablePointer<ParserState>
  /// The bytes after the last complete block.
  private var pending: [UInt8] = []

  /// The size of the blocks that libxml2 parses. Some of its errors depend on where its input is cut, so the
  /// blocks do not depend on how the input arrives.
  private static let blockSize = 1 << 16

  /// The version of libxml2 that runs, such as 2.9.14.
  static var version: String {
    // 20914, possibly followed by the origin of the source.
    let digits = unsafe String(cString: ghost_xml_version()).prefix { $0.isNumber }
    guard let number = Int(digits) else { return String(digits) }
    return "\(number / 10_000).\(number / 100 % 100).\(number % 100)"
  }

  /// - Parameter tape: must outlive the parser.
  init(_ tape: borrowing XMLTape) {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: ParserState(tape: tape.memory))
  }

  deinit {
    unsafe state.pointee.free()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// Adds a chunk and parses the blocks that are complete. Does nothing after a fault.
  mutating func parse(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe pending.append(contentsOf: $0) }
    run { parser in
      let count = parser.pending.count / Self.blockSize * Self.blockSize
      for start in stride(from: 0, to: count, by: Self.blockSize) {
        parser.parse(start..<(start + Self.blockSize))
      }
      parser.pending.removeFirst(count)
    }
  }

  /// Parses the bytes after the last complete block.
  ///
  /// - Returns: whether there were any.
  mutating func parseRest() -> Bool {
    guard !pending.isEmpty else { return false }
    run { parser in
      parser.parse(0..<parser.pending.count)
      parser.pending = []
    }
    return true
  }

  /// Ends the input.
  mutating func finish() {
    run { parser in
      if unsafe parser.state.pointee.context == nil {
        unsafe parser.makeContext(UnsafeBufferPointer(start: nil, count: 0))
      }
      unsafe parser.feed(UnsafeBufferPointer(start: nil, count: 0), isLast: true)
    }
  }

  /// Runs a body unless there is a fault.
  private mutating func run(_ body: (inout LibXMLParser) -> Void) {
    guard unsafe state.pointee.hasNoFault else { return }
    // libxml2 reports encoding errors to a thread-wide handler, which prints unless it is replaced.
    let previous = unsafe (__xmlStructuredError().pointee, __xmlStructuredErrorContext().pointee)
    unsafe xmlSetStructuredErrorFunc(nil) { _, _ in }
    defer { unsafe xmlSetStructuredErrorFunc(previous.1, previous.0) }
    body(&self)
  }

  private func parse(_ range: Range<Int>) {
    unsafe pending.withUnsafeBufferPointer { buffer in
      var rest = unsafe buffer[range]
      guard unsafe state.pointee.hasNoFault,
        unsafe state.pointee.checkTag(UnsafeBufferPointer(rebasing: rest))
      else { return }
      if unsafe state.pointee.context == nil {
        // The first four bytes determine the encoding.
        unsafe makeContext(UnsafeBufferPointer(rebasing: rest.prefix(4)))
        unsafe rest = rest.dropFirst(4)
      }
      if unsafe !rest.isEmpty { unsafe feed(UnsafeBufferPointer(rebasing: rest)) }
    }
  }

  @unsafe
  private func feed(_ bytes: UnsafeBufferPointer<UInt8>, isLast: Bool = false) {
    guard unsafe state.pointee.hasNoFault else { return }
    // libxml2 counts in 32 bits; blocks are far smaller.
    let characters = unsafe UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
    let result = unsafe xmlParseChunk(
      state.pointee.context, characters, Int32(truncatingIfNeeded: bytes.count), isLast ? 1 : 0)
    _ = unsafe state.pointee.tape.pointee.cutText(
      line: state.pointee.line, column: state.pointee.column, isLast: isLast)
    guard unsafe state.pointee.hasNoFault, let context = unsafe state.pointee.context else { return }
    if result != 0, unsafe context.pointee.wellFormed == 0 {
      unsafe state.pointee.fail("not well-formed XML (libxml2 error \(result))")
    } else if unsafe context.pointee.disableSAX != 0
      || (context.pointee.input?.pointee.buf?.pointee.error ?? 0) != 0
    {
      // libxml2 reports no error if an encoding cannot be converted: its input has an error, or it stops.
      unsafe state.pointee.fail("bytes that are invalid in the encoding")
    }
  }

  @unsafe
  private func makeContext(_ opening: UnsafeBufferPointer<UInt8>) {
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = XML_SAX2_MAGIC
    unsafe handler.startElementNs = startElement
    unsafe handler.endElementNs = endElement
    unsafe handler.characters = characters
    // The same handler as for other text saves libxml2 the check for white space.
    unsafe handler.ignorableWhitespace = characters
    unsafe handler.cdataBlock = characterData
    unsafe handler.comment = { context, _ in unsafe noteLine(context) }
    unsafe handler.processingInstruction = { context, _, _ in unsafe noteLine(context) }
    unsafe handler.reference = reference
    unsafe handler.attributeDecl = attributeDeclaration
    unsafe handler.entityDecl = entityDeclaration
    unsafe handler.serror = structuredError
    // Needed once per process, before any parser; libxml2 makes it thread-safe.
    xmlInitParser()
    let characters = unsafe UnsafeRawPointer(opening.baseAddress)?.assumingMemoryBound(to: CChar.self)
    let context = unsafe xmlCreatePushParserCtxt(&handler, state, characters, Int32(opening.count), nil)
    guard let context = unsafe context else {
      unsafe state.pointee.fail("no memory for a parser")
      return
    }
    unsafe state.pointee.context = unsafe context
    // XML_PARSE_HUGE is not set: libxml2's own limits stay enabled. No handler returns an entity, so nothing
    // is expanded or opened.
    _ = unsafe xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
  }
}

/// The state that the callbacks write to. It has a fixed address for the lifetime of its parser.
@unsafe
private struct ParserState {
  let tape: UnsafeMutablePointer<XMLTapeMemory>
  var context: xmlParserCtxtPtr?
  var depth = 0
  /// The line at the end of the last text.
  var textLine = 1
  /// Whether the last character of a CDATA section was a carriage return.
  var endsInReturn = false
  /// The number of bytes since the start of a tag that has not ended.
  private var openTag = 0
  private var attributeDeclarationCount = 0
  private var entityDeclarationCount = 0

  private var interned = unsafe InternedNameTable()

  init(tape: UnsafeMutablePointer<XMLTapeMemory>) {
    unsafe self.tape = unsafe tape
  }

  func free() {
    if let context = unsafe context {
      // libxml2 creates a document for the entities, which the caller has to free.
      if let document = unsafe context.pointee.myDoc { unsafe xmlFreeDoc(document) }
      unsafe xmlFreeParserCtxt(context)
    }
    unsafe interned.deallocate()
  }

  var declaresEntities: Bool { unsafe entityDeclarationCount > 0 }
  var hasNoFault: Bool { unsafe tape.pointee.fault == nil }
  var line: Int { unsafe Int(context?.pointee.input?.pointee.line ?? 1) }
  var column: Int { unsafe Int(context?.pointee.input?.pointee.col ?? 1) }

  /// Stops the parser with an error from this code.
  ///
  /// - Parameter isLimit: whether the document exceeds one of the tape's limits.
  mutating func fail(_ message: String, isLimit: Bool = false) {
    unsafe tape.pointee.record(message, line: line, column: column, isLimit: isLimit)
    if let context = unsafe context { unsafe xmlStopParser(context) }
  }

  /// Checks that no tag is too long, because libxml2 compares each attribute with all earlier attributes of
  /// the tag.
  mutating func checkTag(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    var index = bytes.count
    while index > 0 {
      index -= 1
      if unsafe bytes[index] == UInt8(ascii: ">") {
        unsafe openTag = 0
        break
      }
      if unsafe bytes[index] == UInt8(ascii: "<") {
        unsafe openTag = 0
        unsafe openTag = bytes.count - index
        break
      }
      if index == 0, unsafe openTag > 0 { unsafe openTag += bytes.count }
    }
    if unsafe openTag > tape.pointee.limits.tagSize / 4 {
      unsafe fail(
        "a tag of more than \(ReadingLimits.text(size: tape.pointee.limits.tagSize / 4))", isLimit: true)
    }
    return unsafe hasNoFault
  }

  /// Counts an attribute declaration. libxml2 searches all of them for each element, in quadratic time.
  mutating func countAttributeDeclaration() {
    unsafe attributeDeclarationCount += 1
    let limit = unsafe tape.pointee.limits.attributeDeclarationCount
    guard unsafe attributeDeclarationCount > limit else { return }
    unsafe fail("a document type that declares more than \(limit) attributes", isLimit: true)
  }

  /// Counts an entity declaration. libxml2 keeps all of them in memory.
  mutating func countEntityDeclaration() {
    unsafe entityDeclarationCount += 1
    let limit = unsafe tape.pointee.limits.entityDeclarationCount
    guard unsafe entityDeclarationCount > limit else { return }
    unsafe fail("a document type that declares more than \(limit) entities", isLimit: true)
  }

  mutating func flushText(line: Int) {
    unsafe tape.pointee.flushText(upTo: tape.pointee.textCount, line: line, column: column)
  }

  mutating func append(
    _ kind: XMLToken.Kind, _ name: (index: UInt32, code: UInt16), _ offset: Int, _ count: Int
  ) {
    unsafe tape.pointee.append(
      kind, name: name.index, code: name.code, textOffset: offset, textCount: count, line: line,
      column: column)
  }

  /// Returns the name for three interned strings, creating it if needed.
  mutating func intern(
    _ local: UnsafePointer<xmlChar>, _ prefix: UnsafePointer<xmlChar>?, _ namespace: UnsafePointer<xmlChar>?
  ) -> (index: UInt32, code: UInt16) {
    if let known = unsafe interned.name(local, prefix, namespace) { return known }
    let name = unsafe tape.pointee.intern(
      XMLName(
        namespace: namespace.map { unsafe String(cString: $0).replacing("&#38;", with: "&") },
        prefix: prefix.map { unsafe String(cString: $0) }, local: String(cString: local)))
    unsafe interned.insert(name, for: local, prefix, namespace)
    if unsafe tape.pointee.names.count > tape.pointee.limits.nameCount {
      unsafe fail("more than \(tape.pointee.limits.nameCount) different names", isLimit: true)
    }
    return name
  }
}

// MARK: Callbacks
// C functions without captures: `context` is the parser's state. They call only into the tape and the
// grammar's classification of new names.

private let startElement: startElementNsSAX2Func = {
  context, local, prefix, namespace, namespaceCount, namespaces, attributeCount, defaultedCount, attributes in
  guard let local = unsafe local, let context = unsafe context else { return }
  let state = unsafe context.assumingMemoryBound(to: ParserState.self)
  guard unsafe state.pointee.hasNoFault else { return }
  let tape = unsafe state.pointee.tape
  let isRoot = unsafe state.pointee.depth == 0
  unsafe state.pointee.depth += 1
  let limits = unsafe tape.pointee.limits
  if unsafe state.pointee.depth > limits.depth {
    unsafe state.pointee.fail("elements nested more than \(limits.depth) deep", isLimit: true)
    return
  }
  if Int(attributeCount) + Int(namespaceCount) > limits.attributeCount {
    unsafe state.pointee.fail("more than \(limits.attributeCount) attributes on one element", isLimit: true)
    return
  }
  let name = unsafe state.pointee.intern(local, prefix, namespace)
  unsafe state.pointee.flushText(line: state.pointee.textLine)
  unsafe state.pointee.append(.start, name, tape.pointee.textCount, 0)
  if isRoot, namespaceCount > 0, let namespaces = unsafe namespaces {
    for index in 0..<Int(namespaceCount) {
      guard let prefix = unsafe namespaces[index * 2], let uri = unsafe namespaces[index * 2 + 1] else {
        continue
      }
      let start = unsafe tape.pointee.textCount
      unsafe appendValue(uri, uri + Int(xmlStrlen(uri)), to: tape)
      let name = unsafe state.pointee.intern(prefix, nil, nil)
      unsafe state.pointee.append(.namespace, name, start, tape.pointee.textCount - start)
    }
  }
  if attributeCount > 0, let attributes = unsafe attributes {
    // The last attributes are defaults from the document type. They are omitted because they could multiply.
    for index in 0..<max(Int(attributeCount - defaultedCount), 0) {
      // Five pointers each: local name, prefix, namespace, start and end of the value.
      let attribute = unsafe attributes + index * 5
      guard
        let local = unsafe attribute[0], let first = unsafe attribute[3], let end = unsafe attribute[4]
      else { continue }
      let name = unsafe state.pointee.intern(local, attribute[1], attribute[2])
      let start = unsafe tape.pointee.textCount
      unsafe appendValue(first, end, to: tape)
      unsafe state.pointee.append(.attribute, name, start, tape.pointee.textCount - start)
    }
  }
  unsafe tape.pointee.pendingText = unsafe tape.pointee.textCount
  // A tag that declares only the default namespace has no attribute tokens and may be a leaf.
  unsafe tape.pointee.isLeafOpen = unsafe tape.pointee.tokens[tape.pointee.tokenCount - 1].kind == .start
}

/// Appends the value of an attribute or a namespace. Without entity handling libxml2 leaves each `&` in it
/// as `&#38;`.
@unsafe
private func appendValue(
  _ first: UnsafePointer<xmlChar>, _ end: UnsafePointer<xmlChar>, to tape: UnsafeMutablePointer<XMLTapeMemory>
) {
  let escaped = Array("#38;".utf8)
  var cursor = unsafe first
  while unsafe cursor < end {
    let byte = unsafe cursor.pointee
    unsafe tape.pointee.appendText(byte)
    unsafe cursor += 1
    guard byte == UInt8(ascii: "&"), unsafe end - cursor >= escaped.count else { continue }
    if escaped.indices.allSatisfy({ unsafe cursor[$0] == escaped[$0] }) { unsafe cursor += escaped.count }
  }
}

private let endElement: endElementNsSAX2Func = { context, local, prefix, namespace in
  guard let local = unsafe local, let context = unsafe context else { return }
  let state = unsafe context.assumingMemoryBound(to: ParserState.self)
  guard unsafe state.pointee.hasNoFault else { return }
  let tape = unsafe state.pointee.tape
  unsafe state.pointee.depth -= 1
  if unsafe state.pointee.depth == 0 { unsafe tape.pointee.hasClosedRoot = true }
  if unsafe tape.pointee.isLeafOpen {
    unsafe tape.pointee.closeLeaf()
    return
  }
  unsafe state.pointee.flushText(line: state.pointee.line)
  let name = unsafe state.pointee.intern(local, prefix, namespace)
  unsafe state.pointee.append(.end, name, tape.pointee.textCount, 0)
}

private let characters: charactersSAXFunc = { context, start, count in
  guard let start = unsafe start, let context = unsafe context else { return }
  let state = unsafe context.assumingMemoryBound(to: ParserState.self)
  let tape = unsafe state.pointee.tape
  unsafe tape.pointee.appendText(start, Int(count))
  let limit = unsafe tape.pointee.limits.textSize
  if unsafe tape.pointee.textCount - tape.pointee.pendingText > limit {
    unsafe state.pointee.fail("a text of more than \(ReadingLimits.text(size: limit))", isLimit: true)
  }
  unsafe state.pointee.textLine = unsafe state.pointee.line
  unsafe state.pointee.endsInReturn = false
}

/// Updates the line after a comment or an instruction: text that surrounds it ends after it.
@unsafe
private func noteLine(_ context: UnsafeMutableRawPointer?) {
  guard let context = unsafe context else { return }
  let state = unsafe context.assumingMemoryBound(to: ParserState.self)
  unsafe state.pointee.textLine = unsafe state.pointee.line
}

/// Handles a part of a CDATA section, in which libxml2 does not normalize line ends and accepts overlong
/// forms of characters.
private let characterData: cdataBlockSAXFunc = { context, start, count in
  guard let start = unsafe start, let context = unsafe context else { return }
  let state = unsafe context.assumingMemoryBound(to: ParserState.self)
  let bytes = unsafe UnsafeBufferPointer(start: start, count: Int(count))
  guard unsafe String(validating: bytes, as: UTF8.self) != nil else {
    unsafe state.pointee.fail("invalid UTF-8 in a section")
    return
  }
  var first = 0
  for index in 0...Int(count) {
    let isEnd = index == Int(count)
    let isReturn = unsafe !isEnd && start[index] == 0x0D
    let isPaired = unsafe !isEnd && start[index] == 0x0A && state.pointee.endsInReturn
    if isEnd || isReturn || isPaired {
      if index > first { unsafe characters(context, start + first, Int32(index - first)) }
      first = index + 1
    }
    if isReturn {
      var lineFeed: xmlChar = 0x0A
      unsafe characters(context, &lineFeed, 1)
    }
    if !isEnd { unsafe state.pointee.endsInReturn = isReturn }
  }
  // libxml2 counts the lines only after this call.
  let lines = unsafe bytes.count { $0 == 0x0A }
  unsafe state.pointee.textLine = unsafe state.pointee.line + lines
}

// The text before and after the entity becomes two texts. This is rare, so it only causes a warning.
private let reference: referenceSAXFunc = { context, _ in
  guard let context = unsafe context else { return }
  let state = unsafe context.assumingMemoryBound(to: ParserState.self)
  unsafe state.pointee.flushText(line: state.pointee.line)
  unsafe state.pointee.append(.unresolvedEntity, (0, 0), 0, 0)
}

// Without a handler libxml2 itself frees the tree of an enumerated type.
private let attributeDeclaration: attributeDeclSAXFunc = { context, _, _, _, _, _, tree in
  if let tree = unsafe tree { unsafe xmlFreeEnumeration(tree) }
  guard let context = unsafe context else { return }
  unsafe context.assumingMemoryBound(to: ParserState.self).pointee.countAttributeDeclaration()
}

private let entityDeclaration: entityDeclSAXFunc = { context, _, _, _, _, _ in
  guard let context = unsafe context else { return }
  unsafe context.assumingMemoryBound(to: ParserState.self).pointee.countEntityDeclaration()
}

/// The errors that Namespaces in XML 1.0 requires. Undeclared prefixes are common and only cause a warning;
/// the standard does not require namespaces to be checked as URIs.
private let refusedNamespaceErrors = [
  XML_NS_ERR_XML_NAMESPACE, XML_NS_ERR_QNAME, XML_NS_ERR_ATTRIBUTE_REDEFINED, XML_NS_ERR_EMPTY,
  XML_NS_ERR_COLON,
]

private let structuredError: xmlStructuredErrorFunc = { context, error in
  guard let context = unsafe context, let error = unsafe error else { return }
  let state = unsafe context.assumingMemoryBound(to: ParserState.self)
  // libxml2 continues after namespace errors.
  let isNamespaceError =
    unsafe error.pointee.domain == Int32(XML_FROM_NAMESPACE.rawValue) && error.pointee.level == XML_ERR_ERROR
    && refusedNamespaceErrors.contains { unsafe Int32($0.rawValue) == error.pointee.code }
  if unsafe error.pointee.level == XML_ERR_FATAL || isNamespaceError {
    let message = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? "not well-formed XML"
    // libxml2 ends its messages with a line feed, and some with a blank line of context.
    let first = message.split(separator: "\n").first.map(String.init) ?? message
    var line = first.prefix(1).lowercased() + first.dropFirst()
    if unsafe error.pointee.code == Int32(XML_ERR_UNDECLARED_ENTITY.rawValue),
      unsafe state.pointee.declaresEntities
    {
      // libxml2 does not know the declarations, because no handler keeps them.
      line += "; entities declared by the document type are not supported"
    }
    // The limit of libxml2 for a comment, an attribute or another part of the markup, as an internal error.
    let isLimit = message.contains("Huge input")
    if isLimit { line = "a comment, attribute or other markup of more than 10 MB" }
    unsafe state.pointee.tape.pointee.record(
      line, line: Int(error.pointee.line), column: Int(error.pointee.int2), isLimit: isLimit)
  }
}
