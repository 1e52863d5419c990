import TrackModel

/// The attributes of a start tag. They are collected first and written to the tape when the tag is complete.
extension XMLScannerState {
  /// Scans the attributes up to the `>` or `/>` that ends the tag, and leaves the cursor on it.
  mutating func takeAttributes(_ cursor: inout Position) -> Outcome {
    while true {
      let before = unsafe cursor
      unsafe skipBlanks(&cursor)
      guard unsafe cursor < end else { return .incomplete }
      if unsafe cursor.pointee == UInt8(ascii: ">") { return .done }
      if unsafe cursor.pointee == UInt8(ascii: "/") {
        guard unsafe cursor + 1 < end else { return .incomplete }
        if unsafe cursor[1] == UInt8(ascii: ">") { return .done }
      }
      guard unsafe cursor > before, unsafe classes[Int(cursor.pointee)] & XMLByte.nameStart != 0 else {
        return unsafe fail("text in a tag that is not an attribute", at: cursor)
      }
      let name = unsafe cursor
      unsafe skipName(&cursor)
      let nameCount = unsafe cursor - name
      unsafe skipBlanks(&cursor)
      guard unsafe cursor < end else { return .incomplete }
      guard unsafe cursor.pointee == UInt8(ascii: "=") else {
        return unsafe fail("an attribute without a value", at: cursor)
      }
      unsafe cursor += 1
      unsafe skipBlanks(&cursor)
      guard unsafe cursor < end else { return .incomplete }
      let value = unsafe tape.pointee.textCount
      let outcome = unsafe takeValue(&cursor)
      if outcome != .done { return outcome }
      guard unsafe add(name, nameCount, value: value) else {
        return unsafe fail(
          "more than \(tape.pointee.limits.attributeCount) attributes on one element", at: cursor,
          isLimit: true)
      }
    }
  }

  /// Scans a quoted value and appends it to the tape.
  @inline(__always)
  private mutating func takeValue(_ cursor: inout Position) -> Outcome {
    let quote = unsafe cursor.pointee
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      return unsafe fail("the value of an attribute without quotes", at: cursor)
    }
    unsafe cursor += 1
    while true {
      unsafe run(&cursor, stop: quote)
      guard unsafe cursor < end else { return .incomplete }
      if unsafe cursor.pointee == quote {
        unsafe cursor += 1
        return .done
      }
      if unsafe cursor.pointee == UInt8(ascii: "<") {
        return unsafe fail("a < in the value of an attribute", at: cursor)
      }
      let outcome = unsafe special(&cursor, isAttribute: true)
      if outcome != .done { return outcome }
    }
  }

  /// Adds an attribute whose value is at the end of the tape's text. Returns false if there are too many
  /// attributes.
  @inline(__always)
  private mutating func add(_ name: Position, _ nameCount: Int, value: Int) -> Bool {
    if unsafe attributeCount == attributeCapacity {
      guard unsafe attributeCount < tape.pointee.limits.attributeCount else { return false }
      unsafe growAttributes()
    }
    unsafe (attributes + attributeCount).initialize(
      to: Attribute(
        name: name, nameCount: nameCount, value: value, valueCount: tape.pointee.textCount &- value,
        entry: -1))
    unsafe attributeCount &+= 1
    if unsafe XMLByte.isDeclaration(name, nameCount) { unsafe declaresNamespaces = true }
    return true
  }

  private mutating func growAttributes() {
    let capacity = unsafe min(attributeCapacity * 4, tape.pointee.limits.attributeCount)
    let larger = UnsafeMutablePointer<Attribute>.allocate(capacity: capacity)
    unsafe larger.update(from: attributes, count: attributeCount)
    unsafe attributes.deallocate()
    unsafe attributes = unsafe larger
    unsafe attributeCapacity = capacity
  }

  /// Resolves the names of the attributes.
  ///
  /// - Returns: false after a fault.
  mutating func resolveAttributes(of element: Int, _ scope: Int, at position: Position) -> Bool {
    var previous = -1
    var prefixedCount = 0
    for index in 0..<(unsafe attributeCount) {
      let attribute = unsafe attributes + index
      if unsafe declaresNamespaces
        && XMLByte.isDeclaration(attribute.pointee.name, attribute.pointee.nameCount)
      {
        continue
      }
      guard
        let found = unsafe names.attribute(
          attribute.pointee.name, attribute.pointee.nameCount, end, of: element, behind: previous,
          scope: scope, tape)
      else {
        unsafe failName(at: position)
        return false
      }
      unsafe attribute.pointee.entry = found
      if unsafe names.entry(found).pointee.hasPrefix { prefixedCount &+= 1 }
      previous = found
    }
    // If at most one name has a prefix, names are equal only if they are spelled the same.
    let isSmall = unsafe prefixedCount < 2 && attributeCount <= 8
    guard unsafe isSmall ? hasNoTwins : hasNoTwinsAtAll else {
      unsafe fail("an attribute twice in one tag", at: position)
      return false
    }
    return true
  }

  /// Whether the spellings of a few attributes are unique.
  private var hasNoTwins: Bool {
    for index in 1..<(unsafe max(attributeCount, 1)) {
      for other in 0..<index
      where unsafe attributes[other].entry == attributes[index].entry && attributes[index].entry >= 0 {
        return false
      }
    }
    return true
  }

  /// Whether the attributes' names are unique, regardless of prefixes.
  private var hasNoTwinsAtAll: Bool {
    var seen: Set<XMLName> = []
    return (0..<(unsafe attributeCount)).allSatisfy { index in
      guard case let found = unsafe attributes[index].entry, found >= 0 else { return true }
      var name = unsafe tape.pointee.names[Int(names.entry(found).pointee.index)]
      // Two prefixes may denote the same namespace. Without a namespace the prefix is compared.
      if name.namespace != nil { name.prefix = nil }
      return seen.insert(name).inserted
    }
  }

  /// Writes the attributes after their start tag to the tape, preceded by the namespaces that the root
  /// declares.
  mutating func writeAttributes(column: Int) {
    if unsafe declaresNamespaces && depth == 0 { unsafe writeNamespaces(column: column) }
    for index in 0..<(unsafe attributeCount) {
      let attribute = unsafe attributes + index
      guard case let found = unsafe attribute.pointee.entry, found >= 0 else { continue }
      let entry = unsafe names.entry(found)
      unsafe tape.pointee.append(
        .attribute, name: entry.pointee.index, code: entry.pointee.code, textOffset: attribute.pointee.value,
        textCount: attribute.pointee.valueCount, line: line, column: column)
    }
    // A tag that declares only namespaces has no attribute tokens and may be a leaf.
    unsafe tape.pointee.isLeafOpen = unsafe tape.pointee.tokens[tape.pointee.tokenCount &- 1].kind == .start
  }
}
