import GhostModel

/// What made up the gap between two drives: seconds that the second lost, by why; negative where it gained.
struct PairBreakdown: Sendable {
  /// Standing on the shared road.
  var waiting = 0.0
  /// On ways of their own, all told.
  var detours = 0.0
  /// Moving on the shared road.
  var moving = 0.0
  /// Where a recording has a hole.
  var unknown = 0.0
  /// The numbers of such legs.
  var detourCount = 0
  var unknownCount = 0

  /// - Parameter legs: those that count, ``DriveComparison/countedLegs(of:)``.
  init(_ legs: some Sequence<Leg>) {
    for leg in legs {
      switch leg.kind {
      case .shared:
        let waited = leg.sides.second.waiting - leg.sides.first.waiting
        waiting += waited
        moving += leg.gapChange - waited
      case .detour:
        detours += leg.gapChange
        detourCount += 1
      case .unknown:
        unknown += leg.gapChange
        unknownCount += 1
      }
    }
  }
}

extension DriveComparison {
  /// When the first drive of a pair is at the place where the clocks are set to the same time, in seconds
  /// since its first recorded point; nil where there is no such place.
  func anchor(of pair: PairComparison) -> Double? {
    let divergences = pair.events.filter { $0.kind == .divergence }
    let convergences = pair.events.filter { $0.kind == .convergence }
    switch mode {
    case .startLocation: return pair.legs.first?.sides.first.fromElapsed
    case .endLocation: return pair.legs.last?.sides.first.toElapsed
    case .firstDivergence: return divergences.first?.elapsed.first
    case .lastDivergence: return divergences.last?.elapsed.first
    case .firstConvergence: return convergences.first?.elapsed.first
    case .lastConvergence: return convergences.last?.elapsed.first
    }
  }

  /// The legs of a pair on the compared stretch: from the anchor on, or all where the drives are lined up at
  /// the end.
  func countedLegs(of pair: PairComparison) -> [Leg] {
    guard mode != .endLocation, let anchor = anchor(of: pair) else { return pair.legs }
    return pair.legs.filter { $0.sides.first.fromElapsed > anchor - 0.5 }
  }
}
