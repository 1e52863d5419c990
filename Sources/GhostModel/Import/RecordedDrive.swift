public import TrackModel

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

extension RecordedDrive {
  /// The drive's identifier, if it is a UUID.
  public var id: UUID? { identifier.flatMap { UUID(uuidString: $0) } }
}

extension Recording {
  /// Whether the times count from `DriveElement.unknownStart`, so that the start of the recording is
  /// unknown.
  public var hasArtificialStart: Bool {
    drive?.hasArtificialClock == true || startTime.map(DriveElement.isFromUnknownStart) == true
  }

  /// The kind of activity, or `nil` for a planned route in TCX or FIT, whose type "course" is not one.
  package var activityKind: String? { type.flatMap { $0.lowercased() == "course" ? nil : $0 } }

  /// Returns a drive without times with evenly spaced times from 1970 over its duration, or else that
  /// of the options. Returns `nil` for any other recording and for fewer than two points.
  package func evenDrive(_ options: ImportOptions) -> Recording? {
    guard drive != nil, hasNoTimes, count > 1 else { return nil }
    let seconds = knownDuration ?? options.duration ?? options.speed.map { length / $0 }
    guard let seconds, seconds > 0, seconds <= ImportOptions.longestDuration else { return nil }
    let count = count
    var result = self
    var index = 0
    result.segments = segments.map { segment in
      var times: [Int64] = []
      for _ in 0..<segment.count {
        times.append(Int64((seconds * 1e6 * Double(index) / Double(count - 1)).rounded()))
        index += 1
      }
      return segment.with(times: times)
    }
    return result
  }

  /// The duration of a drive, or the time between its start and its end, in seconds, or nil if unknown.
  var knownDuration: Double? {
    let span = timeSpan.flatMap { span in span.begin.flatMap { begin in span.end?.seconds(since: begin) } }
    return drive?.duration ?? span.flatMap { $0 > 0 ? $0 : nil }
  }

  /// The distance along the points of each segment in metres.
  package var length: Double {
    segments.reduce(0) { length, segment in
      length
        + Geodesy.length(
          latitudes: segment.latitudes.span, longitudes: segment.longitudes.span, rows: 0..<segment.count)
    }
  }
}

extension Recording {
  /// Returns the drive of a drive document with all its points. The duration is that of the document, or else
  /// the time between its start and its end, or else that of the options. It can be 0, unlike in an import.
  ///
  /// - Throws: `noTimes` if neither the document nor the options contain a duration.
  package func documentDrive(_ options: ImportOptions) throws(TrackError) -> Drive {
    let segment = segments.first ?? Segment()
    let times = segment.times.filter { $0 != Instant.absent }.map { Instant(microseconds: $0) }
    let start = times.first ?? timeSpan?.begin
    let end = times.count > 1 ? times.last : timeSpan?.end
    let span = start.flatMap { start in end.map { $0.seconds(since: start) } }
    let stated = drive.flatMap { $0.hasNoDuration ? 0 : $0.duration }
    guard let seconds = stated ?? span ?? options.duration ?? options.speed.map({ length / $0 }) else {
      throw TrackError(.noTimes, "no duration", suggestion: .provideDurationOrSpeed)
    }
    return Drive(
      name: name ?? "", startTime: start, endTime: end, duration: max(seconds, 0),
      distance: length / Geodesy.metresPerMile, latitudes: segment.latitudes, longitudes: segment.longitudes)
  }
}

extension Drive {
  /// Sets the kind of activity, the notes and the gear to those of the recording that the drive was made of.
  package mutating func describe(as recording: Recording) {
    kind = recording.activityKind
    // The information in a drive document belongs to the drive; that of other files belongs to the track.
    notes = recording.drive == nil ? nil : recording.description
    gear = recording.drive == nil ? nil : recording.gear
  }

  /// Returns the drive with other times.
  func at(_ start: Instant?, to end: Instant?) -> Drive {
    with(startTime: start, endTime: end, duration: duration, distance: distance)
  }

  /// Returns the drive of a document whose points are complete.
  func asRecorded(_ recorded: RecordedDrive, _ span: TimeSpan?) -> Drive {
    var result = with(
      startTime: span?.begin ?? startTime, endTime: span?.end ?? endTime,
      duration: recorded.duration ?? duration,
      distance: recorded.distance ?? distance)
    result.id = recorded.id ?? result.id
    return result
  }
}
