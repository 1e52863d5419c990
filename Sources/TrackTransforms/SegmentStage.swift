import TrackModel

/// A stage that needs whole segments: gathers the points of each and emits what becomes of them. Routes are
/// segments too. Memory grows with the longest segment.
protocol SegmentStage: TrackStage {
  var gathering: SegmentGathering { get set }

  /// What becomes of the points of a segment or route.
  ///
  /// - Parameter points: at least one.
  mutating func changed(_ points: PointColumns) -> PointColumns
}

/// The segment or route that is open.
struct SegmentGathering: Sendable {
  fileprivate(set) var isOpen = false
  fileprivate(set) var points = PointColumns()
  /// What stands between the points, to be emitted behind them: a segment must not come in two halves.
  fileprivate(set) var extensions: [TrackEvent] = []
}

extension SegmentStage {
  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    gathering.points.append(batch)
    batch.removeAll()
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .annotation(.extensions) where gathering.isOpen:
      gathering.extensions.append(event)
      return
    case .beginSegment, .beginRoute: gathering.isOpen = true
    case .endSegment, .endRoute: finish(&output)
    default: break
    }
    output.emit(event)
  }

  public mutating func finish(_ output: inout StageOutput) {
    let whole = gathering
    gathering = SegmentGathering()
    if !whole.points.isEmpty { output.emit(changed(whole.points)) }
    for event in whole.extensions { output.emit(event) }
  }
}
