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
    var traces: [TimedDrive] = []
    var status = ExitStatus.success
    var reading = InputTrack.Options()
    reading.isStrict = options.strict
    reading.rules = options.rules
    reading.keepsMotion = true
    for path in options.inputs {
      do throws(TrackError) {
        traces.append(try ComparisonInput(path, reading, columns: options.columns).reportedTrace(reading))
      } catch {
        Console.report(error.inFile(InputPath.name(path)))
        if status == ExitStatus.success { status = ExitStatus.of(error) }
      }
    }
    RunProgress.clear()
    guard !traces.isEmpty else { return status }
    do throws(TrackError) {
      let report = PassageReport(segment: try segment(traces), traces: traces)
      Console.print(options.json ? report.json.text : report.lines.joined(separator: "\n"))
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
    return status
  }

  private func segment(_ traces: [TimedDrive]) throws(TrackError) -> RoadSegment {
    if let line = options.line {
      let segment = try SegmentLine.segment(line)
      guard let start = options.start, let end = options.end else { return segment }
      return try segment.part(from: start, to: end)
    }
    guard let start = options.start, let end = options.end else {
      throw TrackError(.usage, "no road specified")
    }
    return try RoadSegment(name: "segment", from: start, to: end, via: options.via, in: traces)
  }
}

/// Reads the line of a segment from a file.
enum SegmentLine {
  /// Returns the longest track or route of a file as a segment.
  static func segment(_ path: String, name: String? = nil) throws(TrackError) -> RoadSegment {
    var input = try Input.open(path, TrackOpening(), isOneOfSeveral: true)
    var recordings = RecordingBuilder()
    var batch = PointBatch()
    var longest: (length: Double, line: [Coordinate], name: String?)?
    while let event = try input.next(into: &batch) {
      guard let recording = recordings.add(event, batch), recording.count > 1 else { continue }
      let line = recording.segments.flatMap { segment in
        (0..<segment.count).map {
          Coordinate(latitude: segment.latitudes[$0], longitude: segment.longitudes[$0])
        }
      }.filter(\.isValid)
      let length = Geodesy.length(of: line)
      if length > longest?.length ?? 0 { longest = (length, line, recording.name) }
    }
    guard let longest else { throw TrackError(.noTracks, "no line in the file", file: InputPath.name(path)) }
    do throws(TrackError) {
      return try RoadSegment(name: name ?? longest.name ?? "segment", line: longest.line)
    } catch {
      throw error.inFile(InputPath.name(path))
    }
  }
}
