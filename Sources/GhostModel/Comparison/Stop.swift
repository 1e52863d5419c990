public import TrackModel

/// A stop of a drive.
public struct Stop: Sendable, Hashable {
  public var coordinate: Coordinate
  /// The arrival in seconds since the drive's first recorded point.
  public var arrival: Double
  /// The departure in seconds since the drive's first recorded point, not before ``arrival``.
  public var departure: Double

  public init(coordinate: Coordinate, arrival: Double, departure: Double) {
    self.coordinate = coordinate
    self.arrival = arrival
    self.departure = departure
  }

  /// The duration in seconds.
  public var duration: Double { departure - arrival }
}
