import DriveMatching
import GhostModel

/// All drives of a route on a report: ranked, with their times on each leg, the best legs and what is usual.
enum ReportRoute {
  static func markup(_ route: RouteFigures) -> Markup {
    let comparison = route.comparison
    guard !comparison.entries.isEmpty else { return "" }
    var table: Markup = """
      <section class="card" aria-labelledby="legs-title">
      <div class="cardhead"><h2 id="legs-title">Every drive, leg by leg</h2></div>
      <div class="wide"><table class="route" role="table">
      <thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Rank</th>\
      <th role="columnheader" scope="col">Drive</th><th role="columnheader" scope="col" class="number">Time</th>\
      <th role="columnheader" scope="col" class="number">Gap</th>
      """
    for (index, leg) in comparison.legs.enumerated() {
      table +=
        "<th role=\"columnheader\" scope=\"col\" class=\"number\">\(title(leg, index))<small>\(Quantity.distance(leg.length))</small></th>"
    }
    table += "</tr></thead>\n<tbody role=\"rowgroup\">\n"
    for (rank, entry) in comparison.entries.enumerated() {
      let gap = rank == 0 ? "" : "+" + Quantity.duration(entry.gap)
      table += row(
        "\(rank + 1)", entry.drive, (entry.hasTimestamps ? "" : "≈ ") + Quantity.clock(entry.duration), gap,
        route)
    }
    for drive in comparison.unranked { table += row("–", drive.drive, "not ranked", "", route) }
    return table + "</tbody>\n<tfoot role=\"rowgroup\">\n" + sums(route)
      + "</tfoot>\n</table></div>\n</section>\n"
  }

  private static func title(_ leg: RouteLeg, _ index: Int) -> String {
    "\(index + 1) \(leg.isDetour ? "ways part" : "together")"
  }

  private static func row(
    _ rank: String, _ drive: Int, _ time: String, _ gap: String, _ route: RouteFigures
  ) -> Markup {
    let swatch: Markup =
      route.place(of: drive).map { "<span class=\"c\($0)\"><span class=\"swatch\"></span></span> " } ?? ""
    var row: Markup = """
      <tr role="row"><td role="cell">\(rank)</td><th role="rowheader" scope="row">\(swatch)<bdi>\(route.labels[drive])</bdi></th>\
      <td role="cell" class="number" data-label="Time"><span>\(time)</span></td>\
      <td role="cell" class="number" data-label="Gap"><span>\(gap)</span></td>
      """
    for (index, leg) in route.comparison.legs.enumerated() {
      let text = leg.durations[drive].map { Quantity.clock($0) } ?? "–"
      let best: Markup = leg.best == drive ? "<b>\(text)</b>" : "\(text)"
      row +=
        "<td role=\"cell\" class=\"number\" data-label=\"\(title(leg, index))\"><span>\(best)</span></td>"
    }
    return row + "</tr>\n"
  }

  /// The best legs, which add up to a drive that could have been, and the median of each.
  private static func sums(_ route: RouteFigures) -> Markup {
    let comparison = route.comparison
    func row(
      _ name: String, _ time: Double?, _ value: (RouteLeg) -> (Double?, winner: String?)
    ) -> Markup {
      var row: Markup = """
        <tr role="row"><td role="cell"></td><th role="rowheader" scope="row">\(name)</th>\
        <td role="cell" class="number" data-label="Time"><span>\(time.map { Quantity.clock($0) } ?? "–")</span></td>\
        <td role="cell" class="number" data-label="Gap"><span>\(gap(time, comparison))</span></td>
        """
      for (index, leg) in comparison.legs.enumerated() {
        let (seconds, winner) = value(leg)
        let small: Markup = winner.map { "<small><bdi>\($0)</bdi></small>" } ?? ""
        row +=
          "<td role=\"cell\" class=\"number\" data-label=\"\(title(leg, index))\"><span>\(seconds.map { Quantity.clock($0) } ?? "–")\(small)</span></td>"
      }
      return row + "</tr>\n"
    }
    return row("Best legs together", comparison.theoreticalBest) {
      ($0.bestDuration, $0.best.map { route.labels[$0] })
    } + row("Usual", comparison.usualDuration) { ($0.usualDuration, nil) }
  }

  private static func gap(_ time: Double?, _ comparison: RouteComparison) -> String {
    guard let time, let best = comparison.entries.first?.duration, abs(time - best) >= 0.05 else { return "" }
    return (time < best ? "−" : "+") + Quantity.duration(abs(time - best))
  }
}
