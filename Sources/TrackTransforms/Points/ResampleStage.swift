import TrackModel

/// Resamples points at uniform steps of time or distance.
///
/// Positions, channels and extra values are interpolated linearly between the recorded neighbours. The first
/// and the last point of each segment are kept. Other details of a point are kept if a new point coincides
/// with it.
public struct ResampleStage: TrackStage, SegmentStage {
  /// The distance between the new points of a segment.
  public enum Step: Sendable, Hashable {
    /// A step in seconds, above zero. A segment with missing or decreasing times is left unchanged.
    case seconds(Double)
    /// A step in metres, above zero.
    case metres(Double)
  }

  /// The usual largest number of points of a stream. It is a quarter for points with extra values, which need
  /// more memory.
  public static let maximumPoints = 8_000_000

  private let step: Step
  private let maximumPoints: Int
  var accumulator = SegmentAccumulator()
  private var before = 0
  private var after = 0
  private var details = 0
  private var untimed = 0
  private var disordered = 0
  private var tooLong = 0
  private var gaps = 0

  /// The duration in seconds above which a filled gap is reported.
  private static let longGap = 6 * 3600.0

  /// Creates a stage for one stream.
  ///
  /// - Parameters:
  ///   - step: the distance between the new points.
  ///   - maximumPoints: the largest number of points of the stream, four times that of points with extra
  ///     values. Segments that would exceed it are left unchanged.
  public init(_ step: Step, maximumPoints: Int = ResampleStage.maximumPoints) {
    self.step = step
    self.maximumPoints = maximumPoints
  }

  public var summary: String? {
    guard before > 0 else { return nil }
    var text = "resample: \(Counted.of(before, "point")) became \(after)"
    if details > 0 { text += ", the names or other details of \(Counted.of(details, "point")) removed" }
    if gaps > 0 { text += ", \(Counted.of(gaps, "gap")) of more than 6 h filled" }
    let reasons = [
      (untimed, "without times"), (disordered, "with times that run backwards"),
      (tooLong, "too long for the step"),
    ]
    for (count, reason) in reasons where count > 0 {
      text += ", \(Counted.of(count, "segment")) \(reason) left as \(count == 1 ? "it was" : "they were")"
    }
    return text
  }

  mutating func changed(_ points: PointColumns) -> PointColumns {
    before += points.count
    let result = resampled(points) ?? points
    after += result.count
    details += Self.details(of: points) - Self.details(of: result)
    return result
  }

  /// Returns the number of points with details other than extra values.
  private static func details(of points: PointColumns) -> Int {
    points.details.count { row in
      guard row.details.extraValues != nil else { return true }
      var other = row.details
      other.extraValues = nil
      return !other.isEmpty
    }
  }

  /// Returns the resampled points. If that is not possible, counts the reason and returns nil.
  private mutating func resampled(_ points: PointColumns) -> PointColumns? {
    guard points.count > 1 else { return points }
    var axis: [Double] = []
    axis.reserveCapacity(points.count)
    let width: Double
    // The distance from the last point within which a new point would duplicate it.
    let least: Double
    switch step {
    case .seconds(let seconds):
      guard !points.times.contains(Instant.absent) else {
        untimed += 1
        return nil
      }
      // An overflowing difference is negative, and is treated as disorder.
      for time in points.times { axis.append(Double(time &- points.times[0]) / 1e6) }
      guard zip(axis, axis.dropFirst()).allSatisfy({ $0 <= $1 }) else {
        disordered += 1
        return nil
      }
      width = seconds
      least = min(width / 2, 0.5e-6)
    case .metres(let metres):
      var along = 0.0
      var previous = GeodeticPoint(points.coordinate(at: 0))
      for row in 0..<points.count {
        let point = GeodeticPoint(points.coordinate(at: row))
        along += Geodesy.distance(from: previous, to: point)
        previous = point
        axis.append(along)
      }
      width = metres
      least = min(width / 2, 1e-3)
    }
    let length = axis[points.count - 1]
    let hasExtraValues = points.details.contains { $0.details.extraValues != nil }
    let limit = hasExtraValues ? maximumPoints / 4 : maximumPoints
    guard width > 0, length / width < Double(limit - after) else {
      tooLong += 1
      return nil
    }
    if case .seconds = step {
      gaps += zip(axis, axis.dropFirst()).count { $1 - $0 > Self.longGap && $1 - $0 > width }
    }
    var sampling = Sampling(points)
    sampling.add(row: 0)
    var row = 0
    // Only full steps; the step before the last point is shorter.
    for index in 1..<(Int(length / width) + 2) {
      let position = Double(index) * width
      guard position < length - least else { break }
      while axis[row + 1] <= position { row += 1 }
      sampling.add(row: row, fraction: (position - axis[row]) / (axis[row + 1] - axis[row]))
    }
    sampling.add(row: points.count - 1)
    return sampling.finish()
  }
}

/// Collects points between the points of a segment.
private struct Sampling: ~Copyable {
  private let points: PointColumns
  private let channels: [Channel]
  private let details: [Int: PointDetails]
  private var batch = PointBatch()
  private var result = PointColumns()

  init(_ points: PointColumns) {
    self.points = points
    channels = points.channels.channels
    details = Dictionary(points.details.map { ($0.row, $0.details) }) { first, _ in first }
  }

  consuming func finish() -> PointColumns {
    result.append(batch)
    return result
  }

  private mutating func makeRoom() {
    guard batch.isFull else { return }
    result.append(batch)
    batch.removeAll()
  }

  /// Adds an existing point.
  mutating func add(row: Int) {
    makeRoom()
    batch.append(
      latitude: points.latitudes[row], longitude: points.longitudes[row], time: points.times[row])
    for channel in channels {
      if let value = points.value(channel, at: row) { batch.set(channel, value) }
    }
    if let details = details[row] { batch.set(details) }
  }

  /// Adds a point at a fraction of the distance from a row to the next.
  mutating func add(row: Int, fraction: Double) {
    guard fraction > 0 else { return add(row: row) }
    makeRoom()
    let coordinate = Geodesy.interpolate(
      from: points.coordinate(at: row), to: points.coordinate(at: row + 1), fraction: fraction)
    batch.append(latitude: coordinate.latitude, longitude: coordinate.longitude)
    if let start = points.time(at: row), let end = points.time(at: row + 1),
      let time = start.interpolated(to: end, fraction: fraction)
    {
      batch.set(time: time.microseconds)
    }
    for channel in channels {
      guard let start = points.value(channel, at: row), let end = points.value(channel, at: row + 1) else {
        continue
      }
      batch.set(channel, channel.interpolated(from: start, to: end, fraction: fraction))
    }
    guard !details.isEmpty, let start = details[row]?.extraValues, let end = details[row + 1]?.extraValues,
      let values = start.interpolated(to: end, fraction: fraction)
    else { return }
    var details = PointDetails()
    details.extraValues = values
    batch.set(details)
  }
}

extension Instant {
  /// Returns the time at a fraction of the interval to another time, to the microsecond; nil if the
  /// difference of the two overflows.
  ///
  /// - Parameter fraction: 0…1.
  func interpolated(to end: Instant, fraction: Double) -> Instant? {
    let (difference, overflow) = end.microseconds.subtractingReportingOverflow(microseconds)
    // As a double a difference may be rounded beyond the range of an integer.
    guard !overflow, let step = Int64(exactly: (Double(difference) * fraction).rounded()) else { return nil }
    let (time, isBeyond) = microseconds.addingReportingOverflow(step)
    return isBeyond || time == Instant.absent ? nil : Instant(microseconds: time)
  }
}
