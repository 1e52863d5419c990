public import TrackModel
import TrackTransforms

extension DriveRecorder {
  /// The seconds that a car must stay near a kept fix for the last fix there to be added as a departure.
  private static let shortestStay = 3.0

  /// The recording with times and altitudes: one segment per stretch, as in ``timedStretches``.
  public var recording: Recording {
    let segments = timedStretches.map { points in
      var segment = Recording.Segment()
      for point in points {
        segment.append(
          point.coordinate, time: Instant(microseconds: point.time), elevation: point.altitude)
      }
      return segment
    }
    return Recording(kind: .track, segments: segments)
  }

  /// Returns the fixes of ``timedStretches`` with their altitudes as a track, with one segment per stretch,
  /// so that a file of any format with times preserves the whole duration.
  ///
  /// - Parameter name: the name of the track.
  public func document(name: String) -> TrackDocument {
    let segments = timedStretches.map { points in
      var columns = PointColumns()
      for point in points {
        columns.append(
          point.coordinate, time: Instant(microseconds: point.time),
          values: point.altitude.map { [.elevation: $0] } ?? [:])
      }
      return TrackDocument.Segment(points: columns)
    }
    var document = TrackDocument()
    document.tracks = [TrackDocument.Track(info: TrackInfo(name: name), segments: segments)]
    return document
  }

  /// The positions of each non-empty stretch with ascending times from its start to its end.
  ///
  /// Includes the fixes that passed the distance filter, and for each of these at which the car stayed, the
  /// last fix nearby, so that stops are preserved. The first fix of a stretch has the start time, and the
  /// last fix has the stop time (or that of the last tick), so that the times span the whole duration.
  public var timedStretches: [[RoutePoint]] {
    var result: [[RoutePoint]] = []
    for (index, stretch) in stretches.enumerated() {
      let end = index + 1 < stretches.count ? stretches[index + 1].firstRow : route.count
      guard stretch.firstRow < end else { continue }
      result.append(timed(stretch, route[stretch.firstRow..<end]))
    }
    return result
  }

  private func timed(_ stretch: Stretch, _ points: ArraySlice<RoutePoint>) -> [RoutePoint] {
    var result: [RoutePoint] = []
    func append(_ latitude: Double, _ longitude: Double, _ time: Int64, altitude: Double? = nil) {
      if let last = result.last?.time, time <= last { return }
      result.append(RoutePoint(latitude: latitude, longitude: longitude, time: time, altitude: altitude))
    }
    if let first = points.first {
      append(first.latitude, first.longitude, stretch.start.microseconds, altitude: first.altitude)
    }
    for point in points {
      append(point.latitude, point.longitude, point.time, altitude: point.altitude)
      if let near = point.lastNear,
        Instant(microseconds: near.time).seconds(since: Instant(microseconds: point.time))
          >= Self.shortestStay
      {
        append(near.latitude, near.longitude, near.time)
      }
    }
    if let point = points.last {
      append(
        point.lastNear?.latitude ?? point.latitude, point.lastNear?.longitude ?? point.longitude,
        lastTick(of: stretch).microseconds, altitude: point.lastNear == nil ? point.altitude : nil)
    }
    return result
  }

  /// Returns the drive so far.
  ///
  /// - Parameters:
  ///   - name: the name of the drive.
  ///   - appExact: whether to return the coordinates that the app stores: the fixes that passed the distance
  ///     filter, which are evenly spaced in distance but not in time. Otherwise the points are resampled
  ///     evenly in time, as in an import. If that needs far more points than were recorded, the step is
  ///     longer.
  /// - Throws: `tooFewPoints` if nothing was recorded, `limitExceeded` if the recording is longer than any
  ///   drive with a point per second, and the errors of ``DriveImporter``.
  public func drive(name: String, appExact: Bool = false) throws(TrackError) -> ImportedDrive {
    guard !route.isEmpty, let startTime else {
      guard !refusals.isEmpty else { throw TrackError.noFix }
      throw TrackError(
        .tooFewPoints, "no fix was accurate enough",
        suggestion: refusals[.inaccurate] == nil
          ? TrackError.noFix.suggestion
          : .text("all fixes were less accurate than \(settings.maximumAccuracy) m"))
    }
    if appExact {
      let end = endTime ?? stretches.last.map(lastTick(of:))
      let drive = Drive(
        name: name, startTime: startTime, endTime: end, duration: duration, distance: distance,
        latitudes: coordinates.map(\.latitude), longitudes: coordinates.map(\.longitude))
      var report = ImportReport()
      report.pointsRead = route.count
      report.pointsUsed = route.count
      report.pointsInDrive = route.count
      report.step = route.count > 1 ? duration / Double(route.count - 1) : 0
      report.elapsed = end.map { $0.seconds(since: startTime) } ?? duration
      report.moving = duration
      report.recordedDistance = distance * Geodesy.metresPerMile
      report.warnings = longGaps
      return ImportedDrive(drive: drive, report: report)
    }
    var options = ImportOptions()
    options.timing = .moving
    options.maximumAccuracy = nil
    options.keepsTimes = true
    let recording = recording
    var drives: [ImportedDrive]
    do throws(TrackError) {
      drives = try DriveImporter.drives(from: recording, options: options, name: name)
    } catch {
      guard error.code == .limitExceeded, duration < Double(Cadence.maximumPoints) else { throw error }
      // A car that is parked for hours has few fixes. Its recording is kept, with a longer step.
      let gaps = min(UniformResampling.pointLimit(recorded: recording.count), Cadence.maximumPoints) - 1
      options.cadence = .seconds(duration / Double(gaps))
      drives = try DriveImporter.drives(from: recording, options: options, name: name)
    }
    guard var drive = drives.first else {
      throw TrackError(.tooFewPoints, "nothing was recorded")
    }
    drive.report.warnings.removeAll { $0.code == .longGap }
    drive.report.warnings += longGaps
    return drive
  }

  /// A warning about long gaps between the times of a stretch. Pauses are not gaps.
  private var longGaps: [TrackWarning] {
    var points = 0
    return timedStretches.flatMap { stretch in
      defer { points += stretch.count }
      let start = Instant(microseconds: stretch[0].time)
      return DriveWarnings.longGaps(stretch.count, firstPoint: points, suggestion: nil) {
        Instant(microseconds: stretch[$0].time).seconds(since: start)
      }
    }
  }
}

extension TrackError {
  /// The error of a receiver or a log without fixes.
  package static let noFix = TrackError(
    .tooFewPoints, "no fix received",
    suggestion: .text(
      "check that the receiver has a clear view of the sky and sends the date (in NMEA: RMC or ZDA)"))
}
