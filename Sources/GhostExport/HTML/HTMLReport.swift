import GhostModel

/// A comparison as one HTML page that needs nothing else: the answer, a map on which the ghosts race, the gap
/// along the road, the legs, and what happened on the way.
///
/// Everything but the race is there without JavaScript. The page asks for nothing from anywhere, and its
/// content security policy lets it ask for nothing; with a basemap it may fetch images from that server.
public enum HTMLReport {
  /// What can be chosen about a report.
  public struct Options: Sendable {
    /// Tiles under the map.
    public var basemap: Basemap?
    /// The title of the page in a browser; the headline of the comparison where there is none.
    public var title: String?

    public init(basemap: Basemap? = nil, title: String? = nil) {
      self.basemap = basemap
      self.title = title
    }
  }

  /// The page, UTF-8 once it is written.
  ///
  /// Lines are thinned: as first seen to a third of a pixel, for the race so that each ghost is within 3 m of
  /// where its recording was at every moment.
  ///
  /// - Complexity: near linear in the points of the drives and the rows of the profiles.
  public static func text(of document: ComparisonDocument, options: Options = Options()) -> String {
    let summary = ComparisonSummary(document)
    let projection = MapProjection(document.traces)
    let columns = document.traces.map { projection.columns(of: $0) }
    let drawing = MapDrawing(document, projection: projection, columns: columns)
    let plot = GapPlot(document)
    let race = RaceData(document, projection: projection, columns: columns, basemap: options.basemap)

    var content = ReportSummary.markup(document, summary)
    content += ReportMap.markup(document, drawing, projection, options.basemap)
    content += ReportGap.markup(document, plot)
    content += document.route.map(ReportRoute.markup) ?? ReportLegs.markup(document)
    content += ReportFindings.markup(summary)
    return ReportResources.page([
      "title": .text(options.title ?? summary.headline),
      "basemap": .optional(options.basemap.map { ["origin": .text($0.origin)] }),
      "colors": ReportColors.values(document),
      "styles": .trusted(ReportResources.styles),
      "content": .markup(content),
      "race": .trusted(race.json(plot)),
      "script": .trusted(ReportResources.script),
    ]).text
  }
}
