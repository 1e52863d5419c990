public import GhostModel
public import TrackModel

/// The positions of a drive over time, in 12 bytes per fix.
public struct RideFingerprint: Sendable, Hashable {
  /// The time of the first fix.
  public let start: Instant
  /// Whether the times are recorded. Otherwise the duration is spread evenly over the points.
  public let hasTimestamps: Bool
  private(set) var fixes = CompactFixes()
  /// The number of fixes before the fingerprint was thinned.
  private(set) var recordedCount = 0

  /// Whether another drive overlaps in time, or starts or ends shortly before or after it.
  func isConcurrent(with other: RideFingerprint) -> Bool {
    let delay = other.start.seconds(since: start)
    return delay <= duration + DriveDuplicates.startTolerance
      && -delay <= other.duration + DriveDuplicates.startTolerance
  }

  /// Creates the fingerprint of a recording from its fixes with ascending times.
  ///
  /// - Returns: `nil` for fewer than two fixes.
  public init?(_ recording: Recording) {
    guard let start = recording.startTime else { return nil }
    self.start = start
    hasTimestamps = true
    for segment in recording.segments {
      for row in 0..<segment.count where segment.times[row] != Instant.absent {
        let place = Coordinate(latitude: segment.latitudes[row], longitude: segment.longitudes[row])
        append(place, Instant(microseconds: segment.times[row]).seconds(since: start))
      }
    }
    guard count > 1 else { return nil }
  }

  /// Computes the fingerprint of a drive without times for its points.
  ///
  /// - Parameters:
  ///   - coordinates: the coordinates in driving order.
  ///   - duration: the duration in seconds, spread evenly over the coordinates.
  ///   - start: the time of the first coordinate.
  /// - Returns: `nil` for fewer than two coordinates.
  public init?(evenly coordinates: [Coordinate], over duration: Double, from start: Instant) {
    guard coordinates.count > 1, duration > 0, duration.isFinite else { return nil }
    self.start = start
    hasTimestamps = false
    let step = duration / Double(coordinates.count - 1)
    for (index, coordinate) in coordinates.enumerated() { append(coordinate, Double(index) * step) }
    guard count > 1 else { return nil }
  }

  /// Creates the fingerprint of a drive from its recording if that has times, or else from its points.
  ///
  /// - Returns: `nil` for a drive without a start time or with fewer than two points.
  public init?(_ drive: Drive, _ recording: Recording?) {
    if let recording, let fingerprint = RideFingerprint(recording) {
      self = fingerprint
    } else {
      guard let start = drive.startTime else { return nil }
      self.init(evenly: drive.coordinates, over: drive.duration, from: start)
    }
  }

  /// Creates the fingerprint of a drive.
  ///
  /// - Returns: `nil` for a drive without a start time or with fewer than two points.
  public init?(_ drive: TimedDrive) {
    guard let start = drive.startTime else { return nil }
    self.start = start
    hasTimestamps = drive.hasTimestamps
    for row in 0..<drive.count { append(drive.coordinate(at: row), drive.elapsed[row]) }
    guard count > 1 else { return nil }
  }

  /// - Parameter fixes: those of another fingerprint.
  init(start: Instant, hasTimestamps: Bool, fixes: CompactFixes, recordedCount: Int) {
    self.start = start
    self.hasTimestamps = hasTimestamps
    self.fixes = fixes
    self.recordedCount = recordedCount
  }

  private mutating func append(_ coordinate: Coordinate, _ seconds: Double) {
    guard coordinate.isValid, elapsed.last.map({ Float(seconds) > $0 }) ?? (seconds >= 0) else { return }
    fixes.append(coordinate, seconds)
    recordedCount += 1
  }

  /// The number of fixes.
  public var count: Int { fixes.count }
  /// Per fix: ascending seconds since the first one.
  var elapsed: [Float] { fixes.elapsed }
  /// The seconds from the first fix to the last.
  public var duration: Double { Double(elapsed.last ?? 0) - Double(elapsed.first ?? 0) }

  func coordinate(at row: Int) -> Coordinate { fixes.coordinate(at: row) }

  /// Returns the first row at or after a time in seconds since ``start``: 0…count.
  func row(from moment: Double) -> Int { elapsed.partitionIndex { Double($0) >= moment } }

  /// Returns at most `limit` evenly chosen fixes, including the first and the last.
  func thinned(to limit: Int) -> RideFingerprint {
    guard count > limit, limit > 1 else { return self }
    let rows = (0..<limit).map { $0 * (count - 1) / (limit - 1) }
    return RideFingerprint(
      start: start, hasTimestamps: hasTimestamps, fixes: fixes[rows], recordedCount: recordedCount)
  }

  /// Whether a copy of the recording contains all of it, except a short time or way at the ends, in a similar
  /// density. Drives without times are only compared by start and duration.
  ///
  /// - Parameters:
  ///   - other: the copy.
  ///   - lag: the seconds by which this recording's clock is ahead of the copy's.
  public func isCovered(by other: RideFingerprint, lag: Double) -> Bool {
    let begin = lag - start.seconds(since: other.start)
    let end = begin + other.duration
    guard hasTimestamps, other.hasTimestamps else {
      let slack = max(30, 0.05 * duration)
      return begin <= slack && duration - end <= slack
    }
    let head = row(from: begin)
    let tail = max(row(from: end.nextUp) - 1, 0)
    guard begin <= Self.uncovered.seconds || way(0...min(head, count - 1)) <= Self.uncovered.metres,
      duration - end <= Self.uncovered.seconds || way(tail...(count - 1)) <= Self.uncovered.metres
    else { return false }
    let rate = Double(other.recordedCount) / max(other.duration, 1)
    guard Double(recordedCount) <= Self.denser * rate * max(duration, 1) else { return false }
    let steps = zip(other.elapsed, other.elapsed.dropFirst()).map { (Double($0), Double($1 - $0)) }
    let usual = steps.map(\.1).upperMedian ?? 0
    let missing = steps.reduce(0) { metres, step in
      guard step.1 > max(Self.uncovered.seconds, Self.gap * usual) else { return metres }
      let first = row(from: begin + step.0)
      let last = row(from: (begin + step.0 + step.1).nextUp) - 1
      // The way between the two fixes is known.
      return last > first + 1 ? metres + way(first...last) : metres
    }
    return missing <= Self.uncovered.metres
  }

  /// The time or the way at an end that a copy may lack, or in gaps, and the ratio of fixes, about two, that
  /// makes a recording more than its copy.
  private static let uncovered = (seconds: 10.0, metres: 100.0)
  private static let denser = 1.8
  /// The number of usual intervals of a copy that are a gap in it.
  private static let gap: Double = 5

  /// Returns the length of the way between fixes in metres.
  private func way(_ rows: ClosedRange<Int>) -> Double {
    zip(rows, rows.dropFirst()).reduce(0) {
      $0 + Geodesy.distance(from: coordinate(at: $1.0), to: coordinate(at: $1.1))
    }
  }

  /// Returns the seconds by which the clock of a copy is ahead, if both have the same fixes at times that
  /// differ by a constant of up to `limit` seconds, otherwise `nil`.
  func clockDifference(toCopy other: RideFingerprint, upTo limit: Double) -> Double? {
    let difference = other.start.seconds(since: start)
    guard recordedCount == other.recordedCount, hasTimestamps, other.hasTimestamps,
      abs(duration - other.duration) < Self.rounding.seconds, abs(difference) <= limit
    else { return nil }
    // One of them may be thinned.
    let (first, second) = (thinned(to: other.count), other.thinned(to: count))
    guard first.count >= Self.leastCopy, first.count == second.count else { return nil }
    for row in 0..<first.count {
      guard first.fixes.difference(at: row, to: second.fixes) <= Self.rounding.position,
        abs(first.elapsed[row] - second.elapsed[row]) < Float(Self.rounding.seconds)
      else { return nil }
    }
    return difference
  }

  /// The number of fixes that no two drives have in common, and the differences of rounded values in seconds
  /// and 1e-7 degrees.
  private static let leastCopy = 20
  private static let rounding = (seconds: 1.01, position: Int64(10))
}

extension RideFingerprint {
  /// Returns the way over several seconds around a time in seconds since the first fix, because the course
  /// between two fixes is noisy, and the speed in metres per second.
  func motion(at moment: Double) -> (way: LocalPlane.Way, speed: Double) {
    let low = max(row(from: moment - 2) - 1, 0)
    let high = max(min(row(from: moment + 2), count - 1), low)
    let way = LocalPlane(at: coordinate(at: low)).way(to: coordinate(at: high))
    return (way, way.length / max(Double(elapsed[high] - elapsed[low]), 0.001))
  }

  /// Returns the position at a time in seconds since the first fix, and the time and the distance between the
  /// fixes around it.
  func place(at moment: Double) -> (coordinate: Coordinate, seconds: Double, metres: Double) {
    let next = min(max(row(from: moment.nextUp), 1), count - 1)
    let (from, to) = (Double(elapsed[next - 1]), Double(elapsed[next]))
    let (start, end) = (coordinate(at: next - 1), coordinate(at: next))
    let place = Geodesy.interpolate(from: start, to: end, fraction: (moment - from) / (to - from))
    return (place, to - from, Geodesy.distance(from: start, to: end))
  }
}
