import TrackModel

/// The shared styles of a document, each with a descriptive id.
struct KMLStyleTable {
  /// A style and its id.
  private enum Style: Hashable {
    case line(TrackColor, width: Double)
    case ghost(TrackColor)
    case pin(TrackColor, KMLIcon)
    case folder(KMLSwatch)
  }

  private var known: Set<Style> = []
  private var ordered: [Style] = []

  /// Returns the id of a line style.
  mutating func line(_ color: ExportColor, width: Double, opacity: Double) -> String {
    let color = TrackColor(color, opacity: opacity)
    return add(.line(color, width: width))
  }

  /// Returns the id of the style of a moving drive: its line and its icon.
  mutating func ghost(_ color: ExportColor) -> String { add(.ghost(TrackColor(color, opacity: 1))) }

  /// Returns the id of a point style.
  mutating func pin(_ color: ExportColor, _ icon: KMLIcon) -> String {
    add(.pin(TrackColor(color, opacity: 1), icon))
  }

  /// Returns the id of a folder style with a coloured icon. The icon must be stored next to the document.
  mutating func folder(_ color: ExportColor) -> String { add(.folder(KMLSwatch(color: color))) }

  /// The icons of all folders.
  var swatches: [KMLSwatch] {
    ordered.compactMap { style in if case .folder(let swatch) = style { swatch } else { nil } }
  }

  private mutating func add(_ style: Style) -> String {
    if known.insert(style).inserted { ordered.append(style) }
    return id(style)
  }

  private func id(_ style: Style) -> String {
    switch style {
    case .line(let color, let width): "line-\(color.kml)-\(Int(width))"
    case .ghost(let color): "ghost-\(color.kml)"
    case .pin(let color, let icon): "\(icon)-\(color.kml)"
    case .folder(let swatch): "folder-\(swatch.color.hexadecimal.dropFirst())"
    }
  }

  /// Appends all styles.
  ///
  /// - Parameter hasFiles: whether the icons are stored next to the document. Otherwise Google Earth's icons
  ///   are used.
  func append(to bytes: inout ByteBuffer, hasFiles: Bool) {
    for style in ordered {
      bytes.append("  <Style id=\"\(id(style))\">")
      switch style {
      case .line(let color, let width):
        bytes.append("<LineStyle><color>\(color.kml)</color><width>")
        bytes.append(decimal: width)
        bytes.append("</width></LineStyle>")
      case .ghost(let color):
        append(.ghost, color, scale: 0.9, hasFiles: hasFiles, to: &bytes)
        bytes.append("<LabelStyle><color>\(color.kml)</color><scale>0.9</scale></LabelStyle>")
        bytes.append("<LineStyle><color>\(color.kml)</color><width>4</width></LineStyle>")
      case .pin(let color, let icon):
        append(icon, color, scale: icon == .stop ? 0.5 : 0.8, hasFiles: hasFiles, to: &bytes)
        bytes.append("<LabelStyle><scale>\(icon == .stop ? "0" : "0.7")</scale></LabelStyle>")
      case .folder(let swatch):
        bytes.append("<ListStyle><ItemIcon><state>open closed</state>")
        bytes.append("<href>\(swatch.file)</href></ItemIcon></ListStyle></Style>\n")
        continue
      }
      // Without this, Google Earth adds links for directions to every balloon.
      bytes.append("\(KMLBalloon.style)</Style>\n")
    }
  }

  private func append(
    _ icon: KMLIcon, _ color: TrackColor, scale: Double, hasFiles: Bool, to bytes: inout ByteBuffer
  ) {
    bytes.append("<IconStyle><color>\(color.kml)</color><scale>")
    bytes.append(decimal: scale)
    bytes.append("</scale><Icon><href>\(hasFiles ? icon.file : icon.address)</href></Icon></IconStyle>")
  }
}

extension TrackColor {
  init(_ color: ExportColor, opacity: Double) {
    self.init(
      red: color.red, green: color.green, blue: color.blue,
      alpha: UInt8(min(max((opacity * 255).rounded(), 0), 255)))
  }
}
