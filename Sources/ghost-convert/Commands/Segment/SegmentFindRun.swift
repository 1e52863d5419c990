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
    var reading = options.reading
    reading.keepsMotion = true
    for path in options.inputs {
      do throws(TrackError) {
        traces.append(try ComparisonInput(path, reading).reportedTrace(reading))
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
      let segment = try SegmentLine.segment(line) { _, _ in traces }
      guard let start = options.start, let end = options.end else { return segment }
      do throws(TrackError) {
        return try segment.part(from: start, to: end)
      } catch {
        throw error.inFile(InputPath.name(line))
      }
    }
    guard let start = options.start, let end = options.end else {
      throw TrackError(.usage, "no road specified")
    }
    return try RoadSegment(name: "segment", from: start, to: end, via: options.via, in: traces)
  }
}

/// Reads the line of a segment from a file.
enum SegmentLine {
  /// Returns the longest track or route of a file as a segment. The ends of a recording are left out
  /// (``RoadSegment/init(name:along:from:to:)``).
  ///
  /// - Parameter drives: returns the drives near both ends, on which the line of a recording is centered.
  static func segment(
    _ path: String, name: String? = nil,
    centeredOn drives: (Coordinate, Coordinate) throws(TrackError) -> [TimedDrive]
  ) throws(TrackError) -> RoadSegment {
    do throws(TrackError) {
      let (recording, line) = try longest(path)
      let name = name ?? recording.name ?? "segment"
      if let drive = try? TimedDrive(recording, label: name) {
        let segment = try RoadSegment(name: name, along: drive)
        return segment.centered(on: try drives(segment.line[0], segment.line[segment.line.count - 1]))
      }
      return try RoadSegment(name: name, line: line)
    } catch {
      throw error.inFile(InputPath.name(path))
    }
  }

  private static func longest(_ path: String) throws(TrackError) -> (recording: Recording, line: [Coordinate])
  {
    var input = try Input.open(path, TrackOpening(), isOneOfSeveral: true)
    var recordings = RecordingBuilder()
    var batch = PointBatch()
    var longest: (length: Double, recording: Recording, line: [Coordinate])?
    while let event = try input.next(into: &batch) {
      guard let recording = recordings.add(event, batch), recording.count > 1 else { continue }
      let line = recording.segments.flatMap { segment in
        (0..<segment.count).map {
          Coordinate(latitude: segment.latitudes[$0], longitude: segment.longitudes[$0])
        }
      }.filter(\.isValid)
      let length = Geodesy.length(of: line)
      if length > longest?.length ?? 0 { longest = (length, recording, line) }
    }
    guard let longest else { throw TrackError(.noTracks, "no line in the file") }
    return (longest.recording, longest.line)
  }
}
