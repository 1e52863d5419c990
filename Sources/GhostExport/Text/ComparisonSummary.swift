import DriveMatching
import GhostModel

/// A comparison in words: who was faster, by how much, and what to know about it.
public struct ComparisonSummary: Sendable {
  /// How sure the answer is.
  public enum Verdict: Sendable, Hashable {
    /// The margin is at least twice its uncertainty.
    case faster(drive: Int)
    /// The margin is above its uncertainty, but not twice.
    case probablyFaster(drive: Int)
    /// The margin is within its uncertainty, or there is none.
    case tie
    /// There is no road to compare on.
    case incomparable
  }

  public let verdict: Verdict
  /// A few words that answer, without a full stop: `Thursday was faster by 0:42`.
  public let headline: String
  /// The headline with the way that it is about, a sentence:
  /// `Thursday was faster by 0:42 over 11.3 km of shared road.`
  public let answer: String
  /// What belongs to the answer, a sentence or two each: what made up the margin where ways parted, how
  /// certain it is, where the clocks were set.
  public let explanation: [String]
  /// What stands below a headline where there is a map: the way that it is about, and the explanation.
  public let lead: String
  /// What must be known to read the numbers right, the gravest first: a sentence or two each.
  public let cautions: [String]
  /// What happened: idle time, waiting and detours, a sentence each.
  public let findings: [String]

  public init(_ document: ComparisonDocument) {
    if let route = document.route {
      self.init(route, document)
    } else {
      self.init(drivesOf: document)
    }
  }

  /// Of a route, whose figures are those of all its drives, whichever are shown.
  private init(_ route: RouteFigures, _ document: ComparisonDocument) {
    let fastest = route.comparison.entries.first.flatMap { route.place(of: $0.drive) }
    verdict = fastest.map { .faster(drive: $0) } ?? .incomparable
    headline = "\(route.title): \(route.headline)"
    answer = Quantity.sentence(headline)
    explanation = route.sentences
    lead = route.sentences.joined(separator: " ")
    cautions = ComparisonCautions.sentences(of: document)
    findings = []
  }

  private init(drivesOf document: ComparisonDocument) {
    let comparison = document.comparison
    let verdict = ComparisonSummary.verdict(of: comparison)
    let stretch = ComparedStretch(comparison)
    self.verdict = verdict
    headline = ComparisonSummary.headline(verdict, comparison)
    answer = Quantity.sentence(headline + stretch.phrase)
    explanation =
      verdict == .incomparable
      ? [ComparisonSummary.obstacle(comparison)]
      : [stretch.split, ComparisonSummary.certainty(verdict, comparison)].compactMap(\.self)
        + ["Clocks set to the same time \(ComparisonSummary.anchor(comparison))."]
    let way = stretch.phrase.drop { $0 == " " || $0 == "," }
    let map = comparison.pairs.contains { $0.relation == .reversed } ? "shows both" : "shows them all"
    lead =
      ((way.isEmpty ? [] : [Quantity.sentence(String(way))]) + explanation
      + (verdict == .incomparable ? ["The map \(map), started at once."] : [])).joined(separator: " ")
    cautions = ComparisonCautions.sentences(of: document)
    findings = ComparisonFindings.sentences(of: comparison)
  }

  private static func verdict(of comparison: DriveComparison) -> Verdict {
    guard !comparison.standings.isEmpty else { return .incomparable }
    guard let winner = comparison.winner, comparison.drives.indices.contains(winner),
      let margin = comparison.margin, margin > comparison.uncertainty
    else { return .tie }
    return margin >= 2 * comparison.uncertainty ? .faster(drive: winner) : .probablyFaster(drive: winner)
  }

  private static func headline(_ verdict: Verdict, _ comparison: DriveComparison) -> String {
    let margin = Quantity.duration(comparison.margin ?? 0)
    let standings = comparison.standings
    let fastest = standings.count > 2 ? "the fastest of \(standings.count)" : "faster"
    switch verdict {
    case .faster(let drive): return "\(comparison.drives[drive].label) was \(fastest) by \(margin)"
    case .probablyFaster(let drive):
      return "\(comparison.drives[drive].label) was probably \(fastest) by \(margin)"
    case .tie:
      let names = standings.prefix(2).map { comparison.drives[$0.drive].label }
      return "Too close to call" + (standings.count > 2 ? " between \(Quantity.list(names))" : "")
    case .incomparable:
      if comparison.pairs.contains(where: { $0.relation == .reversed }) {
        return "The same road, in opposite directions"
      }
      return ComparisonSummary.withoutTime(comparison) != nil
        || comparison.pairs.contains { $0.relation == .shared } ? "Nothing to compare" : "No road in common"
    }
  }

  /// How far the margin can be trusted; nil where the engine does not tell.
  private static func certainty(_ verdict: Verdict, _ comparison: DriveComparison) -> String? {
    let isMeasured = comparison.engine == .matched
    let uncertainty = "± " + Quantity.duration(max(comparison.uncertainty, 0.1))
    switch verdict {
    case .faster:
      return isMeasured ? "The margin may be off by \(uncertainty) (one standard deviation)." : nil
    case .probablyFaster:
      return "The margin may be off by \(uncertainty) (one standard deviation), so it may be chance."
    case .tie:
      let ahead = comparison.standings.prefix(2)
      guard let first = ahead.first, let second = ahead.last else { return nil }
      let names = ahead.map { comparison.drives[$0.drive].label }
      if second.behind < 0.05 {
        let both = comparison.drives.count > 2 ? Quantity.list(names) : "both"
        return Quantity.sentence("\(both) took the same time\(isMeasured ? ", \(uncertainty)" : "")")
      }
      return Quantity.sentence(
        "\(comparison.drives[first.drive].label) was ahead by \(Quantity.duration(second.behind)), "
          + "which is within the uncertainty of \(uncertainty)")
    case .incomparable: return nil
    }
  }

  /// Where the clocks show the same time.
  private static func anchor(_ comparison: DriveComparison) -> String {
    switch (comparison.engine, comparison.mode) {
    // The app does not know a shared road.
    case (.app, .startLocation): "where the drives start"
    case (.app, .endLocation): "where the drives end"
    default: comparison.mode.place
    }
  }

  /// Which drives take no time, and why; nil if all do.
  private static func withoutTime(_ comparison: DriveComparison) -> String? {
    let drives = comparison.drives.filter { $0.duration <= 0 || $0.motionEnd <= $0.motionStart }
    if drives.count == 2, drives.allSatisfy({ $0.points != 1 && $0.elapsed > 0 }) {
      return "neither \(drives[0].label) nor \(drives[1].label) moves"
    }
    let reasons = drives.map { drive in
      drive.points == 1
        ? "\(drive.label) holds a single point"
        : drive.elapsed <= 0 ? "\(drive.label) has no duration" : "\(drive.label) does not move"
    }
    return reasons.isEmpty ? nil : Quantity.list(reasons)
  }

  /// Why nobody can have been faster.
  private static func obstacle(_ comparison: DriveComparison) -> String {
    let names = Quantity.list(comparison.drives.map(\.label))
    if comparison.pairs.contains(where: { $0.relation == .reversed }) {
      return Quantity.sentence(
        "\(names) drove it towards each other, so there is no place from which to race")
    }
    if let reasons = ComparisonSummary.withoutTime(comparison) {
      return Quantity.sentence("\(reasons), so there is no time to compare")
    }
    if comparison.pairs.contains(where: { $0.relation == .shared }) {
      return "One of \(names) does not move, so there is no time to compare."
    }
    if comparison.drives.count > 2 {
      // Each is compared with the first; what the others share among themselves is not looked at.
      let others = Quantity.list(comparison.drives.dropFirst().map(\.label))
      return Quantity.sentence(
        "\(comparison.drives[0].label), with which each is compared, shares no road with \(others); "
          + "to compare those with each other, name one of them first")
    }
    return Quantity.sentence("\(names) never drove the same road, so no one was ahead of the other")
  }
}

extension ComparisonMode {
  /// Where both clocks are set to the same time, in words.
  var place: String {
    switch self {
    case .startLocation: "where the shared road begins"
    case .endLocation: "where the shared road ends"
    case .firstDivergence: "where the ways part for the first time"
    case .lastDivergence: "where the ways part for the last time"
    case .firstConvergence: "where the ways meet for the first time"
    case .lastConvergence: "where the ways meet for the last time"
    }
  }
}
