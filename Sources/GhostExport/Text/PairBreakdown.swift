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
  /// The legs of a pair on the compared stretch: from the anchor on, or all where the drives are lined up at the end.
  func countedLegs(of pair: PairComparison) -> [Leg] {
    guard mode != .endLocation, drives.indices.contains(pair.first) else { return pair.legs }
    let offset = drives[pair.first].timeOffset
    return pair.legs.filter { $0.sides.first.fromElapsed + offset > -0.5 }
  }
}
