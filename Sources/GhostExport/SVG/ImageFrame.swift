import GhostModel

/// The common parts of the SVG images: background, headline and legend.
enum ImageFrame {
  static let ground = ExportColor(0xFFFFFF)

  /// The `svg` start tag with title and description.
  static func opening(height: Int, title: String, description: String) -> Markup {
    """
    <svg xmlns="http://www.w3.org/2000/svg" width="1000" height="\(height)" viewBox="0 0 1000 \(height)" \
    role="img" aria-labelledby="title description">
    <title id="title">\(title)</title>
    <desc id="description">\(description)</desc>
    <style>
    \(Markup(trusted: ReportResources.imageStyles))\
    </style>
    <rect width="1000" height="\(height)" fill="#ffffff"/>
    <text class="headline" x="40" y="46">\(title)</text>

    """
  }

  /// The legend of the drives' colours.
  static func legend(_ document: ComparisonDocument, y: Double) -> Markup {
    var legend: Markup = ""
    var x = 40.0
    for (drive, compared) in document.comparison.drives.enumerated() {
      let label = compared.label.shortened(to: 28)
      let width = 42 + Double(label.count) * 8
      guard x + width <= 980 || x == 40 else {
        legend += "<text class=\"small\" x=\"\(x, decimals: 1)\" y=\"\(y, decimals: 1)\">…</text>\n"
        break
      }
      legend +=
        """
        <path class="line" stroke-width="4" stroke="\(document.ink(drive))" d="M\(x, decimals: 1) \
        \(y - 4, decimals: 1)h18"/>
        """
      legend +=
        "<text class=\"small\" x=\"\(x + 26, decimals: 1)\" y=\"\(y, decimals: 1)\">\(label)</text>\n"
      x += width
    }
    return legend
  }
}

extension ComparisonDocument {
  /// A drive's colour as `#rrggbb`, with enough contrast on white.
  func ink(_ drive: Int) -> String {
    guard colors.indices.contains(drive) else { return ExportColor.muted.hexadecimal }
    return colors[drive].readable(on: ImageFrame.ground, minimum: 3).hexadecimal
  }
}
