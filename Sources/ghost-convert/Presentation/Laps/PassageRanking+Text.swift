import BulkImport
import DriveLibrary
import DriveMatching
import GhostExport
import GhostModel
import TrackModel

extension PassageRanking {
  /// The number of passages in the table and in races, in addition to the latest.
  private static let shownCount = 10

  /// Returns the report as text.
  ///
  /// - Parameter all: whether all passages are listed.
  func lines(all: Bool) -> [String] {
    var lines = [
      "\(segment.name): \(Text.distance(segment.length)), \(Counted.of(passages.count, "passage"))"
        + (recordings.count > passages.count ? " in \(recordings.count) recordings" : "")
    ]
    guard let latest = passages.last else {
      return isFiltered ? lines + ["Passages at other times or of other kinds are not listed."] : lines
    }
    let kinds = kinds
    var table = TextTable([
      ("rank", .right), ("date", .left), ("drive", .left), ("time", .right), ("gap", .right),
      ("average", .right), ("stopped", .right), (kinds.count > 1 ? "kind" : "", .left), ("", .left),
    ])
    var known: Set<String> = []
    let least = passages.map(\.passage.uncertainty).min()
    for (rank, entry) in ranked.enumerated() {
      let isLatest = entry == latest
      let kind = entry.knownKind
      let isBest = known.insert(kind).inserted
      guard all || rank < Self.shownCount || isLatest || isBest else { continue }
      func add(_ entry: LibraryPassage, _ rank: String, _ gap: String, _ notes: [String]) {
        let doubt = Text.remarkableDoubt(entry.passage.uncertainty, least: least) ?? ""
        table.add([
          rank, entry.start.map(LocalTime.minute) ?? "", Text.column(entry.name),
          Text.lapTime(entry.passage.duration), gap,
          UnitSystem.current.speed(metresPerSecond: entry.passage.averageSpeed),
          entry.passage.waiting > 0 ? Text.clock(entry.passage.waiting) : "",
          kinds.count > 1 ? Text.column(kind) : "",
          (notes + [doubt]).filter { !$0.isEmpty }.joined(separator: ", "),
        ])
      }
      add(
        entry, String(rank + 1), rank == 0 ? "" : "+" + Text.lapTime(entry.passage.duration - best),
        [!isBest ? "" : isFiltered ? "best" : "personal best", isLatest ? "latest" : ""])
      for other in otherRecordings(of: entry) { add(other, "", "", ["same ride"]) }
    }
    lines += [""] + table.lines
    let months = best(ofEach: LocalTime.month)
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

  /// Writes the fastest passages and the latest as a race with a ranking of all passages, or a table of them
  /// to a CSV file.
  ///
  /// - Parameter quotesFormulas: whether to write an apostrophe before text in CSV that spreadsheets would
  ///   run as a formula.
  func write(
    to path: String, _ library: DriveLibrary, quotesFormulas: Bool
  ) throws(TrackError) {
    let output = try ComparisonOutput.forFile(path)
    if output == .csv { return try writeTable(to: path, quotesFormulas: quotesFormulas) }
    guard ranked.count > 1 else {
      throw TrackError(
        .noTracks, "fewer than two passages",
        suggestion: .text(isFiltered ? "include other times and kinds" : "import more drives"))
    }
    let race = forRace(shown: Self.shownCount)
    var document = try PartComparison.document(
      segment.name, try traces(of: race, in: library, minute: LocalTime.minute),
      uncertainties: race.map(\.entry.passage.uncertainty), shown: Self.shownCount)
    document.trend = trend
    let result = TimeResolution.$current.withValue(.hundredths) { () -> Result<Void, TrackError> in
      Result { () throws(TrackError) in try output.write(document, to: path) }
    }
    try result.get()
  }
}
