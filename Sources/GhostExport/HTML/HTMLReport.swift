import GhostModel

/// A self-contained HTML page of a comparison: the result, a map with the race, the gap along the road, the
/// speed and sensor values along the road, the legs and the findings.
///
/// Everything except the race works without JavaScript. The content security policy forbids all network
/// requests, except images from the basemap's server.
public enum HTMLReport {
  /// Options of a report.
  public struct Options: Sendable {
    /// The map tiles below the drives.
    public var basemap: Basemap?
    /// The page title, or `nil` for the headline of the comparison.
    public var title: String?

    /// Creates options. By default, the page needs no network and its title is the headline.
    public init(basemap: Basemap? = nil, title: String? = nil) {
      self.basemap = basemap
      self.title = title
    }
  }

  /// Returns the page as UTF-8 text.
  ///
  /// Lines are simplified: the initial view to a third of a pixel, the race so that each ghost is within 3 m
  /// of the recorded position at any time.
  ///
  /// - Complexity: approximately linear in the points of the drives and the rows of the profiles.
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
    content += plot.map { ReportChannels.markup(document, $0) } ?? ""
    content += document.route.map(ReportRoute.markup) ?? ReportLegs.markup(document)
    content += document.trend.map(ReportTrend.markup) ?? ""
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
