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

  /// The error that ends the stream; nil if there is none.
  var fault: TrackError? { get }

  /// What the user should check about the options of the stage. Complete at the end of the stream.
  var warnings: [TrackWarning] { get }
}

extension TrackStage {
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
