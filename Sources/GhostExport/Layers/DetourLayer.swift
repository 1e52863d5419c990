import DriveMatching
import GhostModel
import TrackModel

/// The parts where two drives took different roads, or where a recording has a gap: one line per drive of the
/// pair.
enum DetourLayer {
  static func features(
    _ document: ComparisonDocument, _ pair: PairComparison, _ clock: ExportClock,
    rows kept: (Int, Range<Int>) -> [Int]
  ) -> [LayerFeature] {
    let drives = document.comparison.drives
    var features: [LayerFeature] = []
    var number = 0
    for leg in pair.legs where leg.kind != .shared {
      number += 1
      let isDetour = leg.kind == .detour
      let labels = Paired(drives[pair.first].label, drives[pair.second].label)
      let table = table(leg, labels)
      for (drive, side) in [(pair.first, leg.sides.first), (pair.second, leg.sides.second)] {
        let trace = document.traces[drive]
        // A line through a hidden part would show it.
        guard !trace.hiddenStarts.contains(where: { side.contains(trace.elapsed[$0]) }) else { continue }
        let line = line(trace, drive, side, clock) { kept(drive, $0) }
        guard line.hasLength else { continue }
        let what = isDetour ? "Detour" : "Gap in a recording"
        features.append(
          LayerFeature(
            kind: isDetour ? "detour" : "unknown", name: "\(what) \(number), \(drives[drive].label)",
            shape: .lines(line.cutAtAntimeridian),
            color: isDetour ? document.colors[drive] : .muted, width: 6, opacity: 0.8, table: table))
      }
    }
    return features
  }

  /// A drive's line over a leg, from its start to its end.
  private static func line(
    _ trace: TimedDrive, _ drive: Int, _ side: Leg.Side, _ clock: ExportClock,
    _ kept: (Range<Int>) -> [Int]
  ) -> LayerLine {
    let start = trace.elapsed.partitionIndex { $0 > side.fromElapsed }
    let end = trace.elapsed.partitionIndex { $0 >= side.toElapsed }
    var line = LayerLine()
    line.append(side.from.latitude, side.from.longitude, clock.time(side.fromElapsed, of: drive))
    for row in kept(start..<max(start, end)) {
      let time = clock.time(trace.elapsed[row], of: drive)
      line.append(trace.latitudes[row], trace.longitudes[row], time)
    }
    line.append(side.to.latitude, side.to.longitude, clock.time(side.toElapsed, of: drive))
    return line
  }

  private static func table(_ leg: Leg, _ labels: Paired<String>) -> FactTable {
    let first = leg.sides.first
    let second = leg.sides.second
    var table = FactTable(headings: [labels.first, labels.second])
    table.add(
      "Length", Fact("first_length_m", .distance(first.length)),
      Fact("second_length_m", .distance(second.length)))
    table.add(
      "Time", Fact("first_duration_s", .duration(first.duration)),
      Fact("second_duration_s", .duration(second.duration)))
    table.add(
      "Waiting", Fact("first_waiting_s", .duration(first.waiting)),
      Fact("second_waiting_s", .duration(second.waiting)))
    let change = leg.gapChange
    let faster = "\(change > 0 ? labels.first : labels.second) was faster by \(Quantity.duration(change))"
    table.add(
      "Result", Fact("result", .text(abs(change) < TimeResolution.current.smallest ? "as fast" : faster)))
    table.add("Change in the gap", Fact("gap_change_s", .change(change)))
    return table
  }
}

extension Leg.Side {
  /// Whether a time is after the start of the leg, and not after its end.
  fileprivate func contains(_ elapsed: Double) -> Bool { fromElapsed < elapsed && elapsed <= toElapsed }
}
