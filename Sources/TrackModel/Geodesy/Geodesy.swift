import CMath

/// Distances, bearings and positions between coordinates on the WGS 84 ellipsoid.
///
/// Coordinates must be valid (``Coordinate/isValid``). NaN propagates.
public enum Geodesy {
  /// Returns the shortest distance between two positions in metres.
  ///
  /// The relative error against the geodesic is at most 1e-6 up to 1 km, and 0.6 % at any distance. The
  /// result is not negative, and 0 for equal positions, including different longitudes at a pole.
  public static func distance(from start: Coordinate, to end: Coordinate) -> Double {
    distance(from: GeodeticPoint(start), to: GeodeticPoint(end))
  }

  /// Returns the great-circle distance between two positions in metres, on a sphere of ``meanRadius``, by the
  /// haversine formula. Many devices and programs store this distance.
  public static func sphericalDistance(from start: Coordinate, to end: Coordinate) -> Double {
    let north = sin((end.latitude - start.latitude) * radiansPerDegree / 2)
    let east = sin((end.longitude - start.longitude) * radiansPerDegree / 2)
    let square =
      north * north
      + cos(start.latitude * radiansPerDegree) * cos(end.latitude * radiansPerDegree) * east * east
    return 2 * meanRadius * asin(min(square.squareRoot(), 1))
  }

  /// Returns the initial bearing of the great circle from `start` to `end`, in degrees clockwise from true
  /// north, 0..<360. Returns 0 for equal positions.
  ///
  /// Uses the great-circle formula on geographic latitudes, like the app. The northern component,
  /// cos φ₁ sin φ₂ − sin φ₁ cos φ₂ cos Δλ, is computed as sin Δφ + 2 sin φ₁ cos φ₂ sin² (Δλ/2), which avoids
  /// cancellation for nearby positions.
  public static func initialBearing(from start: Coordinate, to end: Coordinate) -> Double {
    let difference = longitudeDifference(from: start.longitude, to: end.longitude) * radiansPerDegree
    let first = GeodeticPoint(start)
    let last = GeodeticPoint(end)
    let half = sin(difference / 2)
    let east = sin(difference) * last.cosLatitude
    let north =
      sin((end.latitude - start.latitude) * radiansPerDegree)
      + 2 * first.sinLatitude * last.cosLatitude * half * half
    return bearing(east: east, north: north)
  }

  /// Returns the bearing of a vector in degrees clockwise from north, 0..<360.
  public static func bearing(east: Double, north: Double) -> Double {
    let degrees = atan2(east, north) / radiansPerDegree
    if degrees >= 0 { return degrees + 0 }  // + 0 makes −0 a 0.
    let turned = degrees + 360
    return turned < 360 ? turned : 0
  }

  /// Interpolates linearly between two positions, across the antimeridian if that is shorter.
  ///
  /// - Parameters:
  ///   - start: the position at the fraction 0.
  ///   - end: the position at the fraction 1.
  ///   - fraction: 0 for `start`, 1 for `end`, both exact. Values outside 0...1 are clamped.
  /// - Returns: a position with a longitude in −180…180.
  public static func interpolate(from start: Coordinate, to end: Coordinate, fraction: Double) -> Coordinate {
    if fraction <= 0 { return start }
    if fraction >= 1 { return end }
    let difference = longitudeDifference(from: start.longitude, to: end.longitude)
    var longitude = start.longitude + fraction * difference
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    return Coordinate(
      latitude: start.latitude + fraction * (end.latitude - start.latitude), longitude: longitude)
  }

  /// Returns the eastward difference between two longitudes in degrees, −180…180.
  ///
  /// Across the antimeridian, both are first measured from there, which is exact for nearby longitudes.
  @inlinable
  public static func longitudeDifference(from start: Double, to end: Double) -> Double {
    let difference = end - start
    if difference > 180 { return -((180 + start) + (180 - end)) }
    if difference < -180 { return (180 - start) + (180 + end) }
    return difference
  }

  // Computed properties, so that other modules can use them as constants.

  /// The radians per degree.
  @inlinable public static var radiansPerDegree: Double { .pi / 180 }
  /// The semi-major axis of WGS 84 in metres.
  @inlinable public static var semiMajorAxis: Double { 6_378_137 }
  /// The flattening of WGS 84.
  @inlinable public static var flattening: Double { 1 / 298.257223563 }
  /// The mean radius (2a + b) / 3 of WGS 84 in metres, for spherical formulas.
  @inlinable public static var meanRadius: Double { 6_371_008.8 }
  /// The length of a degree of a great circle on that sphere, in metres.
  @inlinable public static var metresPerDegree: Double { meanRadius * radiansPerDegree }
  /// The length of a degree of longitude on the equator of WGS 84, in metres.
  @inlinable public static var metresPerEquatorialDegree: Double { semiMajorAxis * radiansPerDegree }
  /// The length of a degree of a circle with the largest radius of curvature of WGS 84, which is that at the
  /// poles, in metres. No degree of latitude or longitude is longer.
  @inlinable public static var longestMetresPerDegree: Double {
    semiMajorAxis / (1 - flattening) * radiansPerDegree
  }
  /// The metres per international mile.
  @inlinable public static var metresPerMile: Double { 1609.344 }
  /// Metres of the international foot.
  @inlinable public static var metresPerFoot: Double { 0.3048 }
  /// Metres of the nautical mile.
  @inlinable public static var metresPerNauticalMile: Double { 1852 }
}
