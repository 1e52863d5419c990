extension TrackFormat {
  /// GPX 1.0 and 1.1. Read; written as 1.1.
  public static let gpx = TrackFormat(
    name: "gpx", title: "GPX 1.0 and 1.1, with the extensions of Garmin, Strava, OsmAnd and Cluetrust",
    fileExtensions: ["gpx"], recognizes: { $0.rootElement == "gpx" },
    reading: { input, options in GPXReader(input, options: options) },
    writing: { GPXWriter($0) })

  /// The previous version, for programs that do not support GPX 1.1. It is read as ``gpx``.
  public static let gpx10 = TrackFormat(
    name: "gpx1.0", title: "GPX 1.0, for programs that know no other version; read as gpx",
    fileExtensions: [], usualExtension: "gpx", recognizes: { _ in false },
    reading: nil,
    writing: { GPXWriter($0, version: .version10) })
}
