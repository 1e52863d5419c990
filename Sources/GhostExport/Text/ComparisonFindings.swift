import GhostModel

/// The notable events of a comparison as text.
enum ComparisonFindings {
  /// Returns one sentence per idle period, stop, detour or gap in a recording.
  static func sentences(of comparison: DriveComparison) -> [String] {
    idle(comparison) + waiting(comparison) + ways(comparison)
  }

  /// The shortest time that is reported, in seconds.
  private static let shortest = 1.0

  private static func idle(_ comparison: DriveComparison) -> [String] {
    comparison.drives.flatMap { drive in
      var sentences: [String] = []
      if drive.idleAtStart >= shortest {
        let time = Quantity.duration(drive.idleAtStart)
        let state = drive.startIndex > 0 ? "trimmed" : "not trimmed"
        sentences.append("\(drive.label) was stationary for \(time) before departing (\(state)).")
      }
      if drive.idleAtEnd >= shortest {
        let time = Quantity.duration(drive.idleAtEnd)
        let state = drive.endIndex < drive.points - 1 ? "trimmed" : "not trimmed"
        sentences.append("\(drive.label) was stationary for \(time) after arriving (\(state)).")
      }
      return sentences
    }
  }

  private static func waiting(_ comparison: DriveComparison) -> [String] {
    guard comparison.drives.contains(where: { $0.waiting >= shortest }) else {
      return ["No drive stopped on the way."]
    }
    return comparison.drives.map { drive in
      guard let longest = drive.stops.max(by: { $0.duration < $1.duration }), drive.waiting >= shortest else {
        return "\(drive.label) did not stop on the way."
      }
      let total = Quantity.duration(drive.waiting)
      return drive.stops.count == 1
        ? "\(drive.label) stopped once on the way, for \(total)."
        : "\(drive.label) stopped \(drive.stops.count) times on the way, for \(total) in total; "
          + "the longest stop was \(Quantity.duration(longest.duration))."
    }
  }

  private static func ways(_ comparison: DriveComparison) -> [String] {
    comparison.pairs.flatMap { pair -> [String] in
      guard comparison.drives.indices.contains(pair.first), comparison.drives.indices.contains(pair.second)
      else { return [] }
      let names = Paired(comparison.drives[pair.first].label, comparison.drives[pair.second].label)
      return pair.legs.compactMap { leg in
        switch leg.kind {
        case .shared: nil
        case .detour: detour(leg, names)
        case .unknown:
          "A recording has a gap of \(Quantity.distance(leg.sides.first.length)) at "
            + "\(Quantity.distance(leg.sides.first.fromDistance)); the road taken there is unknown."
        }
      }
    }
  }

  private static func detour(_ leg: Leg, _ names: Paired<String>) -> String {
    let lengths = Paired(
      Quantity.distance(leg.sides.first.length), Quantity.distance(leg.sides.second.length))
    let change = leg.gapChange
    let gained =
      abs(change) < 0.5
      ? "neither gained time there"
      : "\(change > 0 ? names.first : names.second) gained \(Quantity.duration(change)) there"
    return "The routes diverge at \(Quantity.distance(leg.sides.first.fromDistance)): \(names.first) took "
      + "\(lengths.first), \(names.second) \(lengths.second); \(gained)."
  }
}
