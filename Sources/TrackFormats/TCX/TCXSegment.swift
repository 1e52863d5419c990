import TrackModel

/// What a lap's figures need to know of a segment whose points wait in a spool.
struct TCXSegment {
  /// How many bytes its points are.
  var byteCount = 0
  private(set) var firstTime: Instant?
  private(set) var lastTime: Instant?
  private(set) var first: Coordinate?
  private(set) var last: Coordinate?
  /// What the device counted at the first and last point that say so, in metres.
  private var firstDistance = Double.nan
  private var lastDistance = Double.nan
  /// Metres from point to point.
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

  /// Seconds from the first to the last point; not negative.
  var duration: Double {
    guard let firstTime, let lastTime else { return 0 }
    return max(lastTime.seconds(since: firstTime), 0)
  }

  /// Metres: as the device counted them, else from point to point.
  var distance: Double {
    // Not a number, and a count that began anew, are no distance.
    lastDistance - firstDistance > 0 ? lastDistance - firstDistance : length
  }
}
