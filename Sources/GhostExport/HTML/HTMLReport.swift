
/// A comparison as one HTML page that needs nothing else: the answer, a map on which the ghosts race, the gap along
/// the road, the legs, and what happened on the way.
///
/// Everything but the race is there without JavaScript. The page asks for nothing from anywhere, and its content
/// security policy lets it ask for nothing; with a basemap it may fetch images from that server.
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
  /// Lines are thinned: as first seen to a third of a pixel, for the race so that each ghost is within 3 m of where its
  /// recording was at every moment.
  ///
  /// - Complexity: near linear in the points of the drives and the rows of the profiles.
  public static func text(of document: ComparisonDocument, options: Options = Options()) -> String {
    let summary = ComparisonSummary(document)
    let projection = MapProjection(document.traces)
    let columns = document.traces.map { projection.columns(of: $0) }
    let drawing = MapDrawing(document, projection: projection, columns: columns)
    let plot = GapPlot(document)
    let race = RaceData(document, projection: projection, columns: columns, basemap: options.basemap)

    var page: Markup = """
      <!DOCTYPE html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta http-equiv="Content-Security-Policy" content="\(policy(options.basemap))">
      <meta name="color-scheme" content="light dark">
      <meta name="generator" content="ghost-convert">
      <title>\(options.title ?? summary.headline)</title>
      <link rel="icon" href="data:,">
      <style>
      \(ReportColors.rules(document))\(ReportStyle.rules)</style>
      <script>document.documentElement.className = "js"</script>
      </head>
      <body>
      <a class="skip" href="#map">Skip to the map</a>
      <main>

      """
    page += ReportHead.markup(document, summary)
    page += ReportMap.markup(document, drawing, projection, options.basemap)
    page += ReportGap.markup(document, plot)
    page += document.route.map(ReportRoute.markup) ?? ReportLegs.markup(document)
    page += ReportFindings.markup(summary)
    page += """
      </main>
      \(ReportFoot.markup)
      <script type="application/json" id="race">\(Markup(trusted: race.json(plot)))</script>
      <script>
      \(ReportScript.markup)</script>
      </body>
      </html>

      """
    return page.text
  }

  private static func policy(_ basemap: Basemap?) -> String {
    "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; img-src data:"
      + (basemap.map { " " + $0.origin } ?? "") + "; base-uri 'none'; form-action 'none'"
  }
}
