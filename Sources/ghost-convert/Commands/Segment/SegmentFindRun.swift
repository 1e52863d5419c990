import BulkImport
import DriveMatching
import GhostModel
import TrackFormats
import TrackModel
import TrackTransforms

/// Runs the segment find command: reads the recordings, finds the passages and prints them.
struct SegmentFindRun {
  private let options: GhostConvert.SegmentFindOptions

  init(_ options: GhostConvert.SegmentFindOptions) { self.options = options }

  /// Runs the command and returns its exit status. If several inputs failed, it is the status of the first
  /// failure.
  func run() -> Int32 {
    var traces: [FoundPassages.Source] = []
    var status = ExitStatus.success
    var reading = options.reading
    reading.keepsMotion = true
    for path in options.inputs {
      do throws(TrackError) {
        let drives = try ComparisonInput.drives(of: ComparisonInput.all(path, reading), reading)
        traces += drives.enumerated().map { index, drive in
          FoundPassages.Source(trace: drive.trace, track: drives.count > 1 ? index + 1 : nil)
        }
      } catch {
        Console.report(error.inFile(InputPath.name(path)))
        if status == ExitStatus.success { status = ExitStatus.of(error) }
      }
    }
    RunProgress.clear()
    guard !traces.isEmpty else { return status }
    do throws(TrackError) {
      let report = try FoundPassages(segment: segment(traces.map(\.trace)), sources: traces)
      if report.passages.isEmpty, report.opposite > 0 {
        Console.note(
          "\(Counted.of(report.opposite, "passage")) in the other direction; exchange the start and the end")
      }
      Console.print(options.json ? report.json.text : report.lines.joined(separator: "\n"))
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
    return status
  }

  private func segment(_ traces: [TimedDrive]) throws(TrackError) -> RoadSegment {
    let ends = options.start.flatMap { start in options.end.map { (start, $0) } }
    if let line = options.line { return try SegmentLine.segment(line, between: ends) { _, _ in traces } }
    guard let (start, end) = ends else { throw TrackError(.usage, "no road specified") }
    return try RoadSegment(name: "segment", from: start, to: end, via: options.via, in: traces)
  }
}

/// Reads the line of a segment from a file.
enum SegmentLine {
  /// Returns the longest track or route of a file as a segment.
  ///
  /// - Parameters:
  ///   - ends: the positions at which the line is cut, or nil for the whole line.
  ///   - drives: returns the drives near both ends, on which the line of a recording is centered.
  static func segment(
    _ path: String, name: String? = nil, between ends: (start: Coordinate, end: Coordinate)? = nil,
    centeredOn drives: (Coordinate, Coordinate) throws(TrackError) -> [TimedDrive]
  ) throws(TrackError) -> RoadSegment {
    do throws(TrackError) {
      var input = try Input.open(path, TrackOpening(), isOneOfSeveral: true)
      return try RoadSegment(longestOf: &input, name: name, between: ends, centeredOn: drives)
    } catch {
      throw error.inFile(InputPath.name(path))
    }
  }
}
