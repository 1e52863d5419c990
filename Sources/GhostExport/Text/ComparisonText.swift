import GhostModel
import TrackModel

/// A comparison as text and tables, with the same sentences as the HTML report.
package struct ComparisonText {
  private let comparison: DriveComparison
  private let summary: ComparisonSummary
  private let width: Int
  private let style: GapSparkline.Style
  private let fuseAdvice: String?

  /// Creates the text of a comparison.
  ///
  /// - Parameters:
  ///   - width: the largest width of the gap's plot, in characters.
  ///   - style: the characters of the plot.
  ///   - fuseAdvice: a note if two drives are recordings of one ride, which can be combined.
  package init(
    _ document: ComparisonDocument, width: Int = 60, style: GapSparkline.Style = .blocks,
    fuseAdvice: String? = nil
  ) {
    comparison = document.comparison
    summary = ComparisonSummary(document)
    self.width = width
    self.style = style
    self.fuseAdvice = fuseAdvice
  }

  /// The result with its explanation, for each pair a table of legs and the gap along the road, a table of
  /// the drives, and notes about them.
  package var lines: [String] {
    var lines = [summary.answer] + summary.explanation
    for pair in comparison.pairs where !pair.legs.isEmpty {
      lines.append("")
      if comparison.pairs.count > 1 { lines.append("\(label(pair.second)) against \(label(pair.first)):") }
      lines += LegTable(pair, comparison).lines
      lines += sparkline(pair)
    }
    lines += [""] + drives
    var notes = summary.cautions
    if let fuseAdvice, comparison.drives.contains(where: { $0.sameRide?.relation == .simultaneous }) {
      notes.append(fuseAdvice)
    }
    if !notes.isEmpty { lines += [""] + notes }
    return lines.map(Diagnostic.singleLine)
  }

  private func label(_ index: Int) -> String { comparison.drives[index].label }

  /// A plot of the leading drive along the road, or no lines if there is no profile.
  private func sparkline(_ pair: PairComparison) -> [String] {
    guard comparison.ride(of: pair)?.isOneMotion != true else { return [] }
    // Indented like the tables.
    let rows = GapSparkline.text(comparison, pair: pair, width: width - 2, style: style)
    guard !rows.isEmpty else { return [] }
    let names = (Text.column(label(pair.first)), Text.column(label(pair.second)))
    return ["", "  who was ahead along the shared road (up: \(names.0), down: \(names.1))"]
      + rows.split(separator: "\n").map { "  " + $0 }
  }

  private var drives: [String] {
    let knowsStops = comparison.engine == .matched
    var table = TextTable(
      [("drive", .left), ("time", .right), ("distance", .right)] + (knowsStops ? [("waiting", .right)] : [])
        + [("idle at start", .right), ("idle at end", .right)])
    for drive in comparison.drives {
      table.add(
        [
          Text.column(drive.label), TimeResolution.current.clock(drive.timeUnderWay),
          Text.distance(drive.distance),
        ]
          + (knowsStops ? [waiting(drive)] : [])
          + [Formatted.clock(drive.idleAtStart), Formatted.clock(drive.idleAtEnd)])
    }
    return table.lines
  }

  private func waiting(_ drive: ComparedDrive) -> String {
    guard !drive.stops.isEmpty else { return "none" }
    return "\(Formatted.clock(drive.waiting)) in \(Counted.of(drive.stops.count, "stop"))"
  }
}
