/// An XML element that the model has no place for, kept as it was read so that it can be written again.
///
/// Prefixes are hints: an element is what its namespace and local name say, and a writer may choose others.
public struct ExtensionElement: Sendable, Hashable {
  public struct Attribute: Sendable, Hashable {
    /// The namespace name (URI), or nil for an attribute without one.
    public var namespace: String?
    /// The prefix it was written with, if any.
    public var prefix: String?
    public var name: String
    public var value: String

    public init(namespace: String? = nil, prefix: String? = nil, name: String, value: String) {
      self.namespace = namespace
      self.prefix = prefix
      self.name = name
      self.value = value
    }
  }

  /// What stands between the tags, in the order of the file.
  public enum Content: Sendable, Hashable {
    case text(String)
    case element(ExtensionElement)
  }

  /// The namespace name (URI), or nil where the file declares none.
  public var namespace: String?
  /// The prefix it was written with; nil for a default namespace.
  public var prefix: String?
  /// The local name.
  public var name: String
  public var attributes: [Attribute]
  public var content: [Content]

  public init(
    namespace: String? = nil, prefix: String? = nil, name: String,
    attributes: [Attribute] = [], content: [Content] = []
  ) {
    self.namespace = namespace
    self.prefix = prefix
    self.name = name
    self.attributes = attributes
    self.content = content
  }

  /// An element that holds nothing but text.
  public init(namespace: String?, prefix: String?, name: String, text: String) {
    self.init(namespace: namespace, prefix: prefix, name: name, content: text.isEmpty ? [] : [.text(text)])
  }

  /// The child elements, without the text between them.
  public var children: [ExtensionElement] {
    content.compactMap { if case .element(let child) = $0 { child } else { nil } }
  }

  /// The text directly inside, joined.
  public var text: String {
    content.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
  }
}
