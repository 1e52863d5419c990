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

/// The comparison of the drives of a route.
struct RouteReport {
  let route: DrivenRoute
  /// The drives in the order of the route, without those that could not be read.
  let drives: [LibraryDrive]
  /// A unique label per drive.
  let labels: [String]
  let passages: [RoutePassage]
  let comparison: RouteComparison
  /// The distance of each mark along the reference drive, in metres.
  private let marks: [Double]
  /// The shortest unique prefixes of the drives' ids in the library.
  let identifiers: [String]
  /// The errors of single drives.
  let problems: [String]

  /// The number of fastest drives that are shown.
  static let shownCount = 10

  /// Reads the drives of a route sequentially, and stores only the times at which each passed the marks.
  ///
  /// - Throws: `noTracks` if fewer than two drives can be read.
  init(_ route: DrivenRoute, _ library: DriveLibrary) throws(TrackError) {
    var summaries: [LibraryDrive] = []
    for id in route.drives {
      if let summary = try library.summary(id) { summaries.append(summary) }
    }
    let length = try library.distinctIdentifierLength()
    let names = RouteLabels.labels(
      summaries.map { ($0.id, $0.startTime) }, identifierLength: length)
    var best: Reading?
    for map in try RouteReport.maps(route, summaries, library) {
      let reading = Reading(map, summaries, names, identifierLength: length, library)
      guard let known = best, reading.comparison.forsakenLegs >= known.comparison.forsakenLegs else {
        best = reading
        if reading.comparison.forsakenLegs == 0 { break }
        continue
      }
    }
    guard let best else {
      throw TrackError(
        .noTracks, "no drive of the route can be read", suggestion: .text("run library check for details")
      )
    }
    self.route = route
    drives = best.drives
    labels = best.labels
    identifiers = drives.map { String($0.id.uuidString.prefix(length)) }
    passages = best.passages
    problems = best.problems
    marks = best.marks
    comparison = best.comparison
  }

  /// The drives, measured along one of them.
  private struct Reading {
    var drives: [LibraryDrive] = []
    var labels: [String] = []
    var passages: [RoutePassage] = []
    var problems: [String] = []
    let marks: [Double]
    let comparison: RouteComparison

    init(
      _ map: RouteMap, _ summaries: [LibraryDrive], _ names: [String], identifierLength: Int,
      _ library: DriveLibrary
    ) {
      marks = map.marks
      for (summary, label) in zip(summaries, names) {
        do throws(TrackError) {
          guard let trace = try library.trace(of: summary, label: label) else { continue }
          passages.append(map.passage(of: trace))
          drives.append(summary)
          labels.append(label)
        } catch {
          problems.append(
            "drive \(summary.id.uuidString.prefix(identifierLength)) is skipped: \(error.message)")
        }
      }
      comparison = RouteComparison(map, passages)
    }
  }

  /// The number of drives that are tried as the reference.
  private static let mapCount = 5

  /// Returns candidates for the reference drive in order of preference: drives of about the usual length,
  /// because a detour shares no positions with other drives, and with recorded timestamps if available. The
  /// length alone does not exclude detours, because receiver noise also increases it.
  private static func maps(
    _ route: DrivenRoute, _ summaries: [LibraryDrive], _ library: DriveLibrary
  ) throws(TrackError) -> [RouteMap] {
    let nearest = summaries.enumerated().map { index, drive in
      (drive: drive, index: index, off: abs(drive.distance * Geodesy.metresPerMile - route.distance))
    }.sorted { ($0.off, $0.index) < ($1.off, $1.index) }
    var maps: [RouteMap] = []
    var fallback: TimedDrive?
    for candidate in nearest where maps.count < mapCount {
      guard let trace = try? library.trace(of: candidate.drive, label: "") else { continue }
      if trace.hasTimestamps { maps.append(RouteMap(trace)) }
      fallback = fallback ?? trace
    }
    return maps.isEmpty ? fallback.map { [RouteMap($0)] } ?? [] : maps
  }

  /// Returns the figures for files that draw some of the drives.
  ///
  /// - Parameter shown: the drives that are drawn, the fastest first.
  func figures(shown: [Int]) -> RouteFigures {
    var figures = RouteFigures(
      title: route.title, labels: labels, marks: marks, passages: passages, comparison: comparison,
      shown: shown)
    figures.newest = newest.map { comparison.entries[$0].drive }
    return figures
  }

  /// Returns the speed over the compared part, in metres per second.
  func speed(_ entry: RouteComparison.Entry) -> Double? {
    entry.duration > 0 ? comparison.length / entry.duration : nil
  }

  /// The entry of the drive with the latest start, or nil if no drive has a start.
  var newest: Int? {
    comparison.entries.indices.filter { drives[comparison.entries[$0].drive].startTime != nil }.max {
      let (a, b) = (drives[comparison.entries[$0].drive], drives[comparison.entries[$1].drive])
      return (a.startTime?.microseconds ?? .min) < (b.startTime?.microseconds ?? .min)
    }
  }

  /// Returns the entries that are shown: the fastest, and the newest.
  ///
  /// - Returns: indices of the comparison's entries, ascending.
  func shown(all: Bool) -> [Int] {
    let entries = comparison.entries.indices
    guard !all, entries.count > Self.shownCount + 1 else { return Array(entries) }
    let newest = newest.flatMap { $0 >= Self.shownCount ? [$0] : nil } ?? []
    return Array(entries.prefix(Self.shownCount)) + newest
  }
}
