import TrackModel

/// Extended data, times, and elements that have no meaning here.
extension KMLReader {
  // MARK: Extended data

  mutating func addData() {
    guard !data.name.isEmpty || !data.value.isEmpty else { return }
    if nodes.contains(.track) {
      segmentExtensions.append(data.element)
    } else if nodes.contains(.placemark) {
      placemark.data.append(data)
    } else if containers.count == 1 {
      addToFile(data)
    }
  }

  private mutating func addToFile(_ data: KMLPlacemark.Data) {
    let value = data.value
    switch KMLFields.Field(rawValue: data.name) {
    case .creator: file.creator = file.creator ?? value
    case .time:
      if let reading = ISO8601.read(Array(value.utf8).span) {
        file.time = file.time ?? reading.instant
      } else {
        file.extensions.append(data.element)
      }
    case .keywords: file.keywords = file.keywords ?? value
    case .link: file.links.append(Link(address: value, text: data.displayName))
    case .copyright: changeCopyright { $0.author = value }
    case .copyrightYear: changeCopyright { $0.year = value }
    case .license: changeCopyright { $0.license = value }
    default: file.extensions.append(data.element)
    }
  }

  private mutating func changeCopyright(_ change: (inout Copyright) -> Void) {
    var copyright = file.copyright ?? Copyright(author: "")
    change(&copyright)
    file.copyright = copyright
  }

  // MARK: Times

  /// The time of a `when`, `begin` or `end`: a moment, a day, a month or a year, the first moment of which
  /// counts.
  mutating func time(_ token: XMLToken) throws(TrackError) -> Instant? {
    if let reading = tokens.time(of: token) {
      if !reading.hasZone, !isDate(token) {
        try tokens.warn(.timeWithoutZone, "time without a zone, taken as UTC", quoting: token)
      }
      return reading.instant
    }
    if tokens.isBlank(token) { return nil }
    if let reading = ISO8601.read(tokens.bytes(of: token), allowsPartialDates: true) {
      return reading.instant
    }
    try tokens.warn(.invalidTime, "time cannot be read, left out", quoting: token)
    return nil
  }

  /// Whether a time has no clock; a day needs no zone.
  private func isDate(_ token: XMLToken) -> Bool { tokens.trimmedText(of: token)?.utf8.count == 10 }

  // MARK: Elements without a meaning

  func foreignLeaf(_ token: XMLToken) -> ExtensionElement {
    let name = tokens.name(of: token)
    return ExtensionElement(
      namespace: KMLReader.namespace(name), prefix: name.prefix, name: name.local,
      text: tokens.text(of: token))
  }

  /// The namespace that an extension keeps: none for KML's own and for the one that stands for none.
  private static func namespace(_ name: XMLName) -> String? {
    guard let namespace = name.namespace, namespace != GPXNamespace.unqualified else { return nil }
    return KMLNamespace.isKML(namespace) ? nil : namespace
  }

  mutating func beginForeign(_ token: XMLToken) {
    let name = tokens.name(of: token)
    nodes.append(.foreign)
    foreign.append(
      ExtensionElement(namespace: KMLReader.namespace(name), prefix: name.prefix, name: name.local))
  }

  mutating func endForeign() {
    let element = foreign.removeLast()
    if foreign.isEmpty {
      add(element)
    } else {
      foreign[foreign.count - 1].content.append(.element(element))
    }
  }

  /// Gives an extension to what it belongs to.
  mutating func add(_ element: ExtensionElement) {
    if nodes.contains(.track) {
      segmentExtensions.append(element)
    } else if nodes.contains(.placemark) {
      placemark.extensions.append(element)
    } else if containers.count <= 1 {
      file.extensions.append(element)
    }
  }
}
