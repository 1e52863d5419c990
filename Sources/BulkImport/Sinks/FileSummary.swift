package import DriveMatching
package import GhostModel
package import TrackModel
import TrackTransforms

/// The contents of a file, collected event by event.
package struct FileSummary: Sendable {
  package let file: String
  package let format: String
  package var warnings: [TrackWarning] = []
  package private(set) var info = FileInfo()
  package private(set) var tracks = 0
  package private(set) var segments = 0
  package private(set) var trackpoints = 0
  package private(set) var waypoints = 0
  package private(set) var routes = 0
  package private(set) var routepoints = 0
  package private(set) var timedPoints = 0
  package private(set) var first: Coordinate?
  package private(set) var last: Coordinate?
  /// The first and last times in file order.
  package private(set) var firstTime: Instant?
  package private(set) var lastTime: Instant?
  /// The first time of the segment that begins first and the last time of the one that ends last, because
  /// files may begin with the latest track.
  package private(set) var times: (first: Instant, last: Instant)?
  /// Whether the open segment has points with times, and the last time of all.
  private var segmentHasTimes = false
  private var segmentIsLast = false
  package private(set) var channels: ChannelSet = []
  /// The channels of points with values that are not in ``channels``, in order of their first value.
  package private(set) var extraChannels: [ExtraValues.Name] = []
  /// The names of the previous point's extra values, and the indices of those without a value so far.
  private var extraNames: [ExtraValues.Name] = []
  private var pendingExtraNames: [Int] = []
  package private(set) var activities = ActivityFigures()
  private var isInRoute = false
  /// Whether the times of the open track are artificial and do not contain its start.
  private var hasArtificialClock = false
  package private(set) var artificialTimes = 0
  private var recordings = RecordingBuilder(keepsElevations: false)
  /// The tracks with points, at most ``mostListed``, in the order of their numbers for a comparison.
  package private(set) var listedTracks: [ListedTrack] = []
  /// The number of tracks with points.
  package private(set) var numbered = 0
  package private(set) var drives = 0
  /// The first error of a track that cannot become a drive.
  package private(set) var driveFault: TrackError?
  /// The drives that an import would create from the file. Kept only if ``keepsRides`` is true.
  package private(set) var rides: [Ride] = []
  var keepsRides = false
  /// The times of the first track's start and end according to an export, used if the track has no times.
  package var timeSpan: TimeSpan?
  /// The kind of activity according to an export, which replaces that of the file.
  package var kind: String?
  /// Holds the timed waypoints of a file without trackpoints so far.
  private var waypointTrack = TrackFromPointsStage()
  package private(set) var duration = 0.0
  package private(set) var movingTime = 0.0
  package private(set) var distance = 0.0

  /// A track of a file with several.
  package struct ListedTrack: Sendable {
    /// The number from 1 among the tracks with points.
    package var number: Int
    package var name: String?
    package var points: Int
    /// The duration in seconds, or nil without usable times.
    package var duration: Double?
    /// The length in metres.
    package var distance: Double
  }

  /// The maximum number of listed tracks.
  static let mostListed = 1000

  /// A drive that an import would create.
  package struct Ride: Sendable {
    /// The drive without its coordinates.
    package var drive: Drive
    /// The positions of the drive over time.
    package var fingerprint: RideFingerprint?
    /// The duration without pauses, in seconds.
    package var movingTime: Double
    /// The length of the recording in metres.
    package var distance: Double
  }

  /// The accuracy, in metres, above which drives omit points; nil keeps all.
  private let maximumAccuracy: Double?

  package init(file: String, format: String, maximumAccuracy: Double? = ImportOptions().maximumAccuracy) {
    self.file = file
    self.format = format
    self.maximumAccuracy = maximumAccuracy
  }

  package mutating func add(_ event: TrackEvent, _ batch: borrowing PointBatch) {
    switch event {
    case .header(let info), .annotation(.file(let info)): self.info.merge(info)
    case .waypoint(let waypoint):
      waypoints += 1
      var output = StageOutput()
      if waypoint.time != nil, trackpoints == 0 { waypointTrack.take(event, &output) }
    case .beginRoute:
      routes += 1
      isInRoute = true
    case .endRoute: isInRoute = false
    case .beginTrack(var info):
      tracks += 1
      info.type = kind ?? info.type
      activities.add(info)
      hasArtificialClock =
        info.extensions.first { $0.isDrive }?.value(of: DriveElement.clock) == DriveElement.artificialClock
    case .annotation(.track(var info)) where !isInRoute:
      info.type = kind ?? info.type
      activities.add(info)
    case .beginSegment:
      segments += 1
      (segmentHasTimes, segmentIsLast) = (false, false)
    case .points where isInRoute: routepoints += batch.count
    case .points:
      addPoints(batch)
      waypointTrack = TrackFromPointsStage()
    case .endSegment, .endTrack, .annotation: break
    }
    importRecording(event, batch)
  }

  /// Ends the file. If it has no trackpoints, its timed waypoints are treated as a drive, as in an import.
  ///
  /// - Parameter shared: the number of points that were read twice but occur only once in the file.
  package mutating func finish(shared: Int = 0) {
    trackpoints -= shared
    timedPoints -= shared
    var output = StageOutput()
    waypointTrack.finish(&output)
    var batch = PointBatch()
    while let event = output.deliver(into: &batch) {
      importRecording(event, batch)
      batch.removeAll()
    }
  }

  private mutating func importRecording(_ event: TrackEvent, _ batch: borrowing PointBatch) {
    if var recording = recordings.add(event, batch), recording.kind == .track {
      var imported: [ImportedDrive] = []
      defer { addToList(recording, imported) }
      if drives == 0, recording.timeSpan == nil { recording.timeSpan = timeSpan }
      // A recording that an import would reject has a reason instead of a duration.
      var rules = ImportOptions()
      rules.keepsRecording = keepsRides
      rules.maximumAccuracy = maximumAccuracy
      do throws(TrackError) {
        imported = try DriveImporter.drives(from: recording, options: rules, name: "")
      } catch {
        driveFault = driveFault ?? error
        return
      }
      for drive in imported {
        warnings += drive.report.warnings.filter {
          [.nullIsland, .repeatedPoints, .heldFixes, .outOfOrder, .longGap, .impossibleSpeed].contains(
            $0.code)
        }
        drives += 1
        duration += drive.drive.duration
        movingTime += drive.report.moving
        distance += drive.report.recordedDistance
        if keepsRides {
          var copy = drive.drive
          copy.removeCoordinates()
          rides.append(
            Ride(
              drive: copy, fingerprint: RideFingerprint(drive.drive, drive.recording),
              movingTime: drive.report.moving, distance: drive.report.recordedDistance))
        }
      }
    }
  }

  private mutating func addToList(_ recording: Recording, _ drives: [ImportedDrive]) {
    guard recording.count > 0 else { return }
    numbered += 1
    guard numbered <= Self.mostListed else { return }
    listedTracks.append(
      ListedTrack(
        number: numbered, name: recording.name, points: recording.count,
        duration: drives.isEmpty ? nil : drives.reduce(0) { $0 + $1.drive.duration },
        distance: drives.isEmpty ? recording.length : drives.reduce(0) { $0 + $1.report.recordedDistance }))
  }

  /// Adds the contents of another input. The first and last points are determined by time, if available.
  package mutating func merge(_ other: FileSummary) {
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
    if let span = other.times {
      times = times.map { (min($0.first, span.first), max($0.last, span.last)) } ?? span
    }
    channels.formUnion(other.channels)
    for name in other.extraChannels where !extraChannels.contains(name) { extraChannels.append(name) }
    drives += other.drives
    driveFault = driveFault ?? other.driveFault
    duration += other.duration
    movingTime += other.movingTime
    activities.merge(other.activities)
    distance += other.distance
  }

  /// Subtracts a drive that an import would skip.
  mutating func leaveOut(_ ride: Ride) {
    drives -= 1
    duration -= ride.drive.duration
    movingTime -= ride.movingTime
    distance -= ride.distance
  }

  var isWithoutPoints: Bool { trackpoints == 0 && waypoints == 0 && routepoints == 0 }

  /// Whether no counted content was found.
  package var isEmpty: Bool {
    tracks == 0 && waypoints == 0 && routes == 0 && trackpoints == 0 && routepoints == 0
  }

  private mutating func addChannels(of extra: ExtraValues) {
    if extra.names != extraNames {
      extraNames = extra.names
      pendingExtraNames = extraNames.indices.filter { !extraChannels.contains(extraNames[$0]) }
    }
    guard !pendingExtraNames.isEmpty else { return }
    pendingExtraNames.removeAll { index in
      guard !extra.values[index].isNaN else { return false }
      if !extraChannels.contains(extraNames[index]) { extraChannels.append(extraNames[index]) }
      return true
    }
  }

  private mutating func addPoints(_ batch: borrowing PointBatch) {
    if first == nil { first = batch.coordinate(at: 0) }
    last = batch.coordinate(at: batch.count - 1)
    trackpoints += batch.count
    channels.formUnion(batch.channels)
    for row in batch.details {
      if let values = row.details.extraValues { addChannels(of: values) }
    }
    var span: (first: Instant, last: Instant)?
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
      span = (span?.first ?? time, time)
    }
    if let span { extendTimes(by: span) }
  }

  /// - Parameter span: the first and last times of a part of the open segment.
  private mutating func extendTimes(by span: (first: Instant, last: Instant)) {
    var times = self.times ?? span
    if !segmentHasTimes { times.first = min(times.first, span.first) }
    if segmentIsLast || span.last >= times.last { (times.last, segmentIsLast) = (span.last, true) }
    segmentHasTimes = true
    self.times = times
  }
}
