extension TrackFormat {
  /// XML logs of Suunto watches. Read only.
  public static let sml = TrackFormat(
    name: "sml", title: "Suunto SML logs", fileExtensions: ["sml"],
    recognizes: { $0.rootElement == "sml" },
    reading: { input, options in LogReader(SMLSource(input, options: options), options: options) },
    writing: nil)
}
