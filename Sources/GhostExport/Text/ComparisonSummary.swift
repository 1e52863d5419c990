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
  /// One line that answers: `Thursday was faster by 0:42`.
  public let headline: String
  /// The line below: uncertainty, the length of the road, where the clocks were set.
  public let explanation: String
  /// What must be known to read the numbers right, the gravest first: a sentence or two each.
  public let cautions: [String]
  /// What happened: idle time, waiting and detours, a sentence each.
  public let findings: [String]

  private let comparison: DriveComparison

  public init(_ document: ComparisonDocument) {
    let comparison = document.comparison
    self.comparison = comparison
    let verdict = ComparisonSummary.verdict(of: comparison)
    self.verdict = verdict
    headline = ComparisonSummary.headline(verdict, comparison)
    explanation = ComparisonSummary.explanation(verdict, comparison)
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
    let fastest = comparison.drives.count > 2 ? "fastest" : "faster"
    switch verdict {
    case .faster(let drive): return "\(comparison.drives[drive].label) was \(fastest) by \(margin)"
    case .probablyFaster(let drive):
      return "\(comparison.drives[drive].label) was probably \(fastest), by \(margin)"
    case .tie:
      return "Too close to call"
    case .incomparable:
      if comparison.pairs.contains(where: { $0.relation == .reversed }) {
        return "The same road, in opposite directions"
      }
      return comparison.pairs.contains { $0.relation == .shared } ? "Nothing to compare" : "No road in common"
    }
  }

  private static func explanation(_ verdict: Verdict, _ comparison: DriveComparison) -> String {
    let shared = comparison.pairs.map(\.sharedDistance).min() ?? 0
    // The app's engine does not say how long the shared road is.
    let road = shared >= 1 ? ", over \(Quantity.distance(shared)) of shared road" : ""
    let uncertainty = "± " + Quantity.duration(comparison.uncertainty)
    let place = comparison.mode.place
    switch verdict {
    case .faster, .probablyFaster:
      return "\(uncertainty)\(road). Clocks set to the same time \(place)."
    case .tie:
      let lead = comparison.margin.flatMap { margin in
        comparison.winner.flatMap { winner in
          comparison.drives.indices.contains(winner)
            ? "\(comparison.drives[winner].label) was ahead by \(Quantity.duration(margin))" : nil
        }
      }
      let ahead = lead.map { "\($0), which is within the uncertainty of \(uncertainty)" }
      return
        "\(ahead ?? "Both took the same time, \(uncertainty)")\(road). Clocks set to the same time \(place)."
    case .incomparable:
      let names = Quantity.list(comparison.drives.map(\.label))
      if comparison.pairs.contains(where: { $0.relation == .reversed }) {
        return "\(names) drove it towards each other, so there is no place from which to race. "
          + "The map shows both, started at once."
      }
      if comparison.pairs.contains(where: { $0.relation == .shared }) {
        return "One of \(names) does not move, so there is no time to compare. The map shows them all."
      }
      return "\(names) never drove the same road, so no one was ahead of the other. "
        + "The map shows them all, started at once."
    }
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
