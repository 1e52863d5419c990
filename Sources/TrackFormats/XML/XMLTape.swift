private import CLibXML2
import TrackModel

/// libxml2's push parser, writing tokens to a tape that Swift then walks at its own pace.
///
/// The callbacks are plain functions that append a token and copy text; after each chunk no C frame is on the
/// stack, so that a reader may throw, pause or come back later. Names are interned: a format's grammar is asked
/// once per distinct name of a document, and then compares small integers. This is the only file that touches
/// libxml2, and it keeps every document inside: no network, no external entity, no entity but the predefined
/// ones, limits on depth, on the length of a text, on names and on attributes.
@safe
struct XMLTape: ~Copyable {
  /// Elements inside each other; libxml2's own limit for documents that it builds trees of.
  static let maximumDepth = 256
  /// Bytes of one text or attribute.
  static let maximumText = 1 << 24
  /// Attributes of one element.
  static let maximumAttributes = 10_000
  /// Distinct names in one document.
  static let maximumNames = 10_000

  private let state: UnsafeMutablePointer<TapeState>

  /// - Parameter classify: gives a name its code in the format's grammar, 0 for unknown; called once per
  ///   distinct name.
  init(classify: @escaping (XMLName) -> UInt16) {
    unsafe state = .allocate(capacity: 1)
    unsafe state.initialize(to: TapeState(classify: classify))
  }

  deinit {
    unsafe state.pointee.free()
    unsafe state.deinitialize(count: 1)
    unsafe state.deallocate()
  }

  /// The number of tokens that are whole.
  var count: Int { unsafe state.pointee.completeCount }

  /// - Precondition: `0 <= index < count`.
  subscript(index: Int) -> XMLToken {
    precondition(index >= 0 && index < count, "no such token")
    return unsafe state.pointee.tokens[index]
  }

  /// A token's text, as UTF-8.
  @_lifetime(borrow self)
  func text(of token: XMLToken) -> Span<UInt8> {
    let start = unsafe UnsafePointer(state.pointee.text + Int(token.textOffset))
    let span = unsafe Span(_unsafeStart: start, count: Int(token.textCount))
    return unsafe _overrideLifetime(span, borrowing: self)
  }

  /// A token's text as a string.
  func string(of token: XMLToken) -> String {
    unsafe String(
      decoding: UnsafeBufferPointer(
        start: state.pointee.text + Int(token.textOffset), count: Int(token.textCount)), as: UTF8.self)
  }

  /// The name with an index, as tokens carry it.
  func name(_ index: UInt32) -> XMLName { unsafe state.pointee.names[Int(index)] }

  /// Why the parser stopped, once it has.
  var fault: XMLFault? { unsafe state.pointee.fault }

  /// How many names had a prefix that nothing declares, and how many entities were left out.
  var undeclaredPrefixes: Int { unsafe state.pointee.undeclaredPrefixes }
  var unresolvedEntities: Int { unsafe state.pointee.unresolvedEntities }

  /// Clears the tape but for an element that is not yet whole.
  mutating func recycle() { unsafe state.pointee.recycle() }

  /// Parses one chunk; tokens come behind those on the tape. Does nothing after a fault.
  mutating func parse(_ bytes: Span<UInt8>) { unsafe run(bytes, isLast: false) }

  /// Says that there are no more bytes.
  mutating func finish() { unsafe run(Span(), isLast: true) }

  @unsafe
  private mutating func run(_ bytes: Span<UInt8>, isLast: Bool) {
    guard unsafe state.pointee.fault == nil else { return }
    unsafe bytes.withUnsafeBufferPointer { buffer in
      var start = 0
      if unsafe state.pointee.context == nil {
        // The first four bytes tell the encoding; a text of fewer is held until there are more.
        unsafe state.pointee.opening.append(contentsOf: buffer)
        guard unsafe state.pointee.opening.count >= 4 || isLast else { return }
        unsafe makeContext()
        start = buffer.count
        guard unsafe state.pointee.fault == nil else { return }
        var opening = unsafe state.pointee.opening.dropFirst(4)
        unsafe state.pointee.opening = []
        unsafe opening.withUnsafeMutableBufferPointer { rest in
          unsafe feed(UnsafePointer(rest.baseAddress), rest.count)
        }
      }
      if start < buffer.count {
        unsafe feed(buffer.baseAddress, buffer.count)
      }
      if isLast, unsafe state.pointee.fault == nil { unsafe feed(nil, 0, isLast: true) }
    }
  }

  @unsafe
  private func feed(_ start: UnsafePointer<UInt8>?, _ count: Int, isLast: Bool = false) {
    // libxml2 counts in 32 bits; chunks are far smaller.
    let characters = unsafe UnsafeRawPointer(start)?.assumingMemoryBound(to: CChar.self)
    let result = unsafe xmlParseChunk(
      state.pointee.context, characters, Int32(truncatingIfNeeded: count), isLast ? 1 : 0)
    if result != 0, unsafe state.pointee.fault == nil, unsafe state.pointee.context?.pointee.wellFormed == 0 {
      unsafe state.pointee.fail("not well-formed XML (libxml2 error \(result))")
    }
  }

  @unsafe
  private func makeContext() {
    var handler = unsafe xmlSAXHandler()
    unsafe handler.initialized = XML_SAX2_MAGIC
    unsafe handler.startElementNs = startElement
    unsafe handler.endElementNs = endElement
    unsafe handler.characters = characters
    // The same as for other text: libxml2 then does not look whether it is only white space.
    unsafe handler.ignorableWhitespace = characters
    unsafe handler.cdataBlock = characters
    unsafe handler.reference = reference
    unsafe handler.serror = structuredError
    // Once per process, before any parser; libxml2 guards it itself.
    xmlInitParser()
    let opening = unsafe state.pointee.opening.prefix(4)
    let context = unsafe opening.withUnsafeBytes { bytes in
      unsafe xmlCreatePushParserCtxt(
        &handler, state, bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count), nil)
    }
    guard let context = unsafe context else {
      unsafe state.pointee.fail("no memory for a parser")
      return
    }
    unsafe state.pointee.context = unsafe context
    // Not XML_PARSE_HUGE: libxml2's own limits stay on. No entity handlers are installed, so that nothing is
    // ever expanded or opened.
    _ = unsafe xmlCtxtUseOptions(context, Int32(XML_PARSE_NONET.rawValue))
  }
}

/// What the callbacks write to; lives at a fixed address for as long as its tape.
@unsafe
private struct TapeState {
  var context: xmlParserCtxtPtr?
  var opening: [UInt8] = []

  var tokens: UnsafeMutablePointer<XMLToken>
  var tokenCount = 0
  var tokenCapacity = 1 << 12

  var text: UnsafeMutablePointer<UInt8>
  var textCount = 0
  var textCapacity = 1 << 17

  /// Where the text since the last tag begins.
  var pendingText = 0
  /// Whether the last token is a start tag without attributes, which may yet turn out to be a leaf.
  var isLeafOpen = false
  var depth = 0
  var hasClosedRoot = false

  var names: [XMLName] = []
  /// Open addressing, a power of two: pointers that libxml2 interned → index of the name and its code.
  var table: UnsafeMutablePointer<Entry>
  var tableMask = 255
  let classify: (XMLName) -> UInt16

  var fault: XMLFault?
  var undeclaredPrefixes = 0
  var unresolvedEntities = 0

  @unsafe
  struct Entry {
    var local: UnsafePointer<xmlChar>?
    var prefix: UnsafePointer<xmlChar>?
    var namespace: UnsafePointer<xmlChar>?
    var index: UInt32 = 0
    var code: UInt16 = 0
  }

  init(classify: @escaping (XMLName) -> UInt16) {
    unsafe self.classify = classify
    unsafe tokens = .allocate(capacity: tokenCapacity)
    unsafe text = .allocate(capacity: textCapacity)
    unsafe table = .allocate(capacity: tableMask + 1)
    unsafe table.initialize(repeating: Entry(), count: tableMask + 1)
  }

  func free() {
    if let context = unsafe context { unsafe xmlFreeParserCtxt(context) }
    unsafe tokens.deallocate()
    unsafe text.deallocate()
    unsafe table.deallocate()
  }

  var completeCount: Int { unsafe tokenCount - (isLeafOpen ? 1 : 0) }

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

  // MARK: What the callbacks do

  /// Stops the parser for a reason of ours.
  mutating func fail(_ message: String) {
    let input = unsafe context?.pointee.input
    unsafe record(message, line: Int(input?.pointee.line ?? 1), column: Int(input?.pointee.col ?? 1))
    if let context = unsafe context { unsafe xmlStopParser(context) }
  }

  /// Remembers why the parser stops; only the first reason counts.
  mutating func record(_ message: String, line: Int, column: Int) {
    guard unsafe fault == nil else { return }
    unsafe fault = XMLFault(message: message, line: line, column: column, isBehindRoot: hasClosedRoot)
  }

  mutating func append(
    _ kind: XMLToken.Kind, name: (index: UInt32, code: UInt16), textOffset: Int, textCount: Int
  ) {
    if unsafe tokenCount == tokenCapacity {
      let larger = UnsafeMutablePointer<XMLToken>.allocate(capacity: unsafe tokenCapacity * 2)
      unsafe larger.update(from: tokens, count: tokenCount)
      unsafe tokens.deallocate()
      unsafe tokens = larger
      unsafe tokenCapacity *= 2
    }
    let input = unsafe context?.pointee.input
    unsafe tokens[tokenCount] = XMLToken(
      kind: kind, code: name.code, name: name.index,
      textOffset: UInt32(truncatingIfNeeded: textOffset), textCount: UInt32(truncatingIfNeeded: textCount),
      line: UInt32(truncatingIfNeeded: input?.pointee.line ?? 0),
      column: UInt32(truncatingIfNeeded: input?.pointee.col ?? 0))
    unsafe tokenCount += 1
  }

  /// Makes a token of the text since the last tag, unless it is only white space.
  mutating func flushText() {
    unsafe isLeafOpen = false
    let start = unsafe pendingText
    var index = start
    while unsafe index < textCount, unsafe text[index] <= 0x20 { index += 1 }
    if unsafe index < textCount {
      unsafe append(.text, name: (0, 0), textOffset: start, textCount: textCount - start)
    } else {
      unsafe textCount = start
    }
    unsafe pendingText = textCount
  }

  mutating func appendText(_ start: UnsafePointer<xmlChar>, _ count: Int) {
    if unsafe textCount + count > textCapacity {
      let capacity = unsafe max(textCapacity * 2, textCount + count)
      let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
      unsafe larger.update(from: text, count: textCount)
      unsafe text.deallocate()
      unsafe text = larger
      unsafe textCapacity = capacity
    }
    unsafe (text + textCount).update(from: start, count: count)
    unsafe textCount += count
  }

  /// Finds or makes the name of three interned strings.
  mutating func intern(
    _ local: UnsafePointer<xmlChar>, _ prefix: UnsafePointer<xmlChar>?, _ namespace: UnsafePointer<xmlChar>?
  ) -> (index: UInt32, code: UInt16) {
    let mixed =
      UInt(bitPattern: local) &* 0x9E37_79B9_7F4A_7C15
      ^ UInt(bitPattern: prefix) &* 31 ^ UInt(bitPattern: namespace) &* 17
    var slot = unsafe Int(truncatingIfNeeded: (mixed >> 32) ^ mixed) & tableMask
    while let known = unsafe table[slot].local {
      let entry = unsafe table[slot]
      if unsafe known == local, unsafe entry.prefix == prefix, unsafe entry.namespace == namespace {
        return unsafe (entry.index, entry.code)
      }
      unsafe slot = (slot + 1) & tableMask
    }
    let name = unsafe XMLName(
      namespace: namespace.map { unsafe String(cString: $0) },
      prefix: prefix.map { unsafe String(cString: $0) }, local: String(cString: local))
    let entry = unsafe Entry(
      local: local, prefix: prefix, namespace: namespace, index: UInt32(names.count), code: classify(name))
    unsafe table[slot] = unsafe entry
    unsafe names.append(name)
    if unsafe names.count * 2 > tableMask { unsafe growTable() }
    if unsafe names.count > XMLTape.maximumNames {
      unsafe fail("more than \(XMLTape.maximumNames) different names")
    }
    return unsafe (entry.index, entry.code)
  }

  private mutating func growTable() {
    let old = unsafe UnsafeBufferPointer(start: table, count: tableMask + 1)
    let mask = unsafe (tableMask + 1) * 4 - 1
    let larger = UnsafeMutablePointer<Entry>.allocate(capacity: mask + 1)
    unsafe larger.initialize(repeating: Entry(), count: mask + 1)
    for unsafe entry in unsafe old where unsafe entry.local != nil {
      let mixed =
        unsafe UInt(bitPattern: entry.local) &* 0x9E37_79B9_7F4A_7C15
        ^ UInt(bitPattern: entry.prefix) &* 31 ^ UInt(bitPattern: entry.namespace) &* 17
      var slot = Int(truncatingIfNeeded: (mixed >> 32) ^ mixed) & mask
      while unsafe larger[slot].local != nil { slot = (slot + 1) & mask }
      unsafe larger[slot] = unsafe entry
    }
    unsafe table.deallocate()
    unsafe table = unsafe larger
    unsafe tableMask = mask
  }
}

// MARK: Callbacks
// C functions without captures: `context` is the tape's state. None of them calls out of this file but for
// the grammar's question about a new name.

private let startElement: startElementNsSAX2Func = {
  context, local, prefix, namespace, namespaceCount, namespaces, attributeCount, _, attributes in
  guard let local = unsafe local, let context = unsafe context else { return }
  let state = unsafe context.assumingMemoryBound(to: TapeState.self)
  unsafe state.pointee.flushText()
  let isRoot = unsafe state.pointee.depth == 0
  unsafe state.pointee.depth += 1
  if unsafe state.pointee.depth > XMLTape.maximumDepth {
    unsafe state.pointee.fail("elements nested more than \(XMLTape.maximumDepth) deep")
    return
  }
  if Int(attributeCount) > XMLTape.maximumAttributes {
    unsafe state.pointee.fail("more than \(XMLTape.maximumAttributes) attributes on one element")
    return
  }
  let name = unsafe state.pointee.intern(local, prefix, namespace)
  let position = unsafe state.pointee.textCount
  unsafe state.pointee.append(.start, name: name, textOffset: position, textCount: 0)
  var isLeaf = attributeCount == 0
  if isRoot, namespaceCount > 0, let namespaces = unsafe namespaces {
    isLeaf = false
    for index in 0..<Int(namespaceCount) {
      guard let prefix = unsafe namespaces[index * 2], let uri = unsafe namespaces[index * 2 + 1] else {
        continue
      }
      let start = unsafe state.pointee.textCount
      unsafe state.pointee.appendText(uri, Int(xmlStrlen(uri)))
      let name = unsafe state.pointee.intern(prefix, nil, nil)
      let count = unsafe state.pointee.textCount - start
      unsafe state.pointee.append(.namespace, name: name, textOffset: start, textCount: count)
    }
  }
  if attributeCount > 0, let attributes = unsafe attributes {
    for index in 0..<Int(attributeCount) {
      // Five pointers each: local name, prefix, namespace, begin and end of the value.
      let attribute = unsafe attributes + index * 5
      guard
        let local = unsafe attribute[0], let first = unsafe attribute[3], let end = unsafe attribute[4]
      else { continue }
      let name = unsafe state.pointee.intern(local, attribute[1], attribute[2])
      let start = unsafe state.pointee.textCount
      let count = unsafe end - first
      unsafe state.pointee.appendText(first, count)
      unsafe state.pointee.append(.attribute, name: name, textOffset: start, textCount: count)
    }
  }
  unsafe state.pointee.pendingText = unsafe state.pointee.textCount
  unsafe state.pointee.isLeafOpen = isLeaf
}

private let endElement: endElementNsSAX2Func = { context, local, prefix, namespace in
  guard let local = unsafe local, let context = unsafe context else { return }
  let state = unsafe context.assumingMemoryBound(to: TapeState.self)
  unsafe state.pointee.depth -= 1
  if unsafe state.pointee.depth == 0 { unsafe state.pointee.hasClosedRoot = true }
  if unsafe state.pointee.isLeafOpen {
    unsafe state.pointee.isLeafOpen = false
    let index = unsafe state.pointee.tokenCount - 1
    let start = unsafe state.pointee.pendingText
    unsafe state.pointee.tokens[index].kind = .leaf
    unsafe state.pointee.tokens[index].textOffset = UInt32(truncatingIfNeeded: start)
    unsafe state.pointee.tokens[index].textCount = UInt32(
      truncatingIfNeeded: state.pointee.textCount - start)
    unsafe state.pointee.pendingText = unsafe state.pointee.textCount
    return
  }
  unsafe state.pointee.flushText()
  let name = unsafe state.pointee.intern(local, prefix, namespace)
  let position = unsafe state.pointee.textCount
  unsafe state.pointee.append(.end, name: name, textOffset: position, textCount: 0)
}

private let characters: charactersSAXFunc = { context, start, count in
  guard let start = unsafe start, let context = unsafe context else { return }
  let state = unsafe context.assumingMemoryBound(to: TapeState.self)
  unsafe state.pointee.appendText(start, Int(count))
  if unsafe state.pointee.textCount - state.pointee.pendingText > XMLTape.maximumText {
    unsafe state.pointee.fail("a text of more than \(XMLTape.maximumText >> 20) MiB")
  }
}

private let reference: referenceSAXFunc = { context, _ in
  guard let context = unsafe context else { return }
  let state = unsafe context.assumingMemoryBound(to: TapeState.self)
  unsafe state.pointee.unresolvedEntities += 1
}

private let structuredError: xmlStructuredErrorFunc = { context, error in
  guard let context = unsafe context, let error = unsafe error else { return }
  let state = unsafe context.assumingMemoryBound(to: TapeState.self)
  if unsafe error.pointee.code == Int32(bitPattern: XML_NS_ERR_UNDEFINED_NAMESPACE.rawValue) {
    unsafe state.pointee.undeclaredPrefixes += 1
  } else if unsafe error.pointee.level == XML_ERR_FATAL {
    let message = unsafe error.pointee.message.map { unsafe String(cString: $0) } ?? "not well-formed XML"
    // libxml2 ends its messages with a line feed and some with a blank line of context.
    let line = message.split(separator: "\n").first.map(String.init) ?? message
    unsafe state.pointee.record(line, line: Int(error.pointee.line), column: Int(error.pointee.int2))
  }
}
