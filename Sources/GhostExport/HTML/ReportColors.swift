/// The colours of a report as properties of CSS, for light and for dark surroundings.
enum ReportColors {
  static let lightCard = ExportColor(0xFFFFFF)
  static let darkCard = ExportColor(0x171B20)

  /// `--d0`, `--d1` … per drive, `.c0` … to choose one as `--c`.
  ///
  /// A drive keeps its colour as far as lines of it stand out from the ground at 3 : 1, on a dark one, where thin lines
  /// shine less, at 4 : 1.
  static func rules(_ document: ComparisonDocument) -> Markup {
    let light = properties(document, on: lightCard, minimum: 3)
    let dark = properties(document, on: darkCard, minimum: 4)
    var rules = ":root{\(light)}\n@media screen and (prefers-color-scheme:dark){:root{\(dark)}}\n"
    for drive in document.colors.indices { rules += ".c\(drive){--c:var(--d\(drive))}\n" }
    return Markup(trusted: rules)
  }

  private static func properties(_ document: ComparisonDocument, on ground: ExportColor, minimum: Double)
    -> String
  {
    document.colors.enumerated()
      .map { "--d\($0):\($1.readable(on: ground, minimum: minimum).hexadecimal)" }
      .joined(separator: ";")
  }
}
