import TrackModel

/// Elements that are kept unchanged.
extension GPXReader {
  static func isOwn(_ namespace: String) -> Bool {
    namespace == GPXNamespace.gpx11 || namespace == GPXNamespace.gpx10
      || namespace == GPXNamespace.unqualified
  }

  /// Adds a complete foreign element to its container.
  mutating func deliver(_ element: ExtensionElement) {
    let owner = nodes.last { $0 != .extensions }
    switch owner {
    case .sensorContainer: changeContainer { $0.content.append(.element(element)) }
    case .waypoint, .trackpoint, .routepoint:
      if let (name, value) = ExtraValues.value(in: element) {
        var extra = details.extraValues.take() ?? ExtraValues([], [])
        extra.names.append(name)
        extra.values.append(value)
        details.extraValues = extra
      } else {
        details.extensions.append(element)
      }
      hasDetails = true
    case .segment: segmentExtensions.append(element)
    case .track, .route: track.extensions.append(element)
    default:
      activity = activity ?? GPXReader.activity(element)
      state.file.extensions.append(element)
    }
  }

  /// Returns the kind of activity in an element of OsmAnd, such as `road_cycling`.
  static func activity(_ element: ExtensionElement) -> String? {
    guard element.name == "activity", let namespace = element.namespace, GPXNamespace.isOsmAnd(namespace)
    else { return nil }
    let text = element.text.filter { !$0.isWhitespace }
    return text.isEmpty ? nil : text
  }
}
