/// An XML element that is not part of the model, kept so that it can be written again.
///
/// The namespace and the local name identify an element. Prefixes are hints, and writers may choose others.
public struct ExtensionElement: Sendable, Hashable {
  /// An attribute of an element.
  public struct Attribute: Sendable, Hashable {
    /// The namespace name (URI), or `nil` for an attribute without one.
    public var namespace: String?
    /// The prefix in the source, if any.
    public var prefix: String?
    /// The name without its prefix.
    public var name: String
    /// The value without references.
    public var value: String

    /// Creates an attribute.
    public init(namespace: String? = nil, prefix: String? = nil, name: String, value: String) {
      self.namespace = namespace
      self.prefix = prefix
      self.name = name
      self.value = value
    }
  }

  /// The content in file order.
  public enum Content: Sendable, Hashable {
    /// Character data, without references and with its white space.
    case text(String)
    /// A child element.
    case element(ExtensionElement)
  }

  /// The namespace name (URI), or `nil` if the file declares none.
  public var namespace: String?
  /// The prefix in the source, or `nil` for a default namespace.
  public var prefix: String?
  /// The local name.
  public var name: String
  /// The attributes in the order of the file.
  public var attributes: [Attribute]
  /// The texts and elements inside the element, in order.
  public var content: [Content]

  /// Creates an element.
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

  /// Creates an element that contains only text.
  public init(namespace: String?, prefix: String?, name: String, text: String) {
    self.init(namespace: namespace, prefix: prefix, name: name, content: text.isEmpty ? [] : [.text(text)])
  }

  /// The child elements without the text between them.
  public var children: [ExtensionElement] {
    content.compactMap { if case .element(let child) = $0 { child } else { nil } }
  }

  /// The concatenated text directly inside the element.
  public var text: String {
    content.reduce(into: "") { if case .text(let text) = $1 { $0 += text } }
  }
}
