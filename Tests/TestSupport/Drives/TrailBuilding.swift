package import GhostModel
import TrackModel

package extension DriveTrail {
  /// A drive near the point on the equator at Greenwich.
  ///
  /// - Parameters:
  ///   - step: seconds from point to point.
  ///   - metres: east and north of there, per point. A degree is 111,319.49 m along the equator and
  ///     110,574.28 m along a meridian there (WGS 84), so that over a few kilometres distances come out to a
  ///     millionth.
  static func made(
    _ name: String = "drive", step: Double = 1, metres: [(east: Double, north: Double)]
  ) throws -> DriveTrail {
    let coordinates = metres.map {
      Coordinate(latitude: $0.north / 110_574.28, longitude: $0.east / 111_319.49)
    }
    return DriveTrail(
      Drive(
        name: name, startTime: nil, endTime: nil, duration: step * Double(max(metres.count - 1, 0)),
        distance: 0, coordinates: coordinates))
  }

  /// A drive along the equator: metres east per point.
  static func made(step: Double = 1, east: [Double]) throws -> DriveTrail {
    try made(step: step, metres: east.map { ($0, 0) })
  }

  /// A drive to the east, 10 m from point to point, whose points lie so many metres to the north.
  static func eastward(_ name: String = "drive", step: Double = 1, north: [Double]) throws -> DriveTrail {
    try made(name, step: step, metres: north.enumerated().map { (Double($0) * 10, $1) })
  }
}

package extension ComparisonSettings {
  /// The default settings, changed.
  static func with(_ change: (inout ComparisonSettings) -> Void) -> ComparisonSettings {
    var settings = ComparisonSettings()
    change(&settings)
    return settings
  }
}
