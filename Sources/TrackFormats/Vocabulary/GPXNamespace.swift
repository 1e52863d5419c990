/// The namespaces of GPX files: GPX itself, and the extensions whose elements are channels here.
enum GPXNamespace {
  static let gpx10 = "http://www.topografix.com/GPX/1/0"
  static let gpx11 = "http://www.topografix.com/GPX/1/1"
  static let xsi = "http://www.w3.org/2001/XMLSchema-instance"
  static let trackPoint1 = "http://www.garmin.com/xmlschemas/TrackPointExtension/v1"
  static let trackPoint2 = "http://www.garmin.com/xmlschemas/TrackPointExtension/v2"
  static let garmin3 = "http://www.garmin.com/xmlschemas/GpxExtensions/v3"
  static let power1 = "http://www.garmin.com/xmlschemas/PowerExtension/v1"
  static let cluetrust = "http://www.cluetrust.com/XML/GPXDATA/1/0"
  static let openTracks = "http://opentracksapp.com/xmlschemas/v1"

  /// Replaces a missing namespace or GPX's namespace inside `extensions`, where GPX 1.1 allows neither. It
  /// keeps the file valid and is read back as a missing namespace.
  static let unqualified = "tag:ghost-convert,2026:gpx-unqualified"
  /// The same name with its declared prefix.
  static let unqualifiedPrefix = (prefix: "unqualified", uri: unqualified)

  /// Returns whether a namespace is one of OsmAnd, which has used several over the years.
  static func isOsmAnd(_ namespace: String) -> Bool {
    namespace.hasPrefix("https://osmand.net") || namespace.hasPrefix("http://osmand.net")
  }
}
