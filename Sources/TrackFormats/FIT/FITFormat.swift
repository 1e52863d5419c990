import TrackModel

extension TrackFormat {
  public static let fit = TrackFormat(
    name: "fit", title: "FIT activities and courses, also several in one file", fileExtensions: ["fit"],
    recognizes: { $0.isFIT },
    reading: { input, options in FITReader(input, options: options) },
    writing: { FITWriter($0) })
}
