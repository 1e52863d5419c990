/// A version of GPX that can be written.
///
/// Version 1.0 has places for speed and course in trackpoints, and none for copyrights, types of tracks,
/// further links, media types and extensions of segments. It takes elements of other namespaces only where a
/// schema declares them, so that Garmin's extensions are kept, and others counted as a loss.
public enum GPXVersion: String, Sendable, CaseIterable {
  case version10 = "1.0"
  case version11 = "1.1"

  var namespace: String {
    switch self {
    case .version10: GPXNamespace.gpx10
    case .version11: GPXNamespace.gpx11
    }
  }
}
