public import TrackModel

/// Reads GPX 1.0 and 1.1: waypoints, routes, tracks, metadata, sensors and everything else as extensions.
///
/// Accepts what other programs write beyond the schemas: no namespace, or another one at the root; elements
/// in any order; blanks in front of the XML declaration; values that are none (left out and counted). A file
/// that ends inside an element is read up to its last whole point, with a warning.
public struct GPXReader: XMLTrackReader, ~Copyable {
  /// Where in the grammar an open element stands.
  enum Node {
    case document, gpx, metadata, author, copyright, link
    case waypoint, route, routepoint, track, segment, trackpoint
    /// An element that is only a value, but has attributes: its text comes apart from its tags.
    case value
    case extensions, sensorContainer
    /// An element inside `extensions`, or where GPX has none, that is kept as it is.
    case foreign
  }

  var tokens: XMLTokenStream
  var state: XMLReaderState
  var nodes: [Node] = [.document]

  var track = TrackInfo()
  var hasSentTrack = false
  var segmentExtensions: [ExtensionElement] = []

  /// The element of the open `value` node.
  var valueElement = GPXElement.other
  var link = Link(address: "")
  /// Whether the open point has a valid position, and so a row.
  var hasRow = false
  var details = PointDetails()
  var hasDetails = false
  /// The row of the open waypoint; trackpoints and routepoints go straight into the caller's batch.
  var waypoint = PointBatch(capacity: 1)

  /// - Parameter input: the file from its first byte.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    state = XMLReaderState(options.limits)
    tokens = XMLTokenStream(input, options: options) {
      GPXElement.classify($0, core: $1).rawValue
    }
  }

  public var warnings: [TrackWarning] { tokens.log.warnings }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try nextEvent(into: &batch)
  }

  mutating func handleTokens(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    while let token = try tokens.next() {
      if let event = try handle(token, &batch) { return event }
    }
    return nil
  }

  mutating func dropOpenPoint(_ batch: inout PointBatch) -> Bool {
    if hasRow, nodes.contains(where: { $0 == .trackpoint || $0 == .routepoint }) { batch.removeLast() }
    return false
  }

  mutating func closeAll() {
    for node in nodes.reversed() {
      for event in closing(node) { state.queue.append(event) }
    }
  }

  /// The events that close a container, with the information about it that no event has carried yet.
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
}
