public import TrackFormats
public import TrackModel

extension ComparisonOutput {
  /// KML 2.2 with a layer per kind of content, for Google Earth. With ``ExportOptions/tour``, a flight
  /// follows the leading drive.
  public static let kml = ComparisonOutput(name: "kml", title: "KML for Google Earth and other viewers") {
    document, options, sink throws(TrackError) in
    let layers = ComparisonLayers(document, full: options.full)
    let tour = options.tour ? KMLTour(document, layers) : nil
    var export = KMLExport(KMLOutput(sink), layers, tour: tour, hasFiles: false)
    try export.write()
    return try export.finish()
  }

  /// KMZ: the document and the images of its icons.
  ///
  /// - Parameter container: creates the ZIP writer for a sink, for example `ArchiveWriter` of
  ///   `TrackArchives`.
  public static func kmz(
    container: @escaping @Sendable (consuming ByteSink) throws(TrackError) -> any FileContainer
  ) -> ComparisonOutput {
    ComparisonOutput(name: "kmz", title: "KMZ: KML with a legend, compressed") {
      document, options, sink throws(TrackError) in
      let layers = ComparisonLayers(document, full: options.full)
      let tour = options.tour ? KMLTour(document, layers) : nil
      let archive = try container(sink)
      // Viewers open the first KML in the archive.
      try archive.beginEntry("doc.kml")
      var export = KMLExport(KMLOutput(archive), layers, tour: tour, hasFiles: true)
      try export.write()
      for icon in KMLIcon.allCases {
        try archive.beginEntry(icon.file)
        try archive.write(icon.image.span)
      }
      for swatch in export.styles.swatches {
        try archive.beginEntry(swatch.file)
        try archive.write(swatch.image.span)
      }
      try archive.finish()
      return archive.bytes
    }
  }
}
