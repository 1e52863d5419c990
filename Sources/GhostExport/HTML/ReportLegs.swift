import GhostModel

/// The legs of a report, one table per pair of drives.
enum ReportLegs {
  static func markup(_ document: ComparisonDocument) -> Markup {
    let pairs = document.comparison.pairs.filter {
      !$0.legs.isEmpty && document.comparison.drives.indices.contains($0.second)
        && document.comparison.drives.indices.contains($0.first)
    }
    guard !pairs.isEmpty else { return "" }
    return ReportResources.legs([
      "pairs": .list(
        pairs.enumerated().map { index, pair in
          // Pins of other pairs are not on the map, so their legs are named by distance along the first
          // drive.
          let anchors = index == 0 ? Anchor.anchors(of: pair) : nil
          return [
            "only": .when(pairs.count == 1),
            "firstName": .text(document.comparison.drives[pair.first].label),
            "secondName": .text(document.comparison.drives[pair.second].label),
            "legs": .list(
              pair.legs.indices.map { leg in
                row(
                  pair.legs[leg], anchors.map { $0[leg].letter + " → " + $0[leg + 1].letter }, pair, document)
              }),
          ]
        })
    ])
  }

  /// - Parameter letters: the letters of the leg's pins on the map.
  private static func row(
    _ leg: Leg, _ letters: String?, _ pair: PairComparison, _ document: ComparisonDocument
  ) -> [String: Template.Value] {
    let sides = [(pair.first, leg.sides.first), (pair.second, leg.sides.second)]
    func name(_ drive: Int) -> Template.Value { .text(document.comparison.drives[drive].label) }
    let greatest = pair.legs.reduce(1) { max($0, abs($1.gapChange)) }
    let gap =
      document.sharedTime(leg.sides.second.toElapsed, of: pair.second)
      - document.sharedTime(leg.sides.first.toElapsed, of: pair.first)
    let ways = sides.map { drive, side in
      let from = document.sharedTime(side.fromElapsed, of: drive)
      let until = document.sharedTime(side.toElapsed, of: drive)
      return "[\(drive),\(Quantity.fixed(from, 2)),\(Quantity.fixed(until, 2))]"
    }
    let distances = UnitSystem.current.distances(leg.sides.first.fromDistance..<leg.sides.first.toDistance)
    let winner = leg.gapChange > 0 ? pair.first : pair.second
    let gain: [String: Template.Value] = [
      "drive": .number(winner),
      "width": .number(6 + abs(leg.gapChange) / greatest * 42, decimals: 1),
      "winner": name(winner),
      "duration": .text(Quantity.duration(leg.gapChange)),
    ]
    let ahead: [String: Template.Value] = [
      "leader": name(gap > 0 ? pair.first : pair.second), "duration": .text(Quantity.duration(gap)),
    ]
    return [
      "kind": .text(leg.kind.rawValue),
      "onMap": .when(letters != nil),
      "ways": .text("[\(ways.joined(separator: ","))]"),
      "name": .text(letters ?? distances),
      "road": .text(road(leg.kind)),
      "length": .text(length(leg)),
      "sides": .list(
        sides.map { drive, side in
          [
            "label": name(drive),
            "time": .text(Quantity.clock(side.duration)),
            "wait": .optional(
              side.waiting < 0.5 ? nil : ["waiting": .text(Quantity.duration(side.waiting))]),
          ]
        }),
      "gain": .optional(abs(leg.gapChange) < TimeResolution.current.smallest ? nil : gain),
      "ahead": .optional(abs(gap) < TimeResolution.current.smallest ? nil : ahead),
    ]
  }

  private static func road(_ kind: Leg.Kind) -> String {
    switch kind {
    case .shared: "shared"
    case .detour: "different"
    case .unknown: "not known"
    }
  }

  private static func length(_ leg: Leg) -> String {
    let lengths = (Quantity.distance(leg.sides.first.length), Quantity.distance(leg.sides.second.length))
    return leg.kind == .shared || lengths.0 == lengths.1 ? lengths.0 : "\(lengths.0) · \(lengths.1)"
  }
}
