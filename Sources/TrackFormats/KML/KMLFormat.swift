extension TrackFormat {
  /// KML (OGC 12-007r2) with Google's extensions. Read and written.
  public static let kml = TrackFormat(
    name: "kml", title: "KML 2.0 to 2.3 with Google's extensions (gx)", fileExtensions: ["kml"],
    recognizes: { opening in
      // A file may lack the root element around its features.
      ["kml", "Document", "Folder", "Placemark"].contains(opening.rootElement)
    },
    reading: { input, options in KMLReader(input, options: options) },
    writing: { KMLWriter($0) })
}
