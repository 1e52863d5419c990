import TrackModel

/// A stage that needs whole segments: gathers the points of each and emits what becomes of them. Routes are
/// segments too. Memory grows with the longest segment.
struct SegmentGathering: Sendable {
  private(set) var points = PointColumns()
  private(set) var isInRoute = false

  /// Takes an event; what is no point passes on.
  ///
  /// - Returns: the points of a segment or route that is over, before its end event is emitted.
  mutating func take(
    _ event: TrackEvent, _ batch: borrowing PointBatch, _ output: inout StageOutput,
    transform: (PointColumns) -> PointColumns
  ) {
    switch event {
    case .points:
      points.append(batch)
      return
    case .beginRoute: isInRoute = true
    case .endSegment, .endRoute, .annotation(.extensions):
      // Extensions of a segment stand behind its points.
      finish(&output, transform: transform)
      if case .endRoute = event { isInRoute = false }
    default: break
    }
    output.emit(event)
  }

  mutating func finish(_ output: inout StageOutput, transform: (PointColumns) -> PointColumns) {
    guard !points.isEmpty else { return }
    output.emit(transform(points))
    points = PointColumns()
  }
}
