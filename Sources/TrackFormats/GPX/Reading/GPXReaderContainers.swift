import TrackModel

/// Information about the file, tracks and routes.
extension GPXReader {
  mutating func beginTrack() -> TrackEvent? {
    guard !hasSentTrack else { return nil }
    hasSentTrack = true
    var info = takeTrack()
    info.type = info.type ?? info.extensions.lazy.compactMap(GPXReader.activity).first ?? activity
    return again(.beginTrack(info))
  }

  mutating func beginRoute() -> TrackEvent? {
    guard !hasSentTrack else { return nil }
    hasSentTrack = true
    return again(.beginRoute(takeTrack()))
  }

  /// Returns the information about the open track or route that has not been delivered yet.
  mutating func takeTrack() -> TrackInfo {
    defer { track = TrackInfo() }
    let style = GPXStyle.take(from: &track.extensions)
    track.style = track.style ?? style
    return track
  }

  mutating func misplaced(_ element: GPXElement) throws(TrackError) {
    if element != .other {
      try tokens.warn(.misplacedElement, "element not allowed here in GPX, kept as an extension")
    }
  }

  mutating func changeAuthor(_ change: (inout Person) -> Void) {
    var author = state.file.author ?? Person()
    change(&author)
    state.file.author = author
  }

  mutating func fileValue(_ element: GPXElement, _ token: XMLToken) throws(TrackError) {
    let node = nodes[nodes.count - 1]
    let text = tokens.trimmedText(of: token)
    switch (node, element) {
    case (.author, .name), (.gpx, .author), (.metadata, .author):
      if let text { changeAuthor { $0.name = text } }
    case (.author, .email), (.gpx, .email): if let text { changeAuthor { $0.email = text } }
    case (.copyright, .year): state.file.copyright?.year = text
    case (.copyright, .license): state.file.copyright?.license = text
    case (_, .name): state.file.name = state.file.name ?? text
    case (_, .desc): state.file.description = state.file.description ?? text
    case (_, .keywords): state.file.keywords = state.file.keywords ?? text
    case (_, .time): state.file.time = try tokens.readTime(token)
    case (_, .url):
      if let text, try hasRoom(text.utf8.count) { state.file.links.append(TrackLink(address: text)) }
    case (_, .urlname):
      if !state.file.links.isEmpty { state.file.links[state.file.links.count - 1].text = text }
    case (_, .bounds), (_, .extensions), (_, .link), (_, .metadata), (_, .copyright): break
    default:
      try misplaced(element)
      if let leaf = try keptLeaf(token) { state.file.extensions.append(leaf) }
    }
  }

  mutating func trackValue(_ element: GPXElement, _ token: XMLToken) throws(TrackError) {
    let text = tokens.trimmedText(of: token)
    let isSegment = nodes[nodes.count - 1] == .segment
    switch element {
    case .name where !isSegment: track.name = track.name ?? text
    case .cmt where !isSegment: track.comment = track.comment ?? text
    case .desc where !isSegment: track.description = track.description ?? text
    case .src where !isSegment: track.source = track.source ?? text
    case .type where !isSegment: track.type = track.type ?? text
    case .number where !isSegment:
      track.number = text.flatMap { Int($0) }
      if track.number == nil, text != nil {
        try tokens.warn(.invalidValue, "invalid number, ignored", quoting: token)
      }
    case .url where !isSegment:
      if let text, try hasRoom(text.utf8.count) { track.links.append(TrackLink(address: text)) }
    case .urlname where !isSegment:
      if !track.links.isEmpty { track.links[track.links.count - 1].text = text }
    case .extensions, .link: break
    default:
      try misplaced(element)
      guard let leaf = try keptLeaf(token) else { break }
      if isSegment { segmentExtensions.append(leaf) } else { track.extensions.append(leaf) }
    }
  }

  mutating func addLink() throws(TrackError) {
    let size = link.address.utf8.count + (link.text?.utf8.count ?? 0) + (link.mediaType?.utf8.count ?? 0)
    guard !link.address.isEmpty, try hasRoom(size) else { return }
    switch nodes[nodes.count - 1] {
    case .author: changeAuthor { [link] in $0.link = link }
    case .gpx, .metadata: state.file.links.append(link)
    case .track, .route: track.links.append(link)
    case .waypoint, .trackpoint, .routepoint:
      details.links.append(link)
      hasDetails = true
    default: break
    }
  }
}
