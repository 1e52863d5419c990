public import TrackModel

/// Rejects tracks whose times count from `DriveElement.unknownStart`, before stages that depend on the times
/// at which they were recorded.
public struct KnownStartStage: TrackStage {
  private let action: String
  private var isFirst = true
  public private(set) var fault: TrackError?

  /// Creates a stage for one stream.
  ///
  /// - Parameter action: the changes that need a start time, for the error: `shifted or cropped`.
  public init(_ action: String) { self.action = action }

  public var summary: String? { nil }

  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    for row in 0..<batch.count where isFirst {
      guard let time = batch.time(at: row) else { continue }
      isFirst = false
      guard DriveElement.isFromUnknownStart(time) else { return }
      fault = TrackError(
        .noTimes, "no start time, so the times cannot be \(action)", suggestion: .provideStart)
      batch.removeAll()
    }
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    if case .beginTrack = event { isFirst = true }
    output.emit(event)
  }
}
