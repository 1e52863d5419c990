extension TrackFormat {
  /// The positions of exercises in the export of Samsung Health. Read only.
  public static let samsung = TrackFormat(
    name: "samsung", title: "Samsung Health locations", fileExtensions: [],
    recognizes: { $0.holdsSamsungLocations },
    reading: { input, options in LogReader(SamsungSource(input, options: options), options: options) },
    writing: nil)
}

extension FileOpening {
  /// Whether the opening is an array of positions with the name that Samsung gives their times.
  fileprivate var holdsSamsungLocations: Bool {
    guard isJSON else { return false }
    let json = json
    return json.isArray && json.names.isSuperset(of: ["start_time", "latitude", "longitude"])
  }
}
