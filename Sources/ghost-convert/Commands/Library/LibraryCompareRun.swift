import DriveLibrary
import DriveMatching
import GhostExport
import GhostModel
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs the library compare command: finds the route, compares its drives and prints the result.
struct LibraryCompareRun {
  private let options: GhostConvert.LibraryCompareOptions
  private let library: DriveLibrary

  init(_ options: GhostConvert.LibraryCompareOptions, _ library: DriveLibrary) {
    self.options = options
    self.library = library
  }

  /// Runs the command and returns its exit status.
  func run() throws(TrackError) -> Int32 {
    let length = try library.distinctIdentifierLength()
    let report = try RouteRanking(of: try route(), in: library) { drives in
      RouteLabels.labels(drives.map { ($0.id, $0.startTime) }, identifierLength: length)
    }
    for (drive, error) in report.unreadable {
      Console.complain("drive \(drive.uuidString.prefix(length)) is skipped: \(error.message)")
    }
    if options.json {
      Console.print(report.json)
    } else {
      Console.print(
        RouteReportText(report, identifierLength: length, all: options.all).lines.joined(separator: "\n"))
    }
    let status = try write(report)
    return status == ExitStatus.success && !report.unreadable.isEmpty ? ExitStatus.dataError : status
  }

  private func route() throws(TrackError) -> DrivenRoute {
    let drives = try library.drives(withPrefixes: [options.route])
    guard let drive = drives.first, let whole = try library.route(of: drive.id) else {
      throw TrackError(
        .noTracks, "drive \(options.route) has no route: it is shorter than 300 m, or stayed within 100 m")
    }
    guard whole.count > 1 else {
      throw TrackError(
        .noTracks,
        "drive \(options.route) is the only drive of its route, so there is nothing to compare it with",
        suggestion: .text("list repeated routes with ghost-convert library routes"))
    }
    guard options.selection.isGiven else { return whole }
    guard let route = try library.route(of: drive.id, only: options.selection.filter), route.count > 1 else {
      throw TrackError(
        .noTracks, "fewer than two of the \(whole.count) drives of the route are selected",
        suggestion: .text("select more drives"))
    }
    return route
  }

  /// Writes all outputs. If one cannot be written, the others are written anyway.
  private func write(_ report: RouteRanking) throws(TrackError) -> Int32 {
    guard !options.outputs.isEmpty else { return ExitStatus.success }
    var traces: [TimedDrive] = []
    var shown: [Int] = []
    for index in report.shown(all: false) {
      let drive = report.comparison.entries[index].drive
      if let trace = try library.trace(of: report.drives[drive], label: report.labels[drive]) {
        traces.append(trace)
        shown.append(drive)
      }
    }
    var document = ComparisonDocument(try DriveComparison.compare(traces), traces: traces)
    document.route = report.figures(shown: shown)
    var status = ExitStatus.success
    ComparisonOutput.writeEach(options.outputs) { path throws(TrackError) in
      try ComparisonOutput.forFile(path).write(document, to: path)
    } failed: { error, path in
      Console.report(error.inFile(path))
      if status == ExitStatus.success { status = ExitStatus.of(error) }
    }
    return status
  }
}
