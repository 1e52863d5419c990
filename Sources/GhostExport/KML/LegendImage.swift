/// A legend as a picture, for viewers that lay one over the map.
enum LegendImage {
  /// Pixels of the picture per pixel of a letter.
  private static let scale = 2
  private static let margin = 10
  private static let swatch = 18
  /// Above each heading but the first.
  private static let space = 8
  /// What is longer is cut; Earth shows the picture at its own size.
  private static let longest = 32

  private static let paper = PNGImage.Pixel(ExportColor(0xFFFFFF), alpha: 224)
  private static let ink = PNGImage.Pixel(ExportColor(0x202020))

  static func image(_ legend: Legend) -> PNGImage {
    let lines = lines(legend)
    let letter = PixelFont.advance * scale
    let height = PixelFont.lineHeight * scale
    let longest = lines.map { $0.text.count * letter + ($0.color == nil ? 0 : swatch + 8) }.max() ?? 0
    let spaces = max(lines.count { $0.color == nil } - 1, 0) * space
    var image = PNGImage(
      width: longest + 2 * margin, height: lines.count * height + spaces + 2 * margin - 3 * scale,
      background: paper)
    var top = margin
    for (index, line) in lines.enumerated() {
      if line.color == nil, index > 0 { top += space }
      var left = margin
      if let color = line.color {
        image.fill(x: left, y: top, width: swatch, height: 7 * scale, PNGImage.Pixel(color))
        left += swatch + 8
      }
      draw(line.text, x: left, y: top, on: &image)
      top += height
    }
    return image
  }

  /// Headings have no colour.
  private static func lines(_ legend: Legend) -> [(text: String, color: ExportColor?)] {
    var lines: [(text: String, color: ExportColor?)] = []
    for section in legend.sections {
      lines.append((short(section.title), nil))
      for (index, entry) in section.entries.enumerated() {
        let text = short(entry.text)
        // A name in other letters than Latin ones cannot be drawn; the folders have it in full.
        lines.append((text.isEmpty ? "Drive \(index + 1)" : text, entry.color))
      }
    }
    return lines
  }

  private static func short(_ text: String) -> String {
    let text = PixelFont.drawable(text)
    return text.count > longest ? text.prefix(longest - 3) + "..." : text
  }

  private static func draw(_ text: String, x: Int, y: Int, on image: inout PNGImage) {
    for (index, character) in text.enumerated() {
      guard let rows = PixelFont.rows(character) else { continue }
      for (row, bits) in rows.enumerated() {
        for column in 0..<5 where bits >> (4 - column) & 1 == 1 {
          image.fill(
            x: x + (index * PixelFont.advance + column) * scale, y: y + row * scale, width: scale,
            height: scale, ink)
        }
      }
    }
  }
}
