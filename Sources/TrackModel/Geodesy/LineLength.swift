/// The length of a line, added step by step.
///
/// A short step is the hypotenuse of its northern and eastern part, in metres per radian at its mean latitude
/// (Gauss's mid-latitude formula). The radii of curvature are those of the ellipsoid, as a series of second
/// order around a latitude near the step. Against the geodesic, the relative error is below 1e-9.
struct LineLength {
  private(set) var metres = 0.0
  private var scale = LocalScale(latitude: .infinity)

  /// The difference in degrees up to which a step is short: 300 m along a meridian.
  private static let shortStep = 0.0028
  /// The latitude up to which the series is precise.
  private static let highestLatitude = 85.0

  /// Adds the step between two positions in degrees.
  @inline(__always)
  mutating func add(
    fromLatitude startLatitude: Double, longitude startLongitude: Double, toLatitude endLatitude: Double,
    longitude endLongitude: Double
  ) {
    let north = endLatitude - startLatitude
    let east = endLongitude - startLongitude
    let middle = startLatitude + north / 2
    // NaN fails these comparisons.
    guard abs(north) < Self.shortStep, abs(east) < Self.shortStep, abs(middle) < Self.highestLatitude else {
      metres += Geodesy.distance(
        from: GeodeticPoint(latitude: startLatitude, longitude: startLongitude),
        to: GeodeticPoint(latitude: endLatitude, longitude: endLongitude))
      return
    }
    if abs(middle - scale.latitude) > LocalScale.reach { scale = LocalScale(latitude: middle) }
    metres += scale.length(north: north, east: east, at: middle)
  }
}

/// The metres of a radian of latitude and of longitude near a latitude, as series of second order.
private struct LocalScale {
  /// The difference in degrees up to which the series has a relative error below 1e-10.
  static let reach = 0.02

  let latitude: Double
  private var meridian = (0.0, 0.0, 0.0)
  private var parallel = (0.0, 0.0, 0.0)

  init(latitude: Double) {
    self.latitude = latitude
    guard latitude.isFinite else { return }
    let point = GeodeticPoint(latitude: latitude, longitude: 0)
    let (sine, cosine) = (point.sinLatitude, point.cosLatitude)
    let eccentricity = Geodesy.flattening * (2 - Geodesy.flattening)
    let square = 1 - eccentricity * sine * sine
    let normal = Geodesy.semiMajorAxis / square.squareRoot()
    // The radii of the meridian and of the parallel, and their derivatives.
    let radius = normal * (1 - eccentricity) / square
    let product = eccentricity * sine * cosine / square
    let first = 3 * radius * product
    let second =
      3 * first * product
      + 3 * radius * (eccentricity * (cosine * cosine - sine * sine) / square + 2 * product * product)
    meridian = (radius, first, second / 2)
    parallel = (normal * cosine, -radius * sine, (-first * sine - radius * cosine) / 2)
  }

  /// Returns the length of a step in metres, given in degrees.
  @inline(__always)
  func length(north: Double, east: Double, at middle: Double) -> Double {
    let offset = (middle - latitude) * Geodesy.radiansPerDegree
    let y = north * (meridian.0 + offset * (meridian.1 + offset * meridian.2))
    let x = east * (parallel.0 + offset * (parallel.1 + offset * parallel.2))
    return (x * x + y * y).squareRoot() * Geodesy.radiansPerDegree
  }
}

extension Geodesy {
  /// Returns the length of a line in metres, or 0 for fewer than two coordinates.
  ///
  /// The relative error of each step is that of ``distance(from:to:)-(Coordinate,Coordinate)``.
  ///
  /// - Complexity: O(*n*), without trigonometric functions for steps below 300 m.
  public static func length(of coordinates: [Coordinate]) -> Double {
    var length = LineLength()
    for index in coordinates.indices.dropFirst() {
      let (start, end) = (coordinates[index - 1], coordinates[index])
      length.add(
        fromLatitude: start.latitude, longitude: start.longitude, toLatitude: end.latitude,
        longitude: end.longitude)
    }
    return length.metres
  }

  /// Returns the length of a line in metres, given as two columns, or 0 for fewer than two rows.
  public static func length(latitudes: Span<Double>, longitudes: Span<Double>, rows: Range<Int>) -> Double {
    var length = LineLength()
    for row in rows.dropFirst() {
      length.add(
        fromLatitude: latitudes[row - 1], longitude: longitudes[row - 1], toLatitude: latitudes[row],
        longitude: longitudes[row])
    }
    return length.metres
  }
}
