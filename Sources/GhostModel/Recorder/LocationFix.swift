public import TrackModel

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
