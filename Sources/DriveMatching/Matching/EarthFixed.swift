import TrackModel

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Places on the WGS 84 ellipsoid as vectors in metres from the centre of the Earth: x to 0° N 0° E, y to
/// 0° N 90° E, z to the north pole.
///
/// A plane about the middle of a drive is wrong some hundred kilometres away, torn at the antimeridian and at
/// the poles. Here every neighbourhood is as good as any other; over 1 km a straight line is 1 µm shorter
/// than the arc.
enum EarthFixed {
  static func vector(latitude: Double, longitude: Double) -> SIMD3<Double> {
    let point = GeodeticPoint(latitude: latitude, longitude: longitude)
    let angle = longitude * Geodesy.radiansPerDegree
    let equatorial = Geodesy.semiMajorAxis * point.cosReduced
    return SIMD3(
      equatorial * cos(angle), equatorial * sin(angle),
      Geodesy.semiMajorAxis * (1 - Geodesy.flattening) * point.sinReduced)
  }

  /// The coordinate of a vector that ends on the ellipsoid or not far below it, as between two near places.
  static func coordinate(of vector: SIMD3<Double>) -> Coordinate {
    let ratio = (1 - Geodesy.flattening) * (1 - Geodesy.flattening)
    let equatorial = (vector.x * vector.x + vector.y * vector.y).squareRoot()
    return Coordinate(
      latitude: atan2(vector.z, ratio * equatorial) / Geodesy.radiansPerDegree,
      longitude: atan2(vector.y, vector.x) / Geodesy.radiansPerDegree)
  }
}

extension SIMD3<Double> {
  @inline(__always)
  func dot(_ other: Self) -> Double { x * other.x + y * other.y + z * other.z }

  @inline(__always)
  func cross(_ other: Self) -> Self {
    Self(y * other.z - z * other.y, z * other.x - x * other.z, x * other.y - y * other.x)
  }

  @inline(__always)
  var lengthSquared: Double { dot(self) }

  @inline(__always)
  var length: Double { dot(self).squareRoot() }

  /// The same direction with length 1; no direction stays none.
  var normalized: Self {
    let length = length
    return length > 0 ? self / length : self
  }
}
