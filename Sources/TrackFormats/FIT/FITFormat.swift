import TrackModel

extension TrackFormat {
  /// Garmin FIT (protocol 1 and 2): activities, courses and locations. Read; tracks are written as activities
  /// or courses.
  public static let fit = TrackFormat(
    name: "fit", title: "FIT activities and courses, including chained files", fileExtensions: ["fit"],
    recognizes: { $0.isFIT },
    reading: { input, options in FITReader(input, options: options) },
    writing: { FITWriter($0) })
}

extension FileOpening {
  /// Whether the bytes start with a FIT header, regardless of its data size.
  var isFIT: Bool { FITHeader.hasSignature(start.span) }
}
