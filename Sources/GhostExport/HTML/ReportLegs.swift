import GhostModel

/// The legs of a report, a table per pair of drives.
enum ReportLegs {
  static func markup(_ document: ComparisonDocument) -> Markup {
    let pairs = document.comparison.pairs.filter {
      !$0.legs.isEmpty && document.comparison.drives.indices.contains($0.second)
        && document.comparison.drives.indices.contains($0.first)
    }
    guard !pairs.isEmpty else { return "" }
    var legs: Markup =
      "<section class=\"card\" aria-labelledby=\"legs-title\">\n<div class=\"cardhead\"><h2 id=\"legs-title\">Leg by leg</h2></div>\n"
    for (index, pair) in pairs.enumerated() {
      legs += table(pair, document, isOnMap: index == 0, isOnly: pairs.count == 1)
    }
    return legs + "</section>\n"
  }

  private static func table(
    _ pair: PairComparison, _ document: ComparisonDocument, isOnMap: Bool, isOnly: Bool
  ) -> Markup {
    let comparison = document.comparison
    let names = Paired(comparison.drives[pair.first].label, comparison.drives[pair.second].label)
    let greatest = pair.legs.reduce(1) { max($0, abs($1.gapChange)) }
    var table: Markup = """
      <table role="table">
      <caption\(isOnly ? " class=\"hidden\"" as Markup : "")><bdi>\(names.second)</bdi> against <bdi>\(names.first)</bdi></caption>
      <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Leg</th><th role="columnheader" scope="col">Road</th>\
      <th role="columnheader" scope="col" class="number">Length</th>\
      <th role="columnheader" scope="col" class="number"><bdi>\(names.first)</bdi></th><th role="columnheader" scope="col" class="number"><bdi>\(names.second)</bdi></th>\
      <th role="columnheader" scope="col">Gained</th><th role="columnheader" scope="col" class="number">Ahead after it</th></tr></thead>
      <tbody role="rowgroup">

      """
    let anchors = Anchor.anchors(of: pair)
    for (index, leg) in pair.legs.enumerated() {
      // The pins of further pairs are not on the map: there the way along the first drive names a leg.
      let name =
        isOnMap
        ? anchors[index].letter + " → " + anchors[index + 1].letter
        : "\(Quantity.fixed(leg.sides.first.fromDistance / 1000, 1))–"
          + "\(Quantity.fixed(leg.sides.first.toDistance / 1000, 1)) km"
      table += row(leg, name, pair, document, greatest, isOnMap: isOnMap)
    }
    return table + "</tbody>\n</table>\n"
  }

  private static func row(
    _ leg: Leg, _ name: String, _ pair: PairComparison, _ document: ComparisonDocument, _ greatest: Double,
    isOnMap: Bool
  ) -> Markup {
    let first = document.comparison.drives[pair.first]
    let second = document.comparison.drives[pair.second]
    let gap =
      document.sharedTime(leg.sides.second.toElapsed, of: pair.second)
      - document.sharedTime(leg.sides.first.toElapsed, of: pair.first)
    let ways = [(pair.first, leg.sides.first), (pair.second, leg.sides.second)].map { drive, side in
      let from = document.sharedTime(side.fromElapsed, of: drive)
      let until = document.sharedTime(side.toElapsed, of: drive)
      return "[\(drive),\(Quantity.fixed(from, 2)),\(Quantity.fixed(until, 2))]"
    }
    let title: Markup =
      isOnMap
      ? "<button type=\"button\" class=\"leg\" data-ways=\"[\(ways.joined(separator: ","))]\">\(name)<span class=\"hidden\">, show on the map</span></button>"
      : "\(name)"
    return """
      <tr role="row" class="\(leg.kind.rawValue)"><th role="rowheader" scope="row">\(title)</th>\
      <td role="cell">\(road(leg.kind))</td>\
      <td role="cell" class="number" data-label="Length"><span>\(length(leg))</span></td>\
      <td role="cell" class="number" data-label="\(first.label)"><span>\(time(leg.sides.first))</span></td>\
      <td role="cell" class="number" data-label="\(second.label)"><span>\(time(leg.sides.second))</span></td>\
      <td role="cell" data-label="Gained"><span>\(gained(leg, pair, Paired(first.label, second.label), greatest))</span></td>\
      <td role="cell" class="number" data-label="Ahead after it"><span>\(ahead(gap, pair, Paired(first.label, second.label)))</span></td></tr>

      """
  }

  private static func road(_ kind: Leg.Kind) -> String {
    switch kind {
    case .shared: "shared"
    case .detour: "different"
    case .unknown: "not known"
    }
  }

  private static func length(_ leg: Leg) -> Markup {
    let lengths = (Quantity.distance(leg.sides.first.length), Quantity.distance(leg.sides.second.length))
    return leg.kind == .shared || lengths.0 == lengths.1 ? "\(lengths.0)" : "\(lengths.0) · \(lengths.1)"
  }

  private static func time(_ side: Leg.Side) -> Markup {
    side.waiting < 0.5
      ? "\(Quantity.clock(side.duration))"
      : "\(Quantity.clock(side.duration))<small> waited \(Quantity.duration(side.waiting))</small>"
  }

  private static func gained(
    _ leg: Leg, _ pair: PairComparison, _ names: Paired<String>, _ greatest: Double
  ) -> Markup {
    let change = leg.gapChange
    guard abs(change) >= 0.05 else { return "–" }
    let winner = change > 0 ? pair.first : pair.second
    return """
      <span class="gain c\(winner)"><span class="swatch" style="width:\(6 + abs(change) / greatest * 42, decimals: 1)px"></span>\
      <span><bdi>\(change > 0 ? names.first : names.second)</bdi> \(Quantity.duration(change))</span></span>
      """
  }

  private static func ahead(_ gap: Double, _ pair: PairComparison, _ names: Paired<String>) -> Markup {
    guard abs(gap) >= 0.05 else { return "level" }
    return "<bdi>\(gap > 0 ? names.first : names.second)</bdi> \(Quantity.duration(gap))"
  }
}
