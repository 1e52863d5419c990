import DriveLibrary
import DriveMatching
import GhostExport
import GhostModel
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Presents the passages of a segment.
struct SegmentReport {
  private let ranking: PassageRanking

  init(_ ranking: PassageRanking) { self.ranking = ranking }

  /// The number of passages in the table, in addition to the latest.
  private static let shown = 10
  /// The number of passages that a file ranks, in addition to the latest.
  private static let compared = 100

  private var segment: RoadSegment { ranking.segment }
  private var passages: [LibraryPassage] { ranking.passages }
  private var ranked: [LibraryPassage] { ranking.ranked }
  private var isFiltered: Bool { ranking.isFiltered }

  /// The durations over time, or nil for drives of several kinds, whose durations differ anyway.
  private var trend: PassageTrend? {
    guard ranking.kinds.count < 2 else { return nil }
    return PassageTrend(
      passages.compactMap { entry in entry.start.map { ($0, entry.passage.duration) } },
      isComplete: !isFiltered)
  }

  /// Returns the report as text.
  ///
  /// - Parameter all: whether all passages are listed.
  func lines(all: Bool) -> [String] {
    var lines = [
      "\(segment.name): \(Text.distance(segment.length)), \(Counted.of(passages.count, "passage"))"
        + (ranking.recordings.count > passages.count ? " in \(ranking.recordings.count) recordings" : "")
    ]
    guard let latest = passages.last else {
      return isFiltered ? lines + ["Passages at other times or of other kinds are not listed."] : lines
    }
    let kinds = ranking.kinds
    var table = TextTable([
      ("rank", .right), ("date", .left), ("drive", .left), ("time", .right), ("gap", .right),
      ("average", .right), ("stopped", .right), (kinds.count > 1 ? "kind" : "", .left), ("", .left),
    ])
    var known: Set<String> = []
    for (rank, entry) in ranked.enumerated() {
      let isLatest = entry == latest
      let kind = entry.knownKind
      let isBest = known.insert(kind).inserted
      guard all || rank < Self.shown || isLatest || isBest else { continue }
      let notes = [!isBest ? "" : isFiltered ? "best" : "personal best", isLatest ? "latest" : ""].filter {
        !$0.isEmpty
      }
      func add(_ entry: LibraryPassage, _ rank: String, _ gap: String, _ notes: String) {
        table.add([
          rank, entry.start.map(LocalTime.minute) ?? "", Text.column(entry.name),
          Text.lapTime(entry.passage.duration), gap,
          UnitSystem.current.speed(metresPerSecond: entry.passage.averageSpeed),
          entry.passage.waiting > 0 ? Text.clock(entry.passage.waiting) : "",
          kinds.count > 1 ? Text.column(kind) : "", notes,
        ])
      }
      add(
        entry, String(rank + 1), rank == 0 ? "" : "+" + Text.lapTime(entry.passage.duration - ranking.best),
        notes.joined(separator: ", "))
      for other in ranking.otherRecordings(of: entry) { add(other, "", "", "same ride") }
    }
    lines += [""] + table.lines
    let months = ranking.best(ofEach: LocalTime.month)
    if months.count > 1 {
      var table = TextTable([("month", .left), ("best", .right)])
      for (month, entry) in months { table.add([month, Text.lapTime(entry.passage.duration)]) }
      lines += [""] + table.lines
    }
    if kinds.count > 1 {
      let list = kinds.map { "\($0.kind) (\($0.count))" }.joined(separator: ", ")
      lines += ["", "Kinds of drives: \(list). To rank one of them, use --kind."]
    }
    if let (change, error) = trend?.perYear {
      lines += [
        "",
        "Trend: \(Formatted.fixed(abs(change), 1)) s \(change < 0 ? "faster" : "slower") per year "
          + "± \(Formatted.fixed(error, 1)) s.",
      ]
    }
    return lines
  }

  /// The object of `segment show --json`.
  var json: JSONValue { ranking.json(trend: trend?.perYear?.change) }

  /// Writes the fastest passages and the latest as a race with a ranking, or a table of all passages to a
  /// CSV file.
  func write(to path: String, _ library: DriveLibrary) throws(TrackError) {
    if try ComparisonOutput.forFile(path) == .csv { return try writeTable(to: path) }
    guard ranked.count > 1, let latest = passages.last else {
      throw TrackError(
        .noTracks, "fewer than two passages",
        suggestion: .text(isFiltered ? "include other times and kinds" : "import more drives"))
    }
    let chosen = ranking.chosen(Self.compared, shown: Self.shown)
    var traces: [TimedDrive] = []
    for (rank, entry) in chosen {
      guard let drive = try library.summary(entry.drive),
        let trace = try library.trace(of: drive, label: drive.name)
      else { throw TrackError(.notFound, "a drive was removed from the library") }
      let notes = (rank == 1 ? ["best"] : []) + (entry == latest ? ["latest"] : [])
      let label =
        [entry.start.map(LocalTime.minute), entry.name.isEmpty ? nil : entry.name].compactMap { $0 }
        .joined(separator: ", ") + (notes.isEmpty ? "" : " (\(notes.joined(separator: ", ")))")
      traces.append(try trace.part(from: entry.passage.start, to: entry.passage.end, label: label))
    }
    var document = try PartComparison.document(
      segment.name, traces, uncertainties: chosen.map(\.entry.passage.uncertainty), shown: Self.shown)
    document.trend = trend
    let output = try ComparisonOutput.forFile(path)
    let result = TimeResolution.$current.withValue(.hundredths) { () -> Result<Void, TrackError> in
      Result { () throws(TrackError) in try output.write(document, to: path) }
    }
    try result.get()
  }

  private func writeTable(to path: String) throws(TrackError) {
    var sink = try ByteSink(path: path)
    sink.buffer.append(
      "time,drive,name,kind,duration_s,uncertainty_s,gap_s,average_speed_mps,waiting_s,same_ride_as,enter_s,"
        + "same_ride_enter_s\n")
    for entry in ranking.recordings {
      let passage = entry.passage
      sink.buffer.append("\(entry.start?.description ?? ""),\(entry.drive.uuidString),")
      sink.buffer.append(csvText: entry.name)
      sink.buffer.append(",")
      sink.buffer.append(csvText: entry.kind ?? "")
      for (value, digits) in [
        (passage.duration, 3), (passage.uncertainty, 3), (passage.duration - ranking.best, 3),
        (passage.averageSpeed, 3),
        (passage.waiting, 1),
      ] {
        sink.buffer.append(",\(Formatted.fixed(value, digits))")
      }
      let original = entry.original
      sink.buffer.append(
        ",\(original?.drive.uuidString ?? ""),\(Formatted.fixed(passage.start, 3)),"
          + "\(original.map { Formatted.fixed($0.start, 3) } ?? "")\n")
      try sink.flush()
    }
    try sink.finish()
  }
}
