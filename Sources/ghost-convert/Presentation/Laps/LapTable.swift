import DriveMatching
import GhostExport
import GhostModel
import TrackModel

extension LapRanking {
  /// The laps as text: the gate, a table of laps, and the best laps.
  var lines: [String] {
    (course.map(place) ?? []) + table + [""] + summary
  }

  private func place(_ course: LapCourse) -> [String] {
    guard let confidence = course.confidence else { return [] }
    let place = argument(course.gate)
    var lines = [
      "Found a circuit, timed at --gate \(place) (confidence \(Formatted.fixed(100 * confidence, 0)) %)."
    ]
    for other in otherCircuits {
      guard let best = other.best else { continue }
      lines.append(
        "Another circuit of \(Text.distance(best.distance)) has \(other.all.count) laps, the best in "
          + "\(Text.lapTime(best.duration)); time it at --gate \(argument(other.course.gate)).")
    }
    return lines + [""]
  }

  /// Returns a gate as an argument of the command line.
  private func argument(_ gate: Gate) -> String {
    Text.place(gate.coordinate, separator: ",") + "," + Formatted.fixed(gate.bearing ?? 0, 0)
  }

  private var table: [String] {
    let sectors = entries.map(\.lap.sectors.count).max() ?? 0
    let units = UnitSystem.current
    var header: [(String, TextTable.Alignment)] = [("lap", .left), ("time", .right), ("gap", .right)]
    header += (0..<sectors).map { ("sector \($0 + 1)", .right) }
    let check = check?.course == nil ? nil : check
    if check != nil { header += [("timed", .right), ("difference", .right)] }
    header += [
      ("distance", .right), ("maximum", .right), ("average", .right), ("stopped", .right), ("", .left),
    ]
    var table = TextTable(header)
    let best = best
    let bestSectors = bestSectors
    var rest = entries[...]
    for (drive, session) in sessions.enumerated() {
      let label = drives[drive].trace.label
      if sessions.count > 1, drive == 0 || drives[drive - 1].trace.label != label {
        table.add(heading: label)
      }
      func partial(_ name: String, _ seconds: Double) {
        if seconds >= 0.005 { table.add([name, Text.lapTime(seconds)]) }
      }
      if let timed = session.timed, course != nil { partial("out", timed.lowerBound) }
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
      if let timed = session.timed, course != nil { partial("in", session.duration - timed.upperBound) }
    }
    return table.lines
  }

  private var summary: [String] {
    guard hasEqualLengths else {
      return ["The recorded laps have different lengths, so they are not ranked."]
        + (check.map { summary($0) } ?? [])
    }
    guard let best else { return ["No complete laps."] }
    var lines = ["Best lap: \(best.number) in \(Text.lapTime(best.lap.duration))."]
    if let sectors = bestSectors {
      lines.append("Best sectors (*) together: \(Text.lapTime(sectors.reduce(0, +))).")
    }
    if course != nil, let middle = ranked.map(\.lap.uncertainty).upperMedian {
      lines.append(
        "The lap times are uncertain by ± \(Formatted.fixed(middle, 2)) s (one standard deviation).")
    }
    if let check { lines += summary(check) }
    return lines
  }

  /// Summarizes the differences between the recorder's laps and those timed from positions.
  private func summary(_ check: RecordedLapCheck) -> [String] {
    guard let course = check.course else {
      return entries.count < 2
        ? [] : ["The recorded laps begin at different places, so they are not laps of a circuit."]
    }
    let differences = entries.compactMap { entry in
      check.timed(entry.lap, ofDrive: entry.drive).map { abs($0.duration - entry.lap.duration) }
    }.sorted()
    let place = "The recorded laps begin at --gate \(argument(course.gate))"
    guard let most = differences.last else { return ["\(place), but no complete lap was timed there."] }
    return [
      "\(place). Timed there from positions, \(Counted.of(differences.count, "lap")) "
        + "\(differences.count == 1 ? "differs" : "differ") by "
        + "\(Formatted.fixed(differences[differences.count / 2], 2)) s (median), "
        + "at most \(Formatted.fixed(most, 2)) s."
    ]
  }
}

extension Text {
  /// Formats a difference as `+0.42` or `-0.42`.
  static func signedHundredths(_ seconds: Double) -> String {
    let text = Formatted.fixed(abs(seconds), 2)
    return text == "0.00" ? text : (seconds < 0 ? "-" : "+") + text
  }

  /// Formats seconds as `1:52.34`, or `52.34` below a minute. A time that is not a number or negative, from a
  /// damaged library, becomes `–`.
  static func lapTime(_ seconds: Double) -> String {
    guard seconds >= 0 else { return "–" }
    let hundredths = Int((min(seconds, 1e9) * 100).rounded())
    let (minutes, rest) = (hundredths / 6000, Formatted.fixed(Double(hundredths % 6000) / 100, 2))
    guard minutes > 0 else { return rest }
    let padded = hundredths % 6000 < 1000 ? "0" + rest : rest
    return minutes < 60
      ? "\(minutes):\(padded)" : "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):\(padded)"
  }
}
