public import TrackModel

/// Reads KML 2.0 to 2.3 with Google's extensions: tracks, routes that ``KMLWriter`` wrote, and places.
///
/// - Each placemark with a line is a track, at any depth of folders; each `LineString` and each `gx:Track` in
///   it is a segment, inside `MultiGeometry` and `gx:MultiTrack` alike. Each `Point` of a placemark is a
///   waypoint; it comes behind the placemark's lines.
/// - The n-th `when` of a `gx:Track` belongs to the n-th `gx:coord` and to the n-th value of each sensor
///   array, in whatever order they come. An empty `gx:coord` keeps its time from the others and is no point.
/// - A `TimeSpan` is the track's as a whole; a place takes its begin. Altitudes are elevations, but for
///   heights above the ground, which are left out, and for zeros in lines that are clamped to the ground, up
///   to the first altitude other than zero.
/// - The outermost `Document` or `Folder` is the file. The names of the folders inside, joined by ` / `, are
///   the type of places and the source of tracks that do not name one.
/// - A style is found where it was declared before its use.
/// - Polygons, overlays, tours and network links count for nothing, and are counted as warnings; how features
///   are to be looked at (views, regions, visibility) is passed over.
/// - The empty `gx:coord` that stands for a missing position is left out with its time and its sensors, and
///   counted, even where reading is strict: the format allows it.
/// - `ExtendedData` that are no field of a track or place are kept as extensions.
///
/// Memory is bounded by the largest text; a long `gx:Track` waits in temporary files.
public struct KMLReader: XMLTrackReader, ~Copyable {
  /// Where in the grammar an open element stands.
  enum Node {
    case document, kml, container, placemark
    case timeStamp, timeSpan, author, link
    case style, cascadingStyle, lineStyle, iconStyle, icon, styleMap, pair
    case extendedData, data, schemaData, simpleData, simpleArray, schema, schemaField
    case multiGeometry, point, line, track
    /// An element that is only a value, but has attributes: its text comes apart from its tags.
    case value
    /// An element without a meaning here, kept as it is.
    case foreign
  }

  /// What is delivered from what was held back.
  enum Delivery: Equatable {
    case nothing
    /// Positions of the text at hand, from a byte of it on.
    case coordinates(index: Int, isLast: Bool)
    /// Rows of the held track.
    case track(row: Int)
    case places(next: Int)
  }

  var tokens: XMLTokenStream
  var state: XMLReaderState
  let limits: ReadingLimits
  var nodes: [Node] = [.document]
  var delivery = Delivery.nothing

  /// The containers that are open; the outermost is the file itself.
  var containers: [KMLContainer] = []
  var styles: KMLStyles

  var placemark = KMLPlacemark()
  /// What was said of the open track or route when it began; nil before.
  var told: TrackInfo?
  var isRoute = false
  /// Whether the open placemark repeats another one for simpler programs.
  var isCopy = false
  var hasGeometry = false
  var isSegmentOpen = false
  /// The positions of the placemark's points, and what is said about them all.
  var places = KMLPlaces()
  var placeDetails: (details: PointDetails, values: [Channel: Double]) = (PointDetails(), [:])
  var track = KMLTrack()
  /// How many `gx:coord` were empty, and where the first stands.
  var emptyCoords = 0
  var firstEmptyCoord = Place()
  var segmentExtensions: [ExtensionElement] = []
  /// What altitudes are, in the open geometry and in the collection around it.
  var altitudeMode = KMLAltitudeMode.clampedToGround
  var collectionAltitudeMode = KMLAltitudeMode.clampedToGround
  /// Whether the altitudes of the open line count although they are clamped.
  var hasRealAltitude = false
  /// What of a `coordinates` was read and not yet looked at.
  var coordinates: [UInt8] = []

  /// The element of the open `value` node.
  var valueElement = KMLElement.other
  var link = Link(address: "")
  var style = KMLStyle()
  var styleID: String?
  var pair = (key: "", url: "")
  var person = Person()
  var data = KMLPlacemark.Data(name: "", displayName: nil, value: "")
  var span = TimeSpan()
  var schemaID = ""
  var fieldName = ""
  /// The headings of the arrays, by schema and name, and their size in bytes.
  var headings: [String: String] = [:]
  var headingSize = 0
  var scale = (factor: 1.0, offset: 0.0)

  /// - Parameter input: the file from its first byte.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    limits = options.limits
    state = XMLReaderState(limits)
    styles = KMLStyles(limits)
    tokens = XMLTokenStream(input, options: options, pieces: KMLElement.coordinates.rawValue) {
      KMLElement.classify($0, core: $1).rawValue
    }
  }

  public var warnings: [TrackWarning] {
    guard emptyCoords > 0 else { return tokens.log.warnings }
    return tokens.log.warnings + [
      TrackWarning(
        .missingPosition, "point of a track without a position, left out", count: emptyCoords,
        place: firstEmptyCoord)
    ]
  }
  public internal(set) var unread = LossReport()

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try nextEvent(into: &batch)
  }

  mutating func handleTokens(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    while state.queue.isEmpty, delivery == .nothing, let token = try tokens.next() { try handle(token) }
    return nil
  }

  mutating func dropOpenPoint(_ batch: inout PointBatch) -> Bool {
    if case .coordinates = delivery { delivery = .nothing }
    let hasHeldPoints = track.hasPosition || !places.isEmpty
    if nodes.contains(.track) { deliverTrack() }
    return hasHeldPoints
  }

  mutating func closeAll() {
    if isSegmentOpen, !isRoute { state.queue.append(.endSegment) }
    isSegmentOpen = false
    if nodes.contains(.placemark) { endPlacemark() }
  }

  // MARK: Tokens

  private mutating func handle(_ token: XMLToken) throws(TrackError) {
    let element = KMLElement(rawValue: token.code) ?? .other
    switch token.kind {
    case .leaf: try leaf(element, token)
    case .start: try start(element, token)
    case .end: try end()
    case .text: try text(token)
    case .attribute: try attribute(element, token)
    case .unresolvedEntity: break
    case .namespace:
      if nodes.count == 2, !KMLNamespace.isKnown(tokens.text(of: token)) { addNamespace(token) }
    }
  }

  private mutating func leaf(_ element: KMLElement, _ token: XMLToken) throws(TrackError) {
    switch (nodes[nodes.count - 1], element) {
    case (.track, .when):
      try track.append(time: try tokens.readTime(token, allowsDates: true)?.microseconds ?? Instant.absent)
    case (.track, .coord): try coord(token)
    case (.simpleArray, .value): try arrayValue(token)
    case (.line, .coordinates): addCoordinates(token, isLast: true)
    case (.point, .coordinates): try addPlaces(token)
    case (.multiGeometry, .altitudeMode): collectionAltitudeMode = altitudeMode(of: token)
    case (.line, .altitudeMode), (.point, .altitudeMode): altitudeMode = altitudeMode(of: token)
    case (.track, .altitudeMode): track.altitudeMode = altitudeMode(of: token)
    case (.foreign, _): addForeign(leaf: token)
    case (let node, _) where canBegin(element, in: node):
      // An empty element says what its start tag and its end tag say.
      try start(element, token)
      try end()
    default: try value(element, token)
    }
  }

  private mutating func text(_ token: XMLToken) throws(TrackError) {
    switch nodes[nodes.count - 1] {
    case .foreign: addForeign(text: token)
    case .simpleData: if try hasRoom(Int(token.textCount)) { data.value += tokens.text(of: token) }
    case .value where valueElement == .coordinates && nodes[nodes.count - 2] == .line:
      // A piece of the text: more may follow.
      addCoordinates(token, isLast: false)
    case .value:
      // As if it were a leaf of the element around it.
      nodes.removeLast()
      defer { nodes.append(.value) }
      try leaf(valueElement, token)
    default: break
    }
  }

  private mutating func end() throws(TrackError) {
    let node = nodes.removeLast()
    switch node {
    case .value:
      if valueElement == .coordinates, nodes[nodes.count - 1] == .line {
        delivery = .coordinates(index: 0, isLast: true)
      }
    case .line: endLine()
    case .track: try endTrack()
    case .multiGeometry:
      if nodes[nodes.count - 1] != .multiGeometry { collectionAltitudeMode = .clampedToGround }
    case .placemark:
      endPlacemark()
      if !hasGeometry {
        try tokens.warn(.notRepresentable, "placemark without a place or a line, left out")
      }
    default: try endDescription(node)
    }
  }
}
