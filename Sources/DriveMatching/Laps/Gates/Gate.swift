public import TrackModel

/// A line across the road at which laps and sectors are timed.
///
/// ```swift
/// let line = Gate(Coordinate(latitude: 46.2, longitude: 7.1), bearing: 95)
/// ```
public struct Gate: Sendable, Hashable {
  /// The middle of the line.
  public var coordinate: Coordinate
  /// The direction of travel in degrees clockwise from north, or `nil` for the direction of most passages.
  public var bearing: Double?

  /// The distance in metres from the middle of the line to each of its ends.
  public static let halfWidth = 25.0
  /// The largest difference in degrees between a drive's direction and ``bearing``.
  public static let maximumAngle = 60.0

  /// Creates a gate.
  ///
  /// - Parameters:
  ///   - coordinate: the centre of the gate.
  ///   - bearing: the direction of travel in degrees clockwise from north, or `nil` if unknown.
  public init(_ coordinate: Coordinate, bearing: Double? = nil) {
    self.coordinate = coordinate
    self.bearing = bearing
  }

  /// Returns whether another gate has the same position and can have the same bearing.
  func isSame(as other: Gate) -> Bool {
    coordinate == other.coordinate && (bearing == other.bearing || bearing == nil || other.bearing == nil)
  }
}

/// A crossing of a gate.
public struct GateCrossing: Sendable, Hashable {
  /// The time in seconds since the first point of the recording.
  public var time: Double
  /// The speed across the gate, in metres per second.
  public var speed: Double
  /// The standard deviation of ``time``, in seconds.
  public var uncertainty: Double
}
