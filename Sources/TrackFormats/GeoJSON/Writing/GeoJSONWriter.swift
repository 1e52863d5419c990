public import TrackModel

/// Writes GeoJSON (RFC 7946) as a FeatureCollection with one Feature per line, or as a text sequence (RFC
/// 8142).
///
/// A track becomes a LineString or MultiLineString with `coordTimes` (null for points without a time) and
/// sensors in `coordinateProperties`, as in togeojson. Names are those of GPX, colours those of simplestyle.
/// Waypoints are Points. Numbers are fixed-point with the fewest digits that round-trip.
///
/// Routes become lines with the property `_gpxType`, segments of one point become Points, and empty tracks
/// have a null geometry. Each of these changes is reported as a loss. Lines that were cut at the antimeridian
/// have the property `_cutAt`, with which the reader joins them.
public struct GeoJSONWriter: TrackWriter, ~Copyable {
  private var sink: ByteSink
  private let isSequence: Bool
  private var log = LossReport()
  private var properties = GeoJSONPropertyWriter()
  private var lines = GeoJSONLines()

  /// The metadata of the file that has not been written yet.
  private var info = FileInfo()
  /// The existing member names of the collection.
  private var memberNames: Set<String> = ["type", "features"]
  private var hasRoot = false
  private var features = 0

  private var track = TrackInfo()
  private var isRoute = false
  /// Whether the Feature of the track has been started, because its lines are written directly.
  private var hasBegunFeature = false
  /// The first segment of one point, while the track has nothing else.
  private var onlyPoint: Waypoint?
  /// Segments of one point, as Features.
  private var points = Spool(memoryLimit: GeoJSONLines.memoryLimit)
  private var container = Container.file
  private enum Container { case file, track, route, segment }

  /// Creates a writer. Nothing is written before the first event.
  ///
  /// - Parameters:
  ///   - sink: the file or the memory to write to.
  ///   - isSequence: whether each Feature is a separate text after a record separator.
  public init(_ sink: consuming ByteSink, isSequence: Bool = false) {
    self.sink = sink
    self.isSequence = isSequence
  }

  public var losses: LossReport {
    var all = log
    all.add(properties.losses)
    all.add(lines.losses)
    return all
  }

  /// The bytes written to memory. Empty for other targets and before ``finish()``.
  public var bytes: [UInt8] { sink.bytes }

  public mutating func write(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError) {
    switch event {
    case .header(let info), .annotation(.file(let info)): self.info.merge(info)
    case .waypoint(let waypoint): try write(waypoint)
    case .beginTrack(let info), .beginRoute(let info):
      isRoute = event.isRoute
      container = isRoute ? .route : .track
      track = info
      if isRoute {
        log.add("routes (written as lines)")
        lines.beginSegment()
      }
    case .beginSegment:
      container = .segment
      lines.beginSegment()
    case .points:
      countDetails(of: batch)
      try append(batch)
    case .endSegment:
      try endSegment(what: "empty segments")
      container = .track
    case .endTrack:
      try endTrack()
      container = .file
    case .endRoute:
      try endSegment(what: nil)
      try endTrack()
      container = .file
    case .annotation(.track(let info)): track.merge(info)
    case .annotation(.extensions(let extensions)):
      switch container {
      case .file: info.extensions += extensions
      case .track, .route: track.extensions += extensions
      case .segment: log.add("extensions of segments", extensions.count)
      }
    }
    try sink.flush()
  }

  public mutating func finish() throws(TrackError) {
    if !isSequence {
      if !hasRoot { beginRoot() }
      sink.buffer.append("\n]")
      // Late metadata of the file.
      appendMembers()
      sink.buffer.append("}\n")
    } else {
      if features > 0 { sink.buffer.append(UInt8(ascii: "\n")) }
      countFileInfo()
    }
    try sink.finish()
  }

  // MARK: The file

  private mutating func beginRoot() {
    hasRoot = true
    sink.buffer.append("{\"type\":\"FeatureCollection\"")
    appendMembers()
    sink.buffer.append(",\"features\":[")
  }

  /// Appends the metadata of the file that has not been written yet.
  private mutating func appendMembers() {
    var remaining = FileInfo()
    func take<Value>(_ path: WritableKeyPath<FileInfo, Value?>, _ name: String) {
      guard let value = info[keyPath: path] else { return }
      if memberNames.insert(name).inserted {
        remaining[keyPath: path] = value
      } else {
        log.add("names, authors or other descriptions of further files")
      }
    }
    take(\.name, "name")
    take(\.description, "description")
    take(\.creator, "creator")
    take(\.author, "author")
    take(\.copyright, "copyright")
    take(\.time, "time")
    take(\.keywords, "keywords")
    if let time = remaining.time, !time.hasFourDigitYear {
      remaining.time = nil
      log.add("times before year 0 or after 9999")
    }
    if !info.links.isEmpty {
      if memberNames.insert("links").inserted {
        remaining.links = info.links
      } else {
        log.add("names, authors or other descriptions of further files")
      }
    }
    sink.buffer.append(members: remaining)
    properties.append(
      members: info.extensions, to: &sink.buffer, names: &memberNames, countsOthers: true)
    info = FileInfo()
  }

  /// Counts metadata as lost, because a sequence has no enclosing object.
  private mutating func countFileInfo() {
    var words = info
    words.namespaces = []
    words.extensions = []
    if words != FileInfo() { log.add("names, authors or other descriptions of files") }
    log.add("extensions", info.extensions.count)
  }

  /// Writes the separator between two Features.
  private mutating func separateFeatures() {
    if isSequence {
      if features > 0 { sink.buffer.append(UInt8(ascii: "\n")) }
      sink.buffer.append(0x1E)
    } else {
      if !hasRoot { beginRoot() }
      sink.buffer.append(features > 0 ? ",\n" : "\n")
    }
    features += 1
  }

  // MARK: Points

  private mutating func write(_ waypoint: Waypoint) throws(TrackError) {
    separateFeatures()
    GeoJSONWriter.appendPoint(waypoint, to: &sink.buffer)
    properties.append(waypoint, to: &sink.buffer)
    sink.buffer.append(UInt8(ascii: "}"))
    properties.append(membersOfFeature: waypoint.details.extensions, to: &sink.buffer)
    sink.buffer.append(UInt8(ascii: "}"))
  }

  /// Appends the start of a Point's Feature up to its first property.
  private static func appendPoint(_ waypoint: Waypoint, to bytes: inout ByteBuffer) {
    bytes.append("{\"type\":\"Feature\",\"geometry\":{\"type\":\"Point\",\"coordinates\":[")
    bytes.append(decimal: waypoint.coordinate.longitude)
    bytes.append(UInt8(ascii: ","))
    bytes.append(decimal: waypoint.coordinate.latitude)
    if let elevation = waypoint.values[.elevation] {
      bytes.append(UInt8(ascii: ","))
      bytes.append(decimal: elevation)
    }
    bytes.append("]},\"properties\":{")
  }

  private mutating func append(_ batch: borrowing PointBatch) throws(TrackError) {
    var begins = false
    // The closure cannot access the writer while its lines and sink are borrowed.
    let isSequence = isSequence
    let hasFeatures = features > 0
    if !isSequence, !hasRoot { beginRoot() }
    try lines.append(batch, to: &sink) { sink throws(TrackError) in
      begins = true
      if isSequence {
        if hasFeatures { sink.buffer.append(UInt8(ascii: "\n")) }
        sink.buffer.append(0x1E)
      } else {
        sink.buffer.append(hasFeatures ? ",\n" : "\n")
      }
    }
    if begins {
      hasBegunFeature = true
      features += 1
    }
  }

  /// Counts the details of points as lost, because GeoJSON has one object of properties for all points of a
  /// line.
  private mutating func countDetails(of batch: borrowing PointBatch) {
    for row in batch.details {
      let details = row.details
      if details.name != nil { log.add("trackpoint names") }
      if details.comment != nil { log.add("trackpoint comments") }
      if details.description != nil { log.add("trackpoint descriptions") }
      if details.source != nil { log.add("trackpoint sources") }
      log.add("trackpoint links", details.links.count)
      if details.symbol != nil { log.add("trackpoint symbols") }
      if details.type != nil { log.add("trackpoint types") }
      if details.fix != nil { log.add("kinds of fix") }
      if details.differentialStation != nil { log.add("differential stations") }
      log.add("extensions of trackpoints", details.extensions.count)
    }
  }

  // MARK: Tracks

  /// - Parameter what: the name of a segment without points in the losses.
  private mutating func endSegment(what: String?) throws(TrackError) {
    let hadLine = lines.isLineOpen
    if lines.pending.count == 1 {
      log.add("segments of one point (written as Points)")
      try keepPoint()
    } else if !hadLine, let what {
      log.add(what)
    }
    lines.endSegment()
  }

  /// Keeps the only point of a segment until the end of the track.
  private mutating func keepPoint() throws(TrackError) {
    var waypoint = Waypoint(
      coordinate: lines.pending.coordinate(at: 0), time: lines.pending.time(at: 0))
    for channel in lines.pending.channels.channels {
      waypoint.values[channel] = lines.pending.value(channel, at: 0)
    }
    if onlyPoint == nil, points.isEmpty {
      onlyPoint = waypoint
    } else {
      try releaseOnlyPoint()
      try append(point: waypoint)
    }
  }

  private mutating func releaseOnlyPoint() throws(TrackError) {
    guard let point = onlyPoint else { return }
    onlyPoint = nil
    try append(point: point)
  }

  /// Appends a Feature for a point, with properties that identify its track.
  private mutating func append(point: Waypoint) throws(TrackError) {
    points.buffer.append(isSequence ? "\n\u{1E}" : ",\n")
    GeoJSONWriter.appendPoint(point, to: &points.buffer)
    points.buffer.append(member: "name", track.name)
    points.buffer.append(member: "type", track.type)
    properties.append(timeAndSensors: point, to: &points.buffer)
    points.buffer.append("}}")
    try points.flush()
  }

  private mutating func endTrack() throws(TrackError) {
    if !hasBegunFeature { separateFeatures() }
    if !lines.counts.isEmpty {
      try releaseOnlyPoint()
      try lines.finishGeometry(&sink)
      sink.buffer.append(",\"properties\":{")
    } else if points.isEmpty, let point = onlyPoint {
      GeoJSONWriter.appendPoint(point, to: &sink.buffer)
    } else {
      try releaseOnlyPoint()
      if points.isEmpty { log.add(isRoute ? "empty routes" : "empty tracks") }
      sink.buffer.append("{\"type\":\"Feature\",\"geometry\":null,\"properties\":{")
    }
    properties.append(track, isRoute: isRoute, to: &sink.buffer)
    if let point = onlyPoint { properties.append(timeAndSensors: point, to: &sink.buffer) }
    try lines.finishColumns(&sink)
    sink.buffer.append(UInt8(ascii: "}"))
    properties.append(membersOfFeature: track.extensions, to: &sink.buffer)
    sink.buffer.append(UInt8(ascii: "}"))
    try points.drain(into: &sink)
    try lines.removeAll()
    onlyPoint = nil
    hasBegunFeature = false
    track = TrackInfo()
  }
}

extension TrackEvent {
  fileprivate var isRoute: Bool { if case .beginRoute = self { true } else { false } }
}
