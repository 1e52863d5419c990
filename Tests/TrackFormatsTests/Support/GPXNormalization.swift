import TrackModel

/// The expected document after writing to GPX and reading back. All permitted changes are listed here.
///
/// - Texts lose spaces at their ends, and characters that XML 1.0 does not allow become U+FFFD. Empty texts
///   become `nil`.
/// - An empty author becomes `nil`; the creator of a file without one is `ghost-convert`.
/// - The longitude 180 becomes −180, which the schema allows; minus zero becomes zero.
/// - Extensions: GPX's own namespaces are removed, prefixes are not compared, adjacent texts are joined,
///   and text that is only white space between tags is dropped. Elements in Garmin's TrackPointExtension
///   that violate its schema are moved out of it.
/// - The root may declare additional namespaces.
enum GPXNormalization {
  static func normalized(_ document: TrackDocument) -> TrackDocument {
    var result = document
    result.info = normalized(document.info)
    result.waypoints = document.waypoints.map { waypoint in
      Waypoint(
        coordinate: normalized(waypoint.coordinate), time: waypoint.time, values: waypoint.values,
        details: normalized(waypoint.details))
    }
    result.routes = document.routes.map {
      TrackDocument.Route(info: normalized($0.info), points: normalized($0.points))
    }
    result.tracks = document.tracks.map { track in
      TrackDocument.Track(
        info: normalized(track.info),
        segments: track.segments.map {
          var segment = TrackDocument.Segment(points: normalized($0.points))
          segment.extensions = $0.extensions.map(normalized)
          return segment
        })
    }
    return result
  }

  /// Returns the document without prefixes and without declarations at the root, which the writer chooses.
  static func withoutPrefixes(_ document: TrackDocument) -> TrackDocument {
    func bare(_ element: ExtensionElement) -> ExtensionElement {
      var result = element
      result.prefix = nil
      for index in result.attributes.indices { result.attributes[index].prefix = nil }
      result.content = element.content.map { content in
        if case .element(let child) = content { .element(bare(child)) } else { content }
      }
      return result
    }
    func bare(_ points: PointColumns) -> PointColumns {
      mapDetails(of: points) { details in
        var result = details
        result.extensions = details.extensions.map(bare)
        return result
      }
    }
    var result = document
    result.info.namespaces = []
    result.info.extensions = document.info.extensions.map(bare)
    for index in result.waypoints.indices {
      result.waypoints[index].details.extensions = document.waypoints[index].details.extensions.map(bare)
    }
    result.routes = document.routes.map { route in
      var info = route.info
      info.extensions = route.info.extensions.map(bare)
      return TrackDocument.Route(info: info, points: bare(route.points))
    }
    result.tracks = document.tracks.map { track in
      var info = track.info
      info.extensions = track.info.extensions.map(bare)
      return TrackDocument.Track(
        info: info,
        segments: track.segments.map {
          var segment = TrackDocument.Segment(points: bare($0.points))
          segment.extensions = $0.extensions.map(bare)
          return segment
        })
    }
    return result
  }

  private static func mapDetails(
    of points: PointColumns, _ change: (PointDetails) -> PointDetails
  ) -> PointColumns {
    var result = PointColumns()
    for row in 0..<points.count {
      var values: [Channel: Double] = [:]
      for channel in points.channels.channels { values[channel] = points.value(channel, at: row) }
      let details = points.details.first { $0.row == row }?.details ?? PointDetails()
      result.append(
        normalized(points.coordinate(at: row)), time: points.time(at: row), values: values,
        details: change(details))
    }
    return result
  }

  /// XML 1.0, section 2.2: excludes most control characters and two noncharacters.
  static func characters(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isCharacter =
        scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
        || ["\t", "\n", "\r"].contains(scalar)
      result.append(isCharacter ? scalar : "\u{FFFD}")
    }
    return String(result)
  }

  static func text(_ text: String?) -> String? {
    guard let text else { return nil }
    var scalars = Array(characters(text).unicodeScalars)
    while let last = scalars.last, last.value <= 0x20 { scalars.removeLast() }
    let trimmed = scalars.drop { $0.value <= 0x20 }
    var result = String.UnicodeScalarView()
    result.append(contentsOf: trimmed)
    return trimmed.isEmpty ? nil : String(result)
  }

  private static func normalized(_ info: FileInfo) -> FileInfo {
    var result = info
    result.creator = info.creator == nil ? "ghost-convert" : text(info.creator)
    result.name = text(info.name)
    result.description = text(info.description)
    result.author = info.author.map {
      Person(name: text($0.name), email: $0.email, link: $0.link.map(normalized))
    }
    if result.author == Person() { result.author = nil }
    result.copyright = info.copyright.map {
      Copyright(author: text($0.author) ?? "", year: $0.year, license: text($0.license))
    }
    result.links = info.links.map(normalized)
    result.keywords = text(info.keywords)
    result.namespaces = []
    result.extensions = info.extensions.map(normalized)
    return result
  }

  private static func normalized(_ info: TrackInfo) -> TrackInfo {
    var result = info
    result.name = text(info.name)
    result.comment = text(info.comment)
    result.description = text(info.description)
    result.source = text(info.source)
    result.links = info.links.map(normalized)
    result.type = text(info.type)
    result.extensions = info.extensions.map(normalized)
    return result
  }

  private static func normalized(_ details: PointDetails) -> PointDetails {
    var result = details
    result.name = text(details.name)
    result.comment = text(details.comment)
    result.description = text(details.description)
    result.source = text(details.source)
    result.links = details.links.map(normalized)
    result.symbol = text(details.symbol)
    result.type = text(details.type)
    result.extensions = details.extensions.flatMap { element in
      let element = normalized(element)
      let isOfGarmin =
        element.namespace?.hasPrefix("http://www.garmin.com/xmlschemas/TrackPointExtension/") == true
      let isFlat =
        isOfGarmin && element.name == "TrackPointExtension"
        && element.children.contains { $0.name != "Extensions" }
      return isFlat ? element.children : [element]
    }
    return result
  }

  private static func normalized(_ points: PointColumns) -> PointColumns {
    mapDetails(of: points, normalized)
  }

  private static func normalized(_ coordinate: Coordinate) -> Coordinate {
    Coordinate(
      latitude: coordinate.latitude, longitude: coordinate.longitude == 180 ? -180 : coordinate.longitude)
  }

  private static func normalized(_ link: TrackLink) -> TrackLink {
    TrackLink(address: text(link.address) ?? "", text: text(link.text), mediaType: text(link.mediaType))
  }

  static func normalized(_ element: ExtensionElement) -> ExtensionElement {
    var result = ExtensionElement(namespace: normalized(namespace: element.namespace), name: element.name)
    result.attributes = element.attributes.map {
      ExtensionElement.Attribute(namespace: $0.namespace, name: $0.name, value: characters($0.value))
    }
    let isLeaf = element.attributes.isEmpty && element.children.isEmpty
    var open = ""
    func close() {
      defer { open = "" }
      guard !open.isEmpty, isLeaf || open.unicodeScalars.contains(where: { $0.value > 0x20 }) else { return }
      result.content.append(.text(open))
    }
    for content in element.content {
      switch content {
      case .text(let text): open += characters(text)
      case .element(let child):
        close()
        result.content.append(.element(normalized(child)))
      }
    }
    close()
    return result
  }

  private static func normalized(namespace: String?) -> String? {
    switch namespace {
    case "http://www.topografix.com/GPX/1/0", "http://www.topografix.com/GPX/1/1": nil
    default: namespace
    }
  }
}
