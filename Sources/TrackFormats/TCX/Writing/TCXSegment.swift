import TrackModel

/// The data about a segment needed for a lap's figures while its points are spooled.
struct TCXSegment {
  /// The size of its points, in bytes.
  var byteCount = 0
  private(set) var firstTime: Instant?
  private(set) var lastTime: Instant?
  private(set) var first: Coordinate?
  private(set) var last: Coordinate?
  /// The device's distance at the first and last point that have one, in metres.
  private var firstDistance = Double.nan
  private var lastDistance = Double.nan
  /// The sum of the distances between points, in metres.
  private var length = 0.0

  mutating func add(_ coordinate: Coordinate, time: Instant, distance: Double) {
    if let last { length += Geodesy.sphericalDistance(from: last, to: coordinate) }
    if first == nil { first = coordinate }
    last = coordinate
    if firstTime == nil { firstTime = time }
    lastTime = time
    if firstDistance.isNaN { firstDistance = distance }
    if !distance.isNaN { lastDistance = distance }
  }

  var isEmpty: Bool { first == nil }

  /// The time from the first to the last point, in seconds; not negative.
  var duration: Double {
    guard let firstTime, let lastTime else { return 0 }
    return max(lastTime.seconds(since: firstTime), 0)
  }

  /// The distance in metres as counted by the device, or else between points.
  var distance: Double {
    // A count that is NaN or was restarted is not used.
    lastDistance - firstDistance > 0 ? lastDistance - firstDistance : length
  }
}
