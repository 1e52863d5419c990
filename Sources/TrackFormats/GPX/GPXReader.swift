public import TrackModel

/// Reads GPX 1.0 and 1.1: waypoints, routes, tracks, metadata, sensors and everything else as extensions.
///
/// Accepts what other programs write beyond the schemas: no namespace, or another one at the root; elements in
/// any order; blanks in front of the XML declaration; values that are none (left out and counted). A file that
/// ends inside an element is read up to its last whole point, with a warning.
public struct GPXReader: TrackReader, ~Copyable {
  /// Where in the grammar an open element stands.
  private enum Node {
    case document, gpx, metadata, author, copyright, link
    case waypoint, route, routepoint, track, segment, trackpoint
    /// An element that is only a value, but has attributes: its text comes apart from its tags.
    case value
    case extensions, sensorContainer
    /// An element inside `extensions`, or where GPX has none, that is kept as it is.
    case foreign
  }

  private var tokens: XMLTokenStream
  private let options: ReadingOptions
  private var nodes: [Node] = [.document]
  /// Events that are known before they are asked for, the next one last.
  private var queue: [TrackEvent] = []
  private var isAtEnd = false
  private var pendingError: TrackError?

  private var file = FileInfo()
  private var hasSentHeader = false
  private var track = TrackInfo()
  private var hasSentTrack = false
  private var segmentExtensions: [ExtensionElement] = []
  private var hasSentPoint = false

  /// The element of the open `value` node.
  private var valueElement = GPXElement.other
  private var link = Link(address: "")
  /// Whether the open point has a valid position, and so a row.
  private var hasRow = false
  private var details = PointDetails()
  private var hasDetails = false
  /// The row of the open waypoint; trackpoints and routepoints go straight into the caller's batch.
  private var waypoint = PointBatch(capacity: 1)
  /// The foreign elements that are open, the outermost first.
  private var foreign: [ExtensionElement] = []
  /// What the open sensor container holds beyond sensors; made only when it is needed.
  private var container: ExtensionElement?
  private var containerName = XMLToken(
    kind: .start, code: 0, name: 0, textOffset: 0, textCount: 0, line: 0, column: 0)

  /// - Parameter input: the file from its first byte.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.options = options
    var core: String?
    var hasRoot = false
    tokens = XMLTokenStream(input, options: options) { name in
      if !hasRoot {
        hasRoot = true
        core = name.namespace
      }
      return GPXElement.classify(name, core: core).rawValue
    }
  }

  public var warnings: [TrackWarning] { tokens.log.warnings }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    batch.removeAll()
    if let event = queue.popLast() { return event }
    if let error = pendingError {
      pendingError = nil
      queue = []
      isAtEnd = true
      throw error
    }
    guard !isAtEnd else { return nil }
    do {
      while let token = try tokens.next() {
        if let event = try handle(token, &batch) {
          if case .points = event { hasSentPoint = true }
          return event
        }
      }
      return try end()
    } catch {
      return try recover(from: error, &batch)
    }
  }

  /// The events that are left when the document is over.
  private mutating func end() throws(TrackError) -> TrackEvent? {
    isAtEnd = true
    if !hasSentHeader {
      hasSentHeader = true
      return .header(file)
    }
    if file != FileInfo() {
      defer { file = FileInfo() }
      return .annotation(.file(file))
    }
    return nil
  }

  /// Delivers what was whole before a fault; a file that was cut off is closed, other faults are thrown next.
  private mutating func recover(from error: TrackError, _ batch: inout PointBatch) throws(TrackError)
    -> TrackEvent?
  {
    if let open = nodes.last(where: { $0 == .trackpoint || $0 == .routepoint }), hasRow, open != .waypoint {
      batch.removeLast()
    }
    var events: [TrackEvent] = batch.count > 0 ? [.points] : []
    hasSentPoint = hasSentPoint || batch.count > 0
    if error.code == .truncated, !options.isStrict, hasSentPoint {
      try tokens.warn(.truncated, "the file ends inside an element, what was whole is kept", at: error.place)
      isAtEnd = true
      for node in nodes.reversed() { events += closing(node) }
      if file != FileInfo() { events.append(.annotation(.file(file))) }
      queue = events.reversed()
      return queue.popLast()
    }
    pendingError = error
    if let event = events.first { return event }
    return try next(into: &batch)
  }

  /// The events that end an open container, with what it said and nobody was told yet.
  private mutating func closing(_ node: Node) -> [TrackEvent] {
    switch node {
    case .segment:
      (segmentExtensions.isEmpty ? [] : [.annotation(.extensions(segmentExtensions))]) + [.endSegment]
    case .track where !hasSentTrack: [.beginTrack(takeTrack()), .endTrack]
    case .route where !hasSentTrack: [.beginRoute(takeTrack()), .endRoute]
    case .track, .route:
      (track.isEmpty ? [] : [.annotation(.track(takeTrack()))]) + [node == .track ? .endTrack : .endRoute]
    default: []
    }
  }

  // MARK: Tokens

  private mutating func handle(_ token: XMLToken, _ batch: inout PointBatch) throws(TrackError) -> TrackEvent?
  {
    let element = GPXElement(rawValue: token.code) ?? .other
    switch token.kind {
    case .leaf: return try leaf(element, token, &batch)
    case .start: return try start(element, token, &batch)
    case .end: return try end(&batch)
    case .text: try text(token, &batch)
    case .attribute: attribute(element, token)
    case .unresolvedEntity: break
    case .namespace:
      if nodes.count == 2 {
        file.namespaces.append(
          NamespaceDeclaration(prefix: tokens.name(of: token).local, uri: tokens.text(of: token)))
      }
    }
    return nil
  }

  private mutating func start(_ element: GPXElement, _ token: XMLToken, _ batch: inout PointBatch)
    throws(TrackError) -> TrackEvent?
  {
    switch (nodes[nodes.count - 1], element) {
    case (.segment, .trkpt): try beginPoint(.trackpoint, &batch)
    case (.track, .trkseg):
      if let event = beginTrack() { return event }
      nodes.append(.segment)
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
      track = TrackInfo()
      hasSentTrack = false
    case (.document, .gpx): nodes.append(.gpx)
    case (.document, _):
      throw TrackError(
        .unknownFormat, "the root element is no gpx", place: tokens.place,
        hint: "see the formats that can be read with: ghost-convert formats")
    case (.gpx, .metadata): nodes.append(.metadata)
    case (.metadata, .author): nodes.append(.author)
    case (.metadata, .copyright):
      file.copyright = file.copyright ?? Copyright(author: "")
      nodes.append(.copyright)
    case (.foreign, _): beginForeign(token)
    case (_, .extensions): nodes.append(.extensions)
    case (.trackpoint, .sensorContainer), (.routepoint, .sensorContainer), (.waypoint, .sensorContainer),
      (.extensions, .sensorContainer) where isInPoint:
      nodes.append(.sensorContainer)
      containerName = token
      container = nil
    case (.extensions, _) where !(isInPoint && element.sensor != nil): beginForeign(token)
    case (.sensorContainer, _) where element.sensor == nil: beginForeign(token)
    case (_, .link):
      link = Link(address: "")
      nodes.append(.link)
    case (_, .other), (_, .trkpt), (_, .trkseg), (_, .rtept), (_, .wpt), (_, .trk), (_, .rte):
      try misplaced(element)
      beginForeign(token)
    default:
      valueElement = element
      nodes.append(.value)
    }
    return nil
  }

  private mutating func leaf(_ element: GPXElement, _ token: XMLToken, _ batch: inout PointBatch)
    throws(TrackError) -> TrackEvent?
  {
    switch nodes[nodes.count - 1] {
    case .trackpoint, .waypoint, .routepoint: try pointValue(element, token, &batch)
    case .extensions, .sensorContainer:
      if isInPoint, let sensor = element.sensor {
        try set(sensor, token, &batch)
      } else if element != .sensorContainer {
        deliver(foreignLeaf(token))
      }
    case .foreign: foreign[foreign.count - 1].content.append(.element(foreignLeaf(token)))
    case .segment where element == .trkpt, .route where element == .rtept, .gpx where element == .wpt:
      try tokens.warn(.invalidPosition, "point without latitude or longitude, left out")
    case .track where element == .trkseg:
      if let event = beginTrack() { return event }
      queue.append(.endSegment)
      return .beginSegment
    case .gpx where element == .trk || element == .rte:
      if let event = header() { return event }
      queue.append(element == .trk ? .endTrack : .endRoute)
      return element == .trk ? .beginTrack(TrackInfo()) : .beginRoute(TrackInfo())
    case .track, .route, .segment: try trackValue(element, token)
    case .gpx, .metadata, .author, .copyright: try fileValue(element, token)
    case .link:
      if element == .text { link.text = tokens.trimmedText(of: token) }
      if element == .type { link.mediaType = tokens.trimmedText(of: token) }
    case .document:
      guard element == .gpx else {
        throw TrackError(.unknownFormat, "the root element is no gpx", place: tokens.place)
      }
    case .value: break
    }
    return nil
  }

  private mutating func text(_ token: XMLToken, _ batch: inout PointBatch) throws(TrackError) {
    switch nodes[nodes.count - 1] {
    case .foreign: foreign[foreign.count - 1].content.append(.text(tokens.text(of: token)))
    case .value:
      // As if it were a leaf of the element around it.
      nodes.removeLast()
      defer { nodes.append(.value) }
      _ = try leaf(valueElement, token, &batch)
    default: break
    }
  }

  private mutating func attribute(_ element: GPXElement, _ token: XMLToken) {
    switch (nodes[nodes.count - 1], element) {
    case (.foreign, _):
      let name = tokens.name(of: token)
      foreign[foreign.count - 1].attributes.append(
        ExtensionElement.Attribute(
          namespace: name.namespace, prefix: name.prefix, name: name.local, value: tokens.text(of: token)))
    case (.gpx, .creator): file.creator = tokens.trimmedText(of: token)
    case (.link, .href): link.address = tokens.trimmedText(of: token) ?? ""
    case (.copyright, _) where tokens.name(of: token).local == "author":
      file.copyright?.author = tokens.trimmedText(of: token) ?? ""
    case (.value, .id) where valueElement == .email:
      changeAuthor { [text = tokens.text(of: token)] in $0.email = text + ($0.email ?? "") }
    case (.value, .domain) where valueElement == .email:
      changeAuthor { [text = tokens.text(of: token)] in $0.email = ($0.email ?? "") + "@" + text }
    default: break
    }
  }

  private mutating func end(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    switch nodes[nodes.count - 1] {
    case .trackpoint, .routepoint:
      nodes.removeLast()
      endPoint(&batch)
      return batch.isFull ? .points : nil
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
    case .foreign: endForeign()
    case .sensorContainer:
      nodes.removeLast()
      if let container { deliver(container) }
      container = nil
    case .link:
      nodes.removeLast()
      addLink()
    case .document, .gpx, .metadata, .author, .copyright, .extensions, .value: nodes.removeLast()
    }
    return nil
  }

  // MARK: Containers

  /// Gives an event now and the last token again with the next call.
  private mutating func again(_ event: TrackEvent) -> TrackEvent {
    tokens.unread()
    return event
  }

  private mutating func header() -> TrackEvent? {
    guard !hasSentHeader else { return nil }
    hasSentHeader = true
    defer { file = FileInfo() }
    return again(.header(file))
  }

  private mutating func beginTrack() -> TrackEvent? {
    guard !hasSentTrack else { return nil }
    hasSentTrack = true
    return again(.beginTrack(takeTrack()))
  }

  private mutating func beginRoute() -> TrackEvent? {
    guard !hasSentTrack else { return nil }
    hasSentTrack = true
    return again(.beginRoute(takeTrack()))
  }

  /// What is known of the open track or route and was not yet told.
  private mutating func takeTrack() -> TrackInfo {
    defer { track = TrackInfo() }
    let style = GPXStyle.take(from: &track.extensions)
    track.style = track.style ?? style
    return track
  }

  private mutating func misplaced(_ element: GPXElement) throws(TrackError) {
    if element != .other {
      try tokens.warn(.misplacedElement, "element where GPX has none, kept as an extension")
    }
  }

  private mutating func changeAuthor(_ change: (inout Person) -> Void) {
    var author = file.author ?? Person()
    change(&author)
    file.author = author
  }

  private mutating func fileValue(_ element: GPXElement, _ token: XMLToken) throws(TrackError) {
    let node = nodes[nodes.count - 1]
    let text = tokens.trimmedText(of: token)
    switch (node, element) {
    case (.author, .name), (.gpx, .author), (.metadata, .author):
      if let text { changeAuthor { $0.name = text } }
    case (.author, .email), (.gpx, .email): if let text { changeAuthor { $0.email = text } }
    case (.copyright, .year): file.copyright?.year = text
    case (.copyright, .license): file.copyright?.license = text
    case (_, .name): file.name = file.name ?? text
    case (_, .desc): file.description = file.description ?? text
    case (_, .keywords): file.keywords = file.keywords ?? text
    case (_, .time): file.time = try time(token)
    case (_, .url): if let text { file.links.append(Link(address: text)) }
    case (_, .urlname): if !file.links.isEmpty { file.links[file.links.count - 1].text = text }
    case (_, .bounds), (_, .extensions), (_, .link), (_, .metadata), (_, .copyright): break
    default:
      try misplaced(element)
      file.extensions.append(foreignLeaf(token))
    }
  }

  private mutating func trackValue(_ element: GPXElement, _ token: XMLToken) throws(TrackError) {
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
        try tokens.warn(.invalidValue, "number expected, left out", quoting: token)
      }
    case .url where !isSegment: if let text { track.links.append(Link(address: text)) }
    case .urlname where !isSegment:
      if !track.links.isEmpty { track.links[track.links.count - 1].text = text }
    case .extensions, .link: break
    default:
      try misplaced(element)
      if isSegment {
        segmentExtensions.append(foreignLeaf(token))
      } else {
        track.extensions.append(foreignLeaf(token))
      }
    }
  }

  private mutating func addLink() {
    guard !link.address.isEmpty else { return }
    switch nodes[nodes.count - 1] {
    case .author: changeAuthor { [link] in $0.link = link }
    case .gpx, .metadata: file.links.append(link)
    case .track, .route: track.links.append(link)
    case .waypoint, .trackpoint, .routepoint:
      details.links.append(link)
      hasDetails = true
    default: break
    }
  }

  // MARK: Points

  private var isInPoint: Bool {
    for node in nodes.reversed() {
      switch node {
      case .extensions, .sensorContainer: continue
      case .waypoint, .trackpoint, .routepoint: return true
      default: return false
      }
    }
    return false
  }

  private mutating func beginPoint(_ node: Node, _ batch: inout PointBatch) throws(TrackError) {
    nodes.append(node)
    var latitude = Double.nan
    var longitude = Double.nan
    var offending: XMLToken?
    // Attributes follow their start tag directly, so this never waits for input.
    while let token = try tokens.next() {
      guard token.kind == .attribute || token.kind == .namespace else {
        tokens.unread()
        break
      }
      switch GPXElement(rawValue: token.code) {
      case .lat:
        latitude = tokens.number(of: token) ?? .nan
        if !(abs(latitude) <= 90) { offending = token }
      case .lon:
        longitude = tokens.number(of: token) ?? .nan
        if !(abs(longitude) <= 180) { offending = token }
      default: break
      }
    }
    hasRow = abs(latitude) <= 90 && abs(longitude) <= 180
    guard hasRow else {
      try tokens.warn(
        .invalidPosition,
        offending == nil
          ? "point without latitude or longitude, left out"
          : "latitude or longitude is no number in its range, point left out", quoting: offending)
      return
    }
    if node == .waypoint {
      waypoint.append(latitude: latitude, longitude: longitude)
    } else {
      batch.append(latitude: latitude, longitude: longitude)
    }
  }

  private mutating func endPoint(_ batch: inout PointBatch) {
    if hasDetails {
      if hasRow { batch.set(details) }
      details = PointDetails()
      hasDetails = false
    }
    hasRow = false
  }

  private mutating func endWaypoint() -> TrackEvent? {
    defer {
      details = PointDetails()
      hasDetails = false
      hasRow = false
    }
    guard hasRow else { return nil }
    var values: [Channel: Double] = [:]
    for channel in waypoint.channels.channels { values[channel] = waypoint.value(channel, at: 0) }
    hasSentPoint = true
    return .waypoint(
      Waypoint(
        coordinate: waypoint.coordinate(at: 0), time: waypoint.time(at: 0), values: values, details: details))
  }

  private mutating func pointValue(_ element: GPXElement, _ token: XMLToken, _ batch: inout PointBatch)
    throws(TrackError)
  {
    switch element {
    case .time:
      guard let time = try time(token), hasRow else { return }
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
        deliver(foreignLeaf(token))
      }
    }
  }

  private mutating func detail(_ element: GPXElement, _ token: XMLToken) throws(TrackError) {
    guard let text = tokens.trimmedText(of: token) else { return }
    hasDetails = true
    switch element {
    case .name: details.name = text
    case .cmt: details.comment = text
    case .desc: details.description = text
    case .src: details.source = text
    case .sym: details.symbol = text
    case .type: details.type = text
    case .fix: details.fix = text
    case .url: details.links.append(Link(address: text))
    case .urlname: if !details.links.isEmpty { details.links[details.links.count - 1].text = text }
    default:
      details.differentialStation = Int(text)
      if details.differentialStation == nil {
        try tokens.warn(.invalidValue, "number expected, left out", quoting: token)
      }
    }
  }

  /// Sets a channel of the open point from a token's text.
  private mutating func set(_ channel: Channel, _ token: XMLToken, _ batch: inout PointBatch)
    throws(TrackError)
  {
    guard var value = tokens.number(of: token) else {
      if !tokens.isBlank(token) {
        try tokens.warn(.invalidValue, "number expected, left out", quoting: token)
      }
      return
    }
    guard hasRow else { return }
    switch channel {
    case .speed, .horizontalAccuracy, .verticalAccuracy:
      // Phones write -1 for "unknown".
      if value < 0 { return }
    case .course, .bearing, .magneticVariation:
      if value < 0 || value > 360 { return }
      if value == 360 { value = 0 }
    default: break
    }
    if isInWaypoint {
      waypoint.set(channel, value)
    } else {
      batch.set(channel, value)
    }
  }

  private var isInWaypoint: Bool { nodes.count > 2 && nodes[2] == .waypoint }

  private mutating func time(_ token: XMLToken) throws(TrackError) -> Instant? {
    guard let reading = tokens.time(of: token) else {
      if !tokens.isBlank(token) {
        try tokens.warn(.invalidTime, "time cannot be read, left out", quoting: token)
      }
      return nil
    }
    if !reading.hasZone {
      try tokens.warn(.timeWithoutZone, "time without a zone, taken as UTC", quoting: token)
    }
    return reading.instant
  }

  // MARK: Extensions

  private func foreignLeaf(_ token: XMLToken) -> ExtensionElement {
    let name = tokens.name(of: token)
    return ExtensionElement(
      namespace: GPXReader.namespace(name), prefix: name.prefix, name: name.local,
      text: tokens.text(of: token))
  }

  /// The namespace that an extension keeps: none for GPX's own and for the one that stands for none.
  private static func namespace(_ name: XMLName) -> String? {
    switch name.namespace {
    case GPXNamespace.gpx10, GPXNamespace.gpx11, GPXNamespace.unqualified: nil
    default: name.namespace
    }
  }

  private mutating func beginForeign(_ token: XMLToken) {
    let name = tokens.name(of: token)
    nodes.append(.foreign)
    foreign.append(
      ExtensionElement(namespace: GPXReader.namespace(name), prefix: name.prefix, name: name.local))
  }

  private mutating func endForeign() {
    nodes.removeLast()
    let element = foreign.removeLast()
    if foreign.isEmpty {
      deliver(element)
    } else {
      foreign[foreign.count - 1].content.append(.element(element))
    }
  }

  /// Gives a whole foreign element to what it belongs to.
  private mutating func deliver(_ element: ExtensionElement) {
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
