public import TrackModel

/// Writes FIT courses for devices to follow, or activities for services to import.
///
/// Each course is a separate file; further courses are chained. Activities become the sessions of one file if
/// each starts after the previous one ends. The messages before the points depend on the points, so the
/// points are spooled.
///
/// Positions are rounded to semicircles (9 mm), distances to centimetres, speeds to millimetres per second
/// and depths to millimetres, all below any measurement error. Elevations are rounded to 0.2 m, times to
/// 128ths of a second, and other sensors to whole numbers; this is reported as a loss.
public struct FITWriter: TrackWriter, ~Copyable {
  /// The kinds of file for tracks. Routes are always written as courses.
  public enum Kind: String, Sendable, CaseIterable {
    /// Tracks with laps, such as those of TCX and FIT activities, are activities; others are courses.
    case automatic = "auto"
    /// All tracks are activities, which services import as recordings.
    case activity
    /// All tracks are courses, which devices can follow.
    case course
  }

  private let kind: Kind
  private var sink: ByteSink
  private var log = LossReport()
  private var creator: String?
  private var fileTime: Instant?
  private var hasWritten = false

  private var open: OpenTrack?
  /// The records and events of the current track or of the pending course.
  private var spool = Spool()
  private var line = FITLine()
  /// A complete course that is held until the course points after it have been read.
  private var course: Course?
  /// Course points of the current, pending or next course.
  private var places = FITCoursePoints()
  private var activity = FITActivityFile()

  private struct OpenTrack {
    var info: TrackInfo
    let isRoute: Bool
    var isCourse: Bool
    var records: FITRecordWriter
  }

  private struct Course {
    let info: TrackInfo
    let extent: FITRecordWriter.Extent
  }

  /// The local types of the messages before a course's records, which have types 0 and 1.
  private enum LocalType {
    static let fileID: UInt8 = 2
    static let course: UInt8 = 3
    static let lap: UInt8 = 4
    static let coursePoint: UInt8 = 5
    static let drive: UInt8 = 6
  }

  /// The start of a course without times in a file without a time: FIT second 1,000,000,000.
  private static let madeUpStart: Int64 = 1_000_000_000_000_000

  /// Creates a writer. Nothing is written before the first event.
  ///
  /// - Parameters:
  ///   - sink: the file or the memory to write to.
  ///   - kind: the kind of file for tracks.
  public init(_ sink: consuming ByteSink, kind: Kind = .automatic) {
    self.sink = sink
    self.kind = kind
  }

  public var losses: LossReport { log }

  /// The bytes written to memory. Empty for other targets.
  public var bytes: [UInt8] { sink.bytes }

  public mutating func write(_ event: TrackEvent, _ batch: borrowing PointBatch) throws(TrackError) {
    switch event {
    case .header(let info), .annotation(.file(let info)): take(info)
    case .waypoint(let waypoint):
      if kind == .activity { log.add("waypoints") } else { places.add(waypoint, &log) }
    case .beginTrack(let info): try begin(info, isRoute: false)
    case .beginRoute(let info):
      log.add("routes (written as courses)")
      try begin(info, isRoute: true)
      open?.records.beginSegment()
    case .beginSegment: open?.records.beginSegment()
    case .points:
      open?.records.append(batch, to: &spool.buffer, line: &line)
      try line.flush()
      try spool.flush()
    case .endSegment: open?.records.endSegment(to: &spool.buffer)
    case .endRoute:
      open?.records.endSegment(to: &spool.buffer)
      try endTrack()
    case .endTrack: try endTrack()
    case .annotation(.track(let info)): open?.info.merge(info)
    case .annotation(.extensions(let extensions)): log.add("extensions", extensions.count)
    }
    try sink.flush()
  }

  public mutating func finish() throws(TrackError) {
    try closeCourse()
    try closeActivity()
    log.add("waypoints without a course", places.count)
    places = FITCoursePoints()
    guard hasWritten else {
      throw TrackError(
        .noTracks, "nothing to write as FIT" + (log.isEmpty ? "" : "; lost: \(log.text)"),
        suggestion: .text("FIT files contain routes, and tracks with times since July 1998"))
    }
    try sink.finish()
  }

  // MARK: The file

  private mutating func take(_ info: FileInfo) {
    if let creator, let other = info.creator, other != creator { log.add("further creators of files") }
    if creator == nil, let name = info.creator {
      creator = name
      if FITWriter.shortened(name) != name { log.add("creators of more than 254 bytes (shortened)") }
    }
    if let time = info.time {
      if fileTime == nil, FITTime.fromInstant(time.microseconds) != nil {
        fileTime = time
        if !time.microseconds.isMultiple(of: 1_000_000) {
          log.add("times of files between seconds (truncated)")
        }
      } else if time != fileTime {
        log.add("times of files")
      }
    }
    log.add(words: info, beside: [\.time])
  }

  /// The first message of every file.
  ///
  /// - Parameter start: FIT microseconds, for files without a creation time.
  private func fileID(_ type: FITFileType, start: Int64?, local: UInt8) -> FITMessageBytes {
    var message = FITMessageBytes(FITMessageNumber.fileID, local: local)
    message.add(0, .enumeration, Int(type.rawValue))
    message.add(1, .uint16, FITManufacturer.development)
    message.add(2, .uint16, 0)
    let time = fileTime.flatMap { FITTime.fromInstant($0.microseconds) } ?? start ?? FITWriter.madeUpStart
    message.add(4, .uint32, Int(FITTime.seconds(time)))
    if let creator { message.add(8, FITWriter.shortened(creator)) }
    return message
  }

  /// Shortens a text to the length of a field.
  static func shortened(_ text: String) -> String {
    var result = ""
    var count = 0
    for scalar in text.unicodeScalars where scalar != "\0" {
      count += UTF8.width(scalar)
      if count > 254 { break }
      result.unicodeScalars.append(scalar)
    }
    return result
  }

  /// Writes a whole file: the leading messages, then a spool.
  private static func write(
    _ head: borrowing ByteBuffer, _ body: inout Spool, to sink: inout ByteSink
  ) throws(TrackError) {
    guard let size = UInt32(exactly: head.count + body.count) else {
      throw TrackError(
        .limitExceeded, "more than 4 GB in one FIT file", suggestion: .splitOrSimplify)
    }
    var checksum = FITChecksum()
    let header = FITHeader.bytes(dataSize: size)
    checksum.add(header.span)
    checksum.add(head.bytes)
    sink.buffer.append(contentsOf: header.span)
    sink.buffer.append(contentsOf: head.bytes)
    try body.drain { bytes throws(TrackError) in
      checksum.add(bytes)
      try sink.write(bytes)
    }
    sink.buffer.append(littleEndian: checksum.value)
    try sink.flush()
  }

  // MARK: Tracks

  private mutating func begin(_ info: TrackInfo, isRoute: Bool) throws(TrackError) {
    try closeCourse()
    try spool.removeAll()
    try line.removeAll()
    let isCourse = isRoute || isCourse(info)
    let start = fileTime.flatMap { FITTime.fromInstant($0.microseconds) } ?? FITWriter.madeUpStart
    open = OpenTrack(
      info: info, isRoute: isRoute, isCourse: isCourse,
      records: FITRecordWriter(
        isCourse: isCourse, canBecomeActivity: kind == .automatic && !isRoute, madeUpStart: start,
        laps: info.laps))
  }

  /// Whether a track is written as a course.
  private func isCourse(_ info: TrackInfo) -> Bool {
    switch kind {
    case .course: true
    case .activity: false
    case .automatic:
      info.laps.isEmpty || info.type?.lowercased() == TrackInfo.courseType.lowercased()
    }
  }

  private mutating func endTrack() throws(TrackError) {
    guard var track = open else { return }
    open = nil
    // The laps of a table follow from its rows, so they are known only after the points.
    if track.records.timerEvents != nil, !isCourse(track.info), !track.records.hasMadeUpTimes {
      track.isCourse = false
    }
    // Their position depends on the kind of file.
    var info = track.info
    if track.isCourse { info.extensions.removeAll { $0.isDrive } }
    log.add(words: info, beside: [\.name, \.type, \.laps, \.timeSpan])
    if track.isCourse { track.records.appendCourseEnd(to: &spool.buffer) }
    log.add(track.records.losses)
    guard track.records.extent.first != nil else {
      log.add(track.isRoute ? "routes without a point" : "tracks without a point that can be written")
      return
    }
    if track.isCourse {
      try closeActivity()
      countCourseLosses(track.info, first: track.records.extent.firstTime)
      course = Course(info: track.info, extent: track.records.extent)
    } else {
      try addSession(track)
    }
  }

  // MARK: Activities

  private mutating func addSession(_ track: OpenTrack) throws(TrackError) {
    let extent = track.records.extent
    if !activity.canTake(track.info, extent) {
      log.add("activities that start before the previous one ends (chained; services may read only one)")
      try closeActivity()
    }
    if track.info.name != nil { log.add("names of activities") }
    if activity.isEmpty {
      activity.append(fileID(.activity, start: extent.firstTime, local: FITActivityFile.LocalType.fileID))
    }
    let events = track.records.timerEvents
    if let events { log.add(FITTimerEvents.overlap, events.overlaps) }
    try activity.append(&spool, with: events)
    activity.appendSession(track.info, extent, &log)
    try activity.flush()
  }

  private mutating func closeActivity() throws(TrackError) {
    guard !activity.isEmpty else { return }
    hasWritten = true
    activity.end()
    try FITWriter.write(ByteBuffer(), &activity.body, to: &sink)
    activity = FITActivityFile()
  }

  // MARK: Courses

  /// - Parameter first: the start of the course in FIT microseconds.
  private mutating func countCourseLosses(_ info: TrackInfo, first: Int64?) {
    if let type = info.type, type.lowercased() != "course" { log.add("types of tracks (replaced by Course)") }
    if info.timeSpan != nil { log.add("time spans of courses") }
    if info.laps.count > 1 { log.add("laps of courses (replaced by one)", info.laps.count) }
    if info.laps.count == 1, let lap = info.laps.first {
      if lap.trigger != nil { log.add("triggers of laps of courses") }
      if let start = lap.start, FITTime.fromInstant(start.microseconds) != first {
        log.add("starts of laps of courses (replaced by the course's)")
      }
      FITLapMessage.countLosses(lap, &log)
    }
  }

  /// Writes the pending course.
  private mutating func closeCourse() throws(TrackError) {
    guard let course else { return }
    self.course = nil
    if hasWritten { log.add("courses after the first (chained; devices may read only one)") }
    var head = ByteBuffer()
    var definitions: [UInt8: [UInt8]] = [:]
    fileID(.course, start: course.extent.firstTime, local: LocalType.fileID).append(to: &head, &definitions)
    message(of: course.info).append(to: &head, &definitions)
    if let drive = course.info.extensions.first(where: \.isDrive) {
      FITDriveMessage.bytes(of: drive, local: LocalType.drive).append(to: &head, &definitions)
    }
    if course.extent.first != nil {
      lap(of: course).append(to: &head, &definitions)
      try places.append(to: &head, &definitions, along: &line, local: LocalType.coursePoint, &log)
      places = FITCoursePoints()
    }
    hasWritten = true
    try FITWriter.write(head, &spool, to: &sink)
    try line.removeAll()
  }

  private mutating func message(of info: TrackInfo) -> FITMessageBytes {
    var message = FITMessageBytes(FITMessageNumber.course, local: LocalType.course)
    var sport = FITSport.generic
    if let type = info.type, type.lowercased() != TrackInfo.courseType.lowercased() {
      if let number = FITSport.number(named: type) {
        sport = number
      } else {
        log.add("activity types unknown to FIT")
      }
    }
    message.add(4, .enumeration, Int(sport))
    let name = info.name.map(FITWriter.shortened) ?? "Course"
    if let whole = info.name, whole != name { log.add("names of more than 254 bytes (shortened)") }
    message.add(5, name)
    // The capabilities valid, time, distance and position.
    message.add(6, .uint32z, 0x02 | 0x04 | 0x08 | 0x10)
    return message
  }

  /// The single lap that devices expect in a course.
  private func lap(of course: Course) -> FITMessageBytes {
    let extent = course.extent
    let elapsed = Double((extent.lastTime ?? 0) - (extent.firstTime ?? 0)) / 1e6
    // Devices race against this lap, so it must cover the whole course.
    let known = course.info.laps.count == 1 ? course.info.laps.first : nil
    var lap = FITLapMessage(local: LocalType.lap, message: FITMessageNumber.lap)
    lap.start = extent.firstTime
    lap.end = extent.lastTime
    lap.elapsed = known?.elapsedTime ?? max(elapsed, 0)
    lap.timer = known?.timerTime ?? known?.elapsedTime ?? max(elapsed, 0)
    lap.distance = known?.distance ?? extent.distance
    lap.calories = known?.calories
    lap.first = extent.first
    lap.last = extent.last
    return lap.bytes
  }
}
