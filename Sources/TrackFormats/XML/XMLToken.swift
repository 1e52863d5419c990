/// One step in an XML document.
struct XMLToken {
  enum Kind: UInt8 {
    /// A start tag; its namespace and attribute tokens follow directly.
    case start
    /// A prefix that the start tag declares: the name is the prefix, the text the namespace.
    case namespace
    /// An attribute of the start tag before it.
    case attribute
    /// An element without attributes and children, whole: its text may be empty.
    case leaf
    /// Text that is not only white space, between the tags of an element that is no leaf.
    case text
    case end
    /// A reference to an entity that is not predefined; nothing stands for it.
    case unresolvedEntity
  }

  /// The bit of ``code`` that says that nothing declares the name's prefix; ``XMLTokenStream`` takes it off.
  static let undeclared: UInt16 = 0x8000

  var kind: Kind
  /// What the format's grammar calls the name; 0 for a name that it does not know.
  var code: UInt16
  /// The index of the name on the tape.
  var name: UInt32
  /// Where the text lies on the tape, in bytes.
  var textOffset: UInt32
  var textCount: UInt32
  /// Where the parser stood behind the tag, from 1.
  var line: UInt32
  var column: UInt32
}

/// A name as it stands in a document.
struct XMLName: Hashable {
  var namespace: String?
  var prefix: String?
  var local: String

  /// What the prefixes `xml` and `xmlns` stand for; no other may (Namespaces in XML 1.0, section 3).
  static let xmlNamespace = "http://www.w3.org/XML/1998/namespace"
  static let xmlnsNamespace = "http://www.w3.org/2000/xmlns/"

  /// The name as the document writes it.
  var qualified: String { prefix.map { "\($0):\(local)" } ?? local }
}

/// Why a document cannot be read on.
struct XMLFault {
  var message: String
  var line: Int
  var column: Int
  /// Whether the root element was closed before: all that a format asks for is there.
  var isBehindRoot: Bool
  /// Whether the document exceeds a limit of ``ReadingLimits``.
  var isLimit: Bool
}
