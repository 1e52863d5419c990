public import GhostModel
public import TrackModel

/// Where a drive was when: its fixes as they were recorded, 12 bytes each.
public struct RideSketch: Sendable, Hashable {
  /// When the first fix was made.
  public let start: Instant
  /// Whether the times are those of the fixes; else a duration is spread over the points.
  public let hasTimestamps: Bool
  /// Per fix: seconds since the first, ascending, and 1e-7 degrees, which is 1 cm.
  private(set) var elapsed: [Float] = []
  private(set) var latitudes: [Int32] = []
  private(set) var longitudes: [Int32] = []

  /// The fixes of a recording that have a time and are later than those before them.
  ///
  /// - Returns: nil for fewer than two.
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

  /// - Parameters:
  ///   - coordinates: in driving order.
  ///   - duration: seconds, spread evenly over the coordinates.
  /// - Returns: nil for fewer than two coordinates.
  public init?(evenly coordinates: [Coordinate], over duration: Double, from start: Instant) {
    guard coordinates.count > 1, duration > 0, duration.isFinite else { return nil }
    self.start = start
    hasTimestamps = false
    let step = duration / Double(coordinates.count - 1)
    for (index, coordinate) in coordinates.enumerated() { append(coordinate, Double(index) * step) }
    guard count > 1 else { return nil }
  }

  /// The fixes of a drive: those of its recording where that has times, else its own points.
  ///
  /// - Returns: nil where it does not say when it began, or has fewer than two points.
  public init?(_ drive: Drive, _ recording: Recording?) {
    if let recording, let sketch = RideSketch(recording) {
      self = sketch
    } else {
      guard let start = drive.startTime, let coordinates = try? drive.coordinates else { return nil }
      self.init(evenly: coordinates, over: drive.duration, from: start)
    }
  }

  /// - Parameters: columns of one length, as another sketch holds them.
  init(
    start: Instant, hasTimestamps: Bool, elapsed: [Float], latitudes: [Int32], longitudes: [Int32]
  ) {
    self.start = start
    self.hasTimestamps = hasTimestamps
    self.elapsed = elapsed
    self.latitudes = latitudes
    self.longitudes = longitudes
  }

  private mutating func append(_ coordinate: Coordinate, _ seconds: Double) {
    let time = Float(seconds)
    guard coordinate.isValid, elapsed.last.map({ time > $0 }) ?? (seconds >= 0) else { return }
    elapsed.append(time)
    latitudes.append(Int32((coordinate.latitude * 1e7).rounded()))
    longitudes.append(Int32((coordinate.longitude * 1e7).rounded()))
  }

  /// The number of fixes.
  public var count: Int { elapsed.count }
  /// Seconds from the first fix to the last.
  public var duration: Double { Double(elapsed.last ?? 0) - Double(elapsed.first ?? 0) }

  func coordinate(at row: Int) -> Coordinate {
    Coordinate(latitude: Double(latitudes[row]) / 1e7, longitude: Double(longitudes[row]) / 1e7)
  }

  /// The first row at or after a moment, in seconds since ``start``: 0…count.
  func row(from moment: Double) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if Double(elapsed[middle]) < moment { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// At most so many of the fixes, evenly chosen, the first and the last among them.
  func thinned(to limit: Int) -> RideSketch {
    guard count > limit, limit > 1 else { return self }
    let rows = (0..<limit).map { $0 * (count - 1) / (limit - 1) }
    return RideSketch(
      start: start, hasTimestamps: hasTimestamps, elapsed: rows.map { elapsed[$0] },
      latitudes: rows.map { latitudes[$0] }, longitudes: rows.map { longitudes[$0] })
  }

  /// Whether another recording of the ride has all of it but some seconds at its ends.
  public func isCovered(by other: RideSketch) -> Bool {
    let slack = max(30, 0.05 * duration)
    let begin = start.seconds(since: other.start)
    return begin >= -slack && begin + duration <= other.duration + slack
  }
}
