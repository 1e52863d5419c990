public import TrackModel

/// A step that changes a stream of tracks on its way from a reader to a writer.
///
/// A stage takes events in the order of the grammar in `TrackEvent` and emits events in that order. What it
/// leaves out it counts in ``summary``; off unless asked for, no stage does anything unsaid.
public protocol TrackStage: Sendable {
  /// Processes points in place.
  ///
  /// The rows that remain in the batch go on to the next stage, followed by what is emitted. A stage that
  /// emits something before the rows, or keeps them, takes them out of the batch
  /// (``StageOutput/move(_:)``, `removeAll`). The default passes all rows on.
  mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput)

  /// Takes the next event that is not `points` and emits the events that replace it.
  mutating func take(_ event: TrackEvent, _ output: inout StageOutput)

  /// The stream is over: emits what is still held back.
  mutating func finish(_ output: inout StageOutput)

  /// What the stage did, in one line for people: `simplify: 4142 of 5000 points left out`; nil where nothing.
  var summary: String? { get }

  /// The error that ends the stream; nil if there is none.
  var fault: TrackError? { get }

  /// What the user should check about the options of the stage. Complete at the end of the stream.
  var warnings: [TrackWarning] { get }
}

extension TrackStage {
  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {}
  public mutating func finish(_ output: inout StageOutput) {}
  public var warnings: [TrackWarning] { [] }
  public var fault: TrackError? { nil }
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

  /// Emits the rows of a batch, if there are any, and removes them from it.
  public mutating func move(_ batch: inout PointBatch) {
    guard batch.count > 0 else { return }
    items.append(.points(PointColumns(batch)))
    batch.removeAll()
  }

  /// Emits points, where there are any; any number of them.
  public mutating func emit(_ columns: PointColumns) {
    if !columns.isEmpty { items.append(.points(columns)) }
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
