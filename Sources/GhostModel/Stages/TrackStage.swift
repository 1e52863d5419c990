public import TrackModel

/// A step that changes a stream of tracks on its way from a reader to a writer.
///
/// A stage takes events in the order of the grammar in `TrackEvent` and emits events in that order. What it
/// leaves out it counts in ``summary``; off unless asked for, no stage does anything unsaid.
public protocol TrackStage: Sendable {
  /// Takes the next event and emits what becomes of it.
  ///
  /// - Parameter batch: the rows of `points`; may be changed in place before it is emitted.
  mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput)

  /// The stream is over: emits what is still held back.
  mutating func finish(_ output: inout StageOutput)

  /// What the stage did, in one line for people: `simplify: 4142 of 5000 points left out`; nil where nothing.
  var summary: String? { get }
}

extension TrackStage {
  public mutating func finish(_ output: inout StageOutput) {}
}

/// What a stage emits, held until the next stage asks for it.
public struct StageOutput: Sendable {
  private enum Item: Sendable {
    case event(TrackEvent)
    case points(PointColumns)
  }

  private var items: [Item] = []
  private var next = 0
  /// The row of the first item that is next, where that is points.
  private var row = 0

  public init() {}

  /// Emits an event that is not `points`.
  public mutating func emit(_ event: TrackEvent) {
    if case .points = event { return }
    items.append(.event(event))
  }

  /// Emits the rows of a batch, where there are any.
  public mutating func emit(_ batch: borrowing PointBatch) {
    guard batch.count > 0 else { return }
    var columns = PointColumns()
    columns.append(batch)
    items.append(.points(columns))
  }

  /// Emits points, where there are any; any number of them.
  public mutating func emit(_ columns: PointColumns) {
    if !columns.isEmpty { items.append(.points(columns)) }
  }

  /// Emits an event that a stage does not change, with its batch where it is `points`.
  public mutating func pass(_ event: TrackEvent, _ batch: borrowing PointBatch) {
    if case .points = event { emit(batch) } else { items.append(.event(event)) }
  }

  /// Emits all that another output still holds.
  mutating func append(_ other: StageOutput) { items += other.items[other.next...] }

  /// What another output still holds, without its points.
  var structure: StageOutput {
    var result = StageOutput()
    for item in items[next...] { if case .event(let event) = item { result.items.append(.event(event)) } }
    return result
  }

  /// Delivers what was emitted first, points into the batch; nil where nothing is left.
  mutating func deliver(into batch: inout PointBatch) -> TrackEvent? {
    while next < items.count {
      switch items[next] {
      case .event(let event):
        advance()
        return event
      case .points(let columns):
        row += batch.append(columns, from: row)
        if row == columns.count { advance() }
        return .points
      }
    }
    items.removeAll(keepingCapacity: true)
    next = 0
    return nil
  }

  private mutating func advance() {
    // Points are large: let go of them at once.
    items[next] = .event(.points)
    next += 1
    row = 0
  }
}

/// A reader with stages behind it, one after the other: itself a reader.
public struct StagedReader: TrackReader, ~Copyable {
  /// A stage, and how far the stream before it has come.
  private struct Step {
    var stage: any TrackStage
    var output = StageOutput()
    var isAtEnd = false
    var pending: TrackError?

    var summary: String? { stage.summary }

    mutating func take(_ event: TrackEvent, _ batch: inout PointBatch) { stage.take(event, &batch, &output) }

    /// What a stage holds back is whole, and comes out before an error.
    mutating func finish(_ error: TrackError? = nil) {
      isAtEnd = true
      pending = error
      stage.finish(&output)
    }
  }

  private var upstream: any TrackReader & ~Copyable
  private var steps: [Step]

  /// - Parameter stages: the first is the one next to the reader.
  public init(_ upstream: consuming any TrackReader & ~Copyable, _ stages: [any TrackStage]) {
    self.upstream = upstream
    steps = stages.map { Step(stage: $0) }
  }

  /// Those of the reader; complete at the end of the stream.
  public private(set) var warnings: [TrackWarning] = []

  /// What the stages did, in their order; complete at the end of the stream.
  public var summaries: [String] { steps.compactMap(\.summary) }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try pull(steps.count - 1, into: &batch)
  }

  /// The next event behind a stage. One batch serves all of them, because each copies what it emits.
  private mutating func pull(_ index: Int, into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    guard index >= 0 else {
      do throws(TrackError) {
        if let event = try upstream.next(into: &batch) { return event }
        warnings = upstream.warnings
        return nil
      } catch {
        warnings = upstream.warnings
        throw error
      }
    }
    while true {
      batch.removeAll()
      if let event = steps[index].output.deliver(into: &batch) { return event }
      if let error = steps[index].pending {
        steps[index].pending = nil
        throw error
      }
      guard !steps[index].isAtEnd else { return nil }
      do throws(TrackError) {
        if let event = try pull(index - 1, into: &batch) {
          steps[index].take(event, &batch)
        } else {
          steps[index].finish()
        }
      } catch {
        steps[index].finish(error)
      }
    }
  }
}
