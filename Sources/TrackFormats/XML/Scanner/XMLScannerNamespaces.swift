import TrackModel

/// Namespace declarations.
extension XMLScannerState {
  /// Returns the scope inside the current tag: the outer scope, or a new one if the tag declares namespaces.
  ///
  /// - Returns: nil after a fault.
  mutating func declareNamespaces(in scope: Int, at position: Position) -> Int? {
    var bindings: [XMLNameTable.Binding] = []
    var prefixes: Set<String?> = []
    for index in 0..<(unsafe attributeCount) {
      let attribute = unsafe attributes + index
      guard unsafe XMLByte.isDeclaration(attribute.pointee.name, attribute.pointee.nameCount) else {
        continue
      }
      let prefix = unsafe declaredPrefix(attribute)
      let uri = unsafe String(
        decoding: UnsafeBufferPointer(
          start: tape.pointee.text + attribute.pointee.value, count: attribute.pointee.valueCount),
        as: UTF8.self)
      let isNew = prefixes.insert(prefix).inserted
      guard isNew else {
        unsafe fail("a prefix declared twice in one tag", at: position)
        return nil
      }
      guard unsafe isAllowed(prefix, uri) else {
        unsafe fail("a declaration of a namespace that XML does not allow", at: position)
        return nil
      }
      // Declaring this prefix has no effect.
      if prefix != "xml" { bindings.append(XMLNameTable.Binding(prefix: prefix, uri: uri)) }
    }
    guard !bindings.isEmpty else { return scope }
    let inner = unsafe names.enter(scope, bindings, tape)
    if inner == nil {
      unsafe fail(
        "more than \(tape.pointee.limits.nameCount) different sets of namespaces", at: position,
        isLimit: true)
    }
    return inner
  }

  /// Writes the root's declarations to the tape, except the default namespace, which the names include.
  mutating func writeNamespaces(column: Int) {
    for index in 0..<(unsafe attributeCount) {
      let attribute = unsafe attributes + index
      guard unsafe XMLByte.isDeclaration(attribute.pointee.name, attribute.pointee.nameCount),
        let prefix = unsafe declaredPrefix(attribute), prefix != "xml"
      else { continue }
      let name = unsafe tape.pointee.intern(XMLName(namespace: nil, prefix: nil, local: prefix))
      unsafe tape.pointee.append(
        .namespace, name: name.index, code: name.code, textOffset: attribute.pointee.value,
        textCount: attribute.pointee.valueCount, line: line, column: column)
    }
  }

  /// Returns the prefix of a declaration, or nil for the default namespace and for invalid UTF-8.
  private func declaredPrefix(_ attribute: UnsafePointer<Attribute>) -> String? {
    let count = unsafe attribute.pointee.nameCount
    guard count > 5 else { return nil }
    return unsafe String(
      validating: UnsafeBufferPointer(start: attribute.pointee.name + 6, count: count - 6), as: UTF8.self)
      ?? ""
  }

  /// Returns whether a prefix may be bound to a namespace (Namespaces in XML 1.0, section 3).
  private func isAllowed(_ prefix: String?, _ uri: String) -> Bool {
    if prefix == "xml" { return uri == XMLName.xmlNamespace }
    guard uri != XMLName.xmlNamespace, uri != XMLName.xmlnsNamespace else { return false }
    guard let prefix else { return true }
    return prefix != "xmlns" && !uri.isEmpty && XMLByte.isUnqualifiedName(prefix)
  }
}
