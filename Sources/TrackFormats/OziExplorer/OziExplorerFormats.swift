extension TrackFormat {
  /// Tracks of OziExplorer, also as in the GeoLife data set. Read and written.
  public static let plt = TrackFormat(
    name: "plt", title: "OziExplorer tracks", fileExtensions: ["plt"],
    recognizes: { $0.begins(with: "OziExplorer Track Point File") || $0.begins(with: "Geolife trajectory") },
    reading: { input, options in LogReader(PLTSource(input, options: options), options: options) },
    writing: { PLTWriter($0) })

  /// Waypoints of OziExplorer. Read and written.
  public static let wpt = TrackFormat(
    name: "wpt", title: "OziExplorer waypoints", fileExtensions: ["wpt"],
    recognizes: { $0.begins(with: "OziExplorer Waypoint File") },
    reading: { input, options in LogReader(WPTSource(input, options: options), options: options) },
    writing: { WPTWriter($0) })
}
