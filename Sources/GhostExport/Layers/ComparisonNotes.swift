import GhostModel

/// What is said about a comparison as a whole.
enum ComparisonNotes {
  /// - Parameter bound: metres, of the thinning; nil where every point is there.
  static func sentences(_ document: ComparisonDocument, bound: Double?) -> [String] {
    let comparison = document.comparison
    var sentences = [result(comparison)]
    if comparison.fallback != nil {
      let why =
        switch comparison.fallback {
        case .nothingShared: "the drives have no road in common"
        case .reversed: "the drives took the same road in opposite directions"
        case .noSuchEvent, nil: "there is no such place"
        }
      sentences.append(
        "Lined up at the start and not by \(comparison.requestedMode.words), because \(why).")
    } else {
      sentences.append("Lined up by \(comparison.mode.words).")
    }
    if comparison.timing == .even {
      sentences.append("A drive has no times of its own: its duration is spread evenly over its points.")
    }
    sentences.append(
      "All drives are on one made-up clock, which shows noon of 2000-01-01 (UTC) where they are lined up"
        + (comparison.drives.count > 2 ? ", the first two of them." : "."))
    if let bound {
      sentences.append(
        "Points are left out where a drive is drawn within \(Wording.distance(bound)) of them at any moment.")
    }
    return sentences
  }

  /// `Thursday was faster by 0:42.0 over 11.3 km of shared road (± 0:01.2).`
  static func result(_ comparison: DriveComparison) -> String {
    let shared = comparison.pairs.filter { $0.relation == .shared }
    guard !shared.isEmpty else {
      return comparison.pairs.contains { $0.relation == .reversed }
        ? "The drives share road in opposite directions only: nobody won."
        : "The drives share no road: nobody won."
    }
    guard let winner = comparison.winner, let margin = comparison.margin,
      comparison.drives.indices.contains(winner)
    else { return "Nobody was faster." }
    let doubt = comparison.uncertainty > 0 ? " (± \(Wording.gap(comparison.uncertainty)))" : ""
    let label = comparison.drives[winner].label
    if shared.count == 1, comparison.drives.count == 2 {
      let road = Wording.distance(shared[0].sharedDistance)
      return "\(label) was faster by \(Wording.gap(margin)) over \(road) of shared road\(doubt)."
    }
    return "\(label) was the fastest, by \(Wording.gap(margin))\(doubt)."
  }
}
