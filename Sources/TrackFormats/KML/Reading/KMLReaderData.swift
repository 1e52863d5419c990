import TrackModel

/// Extended data and unknown elements.
extension KMLReader {
  // MARK: Extended data

  mutating func addData() throws(TrackError) {
    guard !data.name.isEmpty || !data.value.isEmpty else { return }
    // As an extension it is an element with one or two children.
    let size = data.name.utf8.count + data.value.utf8.count + (data.displayName?.utf8.count ?? 0)
    guard try hasRoom(size + 3 * KeptBudget.entrySize) else { return }
    if nodes.contains(.track) {
      segmentExtensions.append(data.element)
    } else if nodes.contains(.placemark) {
      placemark.data.append(data)
    } else {
      addToFile(data)
    }
  }

  private mutating func addToFile(_ data: KMLPlacemark.Data) {
    let value = data.value
    switch KMLFields.Field(rawValue: data.name) {
    case .creator: state.file.creator = state.file.creator ?? value
    case .time:
      if let reading = ISO8601.read(Array(value.utf8).span) {
        state.file.time = state.file.time ?? reading.instant
      } else {
        state.file.extensions.append(data.element)
      }
    case .keywords: state.file.keywords = state.file.keywords ?? value
    case .link: state.file.links.append(TrackLink(address: value, text: data.displayName))
    case .copyright: changeCopyright { $0.author = value }
    case .copyrightYear: changeCopyright { $0.year = value }
    case .license: changeCopyright { $0.license = value }
    default: state.file.extensions.append(data.element)
    }
  }

  private mutating func changeCopyright(_ change: (inout Copyright) -> Void) {
    var copyright = state.file.copyright ?? Copyright(author: "")
    change(&copyright)
    state.file.copyright = copyright
  }

  // MARK: Unknown elements

  static func isOwn(_ namespace: String) -> Bool {
    namespace == GPXNamespace.unqualified || KMLNamespace.isKML(namespace)
  }

  var level: KeptBudget.Level {
    if nodes.contains(.placemark) { return .track }
    return containers.count <= 1 ? .file : .dropped
  }

  /// Adds an extension to its container.
  mutating func add(_ element: ExtensionElement) {
    if nodes.contains(.track) {
      segmentExtensions.append(element)
    } else if nodes.contains(.placemark) {
      placemark.extensions.append(element)
    } else {
      state.file.extensions.append(element)
    }
  }
}
