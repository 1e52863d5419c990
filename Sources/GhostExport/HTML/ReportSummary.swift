import GhostModel

/// The top of a report: the result, its causes, and the ranked drives.
enum ReportSummary {
  static func markup(_ document: ComparisonDocument, _ summary: ComparisonSummary) -> Markup {
    let winner = winner(summary, document.comparison)
    return ReportResources.summary([
      "winner": .optional(winner.map { ["drive": .number($0.drive), "name": .text($0.name)] }),
      "headline": .text(String(summary.headline.dropFirst(winner?.name.count ?? 0))),
      "lead": .text(summary.lead),
      "caution": .optional(
        summary.cautions.isEmpty
          ? nil : ["sentences": .list(summary.cautions.map { ["sentence": .text($0)] })]),
      // A route has a table of all its drives instead of cards.
      "overview": .optional(
        document.route == nil
          ? ["drives": .list(cards(document, summary)), "reasons": .optional(reasons(document))] : nil),
    ])
  }

  /// The winning drive, if the headline starts with its name.
  private static func winner(
    _ summary: ComparisonSummary, _ comparison: DriveComparison
  ) -> (drive: Int, name: String)? {
    let drive: Int
    switch summary.verdict {
    case .faster(let winner), .probablyFaster(let winner): drive = winner
    case .tie, .incomparable: return nil
    }
    let name = comparison.drives[drive].label
    return !name.isEmpty && summary.headline.hasPrefix(name) ? (drive, name) : nil
  }

  // MARK: The drives

  private static func cards(
    _ document: ComparisonDocument, _ summary: ComparisonSummary
  ) -> [[String: Template.Value]] {
    let comparison = document.comparison
    let isTie = if case .tie = summary.verdict { true } else { false }
    let standings = comparison.pairsOfRivals.isEmpty ? [] : comparison.standings
    let others = comparison.drives.indices.filter { drive in !standings.contains { $0.drive == drive } }
    let ranked = standings.map { standing in
      let gap =
        standing.behind >= TimeResolution.current.smallest
        ? "+" + Quantity.duration(standing.behind)
        : standings.count(where: { $0.behind < TimeResolution.current.smallest }) > 1
          ? "level" : isTie ? "tie" : "first"
      return card(standing.drive, gap, document)
    }
    return ranked
      + others.map { drive in
        let isSame = comparison.drives[drive].sameRide != nil
        return card(drive, isSame ? "same ride" : standings.isEmpty ? nil : "not ranked", document)
      }
  }

  private static func card(
    _ index: Int, _ gap: String?, _ document: ComparisonDocument
  ) -> [String: Template.Value] {
    let drive = document.comparison.drives[index]
    let file = drive.file == drive.label ? nil : drive.file
    return [
      "drive": .number(index),
      "label": .text(drive.label),
      "badge": .optional(gap.map { ["gap": .text($0)] }),
      "underWay": .text(Quantity.clock(drive.timeUnderWay)),
      "distance": .text(Quantity.distance(drive.distance)),
      "average": .text(Quantity.speed(drive.distance, in: drive.timeUnderWay)),
      "waiting": .text(drive.waiting < 0.5 ? "none" : Quantity.duration(drive.waiting)),
      "source": .optional(file.map { ["file": .text($0)] }),
    ]
  }

  // MARK: The reasons

  /// Stops, driving and detours of two drives, as bars from the centre towards the drive that gained time.
  private static func reasons(_ document: ComparisonDocument) -> [String: Template.Value]? {
    let comparison = document.comparison
    guard comparison.pairs.count == 1, let pair = comparison.pairsOfRivals.first, pair.relation == .shared,
      comparison.drives.indices.contains(pair.first), comparison.drives.indices.contains(pair.second)
    else { return nil }
    let legs = comparison.countedLegs(of: pair)
    guard !legs.isEmpty else { return nil }
    let breakdown = PairBreakdown(pair, in: comparison)
    var rows = [("Driving", breakdown.moving), ("Waiting", breakdown.waiting)]
    if breakdown.departure != 0 { rows.insert(("Departure", breakdown.departure), at: 0) }
    if breakdown.detourCount > 0 { rows.append(("Other roads", breakdown.detours)) }
    if breakdown.unknownCount > 0 { rows.append(("Not known", breakdown.unknown)) }
    let greatest = rows.reduce(1) { max($0, abs($1.1)) }
    return [
      "first": .number(pair.first),
      "second": .number(pair.second),
      "firstName": .text(comparison.drives[pair.first].label),
      "secondName": .text(comparison.drives[pair.second].label),
      "rows": .list(
        rows.map { reason, lost in
          let winner = lost > 0 ? pair.first : pair.second
          let gain: [String: Template.Value] = [
            "drive": .number(winner),
            "side": .text(lost > 0 ? "right" : "left"),
            "share": .number(abs(lost) / greatest * 50, decimals: 2),
            "name": .text(comparison.drives[winner].label),
            "duration": .text(Quantity.duration(lost)),
          ]
          return [
            "reason": .text(reason),
            "gain": .optional(abs(lost) < TimeResolution.current.smallest ? nil : gain),
          ]
        }),
    ]
  }
}
