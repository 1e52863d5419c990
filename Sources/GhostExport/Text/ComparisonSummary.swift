import CMath
import DriveMatching
import GhostModel

/// The text of a comparison: the result, its explanation, cautions and findings.
public struct ComparisonSummary: Sendable {
  /// The result and its certainty.
  public enum Verdict: Sendable, Hashable {
    /// The margin is at least twice its uncertainty.
    case faster(drive: Int)
    /// The margin is between one and two times its uncertainty.
    case probablyFaster(drive: Int)
    /// The margin is within its uncertainty or zero.
    case tie
    /// The drives cannot be compared, for example because they share no road.
    case incomparable
  }

  /// The winner and the certainty of the result.
  public let verdict: Verdict
  /// A short result without a full stop: `Thursday was faster by 0:42`.
  public let headline: String
  /// The headline and the compared stretch as a sentence:
  /// `Thursday was faster by 0:42 over 11.3 km of shared road.`
  public let answer: String
  /// Paragraphs that explain the answer: how detours contributed to the margin, how certain the margin is,
  /// and where timing starts.
  public let explanation: [String]
  /// The paragraph below a headline above a map: the compared stretch and the explanation.
  public let lead: String
  /// Paragraphs on limitations of the comparison, the most important first.
  public let cautions: [String]
  /// Sentences about idle time, stops and detours.
  public let findings: [String]

  /// Summarises a comparison in English, with the units of ``UnitSystem/current``.
  public init(_ document: ComparisonDocument) {
    if let route = document.route {
      self.init(route, document)
    } else {
      self.init(drivesOf: document)
    }
  }

  /// Summarises a route, with the figures of all its drives, including those that are not drawn.
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
        + ["Timed from \(ComparisonSummary.anchor(comparison))."]
    let way = stretch.phrase.drop { $0 == " " || $0 == "," }
    let map = comparison.drives.count == 2 ? "both drives" : "all drives"
    lead =
      ((way.isEmpty ? [] : [Quantity.sentence(String(way))]) + explanation
      + (verdict == .incomparable ? ["The map shows \(map), starting at the same time."] : []))
      .joined(separator: " ")
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
      switch oneMotion(comparison) {
      case .duplicate?: return "Two copies of one recording"
      case .simultaneous?: return "Two recordings of one ride"
      case .companion?, nil: break
      }
      let names = standings.prefix(2).map { comparison.drives[$0.drive].label }
      return "Too close to call" + (standings.count > 2 ? " between \(Quantity.list(names))" : "")
    case .incomparable:
      if comparison.pairs.contains(where: { $0.relation == .reversed }) {
        return "Same road, opposite directions"
      }
      if ComparisonSummary.withoutTime(comparison) != nil
        || comparison.pairs.contains(where: { $0.relation == .shared })
      {
        return "Nothing to compare"
      }
      return comparison.pairs.contains { $0.sharedDistance >= leastShared }
        ? "Too little road in common" : "No road in common"
    }
  }

  /// Returns the relation of two recordings of one motion, otherwise `nil`.
  private static func oneMotion(_ comparison: DriveComparison) -> RideRelation? {
    guard comparison.pairs.count == 1, let ride = comparison.ride(of: comparison.pairs[0]), ride.isOneMotion
    else {
      return nil
    }
    return ride
  }

  /// The certainty of the margin, or `nil` if the engine does not estimate it.
  private static func certainty(_ verdict: Verdict, _ comparison: DriveComparison) -> String? {
    let isMeasured = comparison.engine == .matched
    let uncertainty =
      "± " + Quantity.duration(max(comparison.uncertainty, 2 * TimeResolution.current.smallest))
    switch verdict {
    case .faster:
      return isMeasured ? "The margin is uncertain by \(uncertainty) (one standard deviation)." : nil
    case .probablyFaster:
      return "The margin is uncertain by \(uncertainty) (one standard deviation), "
        + "so \(probability(comparison))."
    case .tie:
      let ahead = comparison.standings.prefix(2)
      guard let first = ahead.first, let second = ahead.last else { return nil }
      let names = ahead.map { comparison.drives[$0.drive].label }
      if second.behind < TimeResolution.current.smallest {
        let both = comparison.drives.count > 2 ? Quantity.list(names) : "both"
        return Quantity.sentence("\(both) took the same time\(isMeasured ? ", \(uncertainty)" : "")")
      }
      if oneMotion(comparison) != nil {
        let difference = Quantity.duration(second.behind)
        return "The times of both differ by \(difference), and the uncertainty is \(uncertainty)."
      }
      return Quantity.sentence(
        "\(comparison.drives[first.drive].label) was ahead by \(Quantity.duration(second.behind)), "
          + "which is within the uncertainty of \(uncertainty)")
    case .incomparable: return nil
    }
  }

  /// The probability that the first drive was faster than the second, from the normal distribution.
  private static func probability(_ comparison: DriveComparison) -> String {
    let names = comparison.standings.prefix(2).map { comparison.drives[$0.drive].label }
    let rival = comparison.standings.count > 2 ? " than \(names[1])" : ""
    let deviations = (comparison.margin ?? 0) / comparison.uncertainty
    let percent = 50 * (1 + erf(deviations / 2.0.squareRoot()))
    return "the probability that \(names[0]) was faster\(rival) is \(Quantity.fixed(percent, 0)) %"
  }

  /// The position at which timing starts.
  private static func anchor(_ comparison: DriveComparison) -> String {
    switch (comparison.engine, comparison.mode) {
    // The app's engine has no shared road.
    case (.app, .startLocation): "the start of the drives"
    case (.app, .endLocation): "the end of the drives"
    default: comparison.mode.place
    }
  }

  /// The drives without a duration, with the reasons, or `nil` if all drives have one.
  private static func withoutTime(_ comparison: DriveComparison) -> String? {
    let drives = comparison.drives.filter { $0.duration <= 0 || $0.motionEnd <= $0.motionStart }
    if drives.count == 2, drives.allSatisfy({ $0.points != 1 && $0.elapsed > 0 }) {
      return "neither \(drives[0].label) nor \(drives[1].label) moves"
    }
    let reasons = drives.map { drive in
      drive.points == 1
        ? "\(drive.label) has a single point"
        : drive.elapsed <= 0 ? "\(drive.label) has no duration" : "\(drive.label) does not move"
    }
    return reasons.isEmpty ? nil : Quantity.list(reasons)
  }

  /// The mean interval between fixes in seconds from which they do not show the road.
  private static let sparseStep = 20.0

  /// The length in metres below which drives only cross each other's road.
  private static let leastShared = 50.0

  /// The reason why the drives cannot be compared.
  private static func obstacle(_ comparison: DriveComparison) -> String {
    let names = Quantity.list(comparison.drives.map(\.label))
    if comparison.pairs.contains(where: { $0.relation == .reversed }) {
      return Quantity.sentence(
        "\(names) drove the road in opposite directions, so there is no common start")
    }
    if let reasons = ComparisonSummary.withoutTime(comparison) {
      return Quantity.sentence("\(reasons), so there is no time to compare")
    }
    if comparison.pairs.contains(where: { $0.relation == .shared }) {
      return "One of \(names) does not move, so there is no time to compare."
    }
    if comparison.drives.count > 2 {
      // Each drive is compared only with the first.
      let others = Quantity.list(comparison.drives.dropFirst().map(\.label))
      return Quantity.sentence(
        "each drive is compared with \(comparison.drives[0].label), which shares no road with \(others); "
          + "to compare those with each other, list one of them first")
    }
    // Between sparse fixes, the road is not known.
    let steps = comparison.drives.map { $0.points > 1 ? $0.elapsed / Double($0.points - 1) : 0 }
    if let step = steps.max(), step >= ComparisonSummary.sparseStep {
      return Quantity.sentence(
        "as far as their fixes show, which are about \(Quantity.duration(step)) apart, \(names) share no road"
      )
    }
    if let shared = comparison.pairs.first?.sharedDistance, shared >= leastShared {
      return Quantity.sentence(
        "\(names) share only \(Quantity.distance(shared)) of road, so neither was ahead")
    }
    return Quantity.sentence("\(names) never drove the same road, so neither was ahead")
  }
}

extension ComparisonMode {
  /// The position at which timing starts, as text.
  var place: String {
    switch self {
    case .startLocation: "the start of the shared road"
    case .endLocation: "the end of the shared road"
    case .firstDivergence: "the first divergence"
    case .lastDivergence: "the last divergence"
    case .firstConvergence: "the first convergence"
    case .lastConvergence: "the last convergence"
    }
  }
}
