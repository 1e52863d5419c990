import TrackModel

/// The grammar: the handling of each token in its context.
extension GPXReader {
  mutating func handle(_ token: XMLToken, _ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    let element = GPXElement(rawValue: token.code) ?? .other
    switch token.kind {
    case .leaf: return try leaf(element, token, &batch)
    case .start: return try start(element, token, &batch)
    case .end: return try end(&batch)
    case .text: try text(token, &batch)
    case .attribute: attribute(element, token)
    case .unresolvedEntity: break
    case .namespace:
      if nodes.count == 2 { addNamespace(token) }
    }
    return nil
  }

  mutating func start(_ element: GPXElement, _ token: XMLToken, _ batch: inout PointBatch)
    throws(TrackError) -> TrackEvent?
  {
    switch (nodes[nodes.count - 1], element) {
    case (.segment, .trkpt):
      if followsPause { return again(splitSegment(batch)) }
      try beginPoint(.trackpoint, &batch)
    case (.track, .trkseg):
      if let event = beginTrack() { return event }
      nodes.append(.segment)
      segmentHasPoint = false
      followsPause = false
      return .beginSegment
    case (.route, .rtept):
      if let event = beginRoute() { return event }
      try beginPoint(.routepoint, &batch)
    case (.gpx, .wpt):
      if let event = header() { return event }
      waypoint.removeAll()
      try beginPoint(.waypoint, &batch)
    case (.gpx, .trk), (.gpx, .rte):
      if let event = header() { return event }
      nodes.append(element == .trk ? .track : .route)
      state.foreign.budget.begin(.track)
      track = TrackInfo()
      hasSentTrack = false
    case (.document, .gpx): nodes.append(.gpx)
    case (.document, _):
      throw TrackError(
        .unknownFormat, "the root element is not gpx", place: tokens.place,
        suggestion: .listFormats)
    case (.gpx, .metadata): nodes.append(.metadata)
    case (.metadata, .author): nodes.append(.author)
    case (.metadata, .copyright):
      state.file.copyright = state.file.copyright ?? Copyright(author: "")
      nodes.append(.copyright)
    case (.foreign, _): beginForeign(token)
    case (_, .extensions): nodes.append(.extensions)
    case (.trackpoint, .sensorContainer), (.routepoint, .sensorContainer), (.waypoint, .sensorContainer),
      (.extensions, .sensorContainer) where isInPoint:
      nodes.append(.sensorContainer)
      state.container = nil
      state.containerToken = token
    case (.extensions, _) where !(isInPoint && element.sensor != nil): beginForeign(token)
    case (.sensorContainer, _) where element.sensor == nil: beginForeign(token)
    case (_, .link):
      link = TrackLink(address: "")
      nodes.append(.link)
    case (_, .other), (_, .trkpt), (_, .trkseg), (_, .rtept), (_, .wpt), (_, .trk), (_, .rte):
      try misplaced(element)
      beginForeign(token)
    default:
      // The attributes form one address. A second address replaces the first.
      if element == .email { state.file.author?.email = nil }
      valueElement = element
      nodes.append(.value)
    }
    return nil
  }

  mutating func leaf(_ element: GPXElement, _ token: XMLToken, _ batch: inout PointBatch)
    throws(TrackError) -> TrackEvent?
  {
    switch nodes[nodes.count - 1] {
    case .trackpoint, .waypoint, .routepoint: try pointValue(element, token, &batch)
    case .extensions, .sensorContainer:
      if isInPoint, let sensor = element.sensor {
        try set(sensor, token, &batch)
      } else if element != .sensorContainer {
        if let leaf = try keptLeaf(token) { deliver(leaf) }
      }
    case .foreign: addForeign(leaf: token)
    case .segment where element == .trkpt, .route where element == .rtept, .gpx where element == .wpt:
      try tokens.warn(.invalidPosition, "point without latitude or longitude, skipped")
    case .track where element == .trkseg:
      if let event = beginTrack() { return event }
      state.queue.append(.endSegment)
      return .beginSegment
    case .gpx where element == .trk || element == .rte:
      if let event = header() { return event }
      state.queue.append(element == .trk ? .endTrack : .endRoute)
      return element == .trk ? .beginTrack(TrackInfo()) : .beginRoute(TrackInfo())
    case .track, .route, .segment: try trackValue(element, token)
    case .gpx, .metadata, .author, .copyright: try fileValue(element, token)
    case .link:
      if element == .text { link.text = tokens.trimmedText(of: token) }
      if element == .type { link.mediaType = tokens.trimmedText(of: token) }
    case .document:
      guard element == .gpx else {
        throw TrackError(.unknownFormat, "the root element is not gpx", place: tokens.place)
      }
    case .value: break
    }
    return nil
  }

  mutating func text(_ token: XMLToken, _ batch: inout PointBatch) throws(TrackError) {
    switch nodes[nodes.count - 1] {
    case .foreign: addForeign(text: token)
    case .value:
      // Handle the text like that of a leaf in the parent element.
      nodes.removeLast()
      defer { nodes.append(.value) }
      _ = try leaf(valueElement, token, &batch)
    default: break
    }
  }

  mutating func attribute(_ element: GPXElement, _ token: XMLToken) {
    switch (nodes[nodes.count - 1], element) {
    case (.foreign, _): addForeign(attribute: token)
    case (.gpx, .creator): state.file.creator = tokens.trimmedText(of: token)
    case (.link, .href): link.address = tokens.trimmedText(of: token) ?? ""
    case (.copyright, _) where tokens.name(of: token).local == "author":
      state.file.copyright?.author = tokens.trimmedText(of: token) ?? ""
    case (.value, .id) where valueElement == .email:
      changeAuthor { [text = tokens.text(of: token)] in $0.email = text + ($0.email ?? "") }
    case (.value, .domain) where valueElement == .email:
      changeAuthor { [text = tokens.text(of: token)] in $0.email = ($0.email ?? "") + "@" + text }
    default: break
    }
  }

  mutating func end(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    switch nodes[nodes.count - 1] {
    case .trackpoint, .routepoint:
      nodes.removeLast()
      endPoint(&batch)
      return batch.isFull || (batch.count > 0 && state.foreign.budget.isBatchFull) ? .points : nil
    case .segment:
      if batch.count > 0 { return again(.points) }
      if !segmentExtensions.isEmpty {
        defer { segmentExtensions = [] }
        return again(.annotation(.extensions(segmentExtensions)))
      }
      nodes.removeLast()
      return .endSegment
    case .route, .track:
      if batch.count > 0 { return again(.points) }
      let isTrack = nodes[nodes.count - 1] == .track
      if let event = isTrack ? beginTrack() : beginRoute() { return event }
      if !track.isEmpty { return again(.annotation(.track(takeTrack()))) }
      nodes.removeLast()
      return isTrack ? .endTrack : .endRoute
    case .waypoint:
      nodes.removeLast()
      return endWaypoint()
    case .foreign:
      nodes.removeLast()
      if let element = try closeForeign() { deliver(element) }
    case .sensorContainer:
      nodes.removeLast()
      if let container = state.container { deliver(container) }
    case .link:
      nodes.removeLast()
      try addLink()
    case .document, .gpx, .metadata, .author, .copyright, .extensions, .value: nodes.removeLast()
    }
    return nil
  }
}
