import TrackModel

/// Artificial times for the points of a course without times, which the schema and devices require.
struct TCXCourseClock {
  /// The time of the first point.
  let start: Instant
  /// The number of points that have been given a time.
  private(set) var count = 0
  private var metres = 0.0
  private var last: Coordinate?

  /// The assumed speed in metres per second: 10 km/h, as in GPSBabel.
  private static let speed = 10 / SpeedUnits.kilometresPerHour
  /// The start if no time is known: 2021-09-08T01:46:40Z, as in a FIT file (10⁹ s in its time).
  private static let unknownStart = Instant(microseconds: 1_631_065_600_000_000)

  init(start: Instant?) {
    self.start = start.flatMap { $0.hasXMLYear ? $0 : nil } ?? TCXCourseClock.unknownStart
  }

  /// Returns the time of the next point, a whole number of seconds after the first.
  mutating func next(_ coordinate: Coordinate) -> Instant {
    if let last { metres += Geodesy.sphericalDistance(from: last, to: coordinate) }
    last = coordinate
    count += 1
    return Instant(
      microseconds: start.microseconds + Int64((metres / TCXCourseClock.speed).rounded()) * 1_000_000)
  }
}
