/// The plane that touches the earth at a place, for short distances with few operations.
///
/// Within some kilometres, distances are accurate to some parts per thousand.
package struct LocalPlane: Sendable {
  /// A way in the plane in metres.
  package struct Way: Sendable {
    /// The metres to the north.
    package let north: Double
    /// The metres to the east.
    package let east: Double

    @inlinable
    package init(north: Double, east: Double) {
      self.north = north
      self.east = east
    }

    /// The square of the length in square metres.
    @inlinable package var lengthSquared: Double { north * north + east * east }
    /// The length in metres.
    @inlinable package var length: Double { lengthSquared.squareRoot() }
  }

  @usableFromInline let origin: Coordinate
  @usableFromInline let metresPerDegreeEast: Double

  /// Creates the plane at a place.
  package init(at origin: Coordinate) {
    self.origin = origin
    metresPerDegreeEast =
      Geodesy.metresPerDegree * GeodeticPoint(latitude: origin.latitude, longitude: 0).cosLatitude
  }

  /// Returns the way from the place of the plane to another one, across the antimeridian if that is shorter.
  @inlinable
  package func way(to place: Coordinate) -> Way {
    Way(
      north: (place.latitude - origin.latitude) * Geodesy.metresPerDegree,
      east: Geodesy.longitudeDifference(from: origin.longitude, to: place.longitude) * metresPerDegreeEast)
  }
}
