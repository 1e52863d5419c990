package import GhostModel
import TrackModel

package extension DecodedDrive {
  /// Returns a drive near latitude and longitude 0.
  ///
  /// - Parameters:
  ///   - step: The time between points, in seconds.
  ///   - metres: The distances east and north of the origin, per point. A degree is 111,319.49 m along the
  ///     equator and 110,574.28 m along a meridian there (WGS 84), so that distances of a few kilometres
  ///     are exact to a millionth.
  static func made(
    _ name: String = "drive", step: Double = 1, metres: [(east: Double, north: Double)]
  ) throws -> DecodedDrive {
    let coordinates = metres.map {
      Coordinate(latitude: $0.north / 110_574.28, longitude: $0.east / 111_319.49)
    }
    return DecodedDrive(
      Drive(
        name: name, startTime: nil, endTime: nil, duration: step * Double(max(metres.count - 1, 0)),
        distance: 0, coordinates: coordinates))
  }

  /// Returns a drive along the equator with points at these metres to the east.
  static func made(step: Double = 1, east: [Double]) throws -> DecodedDrive {
    try made(step: step, metres: east.map { ($0, 0) })
  }

  /// Returns a drive to the east with points 10 m apart, each displaced to the north by a number of metres.
  static func eastward(_ name: String = "drive", step: Double = 1, north: [Double]) throws -> DecodedDrive {
    try made(name, step: step, metres: north.enumerated().map { (Double($0) * 10, $1) })
  }
}

package extension ComparisonSettings {
  /// Returns the default settings with changes.
  static func with(_ change: (inout ComparisonSettings) -> Void) -> ComparisonSettings {
    var settings = ComparisonSettings()
    change(&settings)
    return settings
  }
}
