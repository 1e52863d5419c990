public import TrackModel

/// A writer of KML 2.2 with Google's extensions, valid against their schemas.
///
/// - A track with times or sensor values is written as a `gx:Track`, or as a `gx:MultiTrack` if it has
///   several segments: all `when`, then all `gx:coord`, then the sensor values as `gx:SimpleArrayData`,
///   declared in a `Schema`. Other tracks are written as a `LineString`, or as a `MultiGeometry` of them.
///   Each track is one placemark, and is read back as one. A segment without any time has no `when`.
/// - KML requires as many times as positions, none of them empty. Missing times are interpolated evenly
///   between their neighbours and marked in the array `ghost-convert:untimed`. ``KMLReader`` removes them
///   again. They are counted as a loss.
/// - A route is written as a line that is marked as a route in its `ExtendedData`. Other programs read it as
///   a track.
/// - A waypoint is written as a `Point` with a `TimeStamp`.
/// - Fields without a KML element are written as `Data`, for example with the name `creator`. Extensions are
///   written next to them.
/// - Altitudes are absolute if every point of a line has one. Other lines are clamped to the ground.
///
/// A track is stored until it is complete, in memory up to a few megabytes, the rest in a temporary file.
public struct KMLWriter: TrackWriter, ~Copyable {
  private var output: KMLOutput
  private let addsPlainLines: Bool
  private var log = LossReport()
  private var descriptions = KMLDescriptions()

  /// The information about the file: before the header is written, and after.
  private var info = FileInfo()
  private var late = FileInfo()
  private var hasHeader = false
  private var hasNamespaces = false
  /// The start of the information about the file in the output, and the offsets for insertions.
  private var start = 0
  private var places = KMLDescriptions.Places()
  /// The content before the first track, which is written after the header. The header declares the tracks'
  /// channels.
  private var early = Spool()

  /// The open track or route.
  private var track = KMLBufferedTrack()
  private var container = Container.file
  private enum Container { case file, track, route, segment }

  /// The channels declared in the schema, and those that occurred after it was written.
  private var declared: ChannelSet = []
  private var declaresUntimed = false
  private var lateSensors: ChannelSet = []
  private var isUntimedLate = false
  /// The offset at which another schema can be inserted.
  private var endOfSchema = 0

  /// Creates a writer. Nothing is written before the first event.
  ///
  /// - Parameters:
  ///   - sink: the file or the memory to write to.
  ///   - addsPlainLines: whether each `gx:Track` is followed by an equivalent `LineString`, for programs that
  ///     do not support tracks. These lines are marked, and ``KMLReader`` skips them.
  public init(_ sink: consuming ByteSink, addsPlainLines: Bool = false) {
    output = KMLOutput(sink)
    self.addsPlainLines = addsPlainLines
  }

  /// Creates a writer into the open entry of an archive.
  public init(_ archive: any FileContainer, addsPlainLines: Bool) {
    output = KMLOutput(archive)
    self.addsPlainLines = addsPlainLines
  }

  public var losses: LossReport {
    var all = descriptions.losses
    all.add(log)
    return all
  }

  /// The output in memory; empty for other targets, and before ``finish()``.
  public var bytes: [UInt8] { output.bytes }

  public mutating func write(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError) {
    switch event {
    case .header(let info), .annotation(.file(let info)): add(info)
    case .waypoint(let waypoint):
      // Nothing can be inserted into a compressed file later.
      if !hasHeader, !output.canWait { try begin(channels: [], hasUntimed: false) }
      declareNamespaces()
      if hasHeader {
        descriptions.append(waypoint, to: &output.buffer)
        try output.flush()
      } else {
        descriptions.append(waypoint, to: &early.buffer)
        try early.flush()
      }
    case .beginTrack(let info), .beginRoute(let info):
      if case .beginRoute = event { container = .route } else { container = .track }
      track.begin(info, isRoute: container == .route)
    case .beginSegment:
      container = .segment
      track.beginSegment()
    case .points: try track.append(batch, &log)
    case .endSegment: container = .track
    case .endTrack, .endRoute:
      container = .file
      try putTrack()
    case .annotation(.track(let info)): track.info.merge(info)
    case .annotation(.extensions(let extensions)):
      switch container {
      case .file:
        if hasHeader { late.extensions += extensions } else { info.extensions += extensions }
      case .track, .route: track.info.extensions += extensions
      case .segment: track.addToSegment(extensions)
      }
    }
  }

  public mutating func finish() throws(TrackError) {
    if !hasHeader { try begin(channels: [], hasUntimed: false) }
    output.buffer.append(" </Document>\n</kml>\n")
    insertLate()
    try output.finish()
  }

  private static let allSensors = ChannelSet.all.subtracting(ChannelSet(.elevation))

  // MARK: The file

  /// Adds information about the file. Information that arrives after the header was written is inserted at
  /// the end.
  private mutating func add(_ more: FileInfo) {
    // The first value of a field is kept, so a different value from a second file is lost.
    if more.contradicts(info) || more.contradicts(late) {
      log.add("names or authors of files after the first")
    }
    guard hasHeader else {
      info.merge(more)
      return
    }
    var rest = more.fieldsMissing(in: info)
    rest.namespaces = []
    late.merge(rest)
  }

  /// Inserts the content that belongs before the written output.
  private mutating func insertLate() {
    var schema = ByteBuffer()
    schema.append(schema: "schema2", lateSensors, hasUntimed: isUntimedLate)
    guard output.canInsert else {
      log.add("extensions of files that came after their points", late.extensions.count)
      late.extensions = []
      late.time = nil
      late.creator = nil
      if late != FileInfo() { log.add("names or authors of files that came after their points") }
      return
    }
    for insertion in descriptions.insertions(late, into: places) {
      output.insert(insertion.bytes, at: start + insertion.offset)
    }
    if schema.count > 0 { output.insert(schema.array, at: endOfSchema) }
  }

  /// Writes the root and the known information about the file, then the delayed content.
  private mutating func begin(channels: ChannelSet, hasUntimed: Bool) throws(TrackError) {
    hasHeader = true
    declareNamespaces()
    output.buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<kml xmlns=\"\(KMLNamespace.kml22)\"")
    for declaration in descriptions.namespaces.declarations {
      output.buffer.append(" xmlns:\(declaration.prefix)=\"")
      output.buffer.append(xmlAttribute: declaration.uri)
      output.buffer.append("\"")
    }
    output.buffer.append(">\n <Document>\n")
    start = output.offset - output.buffer.count
    places = descriptions.append(info, to: &output.buffer)
    declared = output.canWait ? channels : KMLWriter.allSensors
    declaresUntimed = hasUntimed || !output.canWait
    output.buffer.append(schema: "schema", declared, hasUntimed: declaresUntimed)
    endOfSchema = output.offset
    try output.drain(&early)
  }

  private mutating func declareNamespaces() {
    guard !hasNamespaces else { return }
    hasNamespaces = true
    descriptions.namespaces.declare(KMLNamespace.gx22, preferring: "gx")
    descriptions.namespaces.declare(KMLNamespace.atom, preferring: "atom")
    for declaration in info.namespaces
    where !KMLNamespace.isKnown(declaration.uri) && !declaration.uri.isEmpty {
      descriptions.namespaces.declare(declaration.uri, preferring: declaration.prefix)
    }
  }

  // MARK: Tracks

  /// Writes the completed track.
  private mutating func putTrack() throws(TrackError) {
    let channels = track.sensors
    let hasUntimed = track.hasUntimed
    if hasHeader {
      lateSensors.formUnion(channels.subtracting(declared))
      isUntimedLate = isUntimedLate || (hasUntimed && !declaresUntimed)
    } else {
      try begin(channels: channels, hasUntimed: hasUntimed)
    }
    if track.segments.isEmpty { log.add("tracks without a segment") }
    try putPlacemark(asLines: !track.needsTracks, isCopy: false)
    if addsPlainLines, track.needsTracks, track.count > 0 { try putPlacemark(asLines: true, isCopy: true) }
    track.end()
  }

  private mutating func putPlacemark(asLines: Bool, isCopy: Bool) throws(TrackError) {
    output.buffer.append("  <Placemark>\n")
    let kind = isCopy ? KMLFields.plainLine : track.isRoute ? KMLFields.route : nil
    descriptions.append(track.info, kind: kind, to: &output.buffer)
    let isMultiple = track.segments.count > 1
    if isMultiple { output.buffer.append(asLines ? "   <MultiGeometry>\n" : "   <gx:MultiTrack>\n") }
    for index in track.segments.indices {
      if asLines { try putLine(index, isCopy: isCopy) } else { try putTrack(index) }
    }
    if isMultiple { output.buffer.append(asLines ? "   </MultiGeometry>\n" : "   </gx:MultiTrack>\n") }
    output.buffer.append("  </Placemark>\n")
    try output.flush()
  }

  private mutating func putLine(_ index: Int, isCopy: Bool) throws(TrackError) {
    let segment = track.segments[index]
    // For a copy they are written in the track that it repeats.
    if !isCopy { log.add("extensions of segments without times", segment.extensions.count) }
    output.buffer.append("   <LineString>")
    output.buffer.append(
      segment.isAboveSea ? "<altitudeMode>absolute</altitudeMode>" : "<tessellate>1</tessellate>")
    output.buffer.append("<coordinates>\n")
    try forEachBlock(segment.rows) { block, rows, buffer in
      KMLPoints.append(coordinates: block, rows, to: &buffer)
    }
    output.buffer.append("   </coordinates></LineString>\n")
  }

  private mutating func putTrack(_ index: Int) throws(TrackError) {
    let segment = track.segments[index]
    output.buffer.append("   <gx:Track>")
    if segment.isAboveSea { output.buffer.append("<altitudeMode>absolute</altitudeMode>") }
    output.buffer.append("\n")
    if segment.timed > 0 {
      var times = KMLPoints.Times()
      try forEachBlock(segment.rows) { block, rows, buffer in times.append(block, rows, to: &buffer) }
      times.end(&output.buffer)
    }
    try forEachBlock(segment.rows) { block, rows, buffer in KMLPoints.append(coords: block, rows, to: &buffer)
    }
    log.add("missing times (filled in and marked)", segment.hasUntimed ? segment.count - segment.timed : 0)
    if !segment.sensors.isEmpty || segment.hasUntimed || !segment.extensions.isEmpty {
      output.buffer.append("    <ExtendedData>\n")
      descriptions.append(data: segment.extensions, to: &output.buffer)
      let isDeclared = !segment.hasUntimed || declaresUntimed
      try putArrays(segment, segment.sensors.intersection(declared), isDeclared, "schema")
      try putArrays(segment, segment.sensors.subtracting(declared), !isDeclared, "schema2")
      descriptions.append(foreign: segment.extensions, to: &output.buffer)
      output.buffer.append("    </ExtendedData>\n")
    }
    output.buffer.append("   </gx:Track>\n")
  }

  /// Calls `append` for the blocks that contain a range of rows, in order.
  private mutating func forEachBlock(
    _ rows: Range<Int>,
    _ append: (borrowing KMLPointSpool.Block, _ rows: Range<Int>, inout ByteBuffer) -> Void
  ) throws(TrackError) {
    var rest = rows
    while !rest.isEmpty {
      let (block, rows) = try track.spool.block(at: rest)
      append(block, rows, &output.buffer)
      rest = (rest.lowerBound + rows.count)..<rest.upperBound
      try output.flush()
    }
  }

  private mutating func putArrays(
    _ segment: KMLBufferedTrack.Segment, _ channels: ChannelSet, _ ownsUntimed: Bool, _ schema: StaticString
  ) throws(TrackError) {
    let hasUntimed = segment.hasUntimed && ownsUntimed
    guard !channels.isEmpty || hasUntimed else { return }
    output.buffer.append("     <SchemaData schemaUrl=\"#")
    output.buffer.append(schema)
    output.buffer.append("\">\n")
    for channel in channels.channels {
      output.buffer.append("      <gx:SimpleArrayData name=\"\(KMLFields.array(channel).name)\">\n")
      try forEachBlock(segment.rows) { block, rows, buffer in
        KMLPoints.append(values: channel, block, rows, to: &buffer)
      }
      output.buffer.append("      </gx:SimpleArrayData>\n")
    }
    if hasUntimed {
      output.buffer.append("      <gx:SimpleArrayData name=\"\(KMLFields.untimed)\">\n")
      try forEachBlock(segment.rows) { block, rows, buffer in
        KMLPoints.append(untimed: block, rows, to: &buffer)
      }
      output.buffer.append("      </gx:SimpleArrayData>\n")
    }
    output.buffer.append("     </SchemaData>\n")
  }
}
