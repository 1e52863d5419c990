import GhostModel

/// The top of a report: the answer, what made it, and the drives in order of arrival.
enum ReportHead {
  static func markup(_ document: ComparisonDocument, _ summary: ComparisonSummary) -> Markup {
    let comparison = document.comparison
    var head: Markup = """
      <header class="head">
      <h1>\(headline(summary, comparison))</h1>
      <p class="lead">\(summary.lead)</p>
      </header>

      """
    if !summary.cautions.isEmpty {
      head += "<div class=\"caution\" role=\"note\" aria-label=\"Read with care\">"
      for caution in summary.cautions { head += "<p>\(caution)</p>" }
      head += "</div>\n"
    }
    // The table of a route ranks all of its drives, of which the cards would be some.
    if document.route == nil {
      head += "<div class=\"overview\">\n" + cards(document) + reasons(document) + "</div>\n"
    }
    return head
  }

  /// The headline with the name of the winner marked in its colour.
  private static func headline(_ summary: ComparisonSummary, _ comparison: DriveComparison) -> Markup {
    let winner: Int
    switch summary.verdict {
    case .faster(let drive), .probablyFaster(let drive): winner = drive
    case .tie, .incomparable: return "\(summary.headline)"
    }
    let name = comparison.drives[winner].label
    guard !name.isEmpty, summary.headline.hasPrefix(name) else { return "\(summary.headline)" }
    return
      "<bdi class=\"winner c\(winner)\">\(name)</bdi>\(String(summary.headline.dropFirst(name.count)))"
  }

  // MARK: The drives

  private static func cards(_ document: ComparisonDocument) -> Markup {
    let comparison = document.comparison
    let standings = comparison.standings
    let others = comparison.drives.indices.filter { drive in !standings.contains { $0.drive == drive } }
    var cards: Markup = "<ol class=\"drives\" aria-label=\"The drives\">\n"
    for standing in standings {
      let gap =
        standing.behind >= 0.05
        ? "+" + Quantity.duration(standing.behind)
        : standings.count(where: { $0.behind < 0.05 }) == 1 ? "first" : "level"
      cards += card(standing.drive, gap, document)
    }
    for drive in others { cards += card(drive, standings.isEmpty ? nil : "not ranked", document) }
    return cards + "</ol>\n"
  }

  private static func card(_ index: Int, _ gap: String?, _ document: ComparisonDocument) -> Markup {
    let drive = document.comparison.drives[index]
    // Without standing at the ends, whether or not it was trimmed: the time that the gap is about.
    let underWay = drive.motionEnd > drive.motionStart ? drive.motionEnd - drive.motionStart : drive.duration
    let badge: Markup = gap.map { "<span class=\"badge\">\($0)</span>" } ?? ""
    var card: Markup = """
      <li class="drive c\(index)">
      <p class="name"><span class="swatch"></span><bdi>\(drive.label)</bdi>\(badge)</p>
      <dl>
      <div><dt>Under way</dt><dd>\(Quantity.clock(underWay))</dd></div>
      <div><dt>Distance</dt><dd>\(Quantity.distance(drive.distance))</dd></div>
      <div><dt>Average</dt><dd>\(Quantity.speed(drive.distance, in: underWay))</dd></div>
      <div><dt>Waiting</dt><dd>\(drive.waiting < 0.5 ? "none" : Quantity.duration(drive.waiting))</dd></div>
      </dl>

      """
    if let file = drive.file, file != drive.label {
      card += "<p class=\"source\"><bdi>\(file)</bdi></p>\n"
    }
    return card + "</li>\n"
  }

  // MARK: What made the difference

  /// Of two drives: waiting, driving and detours as bars from a middle, towards the drive that gained.
  private static func reasons(_ document: ComparisonDocument) -> Markup {
    let comparison = document.comparison
    guard comparison.pairs.count == 1, let pair = comparison.pairs.first, pair.relation == .shared,
      comparison.drives.indices.contains(pair.first), comparison.drives.indices.contains(pair.second)
    else { return "" }
    let legs = comparison.countedLegs(of: pair)
    guard !legs.isEmpty else { return "" }
    let breakdown = PairBreakdown(legs)
    var rows = [("Driving", breakdown.moving), ("Waiting", breakdown.waiting)]
    if breakdown.detourCount > 0 { rows.append(("Other roads", breakdown.detours)) }
    if breakdown.unknownCount > 0 { rows.append(("Not known", breakdown.unknown)) }
    let greatest = rows.reduce(1) { max($0, abs($1.1)) }
    let names = Paired(comparison.drives[pair.first].label, comparison.drives[pair.second].label)
    var reasons: Markup = """
      <section class="reasons" aria-labelledby="reasons-title">
      <h2 id="reasons-title">What made the difference</h2>
      <p class="sides"><span class="c\(pair.first)"><span class="swatch"></span><bdi class="short">\(names.first)</bdi> gained</span>\
      <span class="c\(pair.second)"><bdi class="short">\(names.second)</bdi> gained<span class="swatch"></span></span></p>
      <ul>

      """
    for (reason, lost) in rows {
      let isLevel = abs(lost) < 0.05
      let winner = lost > 0 ? pair.first : pair.second
      let share = abs(lost) / greatest * 50
      let place: Markup =
        lost > 0
        ? "right:50%;width:\(share, decimals: 2)%" : "left:50%;width:\(share, decimals: 2)%"
      let bar: Markup = isLevel ? "" : "<span class=\"c\(winner)\" style=\"\(place)\"></span>"
      let value: Markup =
        isLevel
        ? "even"
        : "<span class=\"hidden\"><bdi>\(lost > 0 ? names.first : names.second)</bdi> gained </span>\(Quantity.duration(lost))"
      reasons += """
        <li><span class="reason">\(reason)</span><span class="scale" aria-hidden="true">\(bar)</span>\
        <span class="value">\(value)</span></li>

        """
    }
    return reasons + "</ul>\n</section>\n"
  }
}
