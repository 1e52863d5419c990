package import DriveMatching
import GhostModel
import TrackModel

/// Laps as text: the gate, a table of laps, and the best laps.
package struct LapText {
  private let laps: LapRanking
  private let gateText: (Gate) -> String

  /// Creates the text of laps.
  ///
  /// - Parameter gate: returns the text of a gate, after "at".
  package init(_ laps: LapRanking, gate: @escaping (Gate) -> String) {
    self.laps = laps
    gateText = gate
  }

  /// The lines of the text.
  package var lines: [String] {
    (laps.course.map(place) ?? []) + table + [""] + summary
  }

  private func place(_ course: LapCourse) -> [String] {
    guard let confidence = course.confidence else { return [] }
    var lines = [
      "Found a circuit, timed at \(gateText(course.gate)) (confidence \(Formatted.fixed(100 * confidence, 0)) %)."
    ]
    for other in laps.otherCircuits {
      guard let best = other.best else { continue }
      lines.append(
        "Another circuit of \(Text.distance(best.distance)) has \(other.all.count) laps, the best in "
          + "\(Text.lapTime(best.duration)); time it at \(gateText(other.course.gate)).")
    }
    return lines + [""]
  }

  private var table: [String] {
    let sectors = laps.entries.map(\.lap.sectors.count).max() ?? 0
    let units = UnitSystem.current
    var header: [(String, TextTable.Alignment)] = [("lap", .left), ("time", .right), ("gap", .right)]
    header += (0..<sectors).map { ("sector \($0 + 1)", .right) }
    let check = laps.check?.course == nil ? nil : laps.check
    if check != nil { header += [("timed", .right), ("difference", .right)] }
    header += [
      ("distance", .right), ("maximum", .right), ("average", .right), ("stopped", .right), ("", .left),
    ]
    var table = TextTable(header)
    let best = laps.best
    let least = laps.ranked.map(\.lap.uncertainty).min()
    let bestSectors = laps.bestSectors
    var rest = laps.entries[...]
    for (drive, session) in laps.sessions.enumerated() {
      let label = laps.drives[drive].trace.label
      if laps.sessions.count > 1, drive == 0 || laps.drives[drive - 1].trace.label != label {
        table.add(heading: label)
      }
      func partial(_ name: String, _ seconds: Double) {
        if seconds >= 0.005 { table.add([name, Text.lapTime(seconds)]) }
      }
      if let timed = session.timed, laps.course != nil { partial("out", timed.lowerBound) }
      let own = rest.prefix { $0.drive == drive }
      rest = rest.dropFirst(own.count)
      for entry in own {
        let lap = entry.lap
        let isBest = entry.number == best?.number
        let gap =
          isBest || !lap.isComplete
          ? "" : best.map { "+" + Text.lapTime(lap.duration - $0.lap.duration) } ?? ""
        let times = (0..<sectors).map { index in
          guard index < lap.sectors.count else { return "" }
          let isBest = lap.isComplete && lap.sectors[index] == bestSectors?[index]
          return Text.lapTime(lap.sectors[index]) + (isBest ? "*" : "")
        }
        let notes = [
          isBest ? "best" : "", lap.isComplete ? "" : "not complete", lap.isThroughPitLane ? "pit lane" : "",
          Text.remarkableDoubt(lap.uncertainty, least: least) ?? "",
        ].filter { !$0.isEmpty }.joined(separator: ", ")
        let timed = check?.timed(lap, ofDrive: drive)
        let checked =
          check == nil
          ? []
          : [
            timed.map { Text.lapTime($0.duration) } ?? "",
            timed.map { Text.signedHundredths($0.duration - lap.duration) } ?? "",
          ]
        table.add(
          [String(entry.number), Text.lapTime(lap.duration), gap] + times + checked + [
            Text.distance(lap.distance), units.speed(metresPerSecond: lap.maximumSpeed),
            units.speed(metresPerSecond: lap.averageSpeed), lap.waiting > 0 ? Text.clock(lap.waiting) : "",
            notes,
          ])
      }
      if let timed = session.timed, laps.course != nil { partial("in", session.duration - timed.upperBound) }
    }
    return table.lines
  }

  private var summary: [String] {
    guard laps.hasEqualLengths else {
      return ["The recorded laps have different lengths, so they are not ranked."]
        + (laps.check.map { summary($0) } ?? [])
    }
    guard let best = laps.best else { return ["No complete laps."] }
    var lines = ["Best lap: \(best.number) in \(Text.lapTime(best.lap.duration))."]
    if let sectors = laps.bestSectors {
      lines.append("Best sectors (*) together: \(Text.lapTime(sectors.reduce(0, +))).")
    }
    let uncertainties = laps.ranked.map(\.lap.uncertainty)
    if laps.course != nil, let middle = uncertainties.upperMedian {
      let isRemarkable = uncertainties.contains {
        Text.remarkableDoubt($0, least: uncertainties.min()) != nil
      }
      lines.append(
        "\(isRemarkable ? "Most" : "The") lap times are uncertain by ± \(Formatted.fixed(middle, 2)) s "
          + "(one standard deviation).")
    }
    if let check = laps.check { lines += summary(check) }
    return lines
  }

  /// Summarizes the differences between the recorder's laps and those timed from positions.
  private func summary(_ check: RecordedLapCheck) -> [String] {
    guard let course = check.course else {
      return laps.entries.count < 2
        ? [] : ["The recorded laps begin at different places, so they are not laps of a circuit."]
    }
    let differences = laps.entries.compactMap { entry in
      check.timed(entry.lap, ofDrive: entry.drive).map { abs($0.duration - entry.lap.duration) }
    }.sorted()
    let place = "The recorded laps begin at \(gateText(course.gate))"
    guard let most = differences.last else { return ["\(place), but no complete lap was timed there."] }
    return [
      "\(place). Timed there from positions, \(Counted.of(differences.count, "lap")) "
        + "\(differences.count == 1 ? "differs" : "differ") by "
        + "\(Formatted.fixed(differences[differences.count / 2], 2)) s (median), "
        + "at most \(Formatted.fixed(most, 2)) s."
    ]
  }
}
