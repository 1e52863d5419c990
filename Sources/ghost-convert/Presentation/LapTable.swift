import DriveMatching
import GhostExport
import GhostModel
import TrackModel

extension LapReport {
  /// The report as text: the gate, a table of laps, and the best laps.
  var lines: [String] {
    guard !entries.isEmpty else { return ["No laps: the gate was passed less than twice."] }
    return (course.map(place) ?? []) + table + [""] + summary
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
    "\(Formatted.fixed(gate.coordinate.latitude, 6)),\(Formatted.fixed(gate.coordinate.longitude, 6)),"
      + Formatted.fixed(gate.bearing ?? 0, 0)
  }

  private var table: [String] {
    let sectors = entries.map(\.lap.sectors.count).max() ?? 0
    let units = UnitSystem.current
    var header: [(String, TextTable.Alignment)] = [("lap", .left), ("time", .right), ("gap", .right)]
    header += (0..<sectors).map { ("sector \($0 + 1)", .right) }
    header += [
      ("distance", .right), ("maximum", .right), ("average", .right), ("stopped", .right), ("", .left),
    ]
    var table = TextTable(header)
    let best = best
    let bestSectors = bestSectors
    for (drive, session) in sessions.enumerated() {
      if sessions.count > 1 { table.add([drives[drive].trace.label]) }
      func partial(_ name: String, _ seconds: Double) {
        table.add([name, Text.lapTime(seconds)])
      }
      if let timed = session.timed, course != nil, timed.lowerBound > 0 { partial("out", timed.lowerBound) }
      for entry in entries where entry.drive == drive {
        let lap = entry.lap
        let isBest = entry.number == best?.number
        let gap =
          isBest || !lap.isComplete
          ? "" : best.map { "+" + Formatted.fixed(lap.duration - $0.lap.duration, 2) } ?? ""
        let times = (0..<sectors).map { index in
          guard index < lap.sectors.count else { return "" }
          let isBest = lap.isComplete && lap.sectors[index] == bestSectors?[index]
          return Text.lapTime(lap.sectors[index]) + (isBest ? "*" : "")
        }
        let notes = [
          isBest ? "best" : "", lap.isComplete ? "" : "not complete", lap.isThroughPitLane ? "pit lane" : "",
        ].filter { !$0.isEmpty }.joined(separator: ", ")
        table.add(
          [String(entry.number), Text.lapTime(lap.duration), gap] + times + [
            Text.distance(lap.distance), units.speed(metresPerSecond: lap.maximumSpeed),
            units.speed(metresPerSecond: lap.averageSpeed), lap.waiting > 0 ? Text.clock(lap.waiting) : "",
            notes,
          ])
      }
      if let timed = session.timed, course != nil, session.duration > timed.upperBound {
        partial("in", session.duration - timed.upperBound)
      }
    }
    return table.lines
  }

  private var summary: [String] {
    guard let best else { return ["No complete laps."] }
    var lines = ["Best lap: \(best.number) in \(Text.lapTime(best.lap.duration))."]
    if let sectors = bestSectors {
      lines.append("Best sectors (*) together: \(Text.lapTime(sectors.reduce(0, +))).")
    }
    let uncertain = ranked.map(\.lap.uncertainty).sorted()
    if course != nil, let middle = uncertain.isEmpty ? nil : uncertain[uncertain.count / 2] {
      lines.append(
        "The lap times are uncertain by ± \(Formatted.fixed(middle, 2)) s (one standard deviation).")
    }
    return lines
  }
}

extension Text {
  /// Formats seconds as `1:52.34`, or `52.34` below a minute.
  static func lapTime(_ seconds: Double) -> String {
    let hundredths = Int((min(seconds, 1e9) * 100).rounded())
    let (minutes, rest) = (hundredths / 6000, Formatted.fixed(Double(hundredths % 6000) / 100, 2))
    guard minutes > 0 else { return rest }
    let padded = hundredths % 6000 < 1000 ? "0" + rest : rest
    return minutes < 60
      ? "\(minutes):\(padded)" : "\(minutes / 60):\(minutes % 60 < 10 ? "0" : "")\(minutes % 60):\(padded)"
  }
}
