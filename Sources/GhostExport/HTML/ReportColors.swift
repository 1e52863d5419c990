/// The colours of the drives on a report, for light and dark backgrounds.
enum ReportColors {
  static let lightCard = ExportColor(0xFFFFFF)
  static let darkCard = ExportColor(0x171B20)

  /// The values of the custom properties `d0`, `d1` … of the style sheet.
  ///
  /// A drive keeps its colour if its contrast with the background is at least 3 : 1, or 4 : 1 on a dark
  /// background, where thin lines are less visible.
  static func values(_ document: ComparisonDocument) -> Template.Value {
    .list(
      document.colors.enumerated().map { drive, color in
        [
          "drive": .number(drive),
          "light": .text(color.readable(on: lightCard, minimum: 3).hexadecimal),
          "dark": .text(color.readable(on: darkCard, minimum: 4).hexadecimal),
        ]
      })
  }
}
