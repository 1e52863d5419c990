extension TrackFormat {
  /// A track writer cannot write it, because the import decides which parts of a recording form a drive.
  public static let drive = TrackFormat(
    name: "drive", title: "Ghost Car drive documents, and their coordinates alone",
    fileExtensions: ["drive"],
    recognizes: { opening in
      let json = opening.json
      // A long name fills the opening.
      let isLongName = opening.isCut && json.names == ["id", "name"]
      return json.isArray
        ? json.names == ["lat", "lon"] : json.names.contains("coordinatesData") || isLongName
    },
    reading: { input, options in DriveReader(input, options: options) },
    writing: nil)
}
