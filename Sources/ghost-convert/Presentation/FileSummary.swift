import DriveMatching
import GhostModel
import TrackModel
import TrackTransforms

/// What is in a file, gathered event by event.
struct FileSummary {
  let file: String
  let format: String
  var warnings: [TrackWarning] = []
  private var info = FileInfo()
  private var tracks = 0
  private var segments = 0
  private var trackpoints = 0
  private var waypoints = 0
  private var routes = 0
  private var routepoints = 0
  private var timedPoints = 0
  private var first: Coordinate?
  private var last: Coordinate?
  private var firstTime: Instant?
  private var lastTime: Instant?
  private var channels: ChannelSet = []
  private var activities = ActivityFigures()
  private var isInRoute = false
  /// Whether the times of the open track say nothing about when it began.
  private var hasArtificialClock = false
  private var artificialTimes = 0
  private var recordings = RecordingGathering()
  private(set) var drives = 0
  /// The drives that an import would make of it, without their coordinates, and where they were when; held where
  /// ``keepsRides`` asks for them.
  private(set) var rides: [(drive: Drive, sketch: RideSketch?)] = []
  var keepsRides = false
  /// What an export says about when the first track began and ended, which counts where it has no times.
  var timeSpan: TimeSpan?
  /// Those of a file that has shown no trackpoint yet.
  private var timedWaypoints: [Waypoint] = []
  private var duration = 0.0
  private var movingTime = 0.0
  private var distance = 0.0

  /// Drives leave out points with a larger error, in metres; nil keeps all.
  private let maximumAccuracy: Double?

  init(file: String, format: String, maximumAccuracy: Double? = ImportOptions().maximumAccuracy) {
    self.file = file
    self.format = format
    self.maximumAccuracy = maximumAccuracy
  }

  mutating func add(_ event: TrackEvent, _ batch: borrowing PointBatch) {
    switch event {
    case .header(let info), .annotation(.file(let info)): self.info.merge(info)
    case .waypoint(let waypoint):
      waypoints += 1
      if waypoint.time != nil, trackpoints == 0 { timedWaypoints.append(waypoint) }
    case .beginRoute:
      routes += 1
      isInRoute = true
    case .endRoute: isInRoute = false
    case .beginTrack(let info):
      tracks += 1
      activities.add(info)
      hasArtificialClock =
        info.extensions.first { $0.isDrive }?.value(of: DriveElement.clock) == DriveElement.artificialClock
    case .annotation(.track(let info)) where !isInRoute: activities.add(info)
    case .beginSegment: segments += 1
    case .points where isInRoute: routepoints += batch.count
    case .points:
      addPoints(batch)
      timedWaypoints = []
    case .endSegment, .endTrack, .annotation: break
    }
    importRecording(event, batch)
  }

  /// Ends the file: where it has no trackpoints, its timed waypoints are the drive that an import makes of them.
  ///
  /// - Parameter shared: points that were read twice and stand in the file once.
  mutating func finish(shared: Int = 0) {
    trackpoints -= shared
    timedPoints -= shared
    let points = timedWaypoints
    timedWaypoints = []
    guard trackpoints == 0, points.count > 1 else { return }
    var document = TrackDocument()
    document.waypoints = points
    var reader = StagedReader(TrackDocumentReader(document), [TrackFromPointsStage()])
    var batch = PointBatch()
    while let event = try? reader.next(into: &batch) { importRecording(event, batch) }
  }

  private mutating func importRecording(_ event: TrackEvent, _ batch: borrowing PointBatch) {
    if var recording = recordings.add(event, batch), recording.kind == .track {
      if drives == 0, recording.timeSpan == nil { recording.timeSpan = timeSpan }
      // What an import would refuse has no duration; info says so by saying none.
      var rules = ImportOptions()
      rules.keepsRecording = keepsRides
      rules.maximumAccuracy = maximumAccuracy
      guard let imported = try? DriveImporter.drives(from: recording, options: rules, name: "")
      else { return }
      for drive in imported {
        warnings += drive.report.warnings.filter {
          [.nullIsland, .repeatedPoints, .longGap].contains($0.code)
        }
        drives += 1
        duration += drive.drive.duration
        movingTime += drive.report.moving
        distance += drive.report.recordedDistance
        if keepsRides {
          var copy = drive.drive
          copy.coordinatesData.removeAll()
          rides.append((copy, RideSketch(drive.drive, drive.recording)))
        }
      }
    }
  }

  /// Adds what was found in another input: what comes first and last is told by the times, where there are any.
  mutating func merge(_ other: FileSummary) {
    tracks += other.tracks
    segments += other.segments
    trackpoints += other.trackpoints
    waypoints += other.waypoints
    routes += other.routes
    routepoints += other.routepoints
    timedPoints += other.timedPoints
    artificialTimes += other.artificialTimes
    if let time = other.firstTime, firstTime.map({ time < $0 }) ?? true {
      firstTime = time
      first = other.first
    }
    if let time = other.lastTime, lastTime.map({ time >= $0 }) ?? true {
      lastTime = time
      last = other.last
    }
    first = first ?? other.first
    last = last ?? other.last
    channels.formUnion(other.channels)
    drives += other.drives
    duration += other.duration
    movingTime += other.movingTime
    activities.merge(other.activities)
    distance += other.distance
  }

  var isWithoutPoints: Bool { trackpoints == 0 && waypoints == 0 && routepoints == 0 }

  /// Whether nothing that is counted was found.
  var isEmpty: Bool { tracks == 0 && waypoints == 0 && routes == 0 && trackpoints == 0 && routepoints == 0 }

  /// The first and the last time, in the order of the file.
  var times: (first: Instant, last: Instant)? {
    guard let firstTime, let lastTime else { return nil }
    return (firstTime, lastTime)
  }

  /// Whether the pauses between segments are as long as can be seen.
  private var hasPauses: Bool { Text.clock(movingTime) != Text.clock(duration) }

  private mutating func addPoints(_ batch: borrowing PointBatch) {
    if first == nil { first = batch.coordinate(at: 0) }
    last = batch.coordinate(at: batch.count - 1)
    trackpoints += batch.count
    channels.formUnion(batch.channels)
    for row in 0..<batch.count where batch.times[row] != Instant.absent {
      let time = Instant(microseconds: batch.times[row])
      timedPoints += 1
      if DriveElement.isFromUnknownStart(time) { hasArtificialClock = true }
      if hasArtificialClock {
        artificialTimes += 1
        continue
      }
      if firstTime == nil { firstTime = time }
      lastTime = time
    }
  }

  /// The object of `info --json`.
  var json: JSONValue { .object(members) }

  /// Its members, for objects that have more.
  var members: [(String, JSONValue)] {
    [
      ("source", .string(file)), ("format", .string(format)), ("name", .optional(info.name)),
      ("creator", .optional(info.creator)), ("tracks", .integer(tracks)), ("segments", .integer(segments)),
      ("trackpoints", .integer(trackpoints)), ("waypoints", .integer(waypoints)),
      ("routes", .integer(routes)), ("routepoints", .integer(routepoints)), ("first", .position(first)),
      ("last", .position(last)), ("first_time", .time(firstTime)), ("last_time", .time(lastTime)),
      ("timed_points", .integer(timedPoints)),
      ("duration_s", drives > 0 ? .number(duration) : .null),
      ("distance_m", drives > 0 ? .number((distance * 1000).rounded() / 1000) : .null),
      ("moving_s", drives > 0 ? .number(movingTime) : .null),
      ("kinds", .array(activities.kinds.map { .string($0) })), ("laps", .integer(activities.laps)),
      ("timer_s", activities.timerTime.map { .number($0) } ?? .null),
      ("channels", .array(channels.channels.map { .string("\($0)") })),
      ("warnings", .warnings(warnings)),
    ]
  }

  /// The same for people.
  var text: String {
    var lines = [Diagnostic.singleLine("\(file): \(format)" + (info.name.map { ", \($0)" } ?? ""))]
    func line(_ title: String, _ text: String) {
      lines.append("  " + GhostConvert.padded(title, 10) + Diagnostic.singleLine(text))
    }
    if let creator = info.creator { line("from", creator) }
    line(
      "tracks",
      "\(tracks) with \(Counted.of(segments, "segment")) and \(Counted.of(trackpoints, "trackpoint"))")
    if !activities.kinds.isEmpty { line("kind", activities.kinds.joined(separator: ", ")) }
    if activities.laps > 0 {
      line(
        "laps",
        "\(activities.laps)"
          + (activities.timerTime.map { ", in which the timer ran for \(Text.clock($0))" } ?? ""))
    }
    if waypoints > 0 { line("waypoints", "\(waypoints)") }
    if routes > 0 { line("routes", "\(routes) with \(Counted.of(routepoints, "point"))") }
    if let firstTime, let lastTime {
      line("time", "\(LocalTime.text(firstTime)) to \(LocalTime.text(lastTime))")
      if timedPoints < trackpoints {
        line("", "\(trackpoints - timedPoints) of the trackpoints without a time")
      }
    } else if trackpoints > 0 {
      line("time", artificialTimes > 0 ? "no start time" : "none")
    }
    if !channels.isEmpty { line("sensors", channels.channels.map(\.title).joined(separator: ", ")) }
    if drives > 0 {
      line(
        "as drive",
        "\(Text.clock(duration)), \(Text.distance(distance))" + (drives > 1 ? " in \(drives) drives" : "")
          + (hasPauses ? "; \(Text.clock(movingTime)) without the pauses" : ""))
    } else {
      line("as drive", "none (ghost-convert import says why)")
    }
    return lines.joined(separator: "\n")
  }
}
