import GhostModel
import TrackFormats
import TrackModel

/// Several inputs as one stream, one after the other; a bad one is reported and does not stop the rest.
///
/// What an input holds is whole in the stream, also where it breaks off: what is open there is closed. The header
/// of each input behind the first is an annotation of the file.
struct JoinedInputs: TrackReader, ~Copyable {
  /// What became of the inputs, for who has handed the stream on.
  final class Outcome {
    var status = ExitStatus.success
    /// How many inputs were whole.
    var good = 0
    /// Of the inputs.
    var summaries: [String] = []
  }

  private var paths: ArraySlice<String>
  private let open: (String) throws(TrackError) -> OpenInput
  private let outcome: Outcome
  private let reportsWarnings: Bool
  private var input: OpenInput?
  private var path = ""
  private var hasHeader = false
  /// What has to be closed where the input breaks off, the outermost first.
  private var containers: [TrackEvent] = []
  private var fault: TrackError?

  /// Already reported.
  var warnings: [TrackWarning] { [] }

  /// - Parameter open: opens an input.
  init(
    _ paths: [String], _ outcome: Outcome, reportsWarnings: Bool = true,
    open: @escaping (String) throws(TrackError) -> OpenInput
  ) {
    self.paths = paths[...]
    self.outcome = outcome
    self.reportsWarnings = reportsWarnings
    self.open = open
  }

  mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    while true {
      batch.removeAll()
      if fault != nil {
        if let event = containers.popLast() { return event }
        endInput()
      }
      if input == nil {
        guard let path = paths.popFirst() else { return nil }
        self.path = path
        do throws(TrackError) { input = try open(path) } catch {
          fault = error
          continue
        }
      }
      do throws(TrackError) {
        guard let event = try input?.next(into: &batch) else {
          endInput()
          continue
        }
        note(event)
        if case .header(let info) = event {
          if hasHeader { return .annotation(.file(info)) }
          hasHeader = true
        }
        return event
      } catch {
        fault = error
      }
    }
  }

  private mutating func note(_ event: TrackEvent) {
    switch event {
    case .beginTrack: containers.append(.endTrack)
    case .beginRoute: containers.append(.endRoute)
    case .beginSegment: containers.append(.endSegment)
    case .endTrack, .endRoute, .endSegment: containers.removeLast()
    case .header, .waypoint, .points, .annotation: break
    }
  }

  private mutating func endInput() {
    let name = Input.name(path)
    if let ended = input.take(), reportsWarnings {
      Console.report(ended.reader.warnings, file: name)
      for summary in ended.reader.summaries { Console.complain("\(name): \(summary)") }
    }
    if let error = fault {
      Console.report(error.inFile(name))
      if outcome.status == ExitStatus.success { outcome.status = ExitStatus.of(error) }
    } else {
      outcome.good += 1
    }
    fault = nil
    containers = []
  }

  /// The paths in the order of the first times in them; those without a time, those that cannot be read and
  /// standard input stay where they are.
  static func inTimeOrder(_ paths: [String], open: (String) throws(TrackError) -> OpenInput) -> [String] {
    let times = paths.map { path in path == "-" ? nil : try? firstTime(of: path, open) }
    let timed = paths.indices.filter { times[$0] != nil }
    let sorted = timed.sorted { (times[$0] ?? 0, $0) < (times[$1] ?? 0, $1) }
    var result = paths
    for (place, index) in zip(timed, sorted) { result[place] = paths[index] }
    return result
  }

  private static func firstTime(
    of path: String, _ open: (String) throws(TrackError) -> OpenInput
  ) throws(TrackError) -> Int64? {
    var input = try open(path)
    var batch = PointBatch()
    while let event = try input.next(into: &batch) {
      if case .waypoint(let waypoint) = event, let time = waypoint.time { return time.microseconds }
      guard case .points = event else { continue }
      for row in 0..<batch.count where batch.times[row] != Instant.absent { return batch.times[row] }
    }
    return nil
  }
}
