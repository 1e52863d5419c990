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
  /// - Parameter room: the size that the value may have, in bytes, if that is less than
  ///   ``GeoJSONMembers/limit``.
  /// - Returns: `nil` with a warning for a value that is too long.
  init?(name: String, _ lexer: inout JSONLexer, room: Int = .max) throws(TrackError) {
    self.name = name
    isJSON = try lexer.kind() != .string
    let limit = min(GeoJSONMembers.limit, room)
    if isJSON {
      guard try lexer.copyValue(limit: limit) else {
        try GeoJSONMembers.warnOfLength(&lexer, room: room)
        return nil
      }
      text = lexer.copied.string
    } else {
      text = try lexer.string()
      guard text.utf8.count <= limit else {
        try GeoJSONMembers.warnOfLength(&lexer, room: room)
        return nil
      }
    }
  }

  /// An estimate of the memory for the value, in bytes.
  var size: Int { MemoryLayout<GeoJSONValue>.stride + name.utf8.count + text.utf8.count }

  /// Creates a member with a number.
  init(name: String, _ number: Double) {
    var bytes = ByteBuffer()
    bytes.append(decimal: number)
    self.init(name: name, text: bytes.string, isJSON: true)
  }
}
