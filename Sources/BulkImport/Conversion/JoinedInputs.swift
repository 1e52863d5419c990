import GhostModel
import TrackFormats
import TrackModel
import TrackTransforms

/// A reader that concatenates several inputs into one stream. A failing input is reported and does not stop
/// the others.
///
/// Every input is complete in the stream: if it is interrupted, its open tracks and segments are closed. The
/// headers of inputs after the first are annotations of the file.
struct JoinedInputs: TrackReader, ~Copyable {
  /// The outcome of the inputs, for the owner of the stream.
  final class Outcome {
    /// The first failure of an input.
    var firstFault: TrackError?
    /// The number of inputs, and of those without failures.
    var count = 0
    var good = 0
    /// Whether a stage has changed any of them.
    var isChanged = false
    /// Whether privacy zones removed points.
    var hasHiddenPoints = false
    /// Content of the inputs that events cannot represent.
    var unsupportedContent = LossReport()
    /// Messages about the inputs.
    var messages = ConversionMessages()
    /// A record for each input.
    var records: [InputRecord] = []
  }

  typealias Opening = (ConversionInput) throws(TrackError) -> OpenTracks

  private let nextInput: () -> ConversionInput?
  private let open: Opening
  private let outcome: Outcome
  private let isForDrives: Bool
  private let isDriveWritten: Bool
  private let namesTracks: Bool
  /// The points of the open input that an import would remove.
  private var census = TrackCensus()
  private var input: OpenTracks?
  private var source: ConversionInput?
  private var hasHeader = false
  /// The events that close the open input, the outermost first.
  private var containers: [TrackEvent] = []
  private var fault: TrackError?

  /// Empty: the warnings were reported with the inputs.
  var warnings: [TrackWarning] { [] }

  /// - Parameters:
  ///   - next: returns the inputs one by one.
  ///   - isForDrives: whether warnings about content that drives do not contain are omitted.
  ///   - isDriveWritten: whether the tracks are written as a drive, which omits the points that
  ///     ``TrackCensus`` counts.
  ///   - namesTracks: whether tracks without a name are named after their inputs.
  ///   - open: opens an input.
  init(
    _ next: @escaping () -> ConversionInput?, _ outcome: Outcome, isForDrives: Bool = false,
    isDriveWritten: Bool = false, namesTracks: Bool = false,
    open: @escaping Opening
  ) {
    nextInput = next
    self.outcome = outcome
    self.isForDrives = isForDrives
    self.isDriveWritten = isDriveWritten
    self.namesTracks = namesTracks
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
        guard let source = nextInput() else { return nil }
        if case .refused(let error) = source.content { throw error }
        if case .skipped(let reason) = source.content {
          outcome.records.append(InputRecord(source.path, skipped: reason))
          continue
        }
        self.source = source
        outcome.count += 1
        census = TrackCensus(isLeftOut: isDriveWritten)
        do throws(TrackError) {
          input = try open(source)
          census.hasAllPoints =
            input?.reader.stages.contains { $0 is RepairStage || $0 is SimplifyStage } != true
        } catch {
          fault = error
          continue
        }
      }
      do throws(TrackError) {
        guard let event = try input?.reader.next(into: &batch) else {
          endInput()
          continue
        }
        note(event)
        if !isForDrives { census.add(event, batch) }
        if case .header(let info) = event {
          if hasHeader { return .annotation(.file(info)) }
          hasHeader = true
        }
        if namesTracks, case .beginTrack(var info) = event, info.name == nil {
          info.name = source.map { InputPath.stem($0.path) }
          return .beginTrack(info)
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
    case .points: source?.progress.update()
    case .header, .waypoint, .annotation: break
    }
  }

  private mutating func endInput() {
    let name = InputPath.name(source?.path ?? "")
    var record = fault.map { InputRecord(name, failed: $0) } ?? InputRecord(name, .converted)
    record.identity = (try? source?.tap?.finish()) ?? nil
    record.format = input?.format.name
    defer { outcome.records.append(record) }
    if let ended = input.take() {
      outcome.unsupportedContent.add(ended.reader.unsupportedContent)
      record.warnings = ended.reader.warnings.filter { !isForDrives || $0.code.concernsDrives }
      record.warnings += census.warnings
      outcome.messages.report(record.warnings, file: name)
      let summaries = ended.reader.summaries
      if !summaries.isEmpty { outcome.isChanged = true }
      for stage in ended.reader.stages {
        if let stage = stage as? PrivacyStage, stage.removed > 0 { outcome.hasHiddenPoints = true }
      }
      for summary in summaries { outcome.messages.add(note: "\(name): \(summary)") }
    }
    if let error = fault {
      // The import reports them with the results.
      if !isForDrives { outcome.messages.report(error.inFile(name)) }
      outcome.firstFault = outcome.firstFault ?? error
    } else {
      outcome.good += 1
    }
    fault = nil
    containers = []
  }

  /// A sequence of inputs.
  struct Sequence {
    let first: ConversionInput?
    /// Returns the inputs one by one, starting with the first.
    let next: () -> ConversionInput?
  }

  /// Returns all inputs in the order of their first times.
  ///
  /// Inputs without a time and unreadable ones keep their positions. If an input can be read only once, such
  /// as standard input, all inputs keep their positions.
  static func inTimeOrder(
    _ next: @escaping () -> ConversionInput?, open: Opening
  ) -> Sequence {
    var inputs: [ConversionInput] = []
    while let input = next() {
      inputs.append(input)
      // A streamed input must be read before the enumeration continues.
      if input.isStreamed { return Sequence(first: inputs.first, next: follow(inputs, next)) }
    }
    let times = inputs.map { try? firstTime(of: $0, open) }
    let timed = inputs.indices.filter { times[$0] != nil }
    let sorted = timed.sorted { (times[$0] ?? 0, $0) < (times[$1] ?? 0, $1) }
    var result = inputs
    for (place, index) in zip(timed, sorted) { result[place] = inputs[index] }
    return Sequence(first: result.first, next: follow(result, { nil }))
  }

  private static func follow(
    _ inputs: [ConversionInput], _ next: @escaping () -> ConversionInput?
  ) -> () -> ConversionInput? {
    var rest = inputs[...]
    return { rest.popFirst() ?? next() }
  }

  private static func firstTime(of source: ConversionInput, _ open: Opening) throws(TrackError) -> Int64? {
    var input = try open(source)
    var batch = PointBatch()
    while let event = try input.reader.next(into: &batch) {
      if case .waypoint(let waypoint) = event, let time = waypoint.time { return time.microseconds }
      guard case .points = event else { continue }
      for row in 0..<batch.count where batch.times[row] != Instant.absent { return batch.times[row] }
    }
    return nil
  }
}
