import DriveMatching
import GhostModel
import TrackModel

/// The limitations of a comparison as text.
enum ComparisonCautions {
  /// Returns one paragraph per limitation, the most important first.
  static func sentences(of document: ComparisonDocument) -> [String] {
    let comparison = document.comparison
    return fallback(comparison) + rides(comparison) + relations(comparison) + engine(comparison)
      + timing(document) + resolution(document) + coverage(comparison) + agreement(comparison)
  }

  private static func fallback(_ comparison: DriveComparison) -> [String] {
    guard let fallback = comparison.fallback else { return [] }
    // Without a shared road the headline states it, and the requested mode makes no difference.
    if comparison.standings.isEmpty { return [] }
    let requested = "You asked for timing from \(comparison.requestedMode.place)"
    let missing = comparison.drives.count > 2 ? "not all drives have one" : "there is none"
    let instead = "the drives are timed from the start instead"
    switch fallback {
    case .noSuchEvent: return ["\(requested), but \(missing): \(instead)."]
    case .nothingShared:
      return ["The drives share no road, so each is timed from its own start."]
    case .reversed:
      return ["The drives run in opposite directions, so each is timed from its own start."]
    }
  }

  /// Recordings that were made at the same time: a margin between two devices says nothing about the driving.
  private static func rides(_ comparison: DriveComparison) -> [String] {
    let drives = comparison.drives
    return drives.flatMap { drive in
      // Of the recordings of one ride, only the first is named as a companion.
      let others = drive.sameRide.map { [$0] } ?? drive.concurrent
      return others.compactMap { other -> String? in
        guard drives.indices.contains(other.drive) else { return nil }
        let names = (drives[other.drive].label, drive.label)
        switch other.relation {
        case .companion:
          guard drives[other.drive].sameRide == nil else { return nil }
          return Quantity.sentence("\(names.0) and \(names.1) were on the road at the same time")
        // Of two drives, the headline states it.
        case .duplicate:
          return drives.count > 2 ? Quantity.sentence("\(names.1) is a copy of \(names.0)") : nil
        case .simultaneous:
          return drives.count > 2
            ? Quantity.sentence("\(names.0) and \(names.1) are one ride, recorded by two devices") : nil
        }
      }
    }
  }

  private static func relations(_ comparison: DriveComparison) -> [String] {
    // For two drives the headline states it.
    guard comparison.drives.count > 2 else { return [] }
    let ranked = comparison.rankedGaps.map(\.drive)
    let road = comparison.rankedRoad.map { road in
      Quantity.sentence(
        "the drives are ranked on the \(Quantity.distance(road.upperBound - road.lowerBound)) of "
          + "\(comparison.drives[0].label) that all of them share; "
          + "the gaps of each pair are those of its own road"
      )
    }
    return (road.map { [$0] } ?? [])
      + comparison.pairs.compactMap { pair in
        guard comparison.drives.indices.contains(pair.first), comparison.drives.indices.contains(pair.second)
        else { return nil }
        let names = (comparison.drives[pair.second].label, comparison.drives[pair.first].label)
        switch pair.relation {
        case .shared:
          guard !ranked.isEmpty, !ranked.contains(pair.second), pair.finalGap != nil,
            comparison.drives[pair.second].sameRide == nil
          else { return nil }
          return Quantity.sentence(
            "\(names.0) shares only \(Quantity.distance(pair.sharedDistance)) with \(names.1), "
              + "less than others, and is not ranked")
        case .nothingShared:
          return Quantity.sentence("\(names.0) shares no road with \(names.1) and is not ranked")
        case .reversed:
          return Quantity.sentence(
            "\(names.0) drove the road of \(names.1) in the opposite direction and is not ranked")
        }
      }
  }

  private static func engine(_ comparison: DriveComparison) -> [String] {
    guard comparison.engine == .app else { return [] }
    return [
      "The app's engine spreads each drive's duration evenly over its points and does not check whether the "
        + "drives share a road."
    ]
  }

  private static func timing(_ document: ComparisonDocument) -> [String] {
    // The caution about the app's engine already states that it spreads the time evenly.
    guard document.comparison.timing == .even, document.comparison.engine == .matched else { return [] }
    let names = document.traces.filter { !$0.hasTimestamps }.map(\.label)
    let subject =
      names.isEmpty ? "At least one drive has" : Quantity.list(names) + verb(names, "has", "have")
    return [
      Quantity.sentence("\(subject) no times per point: the duration is spread evenly over the points")
        + " The gap along the road is therefore only an estimate."
    ]
  }

  private static func resolution(_ document: ComparisonDocument) -> [String] {
    zip(document.comparison.drives, document.resolution).compactMap { drive, resolution in
      guard let resolution else { return nil }
      var limits: [String] = []
      // Not `1:00`, which would look like a time of day.
      if let time = resolution.time {
        limits.append("times to about \(Quantity.fixed(time, time < 9.95 ? 1 : 0)) s")
      }
      if let position = resolution.position {
        limits.append("positions to about \(Quantity.fixed(position, 0)) m")
      }
      guard !limits.isEmpty else { return nil }
      return "The source of \(drive.label) has a low resolution: \(Quantity.list(limits))."
    }
  }

  /// The share of a drive's time from departure to arrival, and the seconds, from which a part that is not
  /// compared is mentioned.
  private static let notCompared = (share: 0.2, seconds: 60.0)
  /// The difference between these parts of two drives, in seconds and in standard deviations of the margin,
  /// from which they are mentioned even if they are shorter.
  private static let unequal = (seconds: 10.0, deviations: 3.0)

  /// Drives of which a part is not compared, before or after the shared road. Times are compared, because the
  /// noise of fixes makes distances longer.
  private static func coverage(_ comparison: DriveComparison) -> [String] {
    guard comparison.engine == .matched, comparison.mode == .startLocation || comparison.mode == .endLocation
    else { return [] }
    return comparison.pairs.flatMap { pair -> [String] in
      let legs = comparison.countedLegs(of: pair)
      guard pair.finalGap?.isFinite == true, let first = legs.first?.sides, let last = legs.last?.sides
      else { return [] }
      let sides = [
        (pair.first, last.first.toElapsed - first.first.fromElapsed),
        (pair.second, last.second.toElapsed - first.second.fromElapsed),
      ]
      var rests: [(label: String, total: Double, rest: Double)] = []
      for (index, compared) in sides where comparison.drives.indices.contains(index) {
        let drive = comparison.drives[index]
        let total = drive.motionEnd - drive.motionStart
        rests.append((drive.label, total, max(total - compared, 0)))
      }
      // Of several drives, the first one is in all pairs.
      let long = rests.dropFirst(comparison.drives.count > 2 ? 1 : 0).filter {
        $0.rest >= max(notCompared.seconds, notCompared.share * $0.total)
      }
      if long.isEmpty, rests.count == 2,
        abs(rests[0].rest - rests[1].rest) >= max(unequal.seconds, unequal.deviations * pair.uncertainty)
      {
        let list = rests.map { "\(Quantity.duration($0.rest)) of \($0.label)" }.joined(separator: ", ")
        return [Quantity.sentence("not compared, before and after the shared road: \(list)")]
      }
      return long.map { drive in
        Quantity.sentence(
          "of the \(Quantity.duration(drive.total)) from the departure of \(drive.label) to its arrival, "
            + "\(Quantity.duration(drive.total - drive.rest)) are compared")
      }
    }
  }

  private static func agreement(_ comparison: DriveComparison) -> [String] {
    // The app's engine does not match positions.
    guard comparison.engine == .matched else { return [] }
    return comparison.pairs.compactMap { pair in
      guard pair.relation == .shared, pair.agreement < 0.8, comparison.drives.indices.contains(pair.second)
      else { return nil }
      return "Only \(Quantity.fixed(max(0, pair.agreement) * 100, 0)) % of the positions of "
        + "\(comparison.drives[pair.second].label) match in both directions, so its gap is less reliable."
    }
  }

  private static func verb(_ names: [String], _ one: String, _ many: String) -> String {
    " " + (names.count == 1 ? one : many)
  }
}
