/// How many decimals of degrees an encoded polyline has. Nothing in it says which.
public enum PolylinePrecision: Int, Sendable {
  /// Steps of up to 1.1 m: Google, Strava.
  case five = 5
  /// Steps of up to 0.11 m: Valhalla, OSRM's `polyline6`.
  case six = 6

  /// Steps per degree.
  var scale: Double {
    switch self {
    case .five: 1e5
    case .six: 1e6
    }
  }
}
