import DriveLibrary
import DriveMatching
import GhostExport
import GhostModel
import TrackModel

/// Runs the library compare command: compares the drives of the route, and prints and writes the result.
struct LibraryCompareRun {
  let options: GhostConvert.LibraryCompareOptions
  let library: DriveLibrary

  /// Runs the command and returns its exit status.
  func run() throws(TrackError) -> Int32 {
    let length = try library.distinctIdentifierLength()
    let route = try library.comparableRoute(of: options.route, only: options.selection.filter)
    let report = try RouteRanking(of: route, in: library, outside: options.privacyZones) { drives in
      DriveLabels.labels(
        drives.map { ($0.id, $0.startTime) }, identifierLength: length, minute: LocalTime.minute)
    }
    for (drive, error) in report.unreadable {
      Console.complain("drive \(drive.text.prefix(length)) is skipped: \(error.message)")
    }
    try report.hidden.report(isStrict: false)
    if options.json {
      Console.print(report.json)
    } else if Console.printsText(besides: options.outputs) {
      Console.print(
        RouteReportText(report, identifierLength: length, all: options.all).lines.joined(separator: "\n"))
    }
    let status = try write(report)
    return status == ExitStatus.success && !report.unreadable.isEmpty ? ExitStatus.dataError : status
  }

  private func write(_ report: RouteRanking) throws(TrackError) -> Int32 {
    guard !options.outputs.isEmpty else { return ExitStatus.success }
    let shown = try report.shownTraces(in: library)
    let traces = shown.map(\.trace)
    var document = ComparisonDocument(try DriveComparison.compare(traces), traces: traces)
    var figures = RouteFigures(
      title: report.route.title, labels: report.labels, marks: report.marks, passages: report.passages,
      comparison: report.comparison, shown: shown.map(\.drive))
    figures.newest = report.newest.map { report.comparison.entries[$0].drive }
    document.route = figures
    let export = ExportOptions(quotesFormulas: options.quotesFormulas)
    return document.write(to: options.outputs, options: export) { path throws(TrackError) in
      try ComparisonOutput.forFile(path)
    }
  }
}
