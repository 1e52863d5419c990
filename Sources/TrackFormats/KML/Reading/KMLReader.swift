public import TrackModel

/// A reader of KML 2.0 to 2.3 with Google's extensions: tracks, routes written by ``KMLWriter``, and places.
///
/// - Each placemark with a line is a track, at any depth of folders. Each of its `LineString` and `gx:Track`
///   elements is a segment, even inside `MultiGeometry` and `gx:MultiTrack`. Each `Point` of a placemark is a
///   waypoint after the placemark's lines.
/// - The n-th `when` of a `gx:Track` belongs to the n-th `gx:coord` and to the n-th value of each sensor
///   array, in any order of the elements. An empty `gx:coord` counts in this numbering but is not a point.
/// - A `TimeSpan` applies to the whole track; a place uses its start. Altitudes are read as elevations,
///   except heights above the ground, which are omitted, and zeros in lines clamped to the ground up to the
///   first altitude other than zero.
/// - The outermost `Document` or `Folder` is the file. The names of the inner folders, joined by ` / `, are
///   the type of places and the source of tracks that do not specify one.
/// - A style must be declared before its use.
/// - Polygons, overlays, tours and network links are skipped with a warning. Presentation settings (views,
///   regions, visibility) are ignored.
/// - An empty `gx:coord`, which represents a missing position, is omitted with its time and sensor values,
///   and counted, even in strict reading, because the format allows it.
/// - `ExtendedData` values that are not fields of a track or place are kept as extensions.
///
/// Memory is bounded by the longest text. The times of a long `gx:Track` are stored in temporary files, and
/// so are its positions, unless only positions follow in a seekable input.
public struct KMLReader: XMLTrackReader, ~Copyable {
  /// The kind of an open element in the grammar.
  enum Node: XMLNode {
    case document, kml, container, placemark
    case timeStamp, timeSpan, author, link
    case style, cascadingStyle, lineStyle, iconStyle, icon, styleMap, pair
    case extendedData, data, schemaData, simpleData, simpleArray, schema, schemaField
    case multiGeometry, point, line, track
    /// An element with a value and attributes: its text is delivered separately from its tags.
    case value
    /// An unknown element that is kept unchanged.
    case foreign
  }

  /// Content that is delivered over several calls.
  enum Delivery: Equatable {
    case nothing
    /// The positions of the current text, starting at a byte offset.
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

  /// The open containers. The outermost is the file itself.
  var containers: [KMLContainer] = []
  var styles: KMLStyles

  var placemark = KMLPlacemark()
  /// The information about the open track or route sent at its start, or nil before that.
  var announced: TrackInfo?
  var isRoute = false
  /// Whether the open placemark repeats another one for simpler programs.
  var isCopy = false
  var hasGeometry = false
  var isSegmentOpen = false
  /// The positions of the placemark's points, and the information that they share.
  var places = KMLPlaces()
  var placeDetails: (details: PointDetails, values: [Channel: Double]) = (PointDetails(), [:])
  var track = KMLTrack()
  /// The number of empty `gx:coord` elements, and the location of the first one.
  var emptyCoords = 0
  var firstEmptyCoord = InputLocation()
  var segmentExtensions: [ExtensionElement] = []
  /// The altitude modes of the open geometry and of the enclosing collection.
  var altitudeMode = KMLAltitudeMode.clampedToGround
  var collectionAltitudeMode = KMLAltitudeMode.clampedToGround
  /// Whether the altitudes of the open line are used although they are clamped.
  var hasRealAltitude = false
  /// The unparsed text of a `coordinates` element.
  var coordinates: [UInt8] = []

  /// The element of the open `value` node.
  var valueElement = KMLElement.other
  var link = TrackLink(address: "")
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

  /// Creates a reader. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - input: the file from its first byte.
  ///   - options: the options for reading.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.init(input, options: options, usesRows: true)
  }

  /// - Parameter usesRows: whether plain times and positions of a `gx:Track` are read without tokens. The
  ///   results are the same.
  package init(_ input: consuming ByteInput, options: ReadingOptions, usesRows: Bool) {
    limits = options.limits
    state = XMLReaderState(limits)
    styles = KMLStyles(limits)
    tokens = XMLTokenStream(
      input, options: options, pieces: KMLElement.coordinates.rawValue,
      rows: usesRows ? KMLTrackRow.learning : nil
    ) {
      KMLElement.classify($0, core: $1).rawValue
    }
  }

  public var warnings: [TrackWarning] {
    guard emptyCoords > 0 else { return tokens.log.warnings }
    return tokens.log.warnings + [
      TrackWarning(
        .missingPosition, "trackpoint without a position, skipped", count: emptyCoords,
        place: firstEmptyCoord)
    ]
  }
  public internal(set) var unsupportedContent = LossReport()

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    try nextEvent(into: &batch)
  }

  mutating func handleTokens(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    while state.queue.isEmpty, delivery == .nothing, !batch.isFull {
      if track.mustDeliver {
        if try track.moveHeld(to: &batch), !isRoute {
          state.queue.append(.endSegment)
          state.queue.append(.beginSegment)
        }
        continue
      }
      if tokens.isBetweenRows, nodes[nodes.count - 1] == .track {
        try takeRows(&batch)
        if batch.isFull || track.mustDeliver { continue }
      }
      guard let token = try tokens.next() else { break }
      try handle(token)
    }
    return batch.count > 0 ? .points : nil
  }

  /// Adds the times and positions that can be read without tokens to the open track, or to the batch if the
  /// track is streamed.
  private mutating func takeRows(_ batch: inout PointBatch) throws(TrackError) {
    while !batch.isFull, !track.mustDeliver, tokens.nextRow() {
      guard tokens.row.count > 0 else {
        try track.append(time: tokens.row.time)
        continue
      }
      let latitude = tokens.row.numbers[1]
      let longitude = tokens.row.numbers[0]
      let elevation = tokens.row.count > 2 ? tokens.row.numbers[2] : .nan
      if track.isStreamed, !track.isResuming {
        try track.append(latitude: latitude, longitude: longitude, elevation: elevation, to: &batch)
        continue
      }
      try track.append(latitude: latitude, longitude: longitude, elevation: elevation)
      try streamTrack()
    }
  }

  /// Begins the track after its first position, if only positions follow.
  private mutating func streamTrack() throws(TrackError) {
    guard track.count == 1, track.canBeStreamed, !isCopy,
      try tokens.onlyLeavesFollow(KMLElement.coord.rawValue)
    else { return }
    beginTrackSegment()
    track.isStreamed = true
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
    case (.track, .coord):
      try coord(token)
      try streamTrack()
    case (.simpleArray, .value): try arrayValue(token)
    case (.line, .coordinates): addCoordinates(token, isLast: true)
    case (.point, .coordinates): try addPlaces(token)
    case (.multiGeometry, .altitudeMode): collectionAltitudeMode = altitudeMode(of: token)
    case (.line, .altitudeMode), (.point, .altitudeMode): altitudeMode = altitudeMode(of: token)
    case (.track, .altitudeMode): track.altitudeMode = altitudeMode(of: token)
    case (.foreign, _): addForeign(leaf: token)
    case (let node, _) where canBegin(element, in: node):
      // An empty element is handled like a start tag and an end tag.
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
    case .value where tokens.isBeforeFault: break
    case .value:
      // Handle the text like that of a leaf in the parent element.
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
        try tokens.warn(.notRepresentable, "placemark without a position or a line, skipped")
      }
    default: try endDescription(node)
    }
  }
}
