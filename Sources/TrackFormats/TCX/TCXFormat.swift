extension TrackFormat {
  /// Garmin Training Center XML, version 2: activities and courses. Read and written.
  public static let tcx = TrackFormat(
    name: "tcx", title: "TCX 2 activities and courses, with Garmin's activity extensions",
    fileExtensions: ["tcx"], recognizes: { $0.rootElement == "TrainingCenterDatabase" },
    reading: { input, options in TCXReader(input, options: options) },
    writing: { TCXWriter($0) })
}
