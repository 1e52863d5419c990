public import TrackModel

/// Places points anew at an even step of time or distance: `--resample`.
///
/// Positions and channels are interpolated linearly between the neighbours in the recording; the first and the
/// last point of each segment stay. What points say in words is left out.
public struct ResampleStage: TrackStage {
  public enum Step: Sendable, Hashable {
    /// Seconds, above zero. Segments without times at all their points stay as they are.
    case seconds(Double)
    /// Metres, above zero.
    case metres(Double)
  }

  /// Points that one segment may become.
  static let maximumPoints = 20_000_000

  private let step: Step
  private var gathering = SegmentGathering()
  private var before = 0
  private var after = 0
  private var untouched = 0

  public init(_ step: Step) { self.step = step }

  public var summary: String? {
    guard before > 0 else { return nil }
    let rest =
      untouched == 0
      ? "" : ", \(Counted.of(untouched, "segment")) without times or too long left as they were"
    return "resample: \(Counted.of(before, "point")) became \(after)\(rest)"
  }

  public mutating func take(_ event: TrackEvent, _ batch: inout PointBatch, _ output: inout StageOutput) {
    gathering.take(event, batch, &output) { [step] points in
      before += points.count
      guard let result = ResampleStage.resample(points, step) else {
        untouched += 1
        after += points.count
        return points
      }
      after += result.count
      return result
    }
  }

  public mutating func finish(_ output: inout StageOutput) {
    gathering.finish(&output) { $0 }
  }

  /// The points at even steps; nil where the segment has no axis to step along.
  static func resample(_ points: PointColumns, _ step: Step) -> PointColumns? {
    guard points.count > 1 else { return points }
    let axis: [Double]
    let width: Double
    switch step {
    case .seconds(let seconds):
      guard !points.times.contains(Instant.absent) else { return nil }
      axis = points.times.map { Double($0 &- points.times[0]) / 1e6 }
      guard zip(axis, axis.dropFirst()).allSatisfy({ $0 <= $1 }) else { return nil }
      width = seconds
    case .metres(let metres):
      var along = 0.0
      axis = (0..<points.count).map { row in
        if row > 0 {
          along += Geodesy.distance(from: points.coordinate(at: row - 1), to: points.coordinate(at: row))
        }
        return along
      }
      width = metres
    }
    let length = axis[points.count - 1]
    guard width > 0, length / width < Double(maximumPoints) else { return nil }
    var result = PointColumns()
    var row = 0
    // Whole steps; what is left before the last point is a shorter one.
    for index in 0...Int(length / width) {
      let position = Double(index) * width
      guard position < length || length == 0 else { break }
      while row + 2 < points.count, axis[row + 1] <= position { row += 1 }
      let span = axis[row + 1] - axis[row]
      append(points, row, span > 0 ? (position - axis[row]) / span : 0, to: &result)
    }
    append(points, points.count - 2, 1, to: &result)
    return result
  }

  /// Adds the point at a fraction of the way from a row to the next.
  private static func append(
    _ points: PointColumns, _ row: Int, _ fraction: Double, to result: inout PointColumns
  ) {
    let isExact = fraction <= 0 || fraction >= 1
    let near = fraction >= 1 ? row + 1 : row
    let coordinate =
      isExact
      ? points.coordinate(at: near)
      : Geodesy.interpolate(
        from: points.coordinate(at: row), to: points.coordinate(at: row + 1), fraction: fraction)
    var time = points.time(at: near)
    if !isExact, let start = points.time(at: row), let end = points.time(at: row + 1) {
      let step = (Double(end.microseconds &- start.microseconds) * fraction).rounded()
      time = Instant(microseconds: start.microseconds + Int64(step))
    }
    var values: [Channel: Double] = [:]
    for channel in points.channels.channels {
      if isExact {
        values[channel] = points.value(channel, at: near)
      } else if let start = points.value(channel, at: row), let end = points.value(channel, at: row + 1) {
        values[channel] = interpolate(channel, start, end, fraction)
      }
    }
    result.append(coordinate, time: time, values: values)
  }

  private static func interpolate(_ channel: Channel, _ start: Double, _ end: Double, _ fraction: Double)
    -> Double
  {
    switch channel {
    case .course, .bearing, .magneticVariation:
      // Directions turn the short way round.
      let turn = (end - start + 540).truncatingRemainder(dividingBy: 360) - 180
      let value = (start + turn * fraction + 360).truncatingRemainder(dividingBy: 360)
      return value < 360 ? value : 0
    case .satellites, .heartRate, .cadence, .power: return (start + (end - start) * fraction).rounded()
    default: return start + (end - start) * fraction
    }
  }
}
