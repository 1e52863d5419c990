public import TrackModel

extension ExportColor {
  /// Palettes by name, all suitable for every kind of colour vision.
  ///
  /// - `okabe-ito`: ``drives``.
  /// - `tol-bright`, `tol-muted`: Paul Tol, "Colour Schemes", SRON/EPS/TN/09-002, issue 3.2, 2021
  ///   (personal.sron.nl/~pault), without their greys.
  public static let palettes: KeyValuePairs<String, [ExportColor]> = [
    "okabe-ito": drives,
    "tol-bright": [0x4477AA, 0xEE6677, 0x228833, 0xCCBB44, 0x66CCEE, 0xAA3377].map(ExportColor.init),
    "tol-muted": muted9,
  ]

  private static let muted9: [ExportColor] = [
    0x332288, 0xCC6677, 0x117733, 0x88CCEE, 0xAA4499, 0xDDCC77, 0x44AA99, 0x882255, 0x999933,
  ].map(ExportColor.init)

  /// The default colours for `count` drives: ``drives``, or if there are more drives the nine colours of
  /// `tol-muted`, orange and blue of ``drives`` and a dark grey. They repeat from the thirteenth drive on.
  public static func drives(count: Int) -> [ExportColor] {
    count <= drives.count ? drives : muted9 + [0xE69F00, 0x0072B2, 0x555555].map { ExportColor($0) }
  }

  /// Parses the name of a palette, or a list of colours such as `0072b2,#d55e00,fa0` in the order of the
  /// drives.
  ///
  /// - Throws: `TrackError.Code.usage` for anything else.
  public static func colors(_ text: String) throws(TrackError) -> [ExportColor] {
    if let palette = palettes.first(where: { $0.key == text.lowercased() }) { return palette.value }
    var colors: [ExportColor] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      let digits = part.filter { $0 != " " }
      guard digits.utf8.count <= 7, let color = TrackColor(hexadecimal: digits), color.alpha == 255 else {
        throw TrackError(
          .usage, "a colour is three or six hexadecimal digits", offendingText: String(part),
          suggestion: .nameColors(palettes: palettes.map(\.key)))
      }
      colors.append(ExportColor(red: color.red, green: color.green, blue: color.blue))
    }
    return colors
  }
}
