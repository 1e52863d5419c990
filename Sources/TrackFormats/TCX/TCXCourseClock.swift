import TrackModel

/// Times for the points of a course that has none: its schema wants them, and a device shows nothing without.
struct TCXCourseClock {
  /// The time of the first point.
  let start: Instant
  /// Points that were given a time.
  private(set) var count = 0
  private var metres = 0.0
  private var last: Coordinate?

  /// Metres per second: 10 km/h, as GPSBabel takes.
  private static let speed = 10 / 3.6
  /// Where nothing says when it is: 2021-09-08T01:46:40Z, as in a FIT file (10⁹ s there).
  private static let unknownStart = Instant(microseconds: 1_631_065_600_000_000)

  init(start: Instant?) {
    self.start = start.flatMap { TCXPointWriter.isWritable($0) ? $0 : nil } ?? TCXCourseClock.unknownStart
  }

  /// The time of the next point, in whole seconds behind the first.
  mutating func next(_ coordinate: Coordinate) -> Instant {
    if let last { metres += Geodesy.sphericalDistance(from: last, to: coordinate) }
    last = coordinate
    count += 1
    return Instant(
      microseconds: start.microseconds + Int64((metres / TCXCourseClock.speed).rounded()) * 1_000_000)
  }
}
