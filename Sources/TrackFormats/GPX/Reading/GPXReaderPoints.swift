import TrackModel

/// Waypoints, routepoints and trackpoints.
extension GPXReader {
  var isInPoint: Bool {
    for node in nodes.reversed() {
      switch node {
      case .extensions, .sensorContainer: continue
      case .waypoint, .trackpoint, .routepoint: return true
      default: return false
      }
    }
    return false
  }

  mutating func beginPoint(_ node: Node, _ batch: inout PointBatch) throws(TrackError) {
    nodes.append(node)
    state.foreign.budget.begin(.point)
    var latitude = Double.nan
    var longitude = Double.nan
    var offending: String?
    while let token = try tokens.nextAttribute() {
      switch GPXElement(rawValue: token.code) {
      case .lat:
        latitude = tokens.number(of: token) ?? .nan
        if !(abs(latitude) <= 90) { offending = tokens.text(of: token) }
      case .lon:
        longitude = tokens.number(of: token) ?? .nan
        if !(abs(longitude) <= 180) { offending = tokens.text(of: token) }
      default: break
      }
    }
    hasRow = abs(latitude) <= 90 && abs(longitude) <= 180
    if hasRow, node == .trackpoint { segmentHasPoint = true }
    // Older versions of OpenTracks mark pauses with a latitude of 100, and their ends with 200.
    if node == .trackpoint, latitude == 100 || latitude == 200, abs(longitude) <= 180 {
      followsPause = segmentHasPoint
      return
    }
    guard hasRow else {
      // Reading a token moves the place past the tag, and ends the life of the attributes' bytes.
      if try tokens.next() != nil { tokens.unsupportedContent() }
      try tokens.warn(
        .invalidPosition,
        offending == nil
          ? "point without latitude or longitude, skipped"
          : "invalid latitude or longitude, point skipped", quotingText: offending)
      return
    }
    if node == .waypoint {
      waypoint.append(latitude: latitude, longitude: longitude)
    } else {
      batch.append(latitude: latitude, longitude: longitude)
    }
  }

  mutating func endPoint(_ batch: inout PointBatch) {
    if hasDetails {
      if var extra = details.extraValues.take() {
        // Points share one array.
        if extra.names == extraNames { extra.names = extraNames } else { extraNames = extra.names }
        details.extraValues = extra
      }
      if hasRow { batch.set(details) }
      details = PointDetails()
      hasDetails = false
    }
    hasRow = false
  }

  /// Returns the first of the events that end the open segment and begin another.
  mutating func splitSegment(_ batch: borrowing PointBatch) -> TrackEvent {
    followsPause = false
    segmentHasPoint = false
    if batch.count > 0 { state.queue.append(.endSegment) }
    state.queue.append(.beginSegment)
    return batch.count > 0 ? .points : .endSegment
  }

  mutating func endWaypoint() -> TrackEvent? {
    defer {
      details = PointDetails()
      hasDetails = false
      hasRow = false
    }
    guard hasRow else { return nil }
    var values: [Channel: Double] = [:]
    for channel in waypoint.channels.channels { values[channel] = waypoint.value(channel, at: 0) }
    details.color = GPXStyle.takeColor(from: &details.extensions)
    return .waypoint(
      Waypoint(
        coordinate: waypoint.coordinate(at: 0), time: waypoint.time(at: 0), values: values, details: details))
  }

  mutating func pointValue(_ element: GPXElement, _ token: XMLToken, _ batch: inout PointBatch)
    throws(TrackError)
  {
    switch element {
    case .time:
      guard let time = try tokens.readTime(token), hasRow else { return }
      if nodes[nodes.count - 1] == .waypoint {
        waypoint.set(time: time.microseconds)
      } else {
        batch.set(time: time.microseconds)
      }
    case .name, .cmt, .desc, .src, .sym, .type, .fix, .dgpsid, .url, .urlname: try detail(element, token)
    case .extensions, .sensorContainer, .link: break
    default:
      if let channel = element.pointChannel ?? element.sensor {
        try set(channel, token, &batch)
      } else {
        try misplaced(element)
        if let leaf = try keptLeaf(token) { deliver(leaf) }
      }
    }
  }

  mutating func detail(_ element: GPXElement, _ token: XMLToken) throws(TrackError) {
    guard let text = tokens.trimmedText(of: token) else { return }
    hasDetails = true
    state.foreign.budget.addToBatch(text.utf8.count)
    switch element {
    case .name: details.name = text
    case .cmt: details.comment = text
    case .desc: details.description = text
    case .src: details.source = text
    case .sym: details.symbol = text
    case .type: details.type = text
    case .fix: details.fix = text
    case .url: if try hasRoom(text.utf8.count) { details.links.append(TrackLink(address: text)) }
    case .urlname: if !details.links.isEmpty { details.links[details.links.count - 1].text = text }
    default:
      details.differentialStation = Int(text)
      if details.differentialStation == nil {
        try tokens.warn(.invalidValue, "invalid number, ignored", quoting: token)
      }
    }
  }

  /// Sets a channel of the open point from a token's text.
  mutating func set(_ channel: Channel, _ token: XMLToken, _ batch: inout PointBatch)
    throws(TrackError)
  {
    guard let number = try tokens.readNumber(token), hasRow,
      let value = channel.known(number)
    else { return }
    if isInWaypoint {
      waypoint.set(channel, value)
    } else {
      batch.set(channel, value)
    }
  }

  var isInWaypoint: Bool { nodes.count > 2 && nodes[2] == .waypoint }
}
