import TrackModel

/// Elements that are kept as they are.
extension TCXReader {
  func foreignLeaf(_ token: XMLToken) -> ExtensionElement {
    var element = foreignElement(token)
    let text = tokens.text(of: token)
    if !text.isEmpty { element.content = [.text(text)] }
    return element
  }

  func foreignElement(_ token: XMLToken) -> ExtensionElement {
    let name = tokens.name(of: token)
    let namespace = name.namespace == TCXNamespace.unqualified ? nil : name.namespace
    return ExtensionElement(namespace: namespace, prefix: name.prefix, name: name.local)
  }

  /// - Parameter isNode: whether the element is a node of its own kind.
  mutating func beginForeign(_ token: XMLToken, isNode: Bool = true) {
    if isNode { nodes.append(.foreign) }
    foreign.begin(foreignElement(token))
  }

  /// Gives a whole foreign element to what it belongs to.
  mutating func deliver(_ element: ExtensionElement) {
    switch nodes.last(where: { $0 != .extensions && $0 != .value }) {
    case .sensors: foreign.add(element)
    case .trackpoint, .coursePoint:
      point.details.extensions.append(element)
      point.hasDetails = true
    case .lap: lapRest.add(element)
    case .activity, .course, .track:
      if element.name == "Creator" {
        track.source = track.source ?? TCXSource.name(element)
        if TCXSource.saysNothingBeyondName(element) { return }
      }
      track.extensions.append(element)
      // An activity has no other place for a name.
      if element.isDrive, let title = element.value(of: DriveElement.title) {
        track.name = track.name ?? title
        track.extensions[track.extensions.count - 1].attributes.removeAll { $0.name == DriveElement.title }
      }
    default:
      if element.name == "Author" {
        file.creator = file.creator ?? TCXSource.name(element)
        if TCXSource.saysNothingBeyondName(element) { return }
      }
      file.extensions.append(element)
    }
  }
}
