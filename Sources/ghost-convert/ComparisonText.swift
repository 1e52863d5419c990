import GhostModel
import TrackModel

/// A comparison in words and tables.
struct ComparisonText {
  private let comparison: DriveComparison
  /// How coarse each drive's source is.
  private let coarseness: [Coarseness?]

  init(_ comparison: DriveComparison, coarseness: [Coarseness?] = []) {
    self.comparison = comparison
    self.coarseness = coarseness
  }

  /// The headline, a table of legs for each pair, a table of the drives, and what should be known about them.
  var lines: [String] {
    var lines = [headline]
    for pair in comparison.pairs where !pair.legs.isEmpty {
      lines.append("")
      if comparison.pairs.count > 1 { lines.append("\(label(pair.second)) against \(label(pair.first)):") }
      lines += LegTable(pair, comparison).lines
    }
    lines += [""] + drives
    let notes = notes
    if !notes.isEmpty { lines += [""] + notes }
    return lines.map(Diagnostic.singleLine)
  }

  private func label(_ index: Int) -> String { comparison.drives[index].label }

  // MARK: Headline

  private var headline: String {
    let comparable = comparison.pairs.filter { $0.finalGap != nil }
    guard !comparable.isEmpty else { return sentence(nothingToCompare) }
    guard let winner = comparison.winner, let margin = comparison.margin else {
      return sentence("\(comparison.drives.count > 2 ? "none" : "neither") was faster\(stretch)")
    }
    let lead = comparable.count > 1 ? "the fastest of \(comparable.count + 1)" : "faster"
    return sentence("\(label(winner)) was \(lead) by \(Text.gap(margin))\(stretch)")
  }

  private var nothingToCompare: String {
    let names = comparison.drives.map(\.label)
    let all = names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    if comparison.engine == .app { return "one of \(all) never moves, so neither was faster" }
    return comparison.pairs.contains { $0.relation == .reversed }
      ? "\(all) drove the same road in opposite directions, so neither was faster"
      : "\(all) share no road, so neither was faster"
  }

  /// What was compared: ` over 11.3 km of shared road`.
  private var stretch: String {
    let moment = comparison.mode.moment
    if comparison.engine == .app {
      switch comparison.mode {
      case .startLocation, .endLocation: return ", by the app's engine"
      case .firstDivergence, .lastDivergence: return " up to \(moment), by the app's engine"
      case .firstConvergence, .lastConvergence: return " from \(moment) on, by the app's engine"
      }
    }
    switch comparison.mode {
    case .startLocation, .endLocation:
      guard comparison.pairs.count == 1, let pair = comparison.pairs.first else {
        return " over the road shared with \(label(0))"
      }
      return " over \(Text.kilometres(pair.sharedDistance)) of shared road"
    default: return " from \(moment) to the end of the shared road"
    }
  }

  private func sentence(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() + "." }

  // MARK: Drives

  private var drives: [String] {
    let knowsStops = comparison.engine == .matched
    var table = TextTable(
      [("drive", .left), ("time", .right), ("distance", .right)] + (knowsStops ? [("waiting", .right)] : [])
        + [("idle at start", .right), ("idle at end", .right)])
    for drive in comparison.drives {
      table.add(
        [Text.column(drive.label), Text.minutes(drive.duration), Text.distance(drive.distance)]
          + (knowsStops ? [waiting(drive)] : [])
          + [Text.minutes(drive.idleAtStart), Text.minutes(drive.idleAtEnd)])
    }
    return table.lines
  }

  private func waiting(_ drive: ComparedDrive) -> String {
    guard !drive.stops.isEmpty else { return "none" }
    return "\(Text.minutes(drive.waiting)) in \(Text.count(drive.stops.count, "stop"))"
  }

  // MARK: Notes

  private var notes: [String] {
    var notes: [String] = []
    if let margin = comparison.margin, comparison.engine == .matched {
      let doubt = Text.doubt(comparison.uncertainty)
      notes.append(
        margin > 2 * comparison.uncertainty
          ? "The margin is certain to \(doubt)."
          : "The margin is certain to \(doubt) only: as far as these recordings tell, it is a tie.")
    } else if comparison.winner == nil, comparison.pairs.count == 1, let pair = comparison.pairs.first,
      let gap = pair.finalGap, abs(gap) >= 0.05
    {
      notes.append(
        "They are \(Text.gap(gap)) apart, which is certain to \(Text.doubt(pair.uncertainty)) only.")
    }
    if let fallback = comparison.fallback, comparison.requestedMode != .startLocation {
      notes.append(note(fallback))
    }
    // Where no pair can be compared, the headline says why.
    if comparison.pairs.contains(where: { $0.finalGap != nil }) {
      notes += comparison.pairs.compactMap(note)
    }
    if comparison.timing == .even {
      notes.append(
        "The times are spread evenly: a drive has no time per point, so times on the way are estimates.")
    }
    if comparison.engine == .app {
      notes.append(
        "The app's engine steps through the points of both and does not ask whether they share a road.")
    }
    return notes + coarseness.indices.compactMap(coarseNote)
  }

  private func note(_ fallback: DriveComparison.Fallback) -> String {
    let aligned = "so they are aligned where they start and not \(comparison.requestedMode.moment)."
    switch fallback {
    case .noSuchEvent:
      let needsParting = [.firstDivergence, .lastDivergence].contains(comparison.requestedMode)
      let verb = needsParting ? "part" : "meet after they were apart"
      return comparison.pairs.count > 1
        ? "Not all drives \(verb), \(aligned)" : "The drives never \(verb), \(aligned)"
    case .nothingShared: return "The drives share no road, \(aligned)"
    case .reversed: return "The drives go in opposite directions, \(aligned)"
    }
  }

  private func note(_ pair: PairComparison) -> String? {
    switch pair.relation {
    case .shared: nil
    case .nothingShared: sentence("\(label(pair.second)) shares no road with \(label(pair.first))")
    case .reversed:
      sentence("\(label(pair.second)) drove the road of \(label(pair.first)) in the opposite direction")
    }
  }

  private func coarseNote(_ index: Int) -> String? {
    let parts = [
      coarseness[index]?.time.map { "times to \(Text.fixed($0, 0)) s" },
      coarseness[index]?.position.map { "places to \(Text.distance($0))" },
    ].compactMap(\.self)
    guard !parts.isEmpty, index < comparison.drives.count else { return nil }
    return "The source of \(label(index)) tells \(parts.joined(separator: " and ")) only."
  }
}

extension Text {
  /// Seconds as `0:42`, `24:30` or `1:02:03`.
  static func minutes(_ seconds: Double) -> String {
    guard seconds.isFinite, abs(seconds) < 1e15 else { return "?" }
    let whole = Int(abs(seconds).rounded())
    let sign = seconds < 0 && whole > 0 ? "-" : ""
    let clock = Text.clock(Double(max(whole, 60)))
    return sign + (whole >= 60 ? clock : "0:\(whole < 10 ? "0" : "")\(whole)")
  }

  /// A difference of time as `0:42`, with tenths below ten seconds: `3.4 s`.
  static func gap(_ seconds: Double) -> String {
    abs(seconds) < 9.95 ? "\(Text.fixed(abs(seconds), 1)) s" : minutes(abs(seconds))
  }

  /// The same with its sign; what rounds to nothing has none.
  static func signedGap(_ seconds: Double) -> String {
    abs(seconds) < 0.05 ? gap(0) : (seconds < 0 ? "-" : "+") + gap(seconds)
  }

  /// `± 0.6 s`; never nothing.
  static func doubt(_ seconds: Double) -> String { "± \(gap(max(seconds, 0.1)))" }

  /// A text for a column: at most 24 characters.
  static func column(_ text: String) -> String { text.count > 24 ? text.prefix(23) + "…" : text }

  /// A length as `11.3 km`, or `320 m` below a kilometre.
  static func kilometres(_ metres: Double) -> String {
    metres < 1000 ? distance(metres) : "\(fixed(metres / 1000, 1)) km"
  }
}
