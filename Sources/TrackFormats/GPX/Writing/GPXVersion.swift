/// A version of GPX that can be written.
///
/// Version 1.0 has elements for speed and course in trackpoints, but none for copyrights, track types,
/// further links, media types and segment extensions. It allows elements of other namespaces only if a schema
/// declares them: Garmin's extensions are kept, others are counted as losses.
public enum GPXVersion: String, Sendable, CaseIterable {
  /// GPX 1.0 (2002).
  case version10 = "1.0"
  /// GPX 1.1 (2004).
  case version11 = "1.1"

  var namespace: String {
    switch self {
    case .version10: GPXNamespace.gpx10
    case .version11: GPXNamespace.gpx11
    }
  }
}
