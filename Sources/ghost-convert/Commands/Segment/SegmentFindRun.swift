import BulkImport
import DriveMatching
import GhostExport
import GhostModel
import TrackFormats
import TrackModel
import TrackTransforms

/// Runs the segment find command: reads the recordings, finds the passages and prints them.
struct SegmentFindRun {
  let options: GhostConvert.SegmentFindOptions

  /// Runs the command and returns its exit status. If several inputs failed, it is the status of the first
  /// failure.
  func run() -> Int32 {
    var sources: [FoundPassages.Source] = []
    var failures = FailureReport(isJSON: options.json)
    var reading = options.reading
    reading.keepsMotion = true
    reading.isOneOfSeveral = options.inputs.count > 1
    for path in options.inputs {
      failures.attempt(path) { () throws(TrackError) in
        let drives = try InputDrives.read(path, reading)
        sources += drives.enumerated().map { index, drive in
          FoundPassages.Source(trace: drive.trace, track: drives.count > 1 ? index + 1 : nil)
        }
      }
    }
    RunProgress.clear()
    guard !sources.isEmpty else { return failures.status }
    return ExitStatus.reporting(isJSON: options.json) { () throws(TrackError) in
      let report = try FoundPassages(segment: segment(sources.map(\.trace)), sources: sources)
      if report.passages.isEmpty, report.opposite > 0 {
        Console.note(
          "\(Counted.of(report.opposite, "passage")) in the other direction; exchange the start and the end")
      }
      Console.print(options.json ? report.json.text : report.lines.joined(separator: "\n"))
      return failures.status
    }
  }

  private func segment(_ traces: [TimedDrive]) throws(TrackError) -> RoadSegment {
    let ends = options.start.flatMap { start in options.end.map { (start, $0) } }
    if let line = options.line {
      return try RoadSegment(longestIn: line, between: ends, progress: { RunProgress($0) }) { _, _ in traces }
    }
    guard let (start, end) = ends else { throw TrackError(.usage, "no road specified") }
    return try RoadSegment(name: "segment", from: start, to: end, via: options.via, in: traces)
  }
}
