public import TrackModel

/// A stop of a drive.
public struct Stop: Sendable, Hashable {
  /// The position of the stop.
  public var coordinate: Coordinate
  /// The arrival in seconds since the drive's first recorded point.
  public var arrival: Double
  /// The departure in seconds since the drive's first recorded point, not before ``arrival``.
  public var departure: Double

  /// Creates a stop. Times are in seconds since the first point of the drive.
  public init(coordinate: Coordinate, arrival: Double, departure: Double) {
    self.coordinate = coordinate
    self.arrival = arrival
    self.departure = departure
  }

  /// The duration in seconds.
  public var duration: Double { departure - arrival }
}
