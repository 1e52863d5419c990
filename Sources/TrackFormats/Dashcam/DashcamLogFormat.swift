extension TrackFormat {
  /// The text files with positions that 70mai dashcams write next to their films. Read only.
  public static let dashcam70mai = TrackFormat(
    name: "70mai", title: "GPS logs of 70mai dashcams", fileExtensions: [], usualExtension: "txt",
    recognizes: { $0.begins(with: "$V02") },
    reading: { input, options in LogReader(DashcamLogSource(input, options: options), options: options) },
    writing: nil)
}
