/// What happened on the way, on a report, and how to use it.
enum ReportFindings {
  static func markup(_ summary: ComparisonSummary) -> Markup {
    guard !summary.findings.isEmpty else { return "" }
    var findings: Markup =
      "<section class=\"card\" aria-labelledby=\"findings-title\">\n<div class=\"cardhead\"><h2 id=\"findings-title\">On the way</h2></div>\n<ul class=\"findings\">\n"
    for sentence in summary.findings { findings += "<li>\(sentence)</li>\n" }
    return findings + "</ul>\n</section>\n"
  }
}

/// The bottom of a report.
enum ReportFoot {
  static let markup: Markup = """
    <footer>
    <details class="live"><summary>Keys</summary>
    <dl class="keys">
    <div><dt><kbd>Space</kbd></dt><dd>play and pause</dd></div>
    <div><dt><kbd>,</kbd> <kbd>.</kbd></dt><dd>five seconds back and forth</dd></div>
    <div><dt><kbd>Home</kbd> <kbd>End</kbd></dt><dd>to the start, to the finish, on the time or the gap</dd></div>
    <div><dt><kbd>←</kbd> <kbd>→</kbd></dt><dd>move the map, the time or the place, whichever has the focus</dd></div>
    <div><dt><kbd>+</kbd> <kbd>−</kbd> <kbd>0</kbd></dt><dd>zoom the map, show everything</dd></div>
    </dl></details>
    <p>Made by ghost-convert. The gap is taken at the same place on the road, not at the same distance; ± is one standard deviation.</p>
    </footer>
    """
}
