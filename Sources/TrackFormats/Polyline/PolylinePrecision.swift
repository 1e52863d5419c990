import TrackModel

/// How many decimals of degrees an encoded polyline has. Nothing in it says which.
public enum PolylinePrecision: Int, Sendable {
  /// Steps of up to 1.1 m: Google, Strava.
  case five = 5
  /// Steps of up to 0.11 m: Valhalla, OSRM's `polyline6`.
  case six = 6

  /// How coarse positions are where that matters: a step of five decimals along the equator, in metres.
  var coarseness: Coarseness? { self == .five ? Coarseness(position: 1.1131949079327357) : nil }

  /// Steps per degree.
  var scale: Double {
    switch self {
    case .five: 1e5
    case .six: 1e6
    }
  }
}
