#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Distances, bearings and positions between coordinates on the WGS 84 ellipsoid.
///
/// Coordinates are expected to be valid (``Coordinate/isValid``); a NaN comes out as NaN.
public enum Geodesy {
  /// The length of the shortest way between two positions in metres.
  ///
  /// Agrees with the geodesic to 1e-6 relative for up to 1 km, wherever it lies, and to 0.6 % at any
  /// distance. Not negative; 0 where the positions are the same, among them all longitudes at a pole.
  public static func distance(from start: Coordinate, to end: Coordinate) -> Double {
    distance(from: GeodeticPoint(start), to: GeodeticPoint(end))
  }

  /// The length of the great circle between two positions in metres, on the sphere of ``meanRadius``: what
  /// many devices and programs write as the distance of a point. By the haversine formula.
  public static func sphericalDistance(from start: Coordinate, to end: Coordinate) -> Double {
    let north = sin((end.latitude - start.latitude) * radiansPerDegree / 2)
    let east = sin((end.longitude - start.longitude) * radiansPerDegree / 2)
    let square =
      north * north
      + cos(start.latitude * radiansPerDegree) * cos(end.latitude * radiansPerDegree) * east * east
    return 2 * meanRadius * asin(min(square.squareRoot(), 1))
  }

  /// The length of a way over coordinates in metres; 0 for fewer than two.
  ///
  /// Takes the trigonometry of each coordinate once, which a call of ``distance(from:to:)`` per step takes
  /// twice.
  public static func length(of coordinates: [Coordinate]) -> Double {
    guard let first = coordinates.first else { return 0 }
    var total = 0.0
    var previous = GeodeticPoint(first)
    for coordinate in coordinates.dropFirst() {
      let point = GeodeticPoint(coordinate)
      total += distance(from: previous, to: point)
      previous = point
    }
    return total
  }

  /// The direction in which the great circle to `end` leaves `start`, in degrees clockwise from true north,
  /// 0..<360; 0 where the positions are the same.
  ///
  /// The great-circle formula on geographic latitudes, as the app uses it. Its northern part,
  /// cos φ₁ sin φ₂ − sin φ₁ cos φ₂ cos Δλ, is written as sin Δφ + 2 sin φ₁ cos φ₂ sin² (Δλ/2), which is the
  /// same and does not cancel between neighbours.
  public static func initialBearing(from start: Coordinate, to end: Coordinate) -> Double {
    let difference = longitudeDifference(from: start.longitude, to: end.longitude) * radiansPerDegree
    let first = GeodeticPoint(start)
    let last = GeodeticPoint(end)
    let half = sin(difference / 2)
    let east = sin(difference) * last.cosLatitude
    let north =
      sin((end.latitude - start.latitude) * radiansPerDegree)
      + 2 * first.sinLatitude * last.cosLatitude * half * half
    let degrees = atan2(east, north) / radiansPerDegree
    if degrees >= 0 { return degrees + 0 }  // + 0 makes −0 a 0.
    let turned = degrees + 360
    return turned < 360 ? turned : 0
  }

  /// The position at a fraction of the way, linear in latitude and longitude, the short way round.
  ///
  /// - Parameter fraction: 0 for `start`, 1 for `end`; both are met exactly, and what lies beyond is held
  ///   there.
  /// - Returns: a longitude within −180…180.
  public static func interpolate(from start: Coordinate, to end: Coordinate, fraction: Double) -> Coordinate {
    if fraction <= 0 { return start }
    if fraction >= 1 { return end }
    let difference = longitudeDifference(from: start.longitude, to: end.longitude)
    var longitude = start.longitude + fraction * difference
    if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
    return Coordinate(
      latitude: start.latitude + fraction * (end.latitude - start.latitude), longitude: longitude)
  }

  /// Degrees from one longitude east to another the short way round, −180…180.
  ///
  /// Across the antimeridian each is first measured from there, which is exact for the longitudes near it.
  @inlinable
  public static func longitudeDifference(from start: Double, to end: Double) -> Double {
    let difference = end - start
    if difference > 180 { return -((180 + start) + (180 - end)) }
    if difference < -180 { return (180 - start) + (180 + end) }
    return difference
  }

  // Computed, so that other modules have them as constants.

  /// Radians.
  @inlinable public static var radiansPerDegree: Double { .pi / 180 }
  /// Metres, of WGS 84.
  @inlinable public static var semiMajorAxis: Double { 6_378_137 }
  /// Of WGS 84.
  @inlinable public static var flattening: Double { 1 / 298.257223563 }
  /// Metres; the mean radius (2a + b) / 3 of WGS 84, for spheres.
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
  /// Metres of the international mile.
  @inlinable public static var metresPerMile: Double { 1609.344 }
  /// Metres of the international foot.
  @inlinable public static var metresPerFoot: Double { 0.3048 }
  /// Metres of the nautical mile.
  @inlinable public static var metresPerNauticalMile: Double { 1852 }
}
