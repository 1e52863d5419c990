public import TrackModel

/// Moves tracks whose times count from `DriveElement.unknownStart` to a known start, and removes their mark.
public struct StartStage: TrackStage {
  private var shift: ShiftStage
  /// Whether the times of the open track count from an unknown start; nil before its first time.
  private var isArtificial: Bool?

  /// Creates a stage for one stream.
  ///
  /// - Parameter start: the time from which the times count.
  public init(_ start: Instant) {
    shift = ShiftStage(seconds: start.seconds(since: DriveElement.unknownStart))
  }

  public var summary: String? { nil }

  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    for row in 0..<batch.count where isArtificial == nil {
      isArtificial = batch.time(at: row).map(DriveElement.isFromUnknownStart)
    }
    if isArtificial == true { shift.process(&batch, &output) }
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .beginTrack(let info):
      isArtificial = info.extensions.contains { RecordedDrive($0)?.hasArtificialClock == true } ? true : nil
      if isArtificial == true {
        shift.take(.beginTrack(info.withoutArtificialClock), &output)
      } else {
        output.emit(event)
      }
    case .annotation(.track(let info)) where isArtificial == true:
      shift.take(.annotation(.track(info.withoutArtificialClock)), &output)
    case .beginRoute:
      isArtificial = false
      output.emit(event)
    default: output.emit(event)
    }
  }
}

extension TrackInfo {
  /// The information without the mark of artificial times.
  fileprivate var withoutArtificialClock: TrackInfo {
    var info = self
    info.extensions = extensions.compactMap { element in
      guard element.isDrive else { return element }
      let attributes = element.attributes.filter { $0.name != DriveElement.clock }
      return attributes.isEmpty ? nil : DriveElement.make(attributes)
    }
    return info
  }
}
