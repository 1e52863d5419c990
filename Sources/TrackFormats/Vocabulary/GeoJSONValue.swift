import TrackModel

/// A member that is interpreted later.
struct GeoJSONValue {
  var name: String
  /// The string, or JSON without whitespace.
  var text: String
  /// Whether the text is JSON instead of a string.
  var isJSON: Bool

  init(name: String, text: String, isJSON: Bool = false) {
    self.name = name
    self.text = text
    self.isJSON = isJSON
  }

  /// Reads the value of the member `name`.
  ///
  /// - Returns: `nil` with a warning for a value that is too long.
  init?(name: String, _ lexer: inout JSONLexer) throws(TrackError) {
    self.name = name
    isJSON = try lexer.kind() != .string
    if isJSON {
      guard try lexer.copyValue(limit: GeoJSONMembers.limit) else {
        try GeoJSONMembers.warnOfLength(&lexer)
        return nil
      }
      text = lexer.copied.string
    } else {
      text = try lexer.string()
      guard text.utf8.count <= GeoJSONMembers.limit else {
        try GeoJSONMembers.warnOfLength(&lexer)
        return nil
      }
    }
  }

  /// Creates a member with a number.
  init(name: String, _ number: Double) {
    var bytes = ByteBuffer()
    bytes.append(decimal: number)
    self.init(name: name, text: bytes.string, isJSON: true)
  }
}
