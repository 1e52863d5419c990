import GhostModel
import TrackModel

/// The way that a margin is about, in words: how long it is, how much of it was shared, and what each part
/// gave whom.
struct ComparedStretch {
  /// What follows a headline, with its blank or comma: ` over 11.3 km of shared road`. Empty where nothing is
  /// known of it.
  private(set) var phrase = ""
  /// What made up the margin, a sentence or more; nil where all of the way was shared.
  private(set) var split: String?

  init(_ comparison: DriveComparison) {
    let standings = comparison.standings
    guard standings.count > 1 else { return }
    guard comparison.engine == .matched else {
      phrase = ComparedStretch.appPhrase(comparison.mode)
      return
    }
    let pairs = comparison.pairs.filter {
      $0.finalGap?.isFinite == true && comparison.drives.indices.contains($0.first)
        && comparison.drives.indices.contains($0.second)
    }
    if standings.count == 2, let pair = pairs.first {
      let legs = comparison.countedLegs(of: pair)
      let breakdown = PairBreakdown(legs)
      phrase = ComparedStretch.phrase(pair, legs, breakdown, winner: comparison.winner)
      split = ComparedStretch.split(pair, breakdown, comparison)
    } else {
      // The margin is between the two that are ahead of all; what they are measured by is the first drive.
      let ahead = standings.prefix(2).map(\.drive)
      let parts = pairs.filter { ahead.contains($0.second) }.map { pair in
        (pair: pair, breakdown: PairBreakdown(comparison.countedLegs(of: pair)))
      }
      guard let measure = parts.first?.pair.first else { return }
      phrase =
        comparison.winner == measure
        ? " over the road that they share" : " over the road shared with \(comparison.drives[measure].label)"
      if parts.contains(where: { $0.breakdown.detourCount > 0 }) {
        phrase += ", detours included"
      } else if parts.contains(where: { $0.breakdown.unknownCount > 0 }) {
        phrase += ", with parts that were not recorded"
      }
      let sentences = parts.flatMap { ComparedStretch.ownWays($0.pair, $0.breakdown, comparison) }
      split = sentences.isEmpty ? nil : sentences.joined(separator: " ")
    }
    switch comparison.mode {
    case .startLocation, .endLocation: break
    case .firstDivergence, .lastDivergence, .firstConvergence, .lastConvergence:
      phrase += ", from \(comparison.mode.place)"
    }
  }

  /// The app compares the way up to where the drives part, or from where they meet.
  private static func appPhrase(_ mode: ComparisonMode) -> String {
    switch mode {
    case .startLocation, .endLocation: ", by the app's engine"
    case .firstDivergence, .lastDivergence: " up to \(mode.place), by the app's engine"
    case .firstConvergence, .lastConvergence: " from \(mode.place) on, by the app's engine"
    }
  }

  // MARK: Two drives

  private static func phrase(
    _ pair: PairComparison, _ legs: [Leg], _ breakdown: PairBreakdown, winner: Int?
  ) -> String {
    // Metres of the drive that the headline is about; of a tie, of the measure.
    func metres(_ kinds: Leg.Kind...) -> Double {
      legs.filter { kinds.contains($0.kind) }
        .reduce(0) { $0 + (winner == pair.second ? $1.sides.second.length : $1.sides.first.length) }
    }
    let shared = legs.isEmpty ? pair.sharedDistance : metres(.shared)
    let unknown = metres(.unknown)
    guard shared >= 1 else { return "" }
    let road = "\(Quantity.distance(shared)) of"
    let holes = unknown >= 1 ? " and \(Quantity.distance(unknown)) not recorded" : ""
    if breakdown.detourCount == 0, holes.isEmpty { return " over \(road) shared road" }
    if winner == nil {
      // Each drove another length, and none of them is the one that the headline names.
      let detours =
        switch breakdown.detourCount {
        case 0: ""
        case 1: holes.isEmpty ? " and a detour" : ", a detour"
        default: (holes.isEmpty ? " and " : ", ") + Counted.of(breakdown.detourCount, "detour")
        }
      return " over \(road) shared road\(detours)\(holes)"
    }
    return
      " over \(Quantity.distance(metres(.shared, .detour, .unknown))), \(road) it shared road\(holes)"
  }

  /// `On the shared road B was faster by 0:44; the detour gave A 1:48.`
  private static func split(
    _ pair: PairComparison, _ breakdown: PairBreakdown, _ comparison: DriveComparison
  ) -> String? {
    guard breakdown.detourCount + breakdown.unknownCount > 0 else { return nil }
    func gainer(_ lost: Double) -> String { comparison.drives[lost > 0 ? pair.first : pair.second].label }
    func gave(_ lost: Double) -> String {
      abs(lost) < 0.5 ? "made no difference" : "gave \(gainer(lost)) \(Quantity.duration(lost))"
    }
    let shared = breakdown.moving + breakdown.waiting
    // What the recordings cannot tell apart is no lead.
    let isLevel = abs(shared) <= max(pair.uncertainty, 0.05)
    var parts = [
      "on the shared road "
        + (isLevel ? "they were level" : "\(gainer(shared)) was faster by \(Quantity.duration(shared))")
    ]
    switch breakdown.detourCount {
    case 0: break
    case 1: parts.append("the detour \(gave(breakdown.detours))")
    default: parts.append("the \(breakdown.detourCount) detours \(gave(breakdown.detours))")
    }
    if breakdown.unknownCount > 0 { parts.append("what was not recorded \(gave(breakdown.unknown))") }
    return Quantity.sentence(parts.joined(separator: "; "))
  }

  // MARK: Several drives

  /// What a drive gained on the measure where it was not on the same road, a sentence each.
  private static func ownWays(
    _ pair: PairComparison, _ breakdown: PairBreakdown, _ comparison: DriveComparison
  ) -> [String] {
    let names = Paired(comparison.drives[pair.first].label, comparison.drives[pair.second].label)
    func change(_ lost: Double) -> String {
      if abs(lost) < 0.5 { return "\(names.second) gained nothing on \(names.first)" }
      return lost < 0
        ? "\(names.second) gained \(Quantity.duration(lost)) on \(names.first)"
        : "\(names.second) lost \(Quantity.duration(lost)) to \(names.first)"
    }
    var sentences: [String] = []
    if breakdown.detourCount > 0 {
      let ways = breakdown.detourCount == 1 ? "its detour" : "its \(breakdown.detourCount) detours"
      sentences.append("On \(ways) \(change(breakdown.detours)).")
    }
    if breakdown.unknownCount > 0 {
      sentences.append("Where a recording has a hole \(change(breakdown.unknown)).")
    }
    return sentences
  }
}
