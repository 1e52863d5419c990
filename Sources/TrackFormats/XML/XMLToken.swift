/// One token of an XML document.
struct XMLToken {
  enum Kind: UInt8 {
    /// A start tag; its namespace and attribute tokens follow directly.
    case start
    /// A prefix that the start tag declares. The name is the prefix, the text the namespace.
    case namespace
    /// An attribute of the start tag before it.
    case attribute
    /// A complete element without attributes and children. Its text may be empty.
    case leaf
    /// Text between the tags of an element that is not a leaf, with more than white space.
    case text
    case end
    /// A reference to an entity that is not predefined. It has no replacement.
    case unresolvedEntity
  }

  /// The bit of ``code`` that marks a name with an undeclared prefix. ``XMLTokenStream`` clears it.
  static let undeclared: UInt16 = 0x8000

  var kind: Kind
  /// The code of the name in the format's grammar; 0 for an unknown name.
  var code: UInt16
  /// The index of the name on the tape.
  var name: UInt32
  /// The offset of the text on the tape, in bytes.
  var textOffset: UInt32
  var textCount: UInt32
  /// The line of the parser's position after the tag, from 1.
  var line: UInt32
  var column: UInt32
}

/// A name in a document.
struct XMLName: Hashable {
  var namespace: String?
  var prefix: String?
  var local: String

  /// The namespaces reserved for the prefixes `xml` and `xmlns` (Namespaces in XML 1.0, section 3).
  static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"
  static let xmlnsNamespace = "http://www.w3.org/2000/xmlns/"

  /// The name as written in the document.
  var qualified: String { prefix.map { "\($0):\(local)" } ?? local }
}

/// The reason why parsing cannot continue.
struct XMLFault {
  var message: String
  var line: Int
  var column: Int
  /// Whether the fault is after the root element, so that all content of the format has been read.
  var isBehindRoot: Bool
  /// Whether the document exceeds a limit of ``ReadingLimits``.
  var isLimit: Bool
}
