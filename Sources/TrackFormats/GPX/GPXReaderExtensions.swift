import TrackModel

/// Elements that are kept as they are.
extension GPXReader {
  func foreignLeaf(_ token: XMLToken) -> ExtensionElement {
    let name = tokens.name(of: token)
    return ExtensionElement(
      namespace: GPXReader.namespace(name), prefix: name.prefix, name: name.local,
      text: tokens.text(of: token))
  }

  /// The namespace that an extension keeps: none for GPX's own and for the one that stands for none.
  static func namespace(_ name: XMLName) -> String? {
    switch name.namespace {
    case GPXNamespace.gpx10, GPXNamespace.gpx11, GPXNamespace.unqualified: nil
    default: name.namespace
    }
  }

  mutating func beginForeign(_ token: XMLToken) {
    let name = tokens.name(of: token)
    nodes.append(.foreign)
    foreign.append(
      ExtensionElement(namespace: GPXReader.namespace(name), prefix: name.prefix, name: name.local))
  }

  mutating func endForeign() {
    nodes.removeLast()
    let element = foreign.removeLast()
    if foreign.isEmpty {
      deliver(element)
    } else {
      foreign[foreign.count - 1].content.append(.element(element))
    }
  }

  /// Gives a whole foreign element to what it belongs to.
  mutating func deliver(_ element: ExtensionElement) {
    let owner = nodes.last { $0 != .extensions }
    if owner == .sensorContainer {
      if container == nil {
        let name = tokens.name(of: containerName)
        container = ExtensionElement(
          namespace: GPXReader.namespace(name), prefix: name.prefix, name: name.local)
      }
      container?.content.append(.element(element))
      return
    }
    switch owner {
    case .waypoint, .trackpoint, .routepoint:
      details.extensions.append(element)
      hasDetails = true
    case .segment: segmentExtensions.append(element)
    case .track, .route: track.extensions.append(element)
    default: file.extensions.append(element)
    }
  }
}
