/// The values of a point in named channels that are not in ``Channel``, such as engine speed and throttle.
public struct ExtraValues: Sendable, Hashable {
  /// The name of a channel, and its unit as named by the recorder.
  public struct Name: Sendable, Hashable {
    /// The name.
    public var name: String
    /// The unit, or `nil` if it is unknown.
    public var unit: String?

    /// Creates a name.
    public init(_ name: String, unit: String? = nil) {
      self.name = name
      self.unit = unit
    }

    /// Parses the form of ``heading``.
    public init(heading: String) {
      self.init(heading)
      for (open, close) in [("(", ")"), ("[", "]")] where heading.hasSuffix(close) {
        guard let start = heading.lastIndex(of: Character(open)) else { continue }
        let name = heading[..<start].trimmed
        let unit = heading[heading.index(after: start)...].dropLast().trimmed
        if !name.isEmpty, !unit.isEmpty, Name.isUnit(unit) { self.init(name, unit: unit) }
        return
      }
    }

    /// Whether a text in parentheses can be a unit. Axes, `calibrated` and lists of values are not.
    private static func isUnit(_ text: String) -> Bool {
      !["x", "y", "z", "calibrated", "calculated"].contains(text.lowercased())
        && text.count(where: { $0 == "/" }) < 3
    }

    /// The name with its unit in parentheses: `RPM (1/min)`.
    public var heading: String { unit.map { "\(name) (\($0))" } ?? name }
  }

  /// The maximum number of channels that readers deliver.
  public static let maximumCount = 1000

  /// The channels. Points of a track usually share their names.
  public var names: [Name]
  /// The value in each channel, NaN if it is missing.
  public var values: [Double]

  /// Creates values.
  ///
  /// - Precondition: there is one value for each name.
  public init(_ names: [Name], _ values: [Double]) {
    precondition(names.count == values.count, "one value for each name")
    self.names = names
    self.values = values
  }

  /// Whether all values are missing.
  public var isEmpty: Bool { values.allSatisfy(\.isNaN) }

  public static func == (left: ExtraValues, right: ExtraValues) -> Bool {
    left.names == right.names && left.values.elementsEqual(right.values) { $0 == $1 || $0.isNaN && $1.isNaN }
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(names)
    for value in values where !value.isNaN { hasher.combine(value) }
  }
}

extension ExtraValues {
  /// The namespace of the elements that store values: `<channel name="RPM" unit="1/min">3000</channel>`.
  public static let namespace = "urn:ghost-car:channels:1"
  /// The preferred prefix of the namespace.
  public static let prefix = "channels"
  private static let elementName = "channel"

  /// The values as elements of XML.
  public var elements: [ExtensionElement] {
    zip(names, values).compactMap { name, value in
      guard !value.isNaN else { return nil }
      var attributes = [ExtensionElement.Attribute(name: "name", value: name.name)]
      if let unit = name.unit { attributes.append(ExtensionElement.Attribute(name: "unit", value: unit)) }
      return ExtensionElement(
        namespace: Self.namespace, prefix: Self.prefix, name: Self.elementName, attributes: attributes,
        content: [.text(Self.text(of: value))])
    }
  }

  private static func text(of value: Double) -> String {
    var buffer = ByteBuffer()
    buffer.append(decimal: value)
    return String(decoding: buffer.array, as: UTF8.self)
  }

  /// Returns the name and the value in an element, or `nil` for other elements.
  public static func value(in element: ExtensionElement) -> (name: Name, value: Double)? {
    guard element.namespace == namespace, element.name == elementName,
      let name = element.attributes.first(where: { $0.name == "name" })?.value,
      let value = DecimalReading.read(Array(element.text.utf8).span)
    else { return nil }
    return (Name(name, unit: element.attributes.first { $0.name == "unit" }?.value), value)
  }
}

extension Substring {
  /// The text without leading and trailing spaces.
  fileprivate var trimmed: String {
    var text = self
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}
