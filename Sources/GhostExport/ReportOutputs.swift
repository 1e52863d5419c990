import TrackFormats
import TrackModel

extension ComparisonOutput {
  /// A page with the result, the map with a replay of the race, the gap and the legs, in a single file.
  public static let html = ComparisonOutput(name: "html", title: "HTML: a report to open in any browser") {
    document, options, sink throws(TrackError) in
    try put(HTMLReport.text(of: document, options: HTMLReport.Options(basemap: options.basemap)), into: sink)
  }

  /// An image of the gap along the road. SVG files are this image unless their name contains `map`.
  public static let gapImage = ComparisonOutput(
    name: "gap", fileExtension: "svg", title: "SVG: the gap along the road"
  ) { document, _, sink throws(TrackError) in try put(GapImage.text(of: document), into: sink) }

  /// An image of the drives on the map, coloured like the report.
  public static let mapImage = ComparisonOutput(
    name: "map", fileExtension: "svg", title: "SVG: the map, for file names that contain \"map\""
  ) { document, options, sink throws(TrackError) in
    try put(MapImage.text(of: document, basemap: options.basemap), into: sink)
  }

  private static func put(_ text: String, into sink: consuming ByteSink) throws(TrackError) -> [UInt8] {
    var sink = sink
    try sink.write(text)
    try sink.finish()
    return sink.bytes
  }
}
