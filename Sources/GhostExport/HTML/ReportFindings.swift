/// The notable events on a report.
enum ReportFindings {
  static func markup(_ summary: ComparisonSummary) -> Markup {
    guard !summary.findings.isEmpty else { return "" }
    return ReportResources.findings(["findings": .list(summary.findings.map { ["finding": .text($0)] })])
  }
}
