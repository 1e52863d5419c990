/// A position on the WGS 84 ellipsoid.
public struct Coordinate: Sendable, Hashable {
  /// Degrees north of the equator, −90…90.
  public var latitude: Double
  /// Degrees east of Greenwich, −180…180.
  public var longitude: Double

  /// Creates a coordinate from degrees, without checking their range.
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
  }

  /// Whether both numbers are finite and within their ranges. (0, 0) is valid.
  @inlinable public var isValid: Bool {
    // Comparisons with NaN are false.
    abs(latitude) <= 90 && abs(longitude) <= 180
  }
}
