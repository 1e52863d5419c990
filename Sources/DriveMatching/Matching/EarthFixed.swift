import CMath
import TrackModel

/// Positions on the WGS 84 ellipsoid as vectors in metres from the centre of the Earth: x to 0° N 0° E, y to
/// 0° N 90° E, z to the north pole.
///
/// Unlike in a local plane, all regions are equally accurate, including the antimeridian and the poles. Over
/// 1 km, a straight line is 1 µm shorter than the arc.
enum EarthFixed {
  static func vector(latitude: Double, longitude: Double) -> SIMD3<Double> {
    let point = GeodeticPoint(latitude: latitude, longitude: longitude)
    let angle = longitude * Geodesy.radiansPerDegree
    let equatorial = Geodesy.semiMajorAxis * point.cosReduced
    return SIMD3(
      equatorial * cos(angle), equatorial * sin(angle),
      Geodesy.semiMajorAxis * (1 - Geodesy.flattening) * point.sinReduced)
  }

  /// Returns the coordinate of a vector on the ellipsoid or slightly below it. Points between two nearby
  /// positions are slightly below it.
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

  /// Returns the point of a step from the origin that is nearest to this point: the fraction of the step,
  /// 0…1, and the vector from there.
  @inline(__always)
  func projected(onto step: Self) -> (fraction: Double, rest: Self) {
    let squared = step.lengthSquared
    let fraction = squared > 0 ? Swift.min(Swift.max(dot(step) / squared, 0), 1) : 0
    return (fraction, self - fraction * step)
  }

  /// Returns the vector scaled to length 1, or the zero vector unchanged.
  var normalized: Self {
    let length = length
    return length > 0 ? self / length : self
  }
}
