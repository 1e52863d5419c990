public import TrackModel

/// Keeps what lies in a stretch of time: `--crop`.
///
/// A trackpoint without a time lies in no stretch of it and goes; waypoints and routepoints without one are
/// places rather than a recording and stay.
public struct CropStage: TrackStage {
  /// Which times stay, both ends included.
  public enum Bounds: Sendable, Hashable {
    /// Between two moments; nil is open.
    case instants(from: Instant?, to: Instant?)
    /// Between two times of day in UTC, in seconds since midnight; over midnight where the first is the
    /// later.
    case timesOfDay(from: Double, to: Double)
  }

  private let bounds: Bounds
  private var isInRoute = false
  private var total = 0
  private var removed = 0
  private var untimed = 0

  public init(_ bounds: Bounds) { self.bounds = bounds }

  public var summary: String? {
    let reason = untimed == 0 ? "" : ", \(untimed) of them without a time"
    return Counted.leftOut("crop", removed, of: total).map { $0 + reason }
  }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    switch event {
    case .points:
      total += batch.count
      let kept = (0..<batch.count).map { keeps(batch.time(at: $0)) }
      if !isInRoute { untimed += (0..<batch.count).count { batch.time(at: $0) == nil } }
      removed += batch.keepRows { kept[$0] }
      output.emit(batch)
      return
    case .waypoint(let waypoint):
      total += 1
      guard waypoint.time == nil || keeps(waypoint.time) else {
        removed += 1
        return
      }
    case .beginRoute: isInRoute = true
    case .endRoute: isInRoute = false
    default: break
    }
    output.emit(event)
  }

  private func keeps(_ time: Instant?) -> Bool {
    guard let time else { return isInRoute }
    switch bounds {
    case .instants(let from, let to):
      return (from.map { $0 <= time } ?? true) && (to.map { time <= $0 } ?? true)
    case .timesOfDay(let from, let to):
      let day: Int64 = 86_400_000_000
      let rest = time.microseconds % day
      let second = Double(rest < 0 ? rest + day : rest) / 1e6
      return from <= to ? from <= second && second <= to : from <= second || second <= to
    }
  }
}
