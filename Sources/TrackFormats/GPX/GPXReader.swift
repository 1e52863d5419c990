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
  let options: ReadingOptions
  var nodes: [Node] = [.document]
  /// Events that are known before they are asked for, the next one last.
  var queue: [TrackEvent] = []
  var isAtEnd = false
  var pendingError: TrackError?

  var file = FileInfo()
  var hasSentHeader = false
  var track = TrackInfo()
  var hasSentTrack = false
  var segmentExtensions: [ExtensionElement] = []
  var hasSentPoint = false

  /// The element of the open `value` node.
  var valueElement = GPXElement.other
  var link = Link(address: "")
  /// Whether the open point has a valid position, and so a row.
  var hasRow = false
  var details = PointDetails()
  var hasDetails = false
  /// The row of the open waypoint; trackpoints and routepoints go straight into the caller's batch.
  var waypoint = PointBatch(capacity: 1)
  /// The foreign elements that are open, the outermost first.
  var foreign: [ExtensionElement] = []
  /// What the open sensor container holds beyond sensors; made only when it is needed.
  var container: ExtensionElement?
  var containerName = XMLToken(
    kind: .start, code: 0, name: 0, textOffset: 0, textCount: 0, line: 0, column: 0)

  /// - Parameter input: the file from its first byte.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.options = options
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

  mutating func dropOpenPoint(_ batch: inout PointBatch) {
    if hasRow, nodes.contains(where: { $0 == .trackpoint || $0 == .routepoint }) { batch.removeLast() }
  }

  /// The events that end an open container, with what it said and nobody was told yet.
  mutating func closing(_ node: Node) -> [TrackEvent] {
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
