import GhostExport
import GhostModel
import TrackModel

/// A comparison as text and tables, with the same sentences as the HTML report.
struct ComparisonText {
  private let comparison: DriveComparison
  private let summary: ComparisonSummary
  private let width: Int
  private let style: GapSparkline.Style

  /// Creates the text of a comparison.
  ///
  /// - Parameters:
  ///   - width: the largest width of the gap's plot, in characters.
  ///   - style: the characters of the plot.
  init(_ document: ComparisonDocument, width: Int = 60, style: GapSparkline.Style = .blocks) {
    comparison = document.comparison
    summary = ComparisonSummary(document)
    self.width = width
    self.style = style
  }

  /// The result with its explanation, for each pair a table of legs and the gap along the road, a table of
  /// the drives, and notes about them.
  var lines: [String] {
    var lines = [summary.answer] + summary.explanation
    for pair in comparison.pairs where !pair.legs.isEmpty {
      lines.append("")
      if comparison.pairs.count > 1 { lines.append("\(label(pair.second)) against \(label(pair.first)):") }
      lines += LegTable(pair, comparison).lines
      lines += sparkline(pair)
    }
    lines += [""] + drives
    var notes = summary.cautions
    if comparison.drives.contains(where: { $0.sameRide?.relation == .simultaneous }) {
      notes.append("To combine the two recordings of a ride, use convert --fuse.")
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
          Text.column(drive.label), TimeResolution.current.clock(drive.duration),
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

extension Text {
  /// Formats a difference of time as `0:42`, or with tenths below ten seconds: `3.4 s`.
  static func gap(_ seconds: Double) -> String { TimeResolution.current.duration(seconds) }

  /// Formats a difference of time with its sign. Values that round to zero have no sign.
  static func signedGap(_ seconds: Double) -> String {
    abs(seconds) < TimeResolution.current.smallest ? gap(0) : (seconds < 0 ? "-" : "+") + gap(seconds)
  }

  /// Formats an uncertainty as `± 0.6 s`. The smallest value is 0.1 s, or 0.01 s in hundredths.
  static func doubt(_ seconds: Double) -> String {
    "± \(gap(max(seconds, 2 * TimeResolution.current.smallest)))"
  }

  /// Shortens a text to the width of a column, 24 characters.
  static func column(_ text: String) -> String { text.shortened(to: 24) }
}

extension ComparisonDocument {
  /// Prints the comparison as JSON, or as text unless it would mix with an output.
  func print(asJSON isJSON: Bool, besides outputs: [String]) {
    if isJSON {
      Console.print(comparison.json)
    } else if !outputs.contains("-") {
      let text = ComparisonText(
        self, width: Terminal.width(orElse: 60), style: Terminal.isUTF8 ? .blocks : .ascii)
      Console.print(text.lines.joined(separator: "\n"))
    }
  }
}
