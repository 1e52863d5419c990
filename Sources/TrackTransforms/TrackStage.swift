public import TrackModel

/// A step that changes a stream of tracks between a reader and a writer.
///
/// A stage takes events in the order of the grammar in `TrackEvent` and emits events in that order. It counts
/// the removed content in ``summary``. A stage is used only on request, and reports every change.
public protocol TrackStage: Sendable {
  /// Processes points in place.
  ///
  /// The rows that remain in the batch are passed to the next stage, followed by the emitted events. A stage
  /// that emits events before the rows, or keeps them, removes them from the batch
  /// (``StageOutput/move(_:)``, `removeAll`). The default passes all rows on.
  mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput)

  /// Processes the next event other than `points` and emits the events that replace it.
  mutating func take(_ event: TrackEvent, _ output: inout StageOutput)

  /// Ends the stream and emits the remaining content.
  mutating func finish(_ output: inout StageOutput)

  /// A one-line summary of the changes, such as `simplify: 4142 of 5000 points removed`; nil if there were
  /// none.
  var summary: String? { get }

  /// The error that ends the stream; nil if there is none.
  var fault: TrackError? { get }

  /// Warnings about the options of the stage. Complete at the end of the stream.
  var warnings: [TrackWarning] { get }
}

extension TrackStage {
  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {}
  public mutating func finish(_ output: inout StageOutput) {}
  public var warnings: [TrackWarning] { [] }
  public var fault: TrackError? { nil }
}

/// The events emitted by a stage, stored until the next stage requests them.
public struct StageOutput: Sendable {
  private enum Item: Sendable {
    case event(TrackEvent)
    case points(PointColumns)
  }

  private var items: [Item] = []
  private var next = 0
  /// The next row, if the first item consists of points.
  private var row = 0

  /// Creates an empty output.
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

  /// Emits any number of points.
  public mutating func emit(_ columns: PointColumns) {
    if !columns.isEmpty { items.append(.points(columns)) }
  }

  /// Emits all remaining events of another output.
  mutating func append(_ other: StageOutput) { items += other.items[other.next...] }

  /// Removes and returns the first event, adding its points to the batch; nil if nothing is left.
  package mutating func deliver(into batch: inout PointBatch) -> TrackEvent? {
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
    // Points are large, so they are released immediately.
    items[next] = .event(.points)
    next += 1
    row = 0
  }
}
