import GhostModel
import TrackModel

/// A table of the legs of a pair of drives, with the durations and the winner of each leg.
struct LegTable {
  private let pair: PairComparison
  private let comparison: DriveComparison

  init(_ pair: PairComparison, _ comparison: DriveComparison) {
    self.pair = pair
    self.comparison = comparison
  }

  /// A row per leg in driving order, and a row for the compared part.
  var lines: [String] {
    var table = TextTable([
      ("leg", .left), ("distance", .right), (label(pair.first), .right), (label(pair.second), .right),
      ("waiting", .right), ("gap", .right), ("won by", .left),
    ])
    if idle != Paired(0, 0) {
      let gap = idle.second - idle.first
      table.add([
        "idle", "", LegTable.clock(idle.first), LegTable.clock(idle.second), "", Text.signedGap(gap),
        winner(gap, nil),
      ])
    }
    let counted = comparison.countedLegs(of: pair).count
    for (index, leg) in pair.legs.enumerated() {
      let isCounted = index >= pair.legs.count - counted
      let length = (leg.sides.first.length, leg.sides.second.length)
      table.add([
        "\(index + 1) \(name(leg))",
        leg.kind == .detour ? LegTable.both(length, Text.distance) : Text.distance(length.0),
        LegTable.clock(leg.sides.first.duration), LegTable.clock(leg.sides.second.duration),
        waiting(leg.sides.first.waiting, leg.sides.second.waiting), Text.signedGap(leg.gapChange),
        isCounted ? winner(leg.gapChange, leg.uncertainty) : "not compared",
      ])
    }
    if let total { table.add(total) }
    return table.lines
  }

  private func label(_ index: Int) -> String { Text.column(comparison.drives[index].label) }

  private var idle: Paired<Double> { comparison.comparedIdleTime(of: pair) }

  /// The sum of the legs from the anchor on, with the gap at their end.
  private var total: [String]? {
    guard let gap = pair.finalGap else { return nil }
    let legs = comparison.countedLegs(of: pair)
    func sum(_ value: (Leg.Side) -> Double) -> (Double, Double) {
      legs.reduce((0, 0)) { ($0.0 + value($1.sides.first), $0.1 + value($1.sides.second)) }
    }
    let driven = sum(\.duration)
    let time = (driven.0 + idle.first, driven.1 + idle.second)
    let length = sum(\.length)
    let waiting = sum(\.waiting)
    return [
      "compared", LegTable.both(length, Text.distance), LegTable.clock(time.0), LegTable.clock(time.1),
      self.waiting(waiting.0, waiting.1), "\(Text.signedGap(gap)) \(Text.doubt(pair.uncertainty))",
      winner(gap, pair.uncertainty),
    ]
  }

  private func name(_ leg: Leg) -> String {
    switch leg.kind {
    case .shared: "together"
    case .detour: "detour"
    case .unknown: "not recorded"
    }
  }

  /// - Parameter uncertainty: a gap within it has no winner, as in the headline. In one ride nothing has.
  private func winner(_ gap: Double, _ uncertainty: Double?) -> String {
    abs(gap) < TimeResolution.current.smallest || abs(gap) <= uncertainty ?? 0
      || comparison.ride(of: pair)?.isOneMotion == true
      ? "" : label(gap < 0 ? pair.second : pair.first)
  }

  private func waiting(_ first: Double, _ second: Double) -> String {
    max(first, second) < 0.5 ? "" : LegTable.both((first, second), LegTable.clock)
  }

  private static func clock(_ seconds: Double) -> String { TimeResolution.current.clock(seconds) }

  /// Formats two values as `2.10 km / 2.80 km`, or as one value if their texts are equal.
  private static func both(_ values: (Double, Double), _ text: (Double) -> String) -> String {
    let texts = (text(values.0), text(values.1))
    return texts.0 == texts.1 ? texts.0 : "\(texts.0) / \(texts.1)"
  }
}
