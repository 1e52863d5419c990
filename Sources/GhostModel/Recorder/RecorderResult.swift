public import TrackModel

extension DriveRecorder {
  /// Seconds that the car must have been near a kept fix for the last fix there to count as a departure of
  /// its own.
  private static let shortestStay = 3.0

  /// What was recorded, with times: a segment per stretch, as ``timedStretches`` has them.
  public var recording: Recording {
    let segments = timedStretches.map { points in
      var segment = Recording.Segment()
      for point in points { segment.append(point.coordinate, time: Instant(microseconds: point.time)) }
      return segment
    }
    return Recording(kind: .track, segments: segments)
  }

  /// The places of each stretch that has any, their times ascending from its start to its end.
  ///
  /// The fixes that passed the distance filter, and where the car stayed near one of them the last fix there,
  /// so that a red light stays a red light. A stretch begins with its first fix at the moment of the start
  /// and ends with its last at the moment of the stop (or of the last tick): times from first to last are the
  /// whole duration.
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

  /// The drive so far.
  ///
  /// - Parameter appExact: what the app stores: the fixes that passed the distance filter, which lie evenly
  ///   in distance and not in time. Otherwise the points are laid anew, evenly in time, as an import does, so
  ///   that the app's even spreading is true.
  /// - Throws: `tooFewPoints` where nothing was recorded; what ``DriveImporter`` throws.
  public func drive(name: String, appExact: Bool = false) throws(TrackError) -> ImportedDrive {
    guard !route.isEmpty, let startTime else {
      throw TrackError(
        .tooFewPoints,
        refusals.isEmpty ? "no fix came in" : "no fix was good enough to be recorded",
        suggestion: .text(
          refusals[.inaccurate] == nil
            ? "the receiver needs a free view of the sky, and has to tell the date (in NMEA: RMC or ZDA)"
            : "they were less accurate than \(settings.maximumAccuracy) m"))
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
      return ImportedDrive(drive: drive, report: report)
    }
    var options = ImportOptions()
    options.timing = .moving
    options.maximumAccuracy = nil
    options.keepsTimes = true
    let drives = try DriveImporter.drives(from: recording, options: options, name: name)
    guard let drive = drives.first else {
      throw TrackError(.tooFewPoints, "nothing was recorded")
    }
    return drive
  }
}
