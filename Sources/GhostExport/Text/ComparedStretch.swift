import GhostModel
import TrackModel

/// The text about the stretch that a margin covers: its length, the shared part, and the contribution of each
/// part to the margin.
struct ComparedStretch {
  /// The phrase after a headline, with its leading space or comma: ` over 11.3 km of shared road`. Empty if
  /// the stretch is unknown.
  private(set) var phrase = ""
  /// The contributions of shared road and detours to the margin, or `nil` if the whole stretch was shared.
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
    if standings.count == 2,
      let pair = pairs.first(where: { pair in standings.contains { $0.drive == pair.second } })
    {
      let legs = comparison.countedLegs(of: pair)
      let breakdown = PairBreakdown(pair, in: comparison)
      phrase = ComparedStretch.phrase(pair, legs, breakdown, winner: comparison.winner)
      split = ComparedStretch.split(pair, breakdown, comparison)
    } else {
      // The margin is between the two fastest drives, both measured against the first drive.
      let ahead = standings.prefix(2).map(\.drive)
      let parts = pairs.filter { ahead.contains($0.second) }.map { pair in
        (pair: pair, breakdown: PairBreakdown(pair, in: comparison))
      }
      guard let measure = parts.first?.pair.first else { return }
      phrase =
        comparison.winner == measure
        ? " over their shared road" : " over the road shared with \(comparison.drives[measure].label)"
      if parts.contains(where: { $0.breakdown.detourCount > 0 }) {
        phrase += ", detours included"
      } else if parts.contains(where: { $0.breakdown.unknownCount > 0 }) {
        phrase += ", including parts that were not recorded"
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

  /// Returns the phrase for the app's engine, which compares the drives up to a divergence or from a
  /// convergence.
  private static func appPhrase(_ mode: ComparisonMode) -> String {
    switch mode {
    case .startLocation, .endLocation: ", according to the app's engine"
    case .firstDivergence, .lastDivergence: " up to \(mode.place), according to the app's engine"
    case .firstConvergence, .lastConvergence: " from \(mode.place), according to the app's engine"
    }
  }

  // MARK: Two drives

  private static func phrase(
    _ pair: PairComparison, _ legs: [Leg], _ breakdown: PairBreakdown, winner: Int?
  ) -> String {
    // Metres of the winning drive, or of the first drive for a tie.
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
      // The lengths differ, and the headline names neither drive.
      let detours =
        switch breakdown.detourCount {
        case 0: ""
        case 1: holes.isEmpty ? " and a detour" : ", a detour"
        default: (holes.isEmpty ? " and " : ", ") + Counted.of(breakdown.detourCount, "detour")
        }
      return " over \(road) shared road\(detours)\(holes)"
    }
    return
      " over \(Quantity.distance(metres(.shared, .detour, .unknown))), including \(road) shared road\(holes)"
  }

  /// The contributions of two drives: `On the shared road B was faster by 0:44; A gained 1:48 on the detour.`
  private static func split(
    _ pair: PairComparison, _ breakdown: PairBreakdown, _ comparison: DriveComparison
  ) -> String? {
    guard breakdown.detourCount + breakdown.unknownCount > 0 || breakdown.departure != 0 else { return nil }
    func gainer(_ lost: Double) -> String { comparison.drives[lost > 0 ? pair.first : pair.second].label }
    func gain(_ lost: Double, on part: String) -> String {
      abs(lost) < 0.5
        ? "\(part) made no difference" : "\(gainer(lost)) gained \(Quantity.duration(lost)) on \(part)"
    }
    let shared = breakdown.moving + breakdown.waiting
    // A difference within the uncertainty is not a lead, and hardly one if the whole is undecided.
    let noise = comparison.winner == nil ? 2 * pair.uncertainty : pair.uncertainty
    let isLevel = abs(shared) <= max(noise, TimeResolution.current.smallest)
    var parts = [
      "on the shared road "
        + (isLevel ? "they were level" : "\(gainer(shared)) was faster by \(Quantity.duration(shared))")
    ]
    switch breakdown.detourCount {
    case 0: break
    case 1: parts.append(gain(breakdown.detours, on: "the detour"))
    default: parts.append(gain(breakdown.detours, on: "the \(breakdown.detourCount) detours"))
    }
    if breakdown.unknownCount > 0 { parts.append(gain(breakdown.unknown, on: "the part not recorded")) }
    if breakdown.departure != 0 {
      parts.append(
        "\(gainer(breakdown.departure)) departed \(Quantity.duration(breakdown.departure)) earlier")
    }
    return Quantity.sentence(parts.joined(separator: "; "))
  }

  // MARK: Several drives

  /// Sentences about the time that a drive gained or lost relative to the first drive off the shared road.
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
      sentences.append("In gaps of a recording, \(change(breakdown.unknown)).")
    }
    return sentences
  }
}
