import GhostModel

/// What happened on the way, in words.
enum ComparisonFindings {
  /// Idle time, waiting, detours and holes, a sentence each.
  static func sentences(of comparison: DriveComparison) -> [String] {
    idle(comparison) + waiting(comparison) + ways(comparison)
  }

  /// Shorter than this is not worth a word, in seconds.
  private static let shortest = 1.0

  private static func idle(_ comparison: DriveComparison) -> [String] {
    comparison.drives.flatMap { drive in
      var sentences: [String] = []
      if drive.idleAtStart >= shortest {
        let time = Quantity.duration(drive.idleAtStart)
        let counts = drive.startIndex > 0 ? "trimmed, so it does not count" : "not trimmed"
        sentences.append("\(drive.label) stood for \(time) before it set off; \(counts).")
      }
      if drive.idleAtEnd >= shortest {
        let time = Quantity.duration(drive.idleAtEnd)
        let counts = drive.endIndex < drive.points - 1 ? "trimmed, so it does not count" : "not trimmed"
        sentences.append("\(drive.label) stood for another \(time) after it had arrived; \(counts).")
      }
      return sentences
    }
  }

  private static func waiting(_ comparison: DriveComparison) -> [String] {
    guard comparison.drives.contains(where: { $0.waiting >= shortest }) else {
      return ["No one waited on the way."]
    }
    return comparison.drives.map { drive in
      guard let longest = drive.stops.max(by: { $0.duration < $1.duration }), drive.waiting >= shortest else {
        return "\(drive.label) never waited on the way."
      }
      let total = Quantity.duration(drive.waiting)
      return drive.stops.count == 1
        ? "\(drive.label) waited once on the way, for \(total)."
        : "\(drive.label) waited \(drive.stops.count) times on the way, \(total) in all, "
          + "\(Quantity.duration(longest.duration)) at the longest."
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
          "A recording has a hole of \(Quantity.distance(leg.sides.first.length)) at "
            + "\(Quantity.distance(leg.sides.first.fromDistance)): which road was taken there is not known."
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
      ? "neither gained on it"
      : "\(change > 0 ? names.first : names.second) gained \(Quantity.duration(change)) on it"
    return "After \(Quantity.distance(leg.sides.first.fromDistance)) the ways part: \(names.first) took "
      + "\(lengths.first), \(names.second) \(lengths.second); \(gained)."
  }
}
