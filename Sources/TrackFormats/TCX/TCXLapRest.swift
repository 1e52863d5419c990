import TrackModel

/// The elements of a lap that ``Lap`` cannot represent: speeds, heart rates, notes, Garmin's lap extension.
///
/// They are stored as an extension of the track: `Lap` in TCX's namespace, with the lap's `StartTime` as its
/// identifier.
struct TCXLapRest {
  /// The start as written in the file.
  var start: String?
  private var content: [ExtensionElement.Content] = []

  init() {}

  mutating func add(_ element: ExtensionElement) { content.append(.element(element)) }

  /// The extension, or nil if it would be empty.
  var element: ExtensionElement? {
    guard !content.isEmpty else { return nil }
    return ExtensionElement(
      namespace: TCXNamespace.v2, name: "Lap",
      attributes: start.map { [ExtensionElement.Attribute(name: "StartTime", value: $0)] } ?? [],
      content: content)
  }

  /// Reads the extension. Returns nil for other elements.
  init?(_ element: ExtensionElement) {
    guard element.namespace == TCXNamespace.v2, element.name == "Lap" else { return nil }
    start = element.attributes.first { $0.name == "StartTime" }?.value
    content = element.content
  }

  /// The elements, in the order in which they were read.
  var children: [ExtensionElement] {
    content.compactMap { if case .element(let child) = $0 { child } else { nil } }
  }

  /// The start of the lap; nil if it is missing or not a time.
  var startTime: Instant? { start.flatMap { ISO8601.read($0.utf8Bytes.span)?.instant } }
}

extension String {
  /// The text as UTF-8.
  var utf8Bytes: [UInt8] { Array(utf8) }
}
