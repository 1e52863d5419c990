public import CMath

/// A coordinate with precomputed sines and cosines for distances.
///
/// Inlinable together with the distance, because inner loops of other modules use it.
public struct GeodeticPoint: Sendable {
  /// The latitude in degrees.
  public let latitude: Double
  /// The longitude in degrees.
  public let longitude: Double
  /// The sine of the latitude.
  public let sinLatitude: Double
  /// The cosine of the latitude.
  public let cosLatitude: Double
  /// The sine and cosine of the reduced latitude β, tan β = (1 − f) tan φ.
  public let sinReduced: Double
  /// The cosine of the reduced latitude.
  public let cosReduced: Double

  /// Creates a point from a latitude and a longitude in degrees.
  @inlinable
  public init(_ coordinate: Coordinate) {
    self.init(latitude: coordinate.latitude, longitude: coordinate.longitude)
  }

  /// Creates a point from a coordinate.
  @inlinable
  @inline(__always)
  public init(latitude: Double, longitude: Double) {
    self.latitude = latitude
    self.longitude = longitude
    // Above 45°, uses the distance from the pole: 90 − φ is exact, and so is the small cosine.
    let magnitude = abs(latitude)
    if magnitude <= 45 {
      let angle = latitude * Geodesy.radiansPerDegree
      sinLatitude = sin(angle)
      cosLatitude = cos(angle)
    } else {
      let angle = (90 - magnitude) * Geodesy.radiansPerDegree
      sinLatitude = latitude < 0 ? -cos(angle) : cos(angle)
      cosLatitude = sin(angle)
    }
    let flattened = (1 - Geodesy.flattening) * sinLatitude
    let scale = 1 / (flattened * flattened + cosLatitude * cosLatitude).squareRoot()
    sinReduced = flattened * scale
    cosReduced = cosLatitude * scale
  }
}

extension Geodesy {
  /// Returns the distance in metres.
  ///
  /// The exact chord through the ellipsoid, times the ratio of arc to chord on the sphere of reduced
  /// latitudes. Differences of latitude and longitude are computed in degrees, in which they are exact for
  /// nearby positions.
  @inlinable
  @inline(__always)
  public static func distance(from start: GeodeticPoint, to end: GeodeticPoint) -> Double {
    let latitudeDifference = (end.latitude - start.latitude) * radiansPerDegree
    let longitudeDifference =
      longitudeDifference(from: start.longitude, to: end.longitude) * radiansPerDegree
    // Up to 0.002 rad (12 km), three terms of each series have a relative error below 1e-17.
    let isShort = abs(latitudeDifference) < 0.002 && abs(longitudeDifference) < 0.002
    let ratio = 1 - flattening
    let sinLatitudeDifference =
      isShort ? shortSine(latitudeDifference) : sin(latitudeDifference)
    let numerator = ratio * sinLatitudeDifference
    let denominator =
      start.cosLatitude * end.cosLatitude + ratio * ratio * start.sinLatitude * end.sinLatitude
    // sin² of half the differences in reduced latitude and longitude.
    let latitudePart: Double
    let longitudePart: Double
    if isShort {
      let tangent = numerator / denominator
      let square = tangent * tangent
      let reducedDifference = tangent * (1 - square * (1.0 / 3 - square * (1.0 / 5)))
      let latitudeSine = shortSine(reducedDifference / 2)
      let longitudeSine = shortSine(longitudeDifference / 2)
      latitudePart = latitudeSine * latitudeSine
      longitudePart = longitudeSine * longitudeSine
    } else {
      let latitudeSine = sin(atan2(numerator, denominator) / 2)
      let longitudeSine = sin(longitudeDifference / 2)
      latitudePart = latitudeSine * latitudeSine
      longitudePart = longitudeSine * longitudeSine
    }
    let cosines = start.cosReduced * end.cosReduced
    let eastPart = cosines * longitudePart
    // cos 2βₘ from the sum of the two reduced latitudes.
    let cosSum = cosines - start.sinReduced * end.sinReduced
    // a² sin² βₘ + b² cos² βₘ, over a².
    let stretch = (1 - cosSum) / 2 + ratio * ratio * (1 + cosSum) / 2
    let chord = 2 * semiMajorAxis * (latitudePart * stretch + eastPart).squareRoot()
    let square = latitudePart + eastPart
    if isShort { return chord * (1 + square * (1.0 / 6 + square * (3.0 / 40))) }
    guard square > 0 else { return chord }
    let sine = min(1, square.squareRoot())
    return chord * asin(sine) / sine
  }

  /// Returns the sine of an angle up to 0.002 rad.
  @inlinable
  @inline(__always)
  static func shortSine(_ angle: Double) -> Double {
    let square = angle * angle
    return angle * (1 - square * (1.0 / 6 - square * (1.0 / 120)))
  }
}
