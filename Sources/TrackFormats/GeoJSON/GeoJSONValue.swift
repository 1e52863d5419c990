import TrackModel

/// A member that the model has no place for, kept so that GeoJSON that was read can be written again.
///
/// As an extension it is an element `property` (of a Feature's `properties`) or `member` (of the object itself)
/// of the namespace ``namespace`` with the attribute `name`, because a name in JSON need not be one in XML. Its
/// text is the string; with the attribute `type` and the value `json` it is JSON of any kind.
struct GeoJSONValue {
  var name: String
  /// The string, or JSON without blanks.
  var text: String
  /// Whether the text is JSON rather than a string.
  var isJSON: Bool

  /// The name that RFC 7946 has among those of the IETF.
  static let namespace = "urn:ietf:rfc:7946"
  static let prefix = "geojson"

  /// Longer values are left out, with a warning.
  static let limit = 1 << 16

  enum Place: String { case property, member }

  init(name: String, text: String, isJSON: Bool) {
    self.name = name
    self.text = text
    self.isJSON = isJSON
  }

  /// Takes the value of the member `name`, whatever it is.
  ///
  /// - Returns: nil, with a warning, for a value that is too long.
  init?(name: String, _ lexer: inout JSONLexer) throws(TrackError) {
    self.name = name
    if try lexer.kind() == .string {
      text = try lexer.string()
      isJSON = false
      guard text.utf8.count > GeoJSONValue.limit else { return }
    } else {
      var bytes = ByteBuffer()
      isJSON = true
      let isWhole = try lexer.copyValue(to: &bytes, limit: GeoJSONValue.limit)
      text = bytes.string
      if isWhole { return }
    }
    try lexer.warn(
      .notRepresentable, "a value of more than \(GeoJSONValue.limit >> 10) KiB that has no place, left out")
    return nil
  }

  // MARK: As an extension

  func element(_ place: Place) -> ExtensionElement {
    var attributes = [ExtensionElement.Attribute(name: "name", value: name)]
    if isJSON { attributes.append(ExtensionElement.Attribute(name: "type", value: "json")) }
    return ExtensionElement(
      namespace: GeoJSONValue.namespace, prefix: GeoJSONValue.prefix, name: place.rawValue,
      attributes: attributes, content: text.isEmpty ? [] : [.text(text)])
  }

  /// The value that an extension was made of; nil for one of another kind.
  ///
  /// An extension can come from anywhere, so what is said to be JSON is checked; where it is none it is a string.
  init?(_ element: ExtensionElement, _ place: Place) {
    guard element.namespace == GeoJSONValue.namespace, element.name == place.rawValue,
      let name = element.attributes.first(where: { $0.name == "name" && $0.namespace == nil })?.value,
      element.children.isEmpty
    else { return nil }
    self.name = name
    text = element.text
    isJSON =
      element.attributes.contains { $0.name == "type" && $0.value == "json" } && GeoJSONValue.isJSON(text)
  }

  private static func isJSON(_ text: String) -> Bool {
    var lexer = JSONLexer(ByteInput(bytes: Array(text.utf8)), options: ReadingOptions(isStrict: true))
    do throws(TrackError) {
      try lexer.skip()
      // A line feed would part the records of a sequence.
      return try !lexer.nextText() && !text.utf8.contains { $0 == 0x0A || $0 == 0x1E }
    } catch {
      return false
    }
  }
}

extension ByteBuffer {
  /// Appends a member that was kept.
  mutating func append(_ value: GeoJSONValue) {
    append(member: value.name)
    if value.isJSON { append(value.text) } else { append(json: value.text) }
  }
}
