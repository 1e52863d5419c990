public import TrackModel

/// Reads GeoJSON (RFC 7946): FeatureCollections, Features and geometries, as a single text or as a sequence
/// (RFC 8142, or one object per line).
///
/// A Feature with lines is a track whose segments are the lines. Points are waypoints. Times and sensors come
/// from `coordTimes`, `times` and `coordinateProperties`, in the spellings of togeojson. Properties of Points
/// follow Overland, and its request body (Features in `locations`) is read as a collection.
///
/// Members can be in any order. The points of a line are streamed if the properties precede them, or if the
/// input is seekable, so that the properties can be read first. Otherwise one Feature is buffered at a time.
/// Polygons and invalid positions are skipped with a warning. A truncated file is read up to its last
/// complete position. A broken text in a sequence is counted and does not affect the others. Lines that were
/// cut at the antimeridian are joined.
public struct GeoJSONReader: JSONTrackReader, ~Copyable {
  /// The position in the grammar.
  enum Stage {
    /// The reader is between texts.
    case texts
    /// The reader is among the members of the root object.
    case root
    /// The reader is among the elements of `features`.
    case features
    /// The reader is among the members of a feature.
    case feature
    /// The reader is among the members of a geometry whose line can be streamed.
    case geometry
    /// In the coordinates of such a line.
    case line
    /// After a streamed line, whose segment must end.
    case endOfLine
    /// The current Feature is complete and being delivered.
    case delivery
    case end
  }

  var lexer: JSONLexer
  let options: ReadingOptions
  var stage = Stage.texts
  /// The position at which reading continues after `delivery`.
  var nextStage = Stage.texts
  var isAtEnd: Bool { stage == .end }
  /// Pending events in reverse order.
  var queue: [TrackEvent] = []
  var pendingError: TrackError?
  private var hasSentHeader = false
  var hasSentWaypoint = false
  var sentTrackpoints = 0

  var records = Records()
  /// The root object: a collection, or the only Feature or geometry of its text.
  var root = ObjectState()
  var rootMembers: [GeoJSONValue] = []
  /// The size of all members of the root so far, in bytes.
  private var rootSize = 0
  /// The current Feature, or the geometry at the root.
  var object = ObjectState()
  var feature = GeoJSONFeature()
  var geometry = GeoJSONGeometry.Object()
  private var startOfGeometry = JSONLexer.Mark()
  /// The end of the current object's last member, if all members were read before its line.
  var endOfMembers: JSONLexer.Checkpoint?
  private var isPartial = false
  private var seam = AntimeridianSeam()

  // The streamed line.
  var coordinates = GeoJSONCoordinates(depth: nil)
  var lineDepth = 1
  var line = 0
  var lineStart = 0
  var position = 0
  var hasBegunTrack = false
  var hasBegunSegment = false

  /// An object whose members are being read.
  struct ObjectState {
    var type: GeoJSONType?
    var start = JSONLexer.Mark()
    var hasProperties = false
    var hasGeometry = false
    /// Whether its line was delivered before the object was complete.
    var isStreamed = false
    var isCollection = false
  }

  /// Creates a reader. Nothing is read before the first call of ``next(into:)``.
  ///
  /// - Parameters:
  ///   - input: the file from its first byte.
  ///   - options: the options for reading.
  public init(_ input: consuming ByteInput, options: ReadingOptions = ReadingOptions()) {
    self.options = options
    lexer = JSONLexer(input, options: options)
  }

  public var warnings: [TrackWarning] { lexer.log.warnings }

  public mutating func next(into batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    while true {
      if let event = seam.nextReleased(into: &batch) { return event }
      var event: TrackEvent?
      do throws(TrackError) {
        event = try nextEvent(into: &batch)
      } catch {
        guard seam.isHolding else { throw error }
        // Thrown again after the point.
        pendingError = error
      }
      let isMarked = feature.properties.isCutAtAntimeridian
      if let next = seam.process(event, &batch, isMarked: isMarked) { return next }
      if event == nil { return nil }
    }
  }

  // MARK: Faults

  mutating func recover(from error: TrackError, rows: Int) throws(TrackError) {
    let header = queue.first.flatMap { if case .header = $0 { $0 } else { nil } }
    queue = []
    let isHeld = stage != .texts && stage != .delivery && !object.isStreamed && feature.geometry.hasLines
    let held = isHeld ? try feature.geometry.linePositions() : 0
    if try leaveRecord(error, held: held) {
      if let header { queue.append(header) }
      return
    }
    let points = sentTrackpoints + rows + held
    // A line needs two points, so a single point before the truncation is not a complete line.
    let isKept = error.code == .truncated && !options.isStrict && (points >= 2 || hasSentWaypoint)
    if isKept {
      try lexer.warn(
        .truncated, "the file ends inside an object; complete data is kept", at: error.place)
    } else {
      pendingError = error
    }
    if isHeld {
      deliverHeld()
      nextStage = .end
      isPartial = !isKept
    } else {
      stage = .end
      if isKept, hasBegunTrack { queue = [.endTrack] + (hasBegunSegment ? [.endSegment] : []) }
    }
  }

  /// Delivers the buffered part of a broken Feature.
  mutating func deliverHeld() {
    stage = .delivery
    nextStage = .texts
    isPartial = false
    queueHeader()
  }

  // MARK: The grammar

  mutating func step(_ batch: inout PointBatch) throws(TrackError) -> TrackEvent? {
    switch stage {
    case .texts: try beginText()
    case .root:
      guard try lexer.nextMember() else {
        try endRoot()
        endRecord()
        return nil
      }
      try readRootMember()
    case .features:
      guard try lexer.nextElement() else {
        lexer.container = nil
        stage = .root
        return nil
      }
      lexer.containerIndex += 1
      try beginFeature()
    case .feature:
      guard try lexer.nextMember() else {
        try endObject(next: .features)
        return nil
      }
      try readObjectMember()
    case .geometry:
      guard try lexer.nextMember() else {
        try feature.geometry.finish(&geometry, startOfGeometry, &lexer)
        stage = objectStage
        if let end = endOfMembers.take() { try lexer.go(to: end) }
        return nil
      }
      let member = GeoJSONMember(rawValue: lexer.code(in: GeoJSONMember.names)) ?? .other
      if member == .coordinates, !geometry.hasContent, let type = geometry.type, type.isLine,
        try readProperties(behindLineOf: type)
      {
        geometry.hasContent = true
        beginLine(of: type)
      } else {
        try feature.geometry.readMember(member, of: &geometry, &lexer)
      }
    case .line: return try readLine(&batch)
    case .endOfLine:
      stage = .line
      return .endSegment
    case .delivery:
      if let event = try feature.next(into: &batch, isPartial: isPartial) { return event }
      feature = GeoJSONFeature()
      stage = nextStage
    case .end: break
    }
    return nil
  }

  /// The object that contains the current Feature.
  private var objectStage: Stage { root.isCollection ? .feature : .root }

  private mutating func beginText() throws(TrackError) {
    let isFirst = !records.hasAny && records.fault == nil
    guard try lexer.nextText() else {
      if isFirst { throw TrackError(.truncated, "the file is empty", place: lexer.place) }
      return endRecords()
    }
    if !isFirst, try !lexer.isAtObject(), try !skipOtherRecords() { return endRecords() }
    guard try lexer.kind() == .object else {
      throw TrackError(.unknownFormat, "not a GeoJSON object", place: lexer.place)
    }
    try beginRecord()
    root = ObjectState()
    root.start = lexer.mark()
    object = root
    rootMembers = []
    rootSize = 0
    resetFeature()
    stage = .root
    try lexer.beginObject()
  }

  private mutating func resetFeature() {
    feature = GeoJSONFeature()
    geometry = GeoJSONGeometry.Object()
    endOfMembers = nil
    hasBegunTrack = false
    line = 0
    lineStart = 0
    position = 0
  }

  mutating func readRootMember() throws(TrackError) {
    switch GeoJSONMember(rawValue: lexer.code(in: GeoJSONMember.names)) ?? .other {
    case .features:
      guard !root.isCollection, !object.hasGeometry, try lexer.kind() == .array else {
        throw lexer.expected("one array of features")
      }
      try beginFeatures("features")
    case .type:
      let type = try GeoJSONType.read(&lexer)
      if root.isCollection {
        root.type = type
      } else {
        object.type = type
        geometry.type = type.isGeometry ? type : nil
      }
    case .crs: try readReferenceSystem()
    case .other:
      let name = lexer.text
      // The first event, if the types of the FeatureCollection and the Feature are known.
      if name == "locations", !root.isCollection, object.type == nil, !object.hasGeometry,
        try lexer.kind() == .array
      {
        return try beginFeatures("locations")
      }
      let room = lexer.options.limits.keptSize - rootSize
      guard let value = try GeoJSONValue(name: name, &lexer, room: room) else { return }
      rootSize += value.size
      rootMembers.append(value)
    case .geometry, .geometries, .coordinates, .properties, .bbox:
      if root.isCollection { try lexer.skip() } else { try readMember() }
    }
  }

  private mutating func beginFeatures(_ name: StaticString) throws(TrackError) {
    root.isCollection = true
    root.type = object.type
    queueHeader()
    try lexer.beginArray()
    lexer.container = name
    lexer.containerIndex = -1
    stage = .features
  }

  private mutating func endRoot() throws(TrackError) {
    stage = .texts
    if root.isCollection {
      if let type = root.type, type != .featureCollection {
        try lexer.warn(
          .invalidValue, "features in an object that is not a FeatureCollection, read as one", at: root.start)
      }
      let info = GeoJSONFileInfo.info(rootMembers)
      if info != FileInfo() { queue = [.annotation(.file(info))] }
      return
    }
    guard object.type != .featureCollection else {
      throw TrackError(.malformed, "FeatureCollection without features", place: lexer.place(of: root.start))
    }
    for member in rootMembers { feature.members.append(member) }
    rootMembers = []
    try endObject(next: .texts)
  }

  private mutating func beginFeature() throws(TrackError) {
    guard try lexer.kind() == .object else {
      try lexer.warn(.invalidValue, "feature that is not an object, skipped")
      return try lexer.skip()
    }
    object = ObjectState()
    object.start = lexer.mark()
    resetFeature()
    stage = .feature
    try lexer.beginObject()
  }

  mutating func readObjectMember() throws(TrackError) {
    switch GeoJSONMember(rawValue: lexer.code(in: GeoJSONMember.names)) ?? .other {
    case .type:
      let type = try GeoJSONType.read(&lexer)
      object.type = type
      geometry.type = type.isGeometry ? type : nil
    case .other, .features, .crs:
      let name = lexer.text
      try feature.members.take(name, &lexer)
    case .geometry, .geometries, .coordinates, .properties, .bbox: try readMember()
    }
  }

  /// Reads a member with the same meaning in any object.
  private mutating func readMember() throws(TrackError) {
    switch GeoJSONMember(rawValue: lexer.code(in: GeoJSONMember.names)) ?? .other {
    case .properties where !object.hasProperties:
      object.hasProperties = true
      try feature.properties.read(&lexer)
    case .geometry where !object.hasGeometry:
      object.hasGeometry = true
      guard try lexer.kind() == .object, object.type == .feature else {
        return try feature.geometry.read(&lexer)
      }
      startOfGeometry = lexer.mark()
      stage = .geometry
      try lexer.beginObject()
    case .coordinates where !object.hasGeometry:
      object.hasGeometry = true
      // A geometry without a Feature has no properties that its points must wait for.
      if let type = geometry.type, type.isLine {
        geometry.hasContent = true
        beginLine(of: type)
      } else {
        try feature.geometry.readMember(.coordinates, of: &geometry, &lexer)
      }
    case .geometries where !object.hasGeometry:
      object.hasGeometry = true
      try feature.geometry.readMember(.geometries, of: &geometry, &lexer)
    case .bbox: try lexer.skip()
    default:
      try lexer.warn(.invalidValue, "duplicate member, ignored")
      try lexer.skip()
    }
  }

  /// Finishes the current object.
  private mutating func endObject(next: Stage) throws(TrackError) {
    stage = next
    queueHeader()
    if object.isStreamed {
      try checkCounts(positions: position)
      guard hasBegunTrack else { return try warnOfNothing() }
      hasBegunTrack = false
      queue.insert(.endTrack, at: 0)
      if let element = feature.members.element(.members) {
        queue.insert(.annotation(.extensions([element])), at: 1)
      }
      return
    }
    if let type = object.type, type.isGeometry {
      try feature.geometry.finish(&geometry, object.start, &lexer)
    } else if object.type == nil {
      guard object.hasGeometry else {
        throw TrackError(
          .malformed, "object without a GeoJSON type", place: lexer.place(of: object.start))
      }
      try lexer.warn(.invalidValue, "object without a type, read as a Feature", at: object.start)
      if geometry.hasContent { try feature.geometry.finish(&geometry, object.start, &lexer) }
    }
    let polygons = feature.geometry.polygons
    if polygons > 0 {
      try lexer.warn(.notRepresentable, "polygon, skipped", count: polygons)
    }
    guard !feature.geometry.parts.isEmpty else {
      if polygons == 0 { try warnOfNothing() }
      return
    }
    if feature.geometry.hasLines { try checkCounts(positions: feature.measureLines()) }
    isPartial = false
    nextStage = next
    stage = .delivery
  }

  private mutating func warnOfNothing() throws(TrackError) {
    try lexer.warn(.notRepresentable, "feature without a position, skipped", at: object.start)
  }

  private mutating func checkCounts(positions: Int) throws(TrackError) {
    let (isFewer, isMore) = feature.properties.columns.mismatch(positions: positions)
    if isFewer {
      try lexer.warn(
        .invalidValue, "fewer times than positions; the rest have no times", at: object.start)
    }
    if isMore {
      try lexer.warn(.invalidValue, "more times than positions, the rest ignored", at: object.start)
    }
  }

  /// Checks the reference system. RFC 7946 allows only WGS 84, but its predecessor had a member for others.
  private mutating func readReferenceSystem() throws(TrackError) {
    let mark = lexer.mark()
    guard let value = try GeoJSONValue(name: "crs", &lexer), value.isJSON, value.text != "null" else {
      return
    }
    if !["CRS84", "4326", "4979"].contains(where: { value.text.contains($0) }) {
      try lexer.warn(
        .invalidValue, "reference system other than WGS 84, positions unchanged", at: mark)
    }
  }

  mutating func queueHeader() {
    guard !hasSentHeader else { return }
    hasSentHeader = true
    let info = root.isCollection ? GeoJSONFileInfo.info(rootMembers) : FileInfo()
    if root.isCollection { rootMembers = [] }
    queue.append(.header(info))
  }
}
