public import TrackModel

/// A reader of GPX 1.0 and 1.1: waypoints, routes, tracks, metadata, sensor values, and everything else as
/// extensions.
///
/// Accepts common deviations from the schemas: a missing or different namespace of the root, elements in any
/// order, white space before the XML declaration, and invalid values (omitted and counted). A file that ends
/// inside an element is read up to its last complete point, with a warning.
public struct GPXReader: XMLPointReader, ~Copyable {
  /// The kind of an open element in the grammar.
  enum Node: XMLNode {
    case document, gpx, metadata, author, copyright, link
    case waypoint, route, routepoint, track, segment, trackpoint
    /// An element with a value and attributes: its text is delivered separately from its tags.
    case value
    case extensions, sensorContainer
    /// An element inside `extensions`, or one unknown to GPX, that is kept unchanged.
    case foreign

    var level: KeptBudget.Level? {
      switch self {
      case .waypoint, .trackpoint, .routepoint: .point
      case .track, .route: .track
      default: nil
      }
    }
  }

  var tokens: XMLTokenStream
  var state: XMLReaderState
  var nodes: [Node] = [.document]

  var track = TrackInfo()
  /// The kind of all tracks that OsmAnd writes into the metadata.
  var activity: String?
  var hasSentTrack = false
  var segmentExtensions: [ExtensionElement] = []

  /// The element of the open `value` node.
  var valueElement = GPXElement.other
  var link = TrackLink(address: "")
  /// Whether the open point has a valid position, and therefore a row.
  var hasRow = false
  /// Whether the open segment has a point.
  var segmentHasPoint = false
  /// Whether a mark of a pause or its end precedes the next trackpoint, which starts a segment.
  var followsPause = false
  var details = PointDetails()
  var hasDetails = false
  var extraNames: [ExtraValues.Name] = []
  /// The row of the open waypoint. Trackpoints and routepoints are added directly to the caller's batch.
  var waypoint = PointBatch(capacity: 1)

  /// Creates a reader. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - input: the file from its first byte.
  ///   - options: the options for reading.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.init(input, options: options, usesRows: true)
  }

  /// - Parameter usesRows: whether plain trackpoints are read without tokens. The results are the same.
  package init(_ input: consuming ByteInput, options: ReadingOptions, usesRows: Bool) {
    state = XMLReaderState(options.limits)
    tokens = XMLTokenStream(
      input, options: options, rows: usesRows ? GPXTrackpointRow.learning(options.channels) : nil
    ) {
      GPXElement.classify($0, core: $1).rawValue
    }
  }

  public var warnings: [TrackWarning] { tokens.log.warnings }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try nextEvent(into: &batch)
  }

  mutating func handleTokens(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try handlePointTokens(&batch)
  }

  var isAmongPoints: Bool { nodes[nodes.count - 1] == .segment && !followsPause }

  @inline(__always)
  mutating func appendRow(to batch: inout PointBatch) {
    segmentHasPoint = true
    GPXTrackpointRow.append(tokens.row, to: &batch)
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

  /// Returns the events that close a container, with information about it that no event has contained yet.
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
