import TrackModel

/// Members of an object that the model has no place for, kept so that GeoJSON that was read can be written
/// again.
///
/// As an extension they are one element of the namespace ``namespace`` whose text is a JSON object:
/// `properties` for those of a Feature's `properties`, `members` for those of the Feature itself. So they
/// survive in GPX as well.
struct GeoJSONMembers {
  /// The name that RFC 7946 has among those of the IETF.
  static let namespace = "urn:ietf:rfc:7946"

  /// Longer values are left out, with a warning.
  static let limit = 1 << 16

  enum Owner: String { case properties, members }

  /// `"name":value`, parted by commas.
  private var json: [UInt8] = []

  var isEmpty: Bool { json.isEmpty }

  // MARK: Keeping

  /// Takes the value of the member `name`, whatever it is.
  mutating func take(_ name: String, _ lexer: inout JSONLexer) throws(TrackError) {
    guard try lexer.copyValue(limit: GeoJSONMembers.limit) else {
      return try GeoJSONMembers.warnOfLength(&lexer)
    }
    begin(name)
    append(lexer.copied.bytes)
  }

  static func warnOfLength(_ lexer: inout JSONLexer) throws(TrackError) {
    try lexer.warn(.notRepresentable, "a value of more than \(limit >> 10) KiB that has no place, left out")
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

  // MARK: As an extension

  /// The element that holds them; nil for none.
  func element(_ owner: Owner) -> ExtensionElement? {
    guard !isEmpty else { return nil }
    return ExtensionElement(
      namespace: GeoJSONMembers.namespace, prefix: "geojson", name: owner.rawValue,
      text: "{\(String(decoding: json, as: UTF8.self))}")
  }

  /// Whether an extension has the looks of one made here.
  static func isElement(_ element: ExtensionElement, _ owner: Owner) -> Bool {
    element.name == owner.rawValue && element.namespace == namespace
  }

  /// What a property of that name means to the reader.
  static func meaning(of name: String) -> GeoJSONProperty {
    GeoJSONProperty(rawValue: GeoJSONProperty.names.code(of: Array(name.utf8).span)) ?? .other
  }

  /// Parts the properties that an extension holds into those that can be given as texts and the rest. Numbers
  /// and truth values are among both, as a text tells nothing of their type.
  ///
  /// - Parameter isText: whether a property of that name may be given as a text.
  /// - Returns: nil for an element that holds none, and where the text is no object of JSON.
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

  /// Appends the members that an extension holds to an object.
  ///
  /// An extension can come from anywhere, so its text is checked like any other JSON.
  ///
  /// - Parameter isFree: whether the object has no member of a name yet.
  /// - Returns: how many could not be appended because their names were taken; nil, and nothing appended,
  ///   where the text is no object of JSON.
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
