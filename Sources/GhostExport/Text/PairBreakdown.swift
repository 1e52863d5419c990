package import GhostModel

/// The parts of the gap between two drives by cause, in seconds that the second drive lost (negative:
/// gained).
struct PairBreakdown: Sendable {
  /// Time lost by departing later, if idle time at the start is compared.
  var departure = 0.0
  /// Time lost by stopping on the shared road.
  var waiting = 0.0
  /// Time lost on all detours.
  var detours = 0.0
  /// Time lost by moving more slowly on the shared road.
  var moving = 0.0
  /// Time lost in gaps of a recording.
  var unknown = 0.0
  /// The numbers of detours and of gaps.
  var detourCount = 0
  var unknownCount = 0

  init(_ pair: PairComparison, in comparison: DriveComparison) {
    self.init(comparison.countedLegs(of: pair))
    let idle = comparison.comparedIdleTime(of: pair)
    departure = idle.second - idle.first
  }

  /// - Parameter legs: the counted legs.
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
  /// The elapsed time at which the first drive of a pair is at the alignment point, in seconds, or `nil` if
  /// there is no such point.
  func anchor(of pair: PairComparison) -> Double? {
    switch mode {
    case .startLocation: pair.legs.first?.sides.first.fromElapsed
    case .endLocation: pair.legs.last?.sides.first.toElapsed
    default: mode.event(among: pair.events) { $0.kind }?.elapsed.first
    }
  }

  /// The seconds before the first leg that are compared, if one drive of a pair departed later.
  ///
  /// They are the part of the gap that is not on the legs. A recording that begins elsewhere has none.
  func comparedIdleTime(of pair: PairComparison) -> Paired<Double> {
    guard engine == .matched, mode == .startLocation || mode == .endLocation, let gap = pair.finalGap,
      let sides = pair.legs.first?.sides
    else { return Paired(0, 0) }
    let departure = gap - pair.legs.reduce(0) { $0 + $1.gapChange }
    let idle = [
      Paired(sides.first.fromElapsed, sides.second.fromElapsed), Paired(sides.first.fromElapsed, 0),
      Paired(0, sides.second.fromElapsed),
    ]
    guard abs(departure) >= 0.5 else { return Paired(0, 0) }
    return idle.first { abs($0.second - $0.first - departure) < 0.5 } ?? Paired(0, 0)
  }

  /// The legs of a pair on the compared stretch: those after the alignment point, or all if the drives are
  /// aligned at the end.
  ///
  /// Legs end at matched positions, which can be shortly before a divergence or after a convergence. A leg is
  /// therefore after the alignment point if most of it is.
  package func countedLegs(of pair: PairComparison) -> [Leg] {
    guard mode != .endLocation, let anchor = anchor(of: pair) else { return pair.legs }
    return pair.legs.filter { ($0.sides.first.fromElapsed + $0.sides.first.toElapsed) / 2 >= anchor }
  }
}
