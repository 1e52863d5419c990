import TrackModel

/// Members of an object that are not part of the model, kept so that they can be written again.
///
/// They are stored as an extension element in ``namespace`` whose text is a JSON object: `properties` for
/// members of a Feature's `properties`, `members` for those of the Feature itself. This also preserves them
/// in GPX.
struct GeoJSONMembers {
  /// The IETF URN of RFC 7946.
  static let namespace = "urn:ietf:rfc:7946"

  /// The longest value in bytes. Longer values are skipped with a warning.
  static let limit = 1 << 16

  enum Owner: String { case properties, members }

  /// Members as `"name":value`, separated by commas.
  private var json: [UInt8] = []

  var isEmpty: Bool { json.isEmpty }

  // MARK: Keeping

  /// Reads and keeps the value of the member `name`, if there is room for it.
  mutating func take(_ name: String, _ lexer: inout JSONLexer) throws(TrackError) {
    let room = lexer.options.limits.keptSize - json.count - name.utf8.count
    guard try lexer.copyValue(limit: min(GeoJSONMembers.limit, room)) else {
      return try GeoJSONMembers.warnOfLength(&lexer, room: room)
    }
    begin(name)
    append(lexer.copied.bytes)
  }

  /// - Parameter room: the size that the members of the object may still have, in bytes.
  static func warnOfLength(_ lexer: inout JSONLexer, room: Int) throws(TrackError) {
    guard room < limit else {
      return try lexer.warn(.notRepresentable, "unknown member of more than \(limit >> 10) KiB, skipped")
    }
    let size = ReadingLimits.text(size: lexer.options.limits.keptSize)
    try lexer.warn(.notRepresentable, "more than \(size) of unknown members in one object, the rest skipped")
  }

  mutating func append(_ value: GeoJSONValue) {
    begin(value.name)
    var bytes = ByteBuffer()
    if value.isJSON { bytes.append(value.text) } else { bytes.append(json: value.text) }
    append(bytes.bytes)
  }

  mutating func append(_ other: GeoJSONMembers) {
    guard !other.isEmpty else { return }
    if !json.isEmpty { json.append(UInt8(ascii: ",")) }
    json += other.json
  }

  private mutating func begin(_ name: String) {
    if !json.isEmpty { json.append(UInt8(ascii: ",")) }
    var bytes = ByteBuffer(capacity: 64)
    bytes.append(json: name)
    bytes.append(UInt8(ascii: ":"))
    append(bytes.bytes)
  }

  private mutating func append(_ bytes: Span<UInt8>) {
    unsafe bytes.withUnsafeBufferPointer { unsafe json.append(contentsOf: $0) }
  }

  // MARK: Extension elements

  /// The extension element, or `nil` if there are no members.
  func element(_ owner: Owner) -> ExtensionElement? {
    guard !isEmpty else { return nil }
    return ExtensionElement(
      namespace: GeoJSONMembers.namespace, prefix: "geojson", name: owner.rawValue,
      text: "{\(String(decoding: json, as: UTF8.self))}")
  }

  /// Returns whether an extension has the form of ``element(named:)``.
  static func isElement(_ element: ExtensionElement, _ owner: Owner) -> Bool {
    element.name == owner.rawValue && element.namespace == namespace
  }

  /// Returns the meaning of a property's name to the reader.
  static func meaning(of name: String) -> GeoJSONProperty {
    GeoJSONProperty(rawValue: GeoJSONProperty.names.code(of: Array(name.utf8).span)) ?? .other
  }

  /// Divides the properties of an extension into those that can be written as text and the rest. Numbers and
  /// Booleans are in both, because text loses their type.
  ///
  /// - Parameter isText: whether a property with this name can be written as text.
  /// - Returns: `nil` if the element has no properties or its text is not a JSON object.
  static func parted(
    _ element: ExtensionElement, isText: (_ name: String, _ value: String) -> Bool
  ) -> (texts: [(name: String, value: String)], rest: ExtensionElement?)? {
    guard isElement(element, .properties) else { return nil }
    var texts: [(name: String, value: String)] = []
    var rest = GeoJSONMembers()
    var lexer = JSONLexer(ByteInput(bytes: Array(element.text.utf8)), options: ReadingOptions(isStrict: true))
    do throws(TrackError) {
      try lexer.beginObject()
      while try lexer.nextMember() {
        let name = lexer.text
        let kind = try lexer.kind()
        guard let value = try GeoJSONValue(name: name, &lexer) else { return nil }
        switch kind {
        case .string, .number, .true, .false:
          let isGiven = meaning(of: name) == .other && isText(name, value.text)
          if isGiven { texts.append((name, value.text)) }
          if !isGiven || kind != .string { rest.append(value) }
        case .null, .array, .object: rest.append(value)
        }
      }
      if try lexer.nextText() { return nil }
    } catch { return nil }
    return (texts, rest.element(.properties))
  }

  /// Appends the members of an extension to an object.
  ///
  /// The text of the extension is untrusted and therefore validated.
  ///
  /// - Parameter isFree: whether the object has no member with a name yet.
  /// - Returns: the number of members skipped because of existing names, or `nil` if the text is not a JSON
  ///   object and nothing was appended.
  static func append(
    _ element: ExtensionElement, to bytes: inout ByteBuffer, isFree: (String) -> Bool
  ) -> Int? {
    let start = bytes.count
    var taken = 0
    var lexer = JSONLexer(ByteInput(bytes: Array(element.text.utf8)), options: ReadingOptions(isStrict: true))
    do throws(TrackError) {
      try lexer.beginObject()
      while try lexer.nextMember() {
        let name = lexer.text
        guard try lexer.copyValue(limit: .max) else { continue }
        guard isFree(name) else {
          taken += 1
          continue
        }
        bytes.append(member: name)
        bytes.append(contentsOf: lexer.copied.bytes)
      }
      if try !lexer.nextText() { return taken }
    } catch {}
    bytes.truncate(to: start)
    return nil
  }
}
