import TrackModel

/// Elements that are kept unchanged.
extension TCXReader {
  static func isOwn(_ namespace: String) -> Bool { namespace == TCXNamespace.unqualified }

  /// Adds a complete foreign element to its container.
  mutating func deliver(_ element: ExtensionElement) {
    switch nodes.last(where: { $0 != .extensions && $0 != .value }) {
    case .sensors: changeContainer { $0.content.append(.element(element)) }
    case .trackpoint, .coursePoint:
      point.details.extensions.append(element)
      point.hasDetails = true
    case .lap: lapRest.add(element)
    case .activity, .course, .track:
      if element.name == "Creator" {
        track.source = track.source ?? TCXSource.name(element)
        if TCXSource.hasOnlyName(element) { return }
      }
      track.extensions.append(element)
      // An activity has no other element for a name.
      if element.isDrive, let title = element.value(of: DriveElement.title) {
        track.name = track.name ?? title
        track.extensions[track.extensions.count - 1].attributes.removeAll { $0.name == DriveElement.title }
      }
    default:
      if element.name == "Author" {
        state.file.creator = state.file.creator ?? TCXSource.name(element)
        if TCXSource.hasOnlyName(element) { return }
      }
      state.file.extensions.append(element)
    }
  }
}
