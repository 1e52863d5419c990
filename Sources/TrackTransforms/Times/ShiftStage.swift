public import TrackModel

/// Shifts all times by a number of seconds. The creation time of the file is unchanged.
public struct ShiftStage: TrackStage {
  /// The largest shift in either direction, in seconds: about 9,500 years.
  public static let maximum = 3e11

  private let microseconds: Int64
  private var count = 0

  /// Creates a stage for one stream.
  ///
  /// - Parameter seconds: positive for later times; limited to ±``maximum``.
  public init(seconds: Double) {
    let limit = Instant.microseconds(inSeconds: Self.maximum)
    microseconds = max(-limit, min(limit, Instant.microseconds(inSeconds: seconds)))
  }

  public var summary: String? {
    count == 0
      ? nil
      : "shift: \(Counted.of(count, "time")) shifted by \(Counted.duration(Double(microseconds) / 1e6))"
  }

  public mutating func process(_ batch: inout PointBatch, _ output: inout StageOutput) {
    var times = batch.mutableTimes
    for row in times.indices where times[row] != Instant.absent { times[row] = moved(times[row]) }
  }

  public mutating func take(_ event: TrackEvent, _ output: inout StageOutput) {
    switch event {
    case .waypoint(var waypoint):
      waypoint.time = moved(waypoint.time)
      output.emit(.waypoint(waypoint))
    case .beginTrack(let info): output.emit(.beginTrack(moved(info)))
    case .beginRoute(let info): output.emit(.beginRoute(moved(info)))
    case .annotation(.track(let info)): output.emit(.annotation(.track(moved(info))))
    default: output.emit(event)
    }
  }

  /// Returns the shifted time. A time is unchanged if the result would be out of range.
  private mutating func moved(_ time: Int64) -> Int64 {
    let (sum, overflow) = time.addingReportingOverflow(microseconds)
    guard !overflow, sum != Instant.absent else { return time }
    count += 1
    return sum
  }

  private mutating func moved(_ time: Instant?) -> Instant? {
    time.map { Instant(microseconds: moved($0.microseconds)) }
  }

  private mutating func moved(_ info: TrackInfo) -> TrackInfo {
    var info = info
    if let span = info.timeSpan { info.timeSpan = TimeSpan(begin: moved(span.begin), end: moved(span.end)) }
    for index in info.laps.indices { info.laps[index].start = moved(info.laps[index].start) }
    return info
  }
}
