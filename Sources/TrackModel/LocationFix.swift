/// What a receiver says about where it is.
public struct LocationFix: Sendable, Hashable {
  public var coordinate: Coordinate
  /// When it was measured, which can be long before it arrives.
  public var time: Instant
  /// Metres; nil where it is not known.
  public var altitude: Double?
  /// Metres; nil where it is not known, negative where the receiver says that the position is invalid.
  public var horizontalAccuracy: Double?
  /// Metres per second; nil or negative where it is not known.
  public var speed: Double?
  /// Degrees clockwise from north; nil or negative where it is not known.
  public var course: Double?

  public init(
    coordinate: Coordinate, time: Instant, altitude: Double? = nil, horizontalAccuracy: Double? = nil,
    speed: Double? = nil, course: Double? = nil
  ) {
    self.coordinate = coordinate
    self.time = time
    self.altitude = altitude
    self.horizontalAccuracy = horizontalAccuracy
    self.speed = speed
    self.course = course
  }
}

extension LocationFix {
  /// The row of a batch as a fix; nil where it has no time.
  public init?(_ batch: borrowing PointBatch, row: Int) {
    guard let time = batch.time(at: row) else { return nil }
    self.init(
      coordinate: batch.coordinate(at: row), time: time, altitude: batch.value(.elevation, at: row),
      horizontalAccuracy: batch.value(.horizontalAccuracy, at: row), speed: batch.value(.speed, at: row),
      course: batch.value(.course, at: row))
  }
}
