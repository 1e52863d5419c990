import TrackModel

extension TrackFormat {
  public static let fit = TrackFormat(
    name: "fit", title: "FIT activities and courses", fileExtensions: ["fit"],
    recognizes: { $0.isFIT },
    reading: { input, options in FITReader(input, options: options) },
    writing: nil)
}
