import TrackModel

/// The elements that the published schemas of GPX extensions declare.
///
/// GPX 1.1 allows any element of another namespace, but the wildcard of GPX 1.0 is strict: it allows only
/// elements that a schema declares.
enum GPXSchemas {
  private static let elements: [String: Set<String>] = [
    GPXNamespace.trackPoint1: ["TrackPointExtension"],
    GPXNamespace.trackPoint2: ["TrackPointExtension"],
    GPXNamespace.garmin3: [
      "WaypointExtension", "RouteExtension", "RoutePointExtension", "TrackExtension", "TrackPointExtension",
    ],
    "http://www.garmin.com/xmlschemas/WaypointExtension/v1": ["WaypointExtension"],
    "http://www.garmin.com/xmlschemas/TripExtensions/v1": ["Trip", "ViaPoint", "ShapingPoint"],
    "http://www.garmin.com/xmlschemas/TrackStatsExtension/v1": ["TrackStatsExtension"],
  ]

  static func declare(_ element: ExtensionElement) -> Bool {
    guard let namespace = element.namespace else { return false }
    return elements[namespace]?.contains(element.name) == true
  }
}
