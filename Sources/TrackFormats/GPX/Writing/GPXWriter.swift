public import TrackModel

/// A writer of GPX 1.1 or 1.0 that is valid against its schema and those of Garmin's extensions.
///
/// Decimals are fixed-point with the fewest digits that read back as the same number. Times are UTC, with a
/// fraction only if needed. Sensor values are written in Garmin's TrackPointExtension and PowerExtension,
/// accuracies in OpenTracks' elements, the device's distance in Cluetrust's. Extensions are written at their
/// original locations. GPX 1.0 supports less: see ``GPXVersion``.
///
/// Waypoints and routes that arrive after the first track are inserted before it, as the schema requires.
/// Information about a file or a track that arrives after its points is inserted before them, while the
/// start of the output is still in memory.
public struct GPXWriter: TrackWriter, ~Copyable {
  private enum Section: Int { case waypoints, routes, tracks }

  private var sink: ByteSink
  private var log = LossReport()
  private var points: GPXPointWriter
  private var descriptions: GPXDescriptions

  /// The header and the events before the first points, delayed so that the root can declare the namespaces
  /// they use.
  private var held: [TrackEvent] = []
  private var hasRoot = false
  /// The innermost open container.
  private var container = Container.file
  private enum Container { case file, track, route, segment }

  private var section = Section.waypoints
  /// The ends of waypoints and routes in the output after content of a later section has been written.
  private var endOfWaypoints = 0
  private var endOfRoutes = 0
  /// Waypoints and routes that arrived after their section.
  private var lateWaypoints = ByteBuffer()
  private var lateRoutes = ByteBuffer()
  private var segmentExtensions: [ExtensionElement] = []
  private var fileExtensions: [ExtensionElement] = []

  /// The written and the later information about the file and about the open track or route.
  private var file = (written: FileInfo(), late: FileInfo(), heading: GPXHeading())
  private var track = (written: TrackInfo(), late: TrackInfo(), heading: GPXHeading())
  private var times = GPXTrackTimes()
  /// The number of bytes to insert at earlier offsets.
  private var insertedCount = 0

  /// The largest number of events without points that are delayed for the root's declarations.
  private static let maximumHeld = 64

  /// The number of points that are formatted before the buffer is written if it is large enough.
  private static let part = 512

  /// The memory limit for insertions, in bytes.
  private static let maximumInserted = 1 << 26

  /// Creates a writer. Nothing is written before the first event.
  ///
  /// - Parameters:
  ///   - sink: the file or the memory to write to.
  ///   - version: the version of the document. Version 1.0 has fewer elements.
  public init(_ sink: consuming ByteSink, version: GPXVersion = .version11) {
    self.sink = sink
    points = GPXPointWriter(version: version)
    descriptions = GPXDescriptions(version: version)
  }

  public var losses: LossReport {
    var all = log
    all.add(descriptions.losses)
    all.add(points.losses)
    return all
  }

  /// The output in memory; empty for other targets, and before ``finish()``.
  public var bytes: [UInt8] { sink.bytes }

  public mutating func write(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError) {
    if !hasRoot {
      guard case .points = event else {
        held.append(event)
        if held.count >= GPXWriter.maximumHeld { try begin(channels: []) }
        return
      }
      try begin(channels: batch.channels, hasExtraValues: batch.hasExtraValues)
    }
    try put(event, batch)
  }

  public mutating func finish() throws(TrackError) {
    if !hasRoot { try begin(channels: []) }
    let extensions = descriptions.keepable(fileExtensions)
    if !extensions.isEmpty {
      let isWrapped = points.version == .version11
      sink.buffer.append(isWrapped ? " <extensions>" : " ")
      for element in extensions { descriptions.append(element, to: &sink.buffer) }
      sink.buffer.append(isWrapped ? "</extensions>\n" : "\n")
    }
    sink.buffer.append("</gpx>\n")
    insertLateFile()
    if lateWaypoints.count > 0 { sink.insert(lateWaypoints.array, at: endOfWaypoints) }
    if lateRoutes.count > 0 { sink.insert(lateRoutes.array, at: endOfRoutes) }
    try sink.finish()
  }

  // MARK: The file

  /// Writes the root and the metadata, then the delayed events.
  private mutating func begin(
    channels: ChannelSet, hasExtraValues: Bool = false
  ) throws(TrackError) {
    hasRoot = true
    var info = FileInfo()
    for event in held {
      if case .header(let header) = event { info.merge(header) }
      if case .annotation(.file(let more)) = event { info.merge(more) }
    }
    if hasExtraValues {
      info.namespaces.append(NamespaceDeclaration(prefix: ExtraValues.prefix, uri: ExtraValues.namespace))
    }
    points.declare(info, channels: channels)
    descriptions.namespaces = points.namespaces
    sink.buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    sink.buffer.append("<gpx version=\"\(points.version.rawValue)\" creator=\"")
    sink.buffer.append(xmlAttribute: info.creator ?? "ghost-convert")
    sink.buffer.append("\" xmlns=\"\(points.version.namespace)\"")
    for declaration in points.namespaces.declarations {
      sink.buffer.append(" xmlns:\(declaration.prefix)=\"")
      sink.buffer.append(xmlAttribute: declaration.uri)
      sink.buffer.append("\"")
    }
    sink.buffer.append(">\n")
    let base = sink.offset - sink.buffer.count
    let start = sink.buffer.count
    file.written = info
    file.heading = GPXHeading(inside: points.version == .version11 ? "metadata" : nil)
    file.heading.append(descriptions.fields(of: info), to: &sink.buffer, base: base)
    if points.version == .version10, sink.buffer.count > start { sink.buffer.append("\n") }
    let events = held
    held = []
    let empty = PointBatch(capacity: 1)
    for event in events {
      switch event {
      case .header, .annotation(.file): continue
      default: try put(event, empty)
      }
    }
    // Extensions of the file are written at its end.
    fileExtensions = info.extensions + fileExtensions
  }

  // MARK: Events

  private mutating func put(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError) {
    switch event {
    case .header(let info), .annotation(.file(let info)): addLate(info)
    case .waypoint(let waypoint):
      if section == .waypoints {
        points.append(waypoint, to: &sink.buffer)
      } else {
        try holdLate(.waypoints)
        points.append(waypoint, to: &lateWaypoints)
      }
    case .beginRoute(let info):
      if section.rawValue <= Section.routes.rawValue {
        enter(.routes)
      } else {
        try holdLate(.routes)
      }
      container = .route
      beginTrack(info)
    case .endRoute:
      endTrack()
      if section == .tracks {
        lateRoutes.append(" </rte>\n")
      } else {
        sink.buffer.append(" </rte>\n")
      }
      container = .file
    case .beginTrack(let info):
      enter(.tracks)
      container = .track
      beginTrack(info)
    case .beginSegment:
      container = .segment
      sink.buffer.append("  <trkseg>\n")
    case .points: try put(batch)
    case .endSegment: endSegment()
    case .endTrack:
      endTrack()
      container = .file
      sink.buffer.append(" </trk>\n")
    case .annotation(.track(let info)): track.late.merge(times.take(info))
    case .annotation(.extensions(let extensions)):
      switch container {
      case .segment: segmentExtensions += extensions
      case .file: fileExtensions += extensions
      case .track, .route: track.late.extensions += extensions
      }
    }
    try sink.flush()
  }

  private mutating func put(_ batch: borrowing PointBatch) throws(TrackError) {
    times.take(batch)
    if container == .route {
      if section == .tracks {
        points.append(batch, 0..<batch.count, as: .routepoint, to: &lateRoutes)
      } else {
        points.append(batch, 0..<batch.count, as: .routepoint, to: &sink.buffer)
      }
    } else {
      // In parts, so that the buffer stays in the cache.
      for start in stride(from: 0, to: batch.count, by: GPXWriter.part) {
        let rows = start..<min(start + GPXWriter.part, batch.count)
        points.append(batch, rows, as: .trackpoint, to: &sink.buffer)
        try sink.flush()
      }
    }
  }

  private mutating func endSegment() {
    if points.version == .version10 {
      log.add("extensions of segments", segmentExtensions.count)
    } else if !segmentExtensions.isEmpty {
      sink.buffer.append("   <extensions>")
      for element in segmentExtensions { descriptions.append(element, to: &sink.buffer) }
      sink.buffer.append("</extensions>\n")
    }
    segmentExtensions = []
    container = .track
    sink.buffer.append("  </trkseg>\n")
  }

  /// Begins a track or a route.
  private mutating func beginTrack(_ info: TrackInfo) {
    let isRoute = container == .route
    times = GPXTrackTimes()
    let info = times.take(info)
    let fields = descriptions.fields(of: info, isRoute: isRoute)
    track = (info, TrackInfo(), GPXHeading())
    if isRoute, section == .tracks {
      lateRoutes.append(" <rte>")
      track.heading.append(fields, to: &lateRoutes, base: 0)
      lateRoutes.append("\n")
    } else {
      sink.buffer.append(isRoute ? " <rte>" : " <trk>")
      let base = sink.offset - sink.buffer.count
      track.heading.append(fields, to: &sink.buffer, base: base)
      sink.buffer.append("\n")
    }
  }

  // MARK: Late information

  /// Stores information about a file that arrives after the root was written. Extensions are written at the
  /// end.
  private mutating func addLate(_ info: FileInfo) {
    fileExtensions += info.extensions
    var rest = info
    rest.extensions = []
    rest.namespaces = []
    rest.creator = nil
    var known = file.written
    known.merge(file.late)
    if rest.contradicts(known) { log.add("names or authors of files after the first") }
    file.late.merge(rest.fieldsMissing(in: known))
  }

  private mutating func insertLateFile() {
    if points.version == .version10, !file.written.links.isEmpty {
      log.add("further links of files", file.late.links.count)
      file.late.links = []
    }
    guard canInsert else {
      file.late.time = nil
      if file.late != FileInfo() { log.add("names or authors of files that came after their points") }
      return
    }
    add(file.heading.insertions(descriptions.fields(of: file.late)))
  }

  /// Ends a track or a route, and inserts the information that arrived after its points.
  private mutating func endTrack() {
    log.add(times.losses)
    times = GPXTrackTimes()
    var late = track.late.fieldsMissing(in: track.written)
    guard !late.isEmpty else { return }
    let isRoute = container == .route
    if points.version == .version10, !track.written.links.isEmpty {
      log.add("further links of tracks", late.links.count)
      late.links = []
    }
    if isRoute, section == .tracks {
      lateRoutes.insert(track.heading.insertions(descriptions.fields(of: late, isRoute: true)))
    } else if !canInsert {
      let unwritable = late.unwritable
      _ = descriptions.fields(of: unwritable, isRoute: isRoute)
      late.resolution = nil
      if !late.isEmpty { log.add("names or extensions of tracks that came after their points") }
    } else {
      add(track.heading.insertions(descriptions.fields(of: late, isRoute: isRoute)))
    }
  }

  private var canInsert: Bool { sink.canInsert && insertedCount < GPXWriter.maximumInserted }

  private mutating func add(_ more: [(offset: Int, bytes: [UInt8])]) {
    for insertion in more {
      sink.insert(insertion.bytes, at: insertion.offset)
      insertedCount += insertion.bytes.count
    }
  }

  private mutating func enter(_ next: Section) {
    while section.rawValue < next.rawValue {
      if section == .waypoints {
        endOfWaypoints = sink.offset
        section = .routes
      } else {
        endOfRoutes = sink.offset
        section = .tracks
      }
    }
  }

  /// Buffers the following output in memory, so that content can be inserted before it.
  private mutating func holdLate(_ section: Section) throws(TrackError) {
    if sink.canInsert {
      sink.holdForInsertion()
      return
    }
    throw TrackError(
      .unwritable,
      "a \(section == .waypoints ? "waypoint" : "route") comes after tracks that have left already",
      suggestion: .writeToFile)
  }
}
