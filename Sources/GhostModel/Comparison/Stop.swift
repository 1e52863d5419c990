public import TrackModel

/// A place where a drive stood on its way.
public struct Stop: Sendable, Hashable {
  public var coordinate: Coordinate
  /// Seconds since the drive's first recorded point.
  public var arrival: Double
  /// Seconds since the drive's first recorded point, not before ``arrival``.
  public var departure: Double

  public init(coordinate: Coordinate, arrival: Double, departure: Double) {
    self.coordinate = coordinate
    self.arrival = arrival
    self.departure = departure
  }

  /// Seconds.
  public var duration: Double { departure - arrival }
}
