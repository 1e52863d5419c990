public import TrackModel

/// A writer of TCX that is valid against its schema and Garmin's activity extension.
///
/// A track is written as an activity. A route or a track of the type `Course` is written as a course, with
/// the waypoints before it and directly after it. TCX requires a time for each point; points without one are
/// lost. A track without any times is written as a course with artificial times. Segments are `Track`
/// elements inside the track's laps, or inside a single lap. The points of each track are spooled until its
/// end, because a lap begins with its figures.
public struct TCXWriter: TrackWriter, ~Copyable {
  private var sink: ByteSink
  private var log = LossReport()
  private var points = TCXPointWriter()

  private var hasRoot = false
  private var hasActivities = false
  private var creator: String?
  private var fileExtensions: [ExtensionElement] = []
  private var fileTime: Instant?

  private var open: OpenTrack?
  /// The points of the open track.
  private var spool = Spool()
  /// Complete courses, written after all activities.
  private var courses = Spool()
  /// The end of the last course, delayed for the waypoints that may follow.
  private var courseEnd = ByteBuffer(capacity: 64)
  private var early = TCXEarlyPoints()
  private var identifiers = TCXIdentifiers()

  private struct OpenTrack {
    var info: TrackInfo
    var isCourse: Bool
    var isRun: Bool
    var segments: [TCXSegment] = []
    /// Generates times until a point has a time.
    var clock: TCXCourseClock?
    var hasTimes = false
  }

  /// Creates a writer. Nothing is written before the first event.
  public init(_ sink: consuming ByteSink) { self.sink = sink }

  public var losses: LossReport {
    var all = log
    all.add(points.losses)
    return all
  }

  /// The output in memory; empty for other targets.
  public var bytes: [UInt8] { sink.bytes }

  public mutating func write(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError) {
    switch event {
    case .header(let info), .annotation(.file(let info)): take(info)
    case .waypoint(let waypoint): try write(waypoint)
    case .beginTrack(let info): try begin(info, isRoute: false)
    case .beginRoute(let info):
      log.add("routes (written as courses)")
      try begin(info, isRoute: true)
      open?.segments.append(TCXSegment())
    case .beginSegment: open?.segments.append(TCXSegment())
    case .points: try write(batch)
    case .endSegment: break
    case .endTrack, .endRoute: try endTrack()
    case .annotation(.track(let info)): open?.info.merge(info)
    case .annotation(.extensions(let extensions)):
      if open == nil {
        fileExtensions += extensions
      } else {
        log.add("extensions of segments", extensions.count)
      }
    }
    try sink.flush()
  }

  public mutating func finish() throws(TrackError) {
    writeRoot()
    if hasActivities { sink.buffer.append(" </Activities>\n") }
    closeCourse()
    if !courses.isEmpty {
      sink.buffer.append(" <Courses>\n")
      try courses.drain(into: &sink)
      sink.buffer.append(" </Courses>\n")
    }
    log.add("waypoints without a course", early.count)
    appendFileEnd()
    sink.buffer.append("</TrainingCenterDatabase>\n")
    try sink.finish()
  }

  // MARK: The file

  private mutating func take(_ info: FileInfo) {
    if !hasRoot { points.declare(info) }
    writeRoot()
    if let creator, let other = info.creator, other != creator { log.add("further creators of files") }
    creator = creator ?? info.creator
    fileTime = fileTime ?? info.time
    fileExtensions += info.extensions
    log.add(words: info, beside: [\.extensions])
  }

  /// Writes the declaration, which Strava requires, and the root's start tag.
  private mutating func writeRoot() {
    guard !hasRoot else { return }
    hasRoot = true
    sink.buffer.append("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<TrainingCenterDatabase xmlns=\"")
    sink.buffer.append(TCXNamespace.v2)
    for declaration in points.namespaces.declarations {
      sink.buffer.append("\" xmlns:\(declaration.prefix)=\"")
      sink.buffer.append(xmlAttribute: declaration.uri)
    }
    sink.buffer.append("\" xsi:schemaLocation=\"\(TCXNamespace.v2)")
    sink.buffer.append(" http://www.garmin.com/xmlschemas/TrainingCenterDatabasev2.xsd\">\n")
  }

  /// Appends the elements after all tracks: the program that created the file, and extensions.
  private mutating func appendFileEnd() {
    var author: ExtensionElement?
    var kept: [ExtensionElement] = []
    for element in fileExtensions {
      if author == nil, element.name == "Author", element.isTCX {
        author = element
      } else if element.namespace == TCXNamespace.v2 {
        log.add("folders, workouts and other parts of files without tracks")
      } else {
        kept.append(element)
      }
    }
    if let source = TCXSource(name: creator, element: author) {
      sink.buffer.append(" ")
      source.append(as: "Author", isDevice: false, to: &sink.buffer)
      sink.buffer.append("\n")
    }
    points.append(extensions: kept, to: &sink.buffer)
  }

  // MARK: Waypoints

  private mutating func write(_ waypoint: Waypoint) throws(TrackError) {
    writeRoot()
    if courseEnd.count > 0 {
      points.append(waypoint, to: &courses.buffer)
      try courses.flush()
      return
    }
    try early.add(waypoint, &points)
  }

  /// Writes the end of the last course, when no more points can belong to it.
  private mutating func closeCourse() {
    courses.buffer.append(contentsOf: courseEnd.array.span)
    courseEnd.removeAll()
  }

  // MARK: Tracks

  private mutating func begin(_ info: TrackInfo, isRoute: Bool) throws(TrackError) {
    writeRoot()
    closeCourse()
    try spool.removeAll()
    let isCourse = isRoute || info.type?.lowercased() == TrackInfo.courseType.lowercased()
    open = OpenTrack(info: info, isCourse: isCourse, isRun: TCXSport.named(info.type) == .running)
  }

  private mutating func write(_ batch: borrowing PointBatch) throws(TrackError) {
    guard var track = open else { return }
    open = nil
    if !track.hasTimes {
      if (0..<batch.count).contains(where: { batch.times[$0] != Instant.absent }) {
        try beginTimes(&track)
      } else if track.clock == nil {
        track.clock = TCXCourseClock(start: track.info.timeSpan?.begin ?? fileTime)
      }
    }
    guard var segment = track.segments.popLast() else { return open = track }
    points.append(
      batch, isRun: track.isRun && !track.isCourse, clock: &track.clock, segment: &segment, to: &spool.buffer)
    track.segments.append(segment)
    open = track
    try spool.flush()
  }

  /// Switches a track to the times of its points, and discards earlier points with artificial times.
  private mutating func beginTimes(_ track: inout OpenTrack) throws(TrackError) {
    track.hasTimes = true
    guard let clock = track.clock else { return }
    log.add("trackpoints without a time", clock.count)
    track.clock = nil
    track.segments = track.segments.map { _ in TCXSegment() }
    try spool.removeAll()
  }

  private mutating func endTrack() throws(TrackError) {
    guard var track = open else { return }
    open = nil
    if let clock = track.clock {
      log.add("times of course points (estimated at 10 km/h, because devices require them)", clock.count)
      if !track.isCourse { log.add("tracks without a time (written as courses)") }
      track.isCourse = true
    }
    log.add("segments without a point that has a time", track.segments.count { $0.isEmpty })
    track.segments.removeAll { $0.isEmpty }
    countLosses(track.info)
    if track.isCourse { try writeCourse(track) } else { try writeActivity(track) }
    try spool.removeAll()
  }

  private mutating func countLosses(_ info: TrackInfo) {
    log.add(
      words: info,
      beside: [\.name, \.description, \.source, \.type, \.timeSpan, \.laps, \.extensions])
    if info.timeSpan?.end != nil { log.add("ends of time spans") }
  }

  private mutating func writeActivity(_ track: OpenTrack) throws(TrackError) {
    let info = track.info
    let starts = [info.timeSpan?.begin, info.laps.first?.start, track.segments.first?.firstTime]
    guard let start = starts.lazy.compactMap({ $0 }).first(where: \.hasXMLYear) else {
      log.add("tracks without a time")
      return
    }
    if !hasActivities { sink.buffer.append(" <Activities>\n") }
    hasActivities = true
    let sport = TCXSport.named(info.type)
    if sport == nil, info.type != nil { log.add("kinds of activity other than Running, Biking and Other") }
    sink.buffer.append("  <Activity Sport=\"\((sport ?? .other).rawValue)\">\n   <Id>")
    let identifier = identifiers.unused(start)
    if identifier != start { log.add("starts of activities that another has too (moved by milliseconds)") }
    ISO8601.append(identifier, to: &sink.buffer)
    sink.buffer.append("</Id>\n")
    var extensions = info.extensions
    let drive = extensions.firstIndex { $0.isDrive }
    if let drive, let name = info.name {
      extensions[drive].attributes.removeAll { $0.name == DriveElement.title }
      extensions[drive].attributes.append(ExtensionElement.Attribute(name: DriveElement.title, value: name))
    }
    var parts = TCXTrackParts(extensions)
    try writeLaps(track, start: start, &parts)
    var notes = info.description
    if drive == nil, let name = info.name {
      log.add("names of activities (written as notes)")
      notes = notes.map { "\(name)\n\n\($0)" } ?? name
    }
    if let notes {
      sink.buffer.append("   ")
      sink.buffer.append(element: "Notes", notes)
      sink.buffer.append("\n")
    }
    if let source = TCXSource(name: info.source, element: parts.creator) {
      sink.buffer.append("   ")
      source.append(as: "Creator", isDevice: true, to: &sink.buffer)
      sink.buffer.append("\n")
    }
    points.append(extensions: parts.kept, to: &sink.buffer)
    countLosses(parts)
    sink.buffer.append("  </Activity>\n")
  }

  private mutating func countLosses(_ parts: TCXTrackParts) {
    log.add("details of laps that were not found again", parts.laps.count)
    log.add("training plans and other parts of activities", parts.lost)
  }

  private mutating func writeLaps(
    _ track: OpenTrack, start: Instant, _ parts: inout TCXTrackParts
  ) throws(TrackError) {
    let laps = track.info.laps.filter { $0.start?.hasXMLYear ?? true }
    var plan = TCXLapPlan(laps, track.segments)
    if plan == nil {
      log.add("laps", track.info.laps.count)
      plan = TCXLapPlan([Lap()], track.segments)
    }
    guard var plan else { return }
    if plan.needsMeasuring {
      var points = TCXPointSource(try spool.input(), track.segments)
      plan.measure(try points.figures(plan))
    }
    log.add("segments split at laps", plan.partedSegments)
    var source = TCXPointSource(try spool.input(), track.segments)
    for planned in plan.laps {
      let rest = parts.takeLap(startingAt: planned.lap.start)
      var lap = TCXLapWriter(planned, rest)
      // A lap without a start is the only one.
      lap.appendHead(start: planned.lap.start ?? track.segments.first?.firstTime ?? start, to: &sink.buffer)
      try source.copy(planned, to: &sink)
      lap.appendTail(&points, to: &sink.buffer)
      log.add(lap.losses)
      try sink.flush()
    }
  }

  // MARK: Courses

  private mutating func writeCourse(_ track: OpenTrack) throws(TrackError) {
    guard let first = track.segments.first, let begin = first.first, let end = track.segments.last?.last
    else {
      log.add("courses and routes without a time")
      return
    }
    let info = track.info
    let name = unusedName(info.name)
    courses.buffer.append("  <Course>\n   ")
    courses.buffer.append(element: "Name", name)
    courses.buffer.append("\n")
    var parts = TCXTrackParts(info.extensions)
    let laps = info.laps.isEmpty ? [Lap()] : info.laps
    for lap in laps {
      let planned = TCXLapPlan.PlannedLap(
        lap: lap, segments: track.segments.indices, end: nil,
        timerTime: lap.timerTime ?? lap.elapsedTime ?? track.segments.reduce(0) { $0 + $1.duration },
        distance: lap.distance ?? track.segments.reduce(0) { $0 + $1.distance })
      var writer = TCXLapWriter(planned, parts.takeLap(startingAt: lap.start))
      writer.appendCourseLap(
        ends: laps.count == 1 ? (begin, end) : nil, &points, to: &courses.buffer)
      log.add(writer.losses)
    }
    var source = TCXPointSource(try spool.input(), track.segments)
    try source.copyAll(to: &courses)
    if let notes = info.description {
      courses.buffer.append("   ")
      courses.buffer.append(element: "Notes", notes)
      courses.buffer.append("\n")
    }
    try early.move(to: &courses, &log)
    if let source = TCXSource(name: info.source, element: parts.creator) {
      courseEnd.append("   ")
      source.append(as: "Creator", isDevice: true, to: &courseEnd)
      courseEnd.append("\n")
    }
    points.append(extensions: parts.kept, to: &courseEnd)
    courseEnd.append("  </Course>\n")
    countLosses(parts)
    if let begin = info.timeSpan?.begin, begin != first.firstTime { log.add("begins of time spans") }
    try courses.flush()
  }

  /// Returns a name of at most 15 characters that no other course of the file has, as the schema requires.
  private mutating func unusedName(_ name: String?) -> String {
    let wanted = TCXSource.token(name ?? "")
    let short = points.shortened(wanted.isEmpty ? "Course" : wanted, to: 15, "names of courses")
    let result = identifiers.unused(short)
    if result != short, name != nil { log.add("duplicate names of courses (numbered)") }
    return result
  }
}
