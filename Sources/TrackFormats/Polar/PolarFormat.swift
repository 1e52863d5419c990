extension TrackFormat {
  /// Training sessions in the export of Polar Flow. Read only.
  public static let polar = TrackFormat(
    name: "polar", title: "Polar training sessions", fileExtensions: [],
    recognizes: { $0.holdsPolar },
    reading: { input, options in LogReader(PolarSource(input, options: options), options: options) },
    writing: nil)
}

extension FileOpening {
  /// Whether the opening is a training session: an object with `exercises`, or with the members before them.
  fileprivate var holdsPolar: Bool {
    guard isJSON else { return false }
    let json = json
    return !json.isArray && !json.names.isDisjoint(with: ["startTime", "exportVersion"])
      && !json.names.isDisjoint(with: ["timezoneOffset", "timezoneOffsetMinutes", "exercises"])
      && !json.names.contains("type")
  }
}
