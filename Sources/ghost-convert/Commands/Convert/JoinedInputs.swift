import BulkImport
import GhostModel
import TrackFormats
import TrackModel
import TrackTransforms

/// Several inputs as one stream, one after the other; a bad one is reported and does not stop the rest.
///
/// What an input holds is whole in the stream, also where it breaks off: what is open there is closed. The
/// header of each input behind the first is an annotation of the file.
struct JoinedInputs: TrackReader, ~Copyable {
  /// What became of the inputs, for who has handed the stream on.
  final class Outcome {
    var status = ExitStatus.success
    /// How many inputs there were, and how many of them were whole.
    var count = 0
    var good = 0
    /// Whether a stage changed any of them.
    var isChanged = false
    /// What they hold that no event says.
    var unread = LossReport()
    /// What is to be said about them.
    var messages = ConversionMessages()
    /// What became of each.
    var records: [InputRecord] = []
  }

  typealias Opening = (ConversionInput) throws(TrackError) -> OpenTracks

  private let nextInput: () -> ConversionInput?
  private let open: Opening
  private let outcome: Outcome
  private let isForDrives: Bool
  private let isDriveWritten: Bool
  /// The points of the open input that an import would leave out.
  private var census = TrackCensus()
  private var input: OpenTracks?
  private var source: ConversionInput?
  private var hasHeader = false
  /// What has to be closed where the input breaks off, the outermost first.
  private var containers: [TrackEvent] = []
  private var fault: TrackError?

  /// Already reported.
  var warnings: [TrackWarning] { [] }

  /// - Parameters:
  ///   - next: gives the inputs one after the other.
  ///   - isForDrives: whether warnings about what drives do not hold are left out.
  ///   - isDriveWritten: whether the tracks are written as a drive, which leaves out the points that
  ///     ``TrackCensus`` counts.
  ///   - open: opens an input.
  init(
    _ next: @escaping () -> ConversionInput?, _ outcome: Outcome, isForDrives: Bool = false,
    isDriveWritten: Bool = false,
    open: @escaping Opening
  ) {
    nextInput = next
    self.outcome = outcome
    self.isForDrives = isForDrives
    self.isDriveWritten = isDriveWritten
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
        do throws(TrackError) { input = try open(source) } catch {
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
      outcome.unread.add(ended.reader.unread)
      record.warnings = ended.reader.warnings.filter { !isForDrives || $0.code.concernsDrives }
      record.warnings += census.warnings
      outcome.messages.report(record.warnings, file: name)
      let summaries = ended.reader.summaries
      if !summaries.isEmpty { outcome.isChanged = true }
      for summary in summaries { outcome.messages.complain("\(name): \(summary)") }
    }
    if let error = fault {
      outcome.messages.report(error.inFile(name))
      if outcome.status == ExitStatus.success { outcome.status = ExitStatus.of(error) }
    } else {
      outcome.good += 1
    }
    fault = nil
    containers = []
  }

  /// Inputs in an order.
  struct Sequence {
    let first: ConversionInput?
    /// Gives them one after the other, the first among them.
    let next: () -> ConversionInput?
  }

  /// All inputs in the order of the first times in them; those without a time and those that cannot be read
  /// stay where they are. Where one can be read only once, as standard input, all stay where they are.
  static func inTimeOrder(
    _ next: @escaping () -> ConversionInput?, open: Opening
  ) -> Sequence {
    var inputs: [ConversionInput] = []
    while let input = next() {
      inputs.append(input)
      // What is streamed has to be read before the walk goes on.
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
