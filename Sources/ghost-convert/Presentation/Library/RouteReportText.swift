import DriveLibrary
import DriveMatching
import GhostExport
import GhostModel
import TrackModel

/// The comparison of a route as text and tables.
struct RouteReportText {
  private let report: RouteRanking
  private let comparison: RouteComparison
  /// The length of unique prefixes of the drives' ids.
  private let identifierLength: Int
  private let showsAll: Bool

  init(_ report: RouteRanking, identifierLength: Int, all: Bool) {
    self.report = report
    comparison = report.comparison
    self.identifierLength = identifierLength
    showsAll = all
  }

  var lines: [String] {
    var lines = heading
    if !comparison.entries.isEmpty {
      lines += [""] + ranking
      if !comparison.legs.isEmpty { lines += [""] + legs }
    }
    let cautions = cautions
    if !cautions.isEmpty { lines += [""] + cautions }
    return lines.map(Diagnostic.singleLine)
  }

  private var heading: [String] {
    let route = report.route
    var about = "\(route.title): \(Counted.of(route.count, "drive")), \(Text.distance(route.distance))"
    if let first = route.firstTime.map(LocalTime.day), let last = route.lastTime.map(LocalTime.day) {
      about += first == last ? ", \(first)" : ", \(first) to \(last)"
    }
    guard let fastest = comparison.entries.first, let usual = comparison.usualDuration else {
      return [about, "No stretch of road is shared by nine in ten drives, so nothing can be compared."]
    }
    let isBeaten = comparison.unranked.contains(where: \.isFaster)
    var verdict =
      "The fastest \(isBeaten ? "ranked drive " : "")was \(label(fastest.drive)) in \(time(fastest)); "
      + "the usual time is \(Formatted.clock(usual))"
    if let theoretical = comparison.theoreticalBest {
      verdict += "; the sum of the best legs is \(Formatted.clock(theoretical))"
    }
    return [
      about, verdict + ".", "The comparison covers \(Text.distance(comparison.length)) of common road.",
    ]
  }

  private func label(_ drive: Int) -> String { report.labels[drive] }

  private func identifier(_ drive: Int) -> Substring {
    report.drives[drive].id.text.prefix(identifierLength)
  }

  private func time(_ entry: RouteComparison.Entry) -> String {
    (entry.hasTimestamps ? "" : "≈ ") + Formatted.clock(entry.duration)
  }

  private var ranking: [String] {
    var table = TextTable([
      ("", .right), ("drive", .left), ("id", .left), ("time", .right), ("gap", .right), ("average", .right),
      ("", .left),
    ])
    let shown = report.shown(all: showsAll)
    let newest = report.newest
    for index in shown {
      let entry = comparison.entries[index]
      table.add([
        "\(index + 1)", label(entry.drive), String(identifier(entry.drive)),
        time(entry),
        index == 0 ? "" : "\(Text.signedGap(entry.gap)) \(Text.doubt(entry.uncertainty))",
        report.speed(entry).map { UnitSystem.current.speed(metresPerSecond: $0, decimals: 1) } ?? "",
        index == newest ? "the newest" : "",
      ])
    }
    let rest = comparison.entries.count - shown.count
    return table.lines + (rest > 0 ? ["  and \(rest) more: --all shows them"] : [])
  }

  private var legs: [String] {
    var table = TextTable([
      ("leg", .left), ("distance", .right), ("best", .right), ("usual", .right), ("won by", .left),
      ("", .left),
    ])
    for (index, leg) in comparison.legs.enumerated() {
      table.add([
        "\(index + 1) \(isHidden(leg) ? "not recorded" : leg.isDetour ? "ways part" : "together")",
        Text.distance(leg.length),
        leg.bestDuration.map { Formatted.clock($0) } ?? "",
        leg.usualDuration.map { Formatted.clock($0) } ?? "",
        leg.best.map(label) ?? "", roads(leg),
      ])
    }
    if let theoretical = comparison.theoreticalBest, let usual = comparison.usualDuration {
      table.add([
        "all legs", Text.distance(comparison.length), Formatted.clock(theoretical), Formatted.clock(usual),
      ])
    }
    return table.lines
  }

  /// Whether a privacy zone hides the road of a leg: the reference drive cannot leave its own road.
  private func isHidden(_ leg: RouteLeg) -> Bool {
    !report.hidden.circles.isEmpty && leg.isDetour && leg.leftRoad == leg.durations.count { $0 != nil }
  }

  /// A note about the faster road of a leg with two roads.
  private func roads(_ leg: RouteLeg) -> String {
    guard leg.leftRoad > 0, !isHidden(leg) else { return "" }
    let all = leg.durations.count { $0 != nil }
    let winners = leg.bestLeftRoad ? leg.leftRoad : all - leg.leftRoad
    return leg.bestLeftRoad || leg.isDetour ? "on the road of \(winners) of \(all)" : ""
  }

  private var cautions: [String] {
    var cautions: [String] = []
    let guessed = report.passages.count { !$0.hasTimestamps }
    if guessed > 0 {
      let all = guessed == report.passages.count
      cautions.append(
        "\(Counted.of(guessed, "drive")) \(guessed == 1 ? "has" : "have") no recorded times (≈): "
          + "the duration is spread evenly over the distance" + (all ? "." : ", and wins no leg."))
    }
    if !comparison.entries.isEmpty { cautions += unranked }
    return cautions
  }

  /// The unranked drives and the reasons: a line per reason, and a line for drives that are faster than the
  /// ranked drives.
  private var unranked: [String] {
    var lines: [String] = []
    for reason in RouteComparison.Unranked.Reason.allCases {
      let drives = comparison.unranked.filter { $0.reason == reason }.map { name($0.drive) }
      guard !drives.isEmpty else { continue }
      lines.append(
        "\(Counted.of(drives.count, "drive")) \(words(reason, isOne: drives.count == 1)) and not ranked: "
          + (showsAll ? drives : Array(drives.prefix(Self.shownUnranked))).joined(separator: ", ")
          + (!showsAll && drives.count > Self.shownUnranked ? ", … (--all names them)." : "."))
    }
    for drive in comparison.unranked where drive.isFaster {
      lines.append(
        "\(name(drive.drive)) is not ranked, but took "
          + "\(Formatted.clock(report.passages[drive.drive].movingDuration)) from its first to its last motion, "
          + "less than the fastest ranked drive.")
    }
    return lines
  }

  /// The number of unranked drives that are named.
  private static let shownUnranked = 3

  private func name(_ drive: Int) -> String { "\(label(drive)) (\(identifier(drive)))" }

  /// The predicate of the drives, before "and not ranked".
  private func words(_ reason: RouteComparison.Unranked.Reason, isOne: Bool) -> String {
    let verb = isOne ? "is" : "are"
    return switch reason {
    case .notAtStart: "\(verb) incomplete at the start"
    case .notAtEnd: "\(verb) incomplete at the end"
    case .notAtEnds: "\(verb) incomplete at both ends"
    case .otherRoad: "\(verb) on another road"
    }
  }
}
