import DriveMatching
import GhostModel
import TrackModel

/// What must be known to read a comparison right.
enum ComparisonCautions {
  /// A sentence or two each, the gravest first.
  static func sentences(of document: ComparisonDocument) -> [String] {
    let comparison = document.comparison
    return fallback(comparison) + relations(comparison) + engine(comparison) + timing(document)
      + coarseness(document) + agreement(comparison)
  }

  private static func fallback(_ comparison: DriveComparison) -> [String] {
    guard let fallback = comparison.fallback else { return [] }
    // Without any shared road the headline says it; what was asked for makes no difference.
    if comparison.standings.isEmpty { return [] }
    let wanted = "You asked to set the clocks \(comparison.requestedMode.place)"
    let missing = comparison.drives.count > 2 ? "not all drives have such a place" : "there is no such place"
    let instead = "the drives are lined up at the start instead"
    switch fallback {
    case .noSuchEvent: return ["\(wanted), but \(missing): \(instead)."]
    case .nothingShared:
      return ["There is no shared road to line the drives up on: both clocks start at once."]
    case .reversed:
      return ["The drives run in opposite directions, so no place lines them up: both clocks start at once."]
    }
  }

  private static func relations(_ comparison: DriveComparison) -> [String] {
    // Of two drives the headline says it.
    guard comparison.drives.count > 2 else { return [] }
    return comparison.pairs.compactMap { pair in
      guard comparison.drives.indices.contains(pair.first), comparison.drives.indices.contains(pair.second)
      else { return nil }
      let names = (comparison.drives[pair.second].label, comparison.drives[pair.first].label)
      switch pair.relation {
      case .shared: return nil
      case .nothingShared:
        return Quantity.sentence("\(names.0) shares no road with \(names.1) and takes no part in the ranking")
      case .reversed:
        return Quantity.sentence(
          "\(names.0) took the road of \(names.1) in the opposite direction and takes no part in the ranking")
      }
    }
  }

  private static func engine(_ comparison: DriveComparison) -> [String] {
    guard comparison.engine == .app else { return [] }
    return [
      """
      The app's engine steps through the points of both drives, with the total time spread evenly over \
      them, 
      """
        + "and does not ask whether they share a road."
    ]
  }

  private static func timing(_ document: ComparisonDocument) -> [String] {
    // The app's engine always spreads the time, whatever was recorded; that is said of it.
    guard document.comparison.timing == .even, document.comparison.engine == .matched else { return [] }
    let names = document.traces.filter { !$0.hasTimestamps }.map(\.label)
    let subject =
      names.isEmpty ? "At least one drive carries" : Quantity.list(names) + verb(names, "carries", "carry")
    return [
      Quantity.sentence("\(subject) no time per point: the total is spread evenly over the points")
        + " Read the gap along the way with care; where time was won is a guess."
    ]
  }

  private static func coarseness(_ document: ComparisonDocument) -> [String] {
    zip(document.comparison.drives, document.coarseness).compactMap { drive, coarseness in
      guard let coarseness else { return nil }
      var limits: [String] = []
      // As 1:00 it would read as a time of day.
      if let time = coarseness.time {
        limits.append("times to about \(Quantity.fixed(time, time < 9.95 ? 1 : 0)) s")
      }
      if let position = coarseness.position {
        limits.append("places to about \(Quantity.fixed(position, 0)) m")
      }
      guard !limits.isEmpty else { return nil }
      return "The source of \(drive.label) is coarse: it gives \(Quantity.list(limits))."
    }
  }

  private static func agreement(_ comparison: DriveComparison) -> [String] {
    // The app's engine matches no places.
    guard comparison.engine == .matched else { return [] }
    return comparison.pairs.compactMap { pair in
      guard pair.relation == .shared, pair.agreement < 0.8, comparison.drives.indices.contains(pair.second)
      else { return nil }
      return "Only \(Quantity.fixed(max(0, pair.agreement) * 100, 0)) % of the places matched for "
        + "\(comparison.drives[pair.second].label) are confirmed the other way round: read its gap with care."
    }
  }

  private static func verb(_ names: [String], _ one: String, _ many: String) -> String {
    " " + (names.count == 1 ? one : many)
  }
}
