import TrackModel

extension TrackFormat {
  public static let fit = TrackFormat(
    name: "fit", title: "FIT activities and courses, also several in one file", fileExtensions: ["fit"],
    recognizes: { $0.isFIT },
    reading: { input, options in FITReader(input, options: options) },
    writing: { FITWriter($0) })
}

extension FileOpening {
  /// Whether the bytes begin with the header of a FIT file, whatever size it says.
  var isFIT: Bool { FITHeader.hasSignature(start.span) }
}
