package import TrackModel

/// Writing of text in XML documents.
extension ByteBuffer {
  /// Appends text between tags. Characters that XML 1.0 cannot represent become U+FFFD.
  package mutating func append(xmlText text: String) { append(escaping: text, isAttribute: false) }

  /// Appends the value of an attribute in double quotes, without the quotes.
  mutating func append(xmlAttribute text: String) { append(escaping: text, isAttribute: true) }

  private mutating func append(escaping text: String, isAttribute: Bool) {
    // For long texts: growing by doubling takes three times their size.
    reserve(text.utf8.count + 64)
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": append("&amp;")
      case "<": append("&lt;")
      case ">": append("&gt;")
      case "\"" where isAttribute: append("&quot;")
      // A parser would convert these to spaces or line feeds.
      case "\r": append("&#13;")
      case "\n" where isAttribute: append("&#10;")
      case "\t" where isAttribute: append("&#9;")
      case "\n", "\t": append(UInt8(truncatingIfNeeded: scalar.value))
      case _ where scalar.value < 0x20 || scalar == "\u{FFFE}" || scalar == "\u{FFFF}":
        append("\u{FFFD}" as String)
      case _ where scalar.isASCII: append(UInt8(truncatingIfNeeded: scalar.value))
      default: append(String(scalar))
      }
    }
  }

  /// Appends `<name>text</name>`.
  package mutating func append(element name: StaticString, _ text: String) {
    open(name)
    append(xmlText: text)
    close(name)
  }

  /// Appends `<name>number</name>`.
  package mutating func append(element name: StaticString, _ value: Double) {
    open(name)
    append(decimal: value)
    close(name)
  }

  /// Appends `<name>`.
  mutating func open(_ name: StaticString) {
    append(UInt8(ascii: "<"))
    append(name)
    append(UInt8(ascii: ">"))
  }

  /// Appends `</name>`.
  mutating func close(_ name: StaticString) {
    append("</")
    append(name)
    append(UInt8(ascii: ">"))
  }
}

/// The prefixes that a document declares at its root. Writes kept elements with these prefixes.
struct XMLNamespaces {
  /// The prefixes and namespaces, in the order of their declaration.
  private(set) var declarations: [NamespaceDeclaration] = []
  private let defaultNamespace: String
  /// The namespace of the attributes that refer to a schema (XML Schema Part 1, 2.6).
  private static let schemaInstance = "http://www.w3.org/2001/XMLSchema-instance"

  /// - Parameter defaultNamespace: the namespace of elements without a prefix.
  init(defaultNamespace: String) { self.defaultNamespace = defaultNamespace }

  func prefix(of namespace: String) -> String? {
    declarations.first { $0.uri == namespace }?.prefix
  }

  /// Declares a namespace, with the preferred prefix if it is free, otherwise with a number appended to it.
  ///
  /// - Returns: the prefix.
  @discardableResult
  mutating func declare(_ namespace: String, preferring wanted: String) -> String {
    if let known = prefix(of: namespace) { return known }
    let wanted = XMLNamespaces.isUsable(wanted) ? wanted : "ns"
    var candidate = wanted
    var number = 2
    while declarations.contains(where: { $0.prefix == candidate }) {
      candidate = "\(wanted)\(number)"
      number += 1
    }
    declarations.append(NamespaceDeclaration(prefix: candidate, uri: namespace))
    return candidate
  }

  /// Returns whether a prefix can denote any namespace: a name without a colon that XML does not reserve.
  private static func isUsable(_ prefix: String) -> Bool {
    guard let first = prefix.unicodeScalars.first, first == "_" || first.properties.isAlphabetic else {
      return false
    }
    let isName = prefix.unicodeScalars.allSatisfy {
      $0 == "_" || $0 == "-" || $0 == "." || $0.properties.isAlphabetic || $0.properties.numericType != nil
    }
    return isName && !prefix.lowercased().hasPrefix("xml")
  }

  /// Appends an element with its content. Namespaces that the root does not declare are declared where they
  /// are used.
  ///
  /// `xsi:type` is omitted: its value is a prefixed name that refers to a schema of the source document,
  /// which the output does not follow.
  ///
  /// - Parameter unqualified: the namespace of elements without a namespace or with the default one.
  func append(
    _ element: ExtensionElement, unqualified: (prefix: String, uri: String), to bytes: inout ByteBuffer
  ) {
    var local: [NamespaceDeclaration] = []
    append(element, unqualified: unqualified, local: &local, to: &bytes)
  }

  private func append(
    _ element: ExtensionElement, unqualified: (prefix: String, uri: String),
    local: inout [NamespaceDeclaration], to bytes: inout ByteBuffer
  ) {
    let scope = local.count
    var namespace = element.namespace ?? unqualified.uri
    if namespace.isEmpty || namespace == defaultNamespace { namespace = unqualified.uri }
    let wanted = namespace == unqualified.uri ? unqualified.prefix : element.prefix ?? "ns"
    let prefix = resolve(namespace, preferring: wanted, &local)
    var attributes: [(name: String, value: String)] = []
    for attribute in element.attributes {
      if attribute.namespace == "http://www.w3.org/XML/1998/namespace" {
        attributes.append(("xml:\(attribute.name)", attribute.value))
      } else if attribute.namespace == XMLNamespaces.schemaInstance, attribute.name == "type" {
        continue
      } else if let namespace = attribute.namespace, !namespace.isEmpty {
        let prefix = resolve(namespace, preferring: attribute.prefix ?? "ns", &local)
        attributes.append(("\(prefix):\(attribute.name)", attribute.value))
      } else {
        attributes.append((attribute.name, attribute.value))
      }
    }
    let name = "\(prefix):\(element.name)"
    bytes.append(UInt8(ascii: "<"))
    bytes.append(name)
    for declaration in local[scope...] {
      bytes.append(" xmlns:")
      bytes.append(declaration.prefix)
      bytes.append("=\"")
      bytes.append(xmlAttribute: declaration.uri)
      bytes.append(UInt8(ascii: "\""))
    }
    for attribute in attributes {
      bytes.append(UInt8(ascii: " "))
      bytes.append(attribute.name)
      bytes.append("=\"")
      bytes.append(xmlAttribute: attribute.value)
      bytes.append(UInt8(ascii: "\""))
    }
    if element.content.isEmpty {
      bytes.append("/>")
    } else {
      bytes.append(UInt8(ascii: ">"))
      for content in element.content {
        switch content {
        case .text(let text): bytes.append(xmlText: text)
        case .element(let child): append(child, unqualified: unqualified, local: &local, to: &bytes)
        }
      }
      bytes.append("</")
      bytes.append(name)
      bytes.append(UInt8(ascii: ">"))
    }
    local.removeSubrange(scope...)
  }

  /// Returns the prefix of a namespace, declaring it if it is not in scope.
  private func resolve(
    _ namespace: String, preferring wanted: String, _ local: inout [NamespaceDeclaration]
  ) -> String {
    if let known = local.last(where: { $0.uri == namespace })?.prefix ?? prefix(of: namespace) {
      return known
    }
    var all = XMLNamespaces(defaultNamespace: defaultNamespace)
    all.declarations = declarations + local
    let prefix = all.declare(namespace, preferring: wanted)
    local.append(NamespaceDeclaration(prefix: prefix, uri: namespace))
    return prefix
  }
}
