public import TrackModel

/// Writes GPX 1.1 that is valid against its schema and those of Garmin's extensions.
///
/// Decimals are fixed-point with as few digits as read back to the same number; times are UTC, with a fraction
/// only where there is one. Sensors go into Garmin's TrackPointExtension and PowerExtension, accuracies into
/// OpenTracks' elements, the device's distance into Cluetrust's; everything kept as an extension goes back
/// where it was. Waypoints and routes that come after the first track are put before it, as the schema wants.
public struct GPXWriter: TrackWriter, ~Copyable {
  private enum Section: Int { case waypoints, routes, tracks }

  private var sink: ByteSink
  private var log = LossReport()
  private var points: GPXPointWriter

  /// The header and the structure before the first points, held so that the root can declare what they use.
  private var held: [TrackEvent] = []
  private var hasRoot = false
  /// The innermost container that is open.
  private var container = Container.file
  private enum Container { case file, track, route, segment }

  private var section = Section.waypoints
  /// Where waypoints and routes end in the output, once something of a later section was written.
  private var endOfWaypoints = 0
  private var endOfRoutes = 0
  /// Waypoints and routes that came too late for their section.
  private var lateWaypoints = ByteBuffer()
  private var lateRoutes = ByteBuffer()
  private var segmentExtensions: [ExtensionElement] = []
  private var fileExtensions: [ExtensionElement] = []

  /// How many events without points are held back for the sake of the root's declarations.
  private static let maximumHeld = 64

  public init(_ sink: consuming ByteSink) {
    self.sink = sink
    points = GPXPointWriter()
  }

  public var losses: LossReport {
    var all = log
    all.add(points.losses)
    return all
  }

  /// What was written to memory; empty for other targets, and before ``finish()``.
  public var bytes: [UInt8] { sink.bytes }

  public mutating func write(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError) {
    if !hasRoot {
      guard case .points = event else {
        held.append(event)
        if held.count >= GPXWriter.maximumHeld { try begin(channels: []) }
        return
      }
      try begin(channels: batch.channels)
    }
    try put(event, batch)
  }

  public mutating func finish() throws(TrackError) {
    if !hasRoot { try begin(channels: []) }
    if !fileExtensions.isEmpty {
      sink.buffer.append(" <extensions>")
      for element in fileExtensions { append(element) }
      sink.buffer.append("</extensions>\n")
    }
    sink.buffer.append("</gpx>\n")
    if lateWaypoints.count > 0 { sink.insert(lateWaypoints.array, at: endOfWaypoints) }
    if lateRoutes.count > 0 { sink.insert(lateRoutes.array, at: endOfRoutes) }
    try sink.finish()
  }

  // MARK: The file

  /// Writes the root and the metadata, then what was held back.
  private mutating func begin(channels: ChannelSet) throws(TrackError) {
    hasRoot = true
    var info = FileInfo()
    for event in held {
      if case .header(let header) = event { info.merge(header) }
      if case .annotation(.file(let more)) = event { info.merge(more) }
    }
    points.declare(info, channels: channels)
    sink.buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n")
    sink.buffer.append("<gpx version=\"1.1\" creator=\"")
    sink.buffer.append(xmlAttribute: info.creator ?? "ghost-convert")
    sink.buffer.append("\" xmlns=\"http://www.topografix.com/GPX/1/1\"")
    for declaration in points.namespaces.declarations {
      sink.buffer.append(" xmlns:\(declaration.prefix)=\"")
      sink.buffer.append(xmlAttribute: declaration.uri)
      sink.buffer.append("\"")
    }
    sink.buffer.append(">\n")
    appendMetadata(info)
    let events = held
    held = []
    let empty = PointBatch(capacity: 1)
    for event in events {
      switch event {
      case .header, .annotation(.file): continue
      default: try put(event, empty)
      }
    }
    // Extensions of the file come at its end.
    fileExtensions = info.extensions + fileExtensions
  }

  private mutating func appendMetadata(_ info: FileInfo) {
    let start = sink.buffer.count
    sink.buffer.append(" <metadata>")
    let empty = sink.buffer.count
    if let text = info.name { sink.buffer.append(element: "name", text) }
    if let text = info.description { sink.buffer.append(element: "desc", text) }
    if let author = info.author { append(author) }
    if let copyright = info.copyright { append(copyright) }
    for link in info.links { sink.buffer.append(link) }
    if let time = info.time { points.append(time: time, to: &sink.buffer) }
    if let text = info.keywords { sink.buffer.append(element: "keywords", text) }
    if sink.buffer.count == empty {
      sink.buffer.truncate(to: start)
    } else {
      sink.buffer.append("</metadata>\n")
    }
  }

  private mutating func append(_ author: Person) {
    sink.buffer.append("<author>")
    if let text = author.name { sink.buffer.append(element: "name", text) }
    if let email = author.email {
      // GPX parts an address at its sign; what has none is no address and stays whole as a name would.
      if let sign = email.lastIndex(of: "@") {
        sink.buffer.append("<email id=\"")
        sink.buffer.append(xmlAttribute: String(email[..<sign]))
        sink.buffer.append("\" domain=\"")
        sink.buffer.append(xmlAttribute: String(email[email.index(after: sign)...]))
        sink.buffer.append("\"/>")
      } else {
        log.add("addresses of authors that are none")
      }
    }
    if let link = author.link { sink.buffer.append(link) }
    sink.buffer.append("</author>")
  }

  private mutating func append(_ copyright: Copyright) {
    sink.buffer.append("<copyright author=\"")
    sink.buffer.append(xmlAttribute: copyright.author)
    sink.buffer.append("\">")
    if let year = copyright.year {
      if year.utf8.count == 4, year.utf8.allSatisfy({ (48...57).contains($0) }) {
        sink.buffer.append(element: "year", year)
      } else {
        log.add("years of copyrights that are none")
      }
    }
    if let text = copyright.license { sink.buffer.append(element: "license", text) }
    sink.buffer.append("</copyright>")
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
      withRouteBuffer { writer, buffer in
        buffer.append(" <rte>")
        writer.append(info, isRoute: true, to: &buffer)
        buffer.append("\n")
      }
    case .endRoute:
      container = .file
      withRouteBuffer { _, buffer in buffer.append(" </rte>\n") }
    case .beginTrack(let info):
      enter(.tracks)
      container = .track
      sink.buffer.append(" <trk>")
      withMainBuffer { writer, buffer in writer.append(info, isRoute: false, to: &buffer) }
      sink.buffer.append("\n")
    case .beginSegment:
      container = .segment
      sink.buffer.append("  <trkseg>\n")
    case .points:
      if container == .route {
        if section == .tracks {
          points.append(batch, as: "rtept", to: &lateRoutes)
        } else {
          points.append(batch, as: "rtept", to: &sink.buffer)
        }
      } else {
        points.append(batch, as: "trkpt", to: &sink.buffer)
      }
    case .endSegment:
      if !segmentExtensions.isEmpty {
        sink.buffer.append("   <extensions>")
        for element in segmentExtensions { append(element) }
        sink.buffer.append("</extensions>\n")
        segmentExtensions = []
      }
      container = .track
      sink.buffer.append("  </trkseg>\n")
    case .endTrack:
      container = .file
      sink.buffer.append(" </trk>\n")
    case .annotation(.track(let info)): addLate(info)
    case .annotation(.extensions(let extensions)):
      switch container {
      case .segment: segmentExtensions += extensions
      case .file: fileExtensions += extensions
      case .track, .route: log.add("names or extensions of tracks that came after their points")
      }
    }
    try sink.flush()
  }

  /// Takes over what a file says after the root was written: extensions have a place at the end, names not.
  private mutating func addLate(_ info: FileInfo) {
    fileExtensions += info.extensions
    var rest = info
    rest.extensions = []
    rest.namespaces = []
    rest.creator = nil
    rest.time = nil
    if rest != FileInfo() { log.add("names or authors of files that came after their points") }
  }

  /// Counts what a file says about a track after its points, where GPX has no place for it any more.
  private mutating func addLate(_ info: TrackInfo) {
    if info.timeSpan != nil { log.add("spans of time of whole tracks") }
    if info.coarseness != nil { log.add("notes on how coarse a source is") }
    log.add("laps", info.laps.count)
    var rest = info
    rest.timeSpan = nil
    rest.coarseness = nil
    rest.laps = []
    if !rest.isEmpty { log.add("names or extensions of tracks that came after their points") }
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

  /// Sees to it that something can still be put before what was written.
  private mutating func holdLate(_ section: Section) throws(TrackError) {
    if sink.canInsert {
      sink.holdForInsertion()
      return
    }
    throw TrackError(
      .unwritable,
      "a \(section == .waypoints ? "waypoint" : "route") comes after tracks that have left already",
      hint: "write to a file with -o instead of standard output")
  }

  private mutating func withRouteBuffer(_ body: (inout GPXWriter, inout ByteBuffer) -> Void) {
    if section == .tracks {
      var buffer = ByteBuffer(capacity: 64)
      swap(&buffer, &lateRoutes)
      body(&self, &buffer)
      swap(&buffer, &lateRoutes)
    } else {
      withMainBuffer(body)
    }
  }

  private mutating func withMainBuffer(_ body: (inout GPXWriter, inout ByteBuffer) -> Void) {
    var buffer = ByteBuffer(capacity: 64)
    swap(&buffer, &sink.buffer)
    body(&self, &buffer)
    swap(&buffer, &sink.buffer)
  }

  private mutating func append(_ info: TrackInfo, isRoute: Bool, to buffer: inout ByteBuffer) {
    if let text = info.name { buffer.append(element: "name", text) }
    if let text = info.comment { buffer.append(element: "cmt", text) }
    if let text = info.description { buffer.append(element: "desc", text) }
    if let text = info.source { buffer.append(element: "src", text) }
    for link in info.links { buffer.append(link) }
    if let number = info.number {
      if number >= 0 {
        buffer.append(element: "number", String(number))
      } else {
        log.add("track numbers below zero")
      }
    }
    if let text = info.type { buffer.append(element: "type", text) }
    if info.timeSpan != nil { log.add("spans of time of whole tracks") }
    if info.coarseness != nil { log.add("notes on how coarse a source is") }
    log.add("laps", info.laps.count)
    let style = info.style.map { GPXStyle.elements(for: $0, isRoute: isRoute) } ?? []
    guard !info.extensions.isEmpty || !style.isEmpty else { return }
    buffer.append("<extensions>")
    for element in style + info.extensions {
      points.namespaces.append(element, unqualified: GPXPointWriter.unqualified, to: &buffer)
    }
    buffer.append("</extensions>")
  }

  private mutating func append(_ element: ExtensionElement) {
    points.namespaces.append(element, unqualified: GPXPointWriter.unqualified, to: &sink.buffer)
  }
}
