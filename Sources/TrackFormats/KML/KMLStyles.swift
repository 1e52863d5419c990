import TrackModel

/// The style of lines and places in a `Style`.
struct KMLStyle: Equatable {
  var line = LineStyle()
  /// The address of the icon of places.
  var icon: String?
  /// The tint of the icon.
  var iconColor: TrackColor?

  /// Adds the properties of `other` that are missing here.
  mutating func merge(_ other: KMLStyle) {
    line.color = line.color ?? other.line.color
    line.width = line.width ?? other.line.width
    icon = icon ?? other.icon
    iconColor = iconColor ?? other.iconColor
  }

  /// The style of a line, or nil if nothing is specified.
  var lineStyle: LineStyle? { line == LineStyle() ? nil : line }
}

/// The shared styles that a file declares.
struct KMLStyles {
  private var styles: [String: KMLStyle] = [:]
  /// The references of the style maps to their normal styles.
  private var maps: [String: String] = [:]
  /// The size of the styles and maps, and its limit, in bytes.
  private var size = 0
  private let limit: Int

  init(_ limits: ReadingLimits) { limit = limits.nameSize }

  /// Adds a style.
  ///
  /// - Returns: false if it would exceed the limit.
  mutating func add(_ style: KMLStyle, id: String) -> Bool {
    guard reserve(id.utf8.count + (style.icon?.utf8.count ?? 0)) else { return false }
    styles[id] = style
    return true
  }

  /// Adds a style map.
  ///
  /// - Returns: false if it would exceed the limit.
  mutating func addMap(id: String, to url: String) -> Bool {
    guard reserve(id.utf8.count + url.utf8.count) else { return false }
    maps[id] = KMLStyles.identifier(url)
    return true
  }

  private mutating func reserve(_ textSize: Int) -> Bool {
    size += textSize + KeptBudget.entrySize
    return size <= limit
  }

  /// Returns the style for a `styleUrl`; nil if it is declared later, in another file, or not at all.
  func style(at url: String) -> KMLStyle? {
    var id = KMLStyles.identifier(url)
    // The limit ends cycles of maps that refer to each other.
    for _ in 0..<8 {
      if let style = styles[id] { return style }
      guard let next = maps[id] else { return nil }
      id = next
    }
    return nil
  }

  /// Returns the name after the `#`, which some programs omit.
  private static func identifier(_ url: String) -> String {
    url.hasPrefix("#") ? String(url.dropFirst()) : url
  }
}
