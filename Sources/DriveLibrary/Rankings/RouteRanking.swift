public import DriveMatching
public import GhostModel
public import TrackModel
public import TrackTransforms

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// The drives of a route in a library, ranked by time.
///
/// ```swift
/// let ranking = try RouteRanking(of: route, in: library) { drives in drives.map(\.name) }
/// if let fastest = ranking.comparison.entries.first {
///   print(ranking.labels[fastest.drive], fastest.duration)
/// }
/// ```
public struct RouteRanking: Sendable {
  /// The route.
  public let route: DrivenRoute
  /// The drives in the order of the route, without those that could not be read.
  public let drives: [LibraryDrive]
  /// A label per drive.
  public let labels: [String]
  /// The times at which each drive passed the marks.
  public let passages: [RoutePassage]
  /// The ranking. Its entries refer to ``drives`` by index.
  public let comparison: RouteComparison
  /// The distance of each mark along the reference drive, in metres.
  public let marks: [Double]
  /// The drives that could not be read, with the reasons.
  public let unreadable: [(drive: UUID, error: TrackError)]
  /// The points in privacy zones, which are not compared.
  public let hidden: HiddenPoints

  /// Reads the drives of a route sequentially, and stores only the times at which each passed the marks.
  ///
  /// - Parameters:
  ///   - route: a route of the library.
  ///   - library: the library.
  ///   - zones: the privacy zones. The ranking contains no place in them.
  ///   - label: returns a label for each of the given drives, in their order.
  /// - Throws: `noTracks` if no drive can be read, or the errors of the library.
  public init(
    of route: DrivenRoute, in library: DriveLibrary, outside zones: [PrivacyStage.Circle] = [],
    label: ([LibraryDrive]) -> [String]
  ) throws(TrackError) {
    var summaries: [LibraryDrive] = []
    for id in route.drives {
      if let summary = try library.summary(id) { summaries.append(summary) }
    }
    let names = label(summaries)
    var best: Reading?
    for map in try RouteRanking.maps(route, summaries, library, zones) {
      let reading = Reading(map, summaries, names, library, zones)
      guard let known = best, reading.comparison.mostlyLeftLegs >= known.comparison.mostlyLeftLegs else {
        best = reading
        if reading.comparison.mostlyLeftLegs == 0 { break }
        continue
      }
    }
    guard let best else {
      guard zones.isEmpty else {
        throw TrackError(.noTracks, "no points of the route are left outside the privacy zones")
      }
      throw TrackError(.noTracks, "no drive of the route can be read", suggestion: .checkLibrary)
    }
    hidden = best.hidden
    self.route = route.moved(
      start: hidden.contains(route.start) ? best.ends.first : route.start,
      end: hidden.contains(route.end) ? best.ends.last : route.end)
    drives = best.drives
    labels = best.labels
    passages = best.passages
    unreadable = best.unreadable
    marks = best.marks
    comparison = best.comparison
  }

  /// The drives, measured along one of them.
  private struct Reading {
    var drives: [LibraryDrive] = []
    var labels: [String] = []
    var passages: [RoutePassage] = []
    var unreadable: [(drive: UUID, error: TrackError)] = []
    var hidden: HiddenPoints
    let marks: [Double]
    /// The places of the first and the last mark.
    let ends: (first: Coordinate, last: Coordinate)
    let comparison: RouteComparison

    init(
      _ map: RouteMap, _ summaries: [LibraryDrive], _ names: [String], _ library: DriveLibrary,
      _ zones: [PrivacyStage.Circle]
    ) {
      marks = map.marks
      ends = (map.coordinate(ofMark: 0), map.coordinate(ofMark: marks.count - 1))
      hidden = HiddenPoints(zones)
      for (summary, label) in zip(summaries, names) {
        do throws(TrackError) {
          guard let trace = try library.trace(of: summary, label: label) else { continue }
          passages.append(map.passage(of: try hidden.hide(trace)))
          drives.append(summary)
          labels.append(label)
        } catch {
          unreadable.append((summary.id, error))
        }
      }
      comparison = RouteComparison(map, passages)
    }
  }

  /// The number of drives that are tried as the reference, and of those that are read to choose them.
  private static let references = (tried: 5, read: 20)
  /// The mean interval between fixes in seconds from which a drive is a reference only if there is no other:
  /// the times of all drives would be as uncertain.
  private static let sparse = 8.0

  /// Returns candidates for the reference drive in order of preference: those with recorded timestamps and
  /// dense fixes, and among these, drives of about the usual length, because a detour shares no positions
  /// with other drives. The length alone does not exclude detours, because receiver noise also increases it.
  private static func maps(
    _ route: DrivenRoute, _ summaries: [LibraryDrive], _ library: DriveLibrary,
    _ zones: [PrivacyStage.Circle]
  ) throws(TrackError) -> [RouteMap] {
    var hidden = HiddenPoints(zones)
    let nearest = summaries.enumerated().map { index, drive in
      (drive: drive, index: index, off: abs(drive.distanceInMeters - route.distance))
    }.sorted { ($0.off, $0.index) < ($1.off, $1.index) }
    var dense: [TimedDrive] = []
    var others: [TimedDrive] = []
    var fallback: TimedDrive?
    for candidate in nearest.prefix(references.read) where dense.count < references.tried {
      guard let whole = try? library.trace(of: candidate.drive, label: ""),
        let trace = try? hidden.hide(whole)
      else { continue }
      fallback = fallback ?? trace
      guard trace.hasTimestamps else { continue }
      if trace.duration < sparse * Double(trace.count - 1) {
        dense.append(trace)
      } else {
        others.append(trace)
      }
    }
    let timed = (dense + others).prefix(references.tried)
    return (timed.isEmpty ? fallback.map { [$0] } ?? [] : Array(timed)).map { RouteMap($0) }
  }

  /// The entry of the drive with the latest start, or nil if no drive has a start.
  public var newest: Int? {
    comparison.entries.indices.filter { drives[comparison.entries[$0].drive].startTime != nil }.max {
      let (a, b) = (drives[comparison.entries[$0].drive], drives[comparison.entries[$1].drive])
      return (a.startTime?.microseconds ?? .min) < (b.startTime?.microseconds ?? .min)
    }
  }

  /// Returns the speed over the compared part, in metres per second.
  public func speed(_ entry: RouteComparison.Entry) -> Double? {
    entry.duration > 0 ? comparison.length / entry.duration : nil
  }

  /// The number of fastest drives that are shown.
  private static let shownCount = 10

  /// Returns the entries that are shown: the ten fastest, and the newest.
  ///
  /// - Parameter all: whether all entries are shown.
  /// - Returns: indices of the comparison's entries, ascending.
  public func shown(all: Bool) -> [Int] {
    let entries = comparison.entries.indices
    guard !all, entries.count > Self.shownCount + 1 else { return Array(entries) }
    let newest = newest.flatMap { $0 >= Self.shownCount ? [$0] : nil } ?? []
    return Array(entries.prefix(Self.shownCount)) + newest
  }

  /// Returns the shown drives that have points, with their indices in ``drives``, the fastest first.
  public func shownTraces(
    in library: DriveLibrary
  ) throws(TrackError) -> [(drive: Int, trace: TimedDrive)] {
    var traces: [(drive: Int, trace: TimedDrive)] = []
    var hidden = HiddenPoints(hidden.circles)
    for index in shown(all: false) {
      let drive = comparison.entries[index].drive
      if let trace = try library.trace(of: drives[drive], label: labels[drive]) {
        traces.append((drive, try hidden.hide(trace)))
      }
    }
    return traces
  }
}
