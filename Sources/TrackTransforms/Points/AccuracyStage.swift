public import TrackModel

/// Removes points whose horizontal accuracy is worse than a limit. Points without an accuracy are kept.
public struct AccuracyStage: TrackStage {
  private let limit: Double
  private var total = 0
  private var removed = 0

  /// Creates a stage for one stream.
  ///
  /// - Parameter metres: the largest horizontal accuracy to keep.
  public init(metres: Double) { limit = metres }

  public var summary: String? { Counted.leftOut("max-accuracy", removed, of: total) }

  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    total += batch.count
    guard batch.channels.contains(.horizontalAccuracy) else { return }
    let kept = (0..<batch.count).map { row in !((batch.value(.horizontalAccuracy, at: row) ?? 0) > limit) }
    removed += batch.keepRows { kept[$0] }
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .waypoint(let waypoint):
      total += 1
      if let accuracy = waypoint.values[.horizontalAccuracy], accuracy > limit {
        removed += 1
      } else {
        output.emit(event)
      }
    default: output.emit(event)
    }
  }
}
