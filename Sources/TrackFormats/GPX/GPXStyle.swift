import TrackModel

/// The colour and width of a line in the three dialects in use.
///
/// They are written in an order in which every tested program finds the element that it supports: the style
/// extension of topografix.com, Garmin's display colour, OsmAnd's elements. The first one present is read.
enum GPXStyle {
  static let namespace = "http://www.topografix.com/GPX/gpx_style/0/2"
  static let osmAnd = "https://osmand.net/docs/technical/osmand-file-formats/osmand-gpx"
  /// The size of a pixel at 96 per inch, in millimetres, the unit of the style extension.
  private static let millimetresPerPixel = 25.4 / 96

  /// Garmin's sixteen colours (GpxExtensions v3, `DisplayColor_t`), with the values used in Windows.
  private static let displayColors: [(name: String, color: TrackColor)] = displayColorValues.map {
    name, value in (name, TrackColor(rgb: value))
  }

  private static let displayColorValues: [(String, UInt32)] = [
    ("Black", 0x000000), ("DarkRed", 0x8B0000), ("DarkGreen", 0x006400), ("DarkYellow", 0xB5B820),
    ("DarkBlue", 0x00008B), ("DarkMagenta", 0x8B008B), ("DarkCyan", 0x008B8B), ("LightGray", 0xCCCCCC),
    ("DarkGray", 0x444444), ("Red", 0xFF0000), ("Green", 0x00FF00), ("Yellow", 0xFFFF00), ("Blue", 0x0000FF),
    ("Magenta", 0xFF00FF), ("Cyan", 0x00FFFF), ("White", 0xFFFFFF),
  ]

  // MARK: Reading

  /// Removes the elements that describe a style from a track's extensions.
  ///
  /// - Returns: the style, or nil if no element describes one.
  static func take(from extensions: inout [ExtensionElement]) -> LineStyle? {
    var style = LineStyle()
    var rest: [ExtensionElement] = []
    for element in extensions {
      if let left = take(element, into: &style) { rest.append(left) }
    }
    guard style != LineStyle() else { return nil }
    extensions = rest
    return style
  }

  /// - Returns: the part of the element that does not describe a style, or nil if nothing is left.
  private static func take(_ element: ExtensionElement, into style: inout LineStyle) -> ExtensionElement? {
    let text = element.text.filter { !$0.isWhitespace }
    switch (element.namespace, element.name) {
    case (namespace, "line"):
      var color = child("color", of: element).flatMap { TrackColor(hexadecimal: $0) }
      if let opacity = child("opacity", of: element).flatMap(Double.init), (0...1).contains(opacity) {
        color?.alpha = UInt8((opacity * 255).rounded())
      }
      let width = child("width", of: element).flatMap(Double.init).map { $0 / millimetresPerPixel }
        .flatMap { $0.isFinite && $0 > 0 ? ($0 * 1000).rounded() / 1000 : nil }
      guard color != nil || (width != nil && child("color", of: element) == nil) else { return element }
      style.color = style.color ?? color
      style.width = style.width ?? width
      return nil
    case (GPXNamespace.garmin3, "TrackExtension"), (GPXNamespace.garmin3, "RouteExtension"):
      guard let name = child("DisplayColor", of: element),
        let named = displayColors.first(where: { $0.name == name })
      else { return element }
      style.color = style.color ?? named.color
      var rest = element
      rest.content.removeAll {
        if case .element(let child) = $0 { child.name == "DisplayColor" } else { true }
      }
      // Writers add a lone IsAutoNamed to satisfy Garmin's schema for routes.
      return rest.children.allSatisfy { $0.name == "IsAutoNamed" } ? nil : rest
    case (let namespace?, "color") where GPXNamespace.isOsmAnd(namespace):
      guard let color = TrackColor(hexadecimal: text) else { return element }
      style.color = style.color ?? color
      return nil
    case (let namespace?, "width") where GPXNamespace.isOsmAnd(namespace):
      let widths = ["thin": 2.0, "medium": 4, "bold": 8]
      guard let width = widths[text] ?? Double(text), width > 0, width.isFinite else { return element }
      style.width = style.width ?? width
      return nil
    default: return element
    }
  }

  /// Removes OsmAnd's colour of a waypoint from its extensions and returns it.
  static func takeColor(from extensions: inout [ExtensionElement]) -> TrackColor? {
    for (index, element) in extensions.enumerated() where element.name == "color" && element.children.isEmpty
    {
      guard let namespace = element.namespace, GPXNamespace.isOsmAnd(namespace),
        let color = TrackColor(hexadecimal: element.text.filter { !$0.isWhitespace })
      else { continue }
      extensions.remove(at: index)
      return color
    }
    return nil
  }

  private static func child(_ name: String, of element: ExtensionElement) -> String? {
    element.children.first { $0.name == name }?.text.filter { !$0.isWhitespace }
  }

  // MARK: Writing

  /// Returns the elements for a style, in the order that all programs accept.
  static func elements(for style: LineStyle, isRoute: Bool) -> [ExtensionElement] {
    func leaf(_ namespace: String, _ prefix: String, _ name: String, _ text: String) -> ExtensionElement {
      ExtensionElement(namespace: namespace, prefix: prefix, name: name, text: text)
    }
    var line: [ExtensionElement] = []
    if let color = style.color {
      line.append(leaf(namespace, "gpx_style", "color", color.hexadecimal))
      if color.alpha < 255 {
        line.append(leaf(namespace, "gpx_style", "opacity", fixed(color.opacity)))
      }
    }
    if let width = style.width {
      line.append(leaf(namespace, "gpx_style", "width", fixed(width * millimetresPerPixel)))
    }
    guard !line.isEmpty else { return [] }
    var elements = [
      ExtensionElement(
        namespace: namespace, prefix: "gpx_style", name: "line", content: line.map { .element($0) })
    ]
    if let color = style.color {
      var display: [ExtensionElement] = []
      if isRoute { display.append(leaf(GPXNamespace.garmin3, "gpxx", "IsAutoNamed", "false")) }
      display.append(leaf(GPXNamespace.garmin3, "gpxx", "DisplayColor", nearest(color)))
      elements.append(
        ExtensionElement(
          namespace: GPXNamespace.garmin3, prefix: "gpxx",
          name: isRoute ? "RouteExtension" : "TrackExtension", content: display.map { .element($0) }))
      elements.append(element(for: color))
    }
    if let width = style.width { elements.append(leaf(osmAnd, "osmand", "width", fixed(width))) }
    return elements
  }

  /// Returns OsmAnd's element for a colour, used for lines and waypoints.
  static func element(for color: TrackColor) -> ExtensionElement {
    let alpha = color.alpha < 255 ? String(color.kml.prefix(2)) : ""
    return ExtensionElement(
      namespace: osmAnd, prefix: "osmand", name: "color", text: "#" + alpha + color.hexadecimal)
  }

  /// Returns whether Garmin has a name for a colour.
  static func isDisplayColor(_ color: TrackColor) -> Bool { displayColors.contains { $0.color == color } }

  /// Returns the name of the closest display colour, by the distance of the components.
  private static func nearest(_ color: TrackColor) -> String {
    func distance(_ other: TrackColor) -> Int {
      let red = Int(color.red) - Int(other.red)
      let green = Int(color.green) - Int(other.green)
      let blue = Int(color.blue) - Int(other.blue)
      return red * red + green * green + blue * blue
    }
    return displayColors.min { distance($0.color) < distance($1.color) }?.name ?? "Black"
  }

  private static func fixed(_ value: Double) -> String {
    Formatted.shortest((value * 10_000).rounded() / 10_000)
  }
}
