import TrackModel

/// The number of decimals of an encoded polyline, which the text itself does not contain.
public enum PolylinePrecision: Int, Sendable {
  /// Steps of at most 1.1 m: Google, Strava.
  case five = 5
  /// Steps of at most 0.11 m: Valhalla, OSRM's `polyline6`.
  case six = 6

  /// The resolution in metres if it matters: a step of five decimals along the equator.
  var resolution: Resolution? { self == .five ? Resolution(position: 1.1131949079327357) : nil }

  /// The number of steps per degree.
  var scale: Double {
    switch self {
    case .five: 1e5
    case .six: 1e6
    }
  }
}
