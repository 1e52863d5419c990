import TrackModel

/// A stage that processes whole segments: it collects the points of each segment and emits the changed
/// points. Routes are treated as segments. Memory grows with the longest segment.
protocol SegmentStage: TrackStage {
  var accumulator: SegmentAccumulator { get set }

  /// Returns the changed points of a segment or route.
  ///
  /// - Parameter points: at least one point.
  mutating func changed(_ points: PointColumns) -> PointColumns
}

/// The open segment or route.
struct SegmentAccumulator: Sendable {
  fileprivate(set) var isOpen = false
  fileprivate(set) var points = PointColumns()
  /// Events between the points, which are emitted after them so that a segment is not split.
  fileprivate(set) var extensions: [TrackEvent] = []
}

extension SegmentStage {
  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    accumulator.points.append(batch)
    batch.removeAll()
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) { collect(event, &output) }

  /// The default of ``take(_:_:)``, for stages that need some of the events.
  mutating func collect(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .annotation(.extensions) where accumulator.isOpen:
      accumulator.extensions.append(event)
      return
    case .beginSegment, .beginRoute: accumulator.isOpen = true
    case .endSegment, .endRoute: finish(&output)
    default: break
    }
    output.emit(event)
  }

  public mutating func finish(_ output: inout StageOutput) {
    let whole = accumulator
    accumulator = SegmentAccumulator()
    if !whole.points.isEmpty { output.emit(changed(whole.points)) }
    for event in whole.extensions { output.emit(event) }
  }
}
