import DriveMatching
import GhostModel
import TrackModel

/// The lines and facts of one drive.
struct DriveLayer: Sendable {
  /// A trimmed end of the recording, which is not compared.
  struct Trimmed: Sendable {
    var name: String
    var lines: [LayerLine]
  }

  var label: String
  var color: ExportColor
  /// The compared lines with times, split where the recording was interrupted. Each has at least two
  /// positions.
  var runs: [LayerLine]
  /// The trimmed ends. Without times, because they are not part of the race.
  var trimmed: [Trimmed]
  var table: FactTable

  init(_ document: ComparisonDocument, drive: Int, _ clock: ExportClock, rows kept: (Range<Int>) -> [Int]) {
    let trace = document.traces[drive]
    let compared = document.comparison.drives[drive]
    let rows = document.comparedRows(of: drive)
    label = compared.label
    color = document.colors[drive]
    runs = trace.runs(in: rows).map {
      DriveLayer.line(trace, kept($0)) { clock.time($0, of: drive) }
    }.filter { $0.count > 1 }
    // The boundary point belongs to both lines, so that they join.
    let before = 0..<min(rows.lowerBound + 1, trace.count)
    let after = max(rows.upperBound - 1, 0)..<trace.count
    trimmed = [("trimmed at the start", before), ("trimmed at the end", after)].compactMap { name, range in
      let lines = trace.runs(in: range).map { DriveLayer.line(trace, kept($0), time: nil) }
        .filter { $0.count > 1 }
      return lines.isEmpty ? nil : Trimmed(name: name, lines: lines)
    }
    table = DriveLayer.table(compared)
  }

  private static func line(_ trace: TimedDrive, _ rows: [Int], time: ((Double) -> Double)?) -> LayerLine {
    LayerLine(
      latitudes: rows.map { trace.latitudes[$0] }, longitudes: rows.map { trace.longitudes[$0] },
      times: time.map { time in rows.map { time(trace.elapsed[$0]) } } ?? [])
  }

  static func table(_ drive: ComparedDrive) -> FactTable {
    var table = FactTable()
    table.add("Distance", Fact("distance_m", .distance(drive.distance)))
    table.add("Time", Fact("time_under_way_s", .duration(drive.timeUnderWay)))
    table.add("Stopped on the way", Fact("waiting_s", .duration(drive.waiting)))
    table.add("Idle at the start", Fact("idle_start_s", .duration(drive.idleAtStart)))
    table.add("Idle at the end", Fact("idle_end_s", .duration(drive.idleAtEnd)))
    if let file = drive.file { table.add("File", Fact("source", .text(file))) }
    return table
  }
}

extension ComparedDrive {
  /// The file name of the drive's source. Its folder is omitted because it would reveal a local path.
  var file: String? { source.flatMap { $0.isEmpty ? nil : String(FileName.last($0)) } }
}
