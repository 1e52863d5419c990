public import TrackModel
import TrackTransforms

/// The report of an import.
public struct ImportReport: Sendable, Hashable {
  /// The number of points of the whole recording, before any were skipped.
  public var pointsRead = 0
  /// The number of recorded points from which this drive was created.
  public var pointsUsed = 0
  /// The number of coordinates of the drive.
  public var pointsInDrive = 0
  /// The seconds between points: duration / (points − 1).
  public var step = 0.0
  /// Whether the points of the drive differ from those of the recording.
  public var resampled = false
  /// The largest timing error in seconds: the difference between index × step and the recorded or
  /// interpolated time of a point.
  public var largestTimeError = 0.0
  /// The seconds from the first to the last time.
  public var elapsed = 0.0
  /// The elapsed seconds without pauses between segments.
  public var moving = 0.0
  /// The largest distance between a recorded point and the app's position at its time, in metres. Unlike
  /// ``largestTimeError``, it includes corners and stops that a coarse cadence cuts.
  public var largestPlaceError = 0.0
  /// The distance along the recorded points in metres, without pauses between segments.
  public var recordedDistance = 0.0
  /// The warnings about the drive. Warnings about the whole recording are in the report of its first drive.
  public var warnings: [TrackWarning] = []

  package init() {}
}

/// A drive with the report of its import.
public struct ImportedDrive: Sendable {
  /// The drive, with points that are evenly spaced in time.
  public var drive: Drive
  /// The changes that the import made, and the remaining errors.
  public var report: ImportReport
  /// The recorded points of the drive including skipped ones, or `nil` unless requested.
  public var recording: Recording?
}

/// Converts recordings to drives.
public enum DriveImporter {
  /// Converts a recording to one drive, or to several drives in driving order with ``ImportOptions/splitGap``
  /// or ``ImportOptions/privacyZones``.
  ///
  /// A recording that lists the newest point first is reversed, and segments that do not overlap in time are
  /// sorted. Points are skipped in this order: invalid positions; isolated positions at 0°, 0°; a horizontal
  /// accuracy above ``ImportOptions/maximumAccuracy``; missing times if other points have them; times that
  /// are not later than the last kept one. Up to ten points whose times differ by more than 6 h from those of
  /// their neighbours within 1 km are skipped as out of order. A stretch that repeats earlier points exactly
  /// is skipped. Each kind is counted in a warning. Warnings also report gaps above 6 h, and distances due to
  /// speeds above 500 km/h. Segments with no more than the usual interval between them are joined.
  ///
  /// A recording without times gets times at constant speed from ``ImportOptions/duration`` or
  /// ``ImportOptions/speed``, or else from the duration of its time span (``Recording/timeSpan``). Its drive
  /// has no start and end times. The points of a drive (``Recording/drive``) are always evenly spaced over
  /// its duration. Times from `DriveElement.unknownStart` result in a drive without a start time. The
  /// distance is that of the kept points within segments.
  ///
  /// - Parameters:
  ///   - recording: the points in segments.
  ///   - options: the rules for duration, cadence, accuracy and splitting.
  ///   - name: the name of the drive. Several drives are named `name (1)`, `name (2)`, ….
  /// - Throws: `TrackError`: `noTimes` if times are missing for more than one in ten points and neither
  ///   duration nor speed is given; `outOfOrder` if more than one in ten timed points (or two points of a
  ///   short recording) is earlier than its predecessors; `tooFewPoints` for fewer than two points;
  ///   `limitExceeded` for more than 10 million points, or more than 10,000 points and 100 times the recorded
  ///   points; `invalidValue` for invalid options.
  public static func drives(
    from recording: Recording, options: ImportOptions, name: String
  ) throws(TrackError) -> [ImportedDrive] {
    let prepared = try PreparedRecording(recording, options, keepsEnds: options.splitGap != nil)
    let (recording, selection) = (prepared.recording, prepared.selection)
    let (even, span) = (prepared.even, prepared.span)
    var unused: String?
    if even != nil, recording.knownDuration != nil {
      unused = options.duration != nil ? "duration" : options.speed != nil ? "speed" : nil
    }
    let options = prepared.options
    var warnings = selection.warnings
    if let unused {
      warnings.append(
        TrackWarning(.unusedOption, "the drive has a duration; the given \(unused) is ignored"))
    }
    if span != nil {
      warnings.append(
        TrackWarning(.coarseTimes, "only the times of the whole track are known; constant speed assumed"))
    }
    if let resolution = recording.resolution { warnings += self.warnings(about: resolution) }
    let parts = try parts(of: selection, options, warnings: &warnings)
    let recordings =
      options.keepsRecording
      ? recordings(parts, of: selection, from: recording, PrivacyZones(options.privacyZones)) : []
    let pointsRead = recording.count + prepared.clockErrors
    var imported: [ImportedDrive] = []
    for (index, rows) in parts.enumerated() {
      let name = parts.count > 1 ? "\(name) (\(index + 1))" : name
      var result = try drive(
        from: selection, rows, of: even == nil && selection.isTimed ? recording : nil, options: options,
        name: name)
      result.report.pointsRead = pointsRead
      if recording.hasArtificialStart {
        result.drive = result.drive.at(nil, to: nil)
      } else if even != nil {
        let begin = recording.timeSpan?.begin
        result.drive = result.drive.at(begin, to: begin?.advanced(bySeconds: result.drive.duration))
      } else if let span {
        result.drive = result.drive.at(span.begin, to: span.end)
      }
      if options.keepsDrive, let recorded = recording.drive, !result.report.resampled, parts.count == 1,
        result.report.pointsInDrive == recording.count, recorded.points ?? recording.count == recording.count
      {
        let span = recording.hasArtificialStart ? nil : recording.timeSpan
        result.drive = result.drive.asRecorded(recorded, span)
      }
      if index == 0 { result.report.warnings.insert(contentsOf: warnings, at: 0) }
      if !recordings.isEmpty { result.recording = recordings[index] }
      imported.append(result)
    }
    return imported
  }

  /// Returns the recorded points of each part including skipped ones, or none if they cannot be found by
  /// their times.
  private static func recordings(
    _ parts: [Range<Int>], of selection: PointSelection, from recording: Recording, _ zones: PrivacyZones
  ) -> [Recording] {
    // Skipped points can be in a zone too.
    if parts == [0..<selection.latitudes.count] { return [recording.outside(zones)] }
    guard selection.isTimed else { return [] }
    return recording.parts(
      in: parts.map { selection.times[$0.lowerBound]...selection.times[$0.upperBound - 1] }
    ).map { $0.outside(zones) }
  }

  private static func warnings(about resolution: Resolution) -> [TrackWarning] {
    var warnings: [TrackWarning] = []
    if let seconds = resolution.time {
      warnings.append(
        TrackWarning(.coarseTimes, "the time resolution of the source is \(whole(seconds)) s"))
    }
    if let metres = resolution.position {
      warnings.append(
        TrackWarning(.coarsePositions, "the position resolution of the source is \(whole(metres)) m"))
    }
    return warnings
  }

  /// Rounds a quantity to whole units, at least 1.
  private static func whole(_ value: Double) -> Int { value >= 1 && value < 1e9 ? Int(value.rounded()) : 1 }

  /// Returns the rows of each drive.
  private static func parts(
    of selection: PointSelection, _ options: ImportOptions, warnings: inout [TrackWarning]
  ) throws(TrackError) -> [Range<Int>] {
    let count = selection.latitudes.count
    guard count >= 2 else { throw selection.tooFewPoints }
    let zones = PrivacyZones(options.privacyZones)
    var splitGap = options.splitGap
    if splitGap != nil, !selection.isTimed {
      warnings.append(TrackWarning(.unusedOption, "no times to split at; the recording is one drive"))
      splitGap = nil
    }
    guard splitGap != nil || !zones.isEmpty else { return [0..<count] }
    var parts: [Range<Int>] = []
    var start = 0
    let times = selection.times.span
    let latitudes = selection.latitudes.span
    let longitudes = selection.longitudes.span
    for row in 0..<count {
      let place = Coordinate(latitude: latitudes[row], longitude: longitudes[row])
      var isCut = false
      if row > start, let splitGap {
        isCut =
          Instant(microseconds: times[row]).seconds(since: Instant(microseconds: times[row - 1])) > splitGap
      }
      if row > start, !isCut, !zones.isEmpty {
        let last = Coordinate(latitude: latitudes[row - 1], longitude: longitudes[row - 1])
        isCut = !zones.crossed(from: last, to: place).isEmpty
      }
      if isCut {
        parts.append(start..<row)
        start = row
      }
      if !zones.containing(place).isEmpty {
        if start < row { parts.append(start..<row) }
        start = row + 1
      }
    }
    if start < count { parts.append(start..<count) }
    let long = parts.filter { $0.count >= 2 }
    guard !long.isEmpty else {
      guard let splitGap else {
        throw TrackError(
          .tooFewPoints, "no two consecutive points outside the privacy zones")
      }
      throw TrackError(
        .tooFewPoints, "no two points without a gap above \(splitGap) s",
        suggestion: .lengthenSplitGap)
    }
    if long.count < parts.count {
      let places = zones.isEmpty ? "gaps" : "cuts"
      warnings.append(
        TrackWarning(
          .shortPart, "single point between two \(places), skipped", count: parts.count - long.count))
    }
    return long
  }

  /// - Parameter recording: the recording with the times of the selection, or `nil` if it has no times.
  private static func drive(
    from selection: PointSelection, _ rows: Range<Int>, of recording: Recording?, options: ImportOptions,
    name: String
  ) throws(TrackError) -> ImportedDrive {
    let timeline = try Timeline(selection, rows, options)
    let spread = try spread(selection, rows, timeline, options)
    let first = rows.lowerBound
    let last = rows.upperBound - 1
    var drive = Drive(
      name: name,
      startTime: selection.isTimed ? Instant(microseconds: selection.times[first]) : nil,
      endTime: selection.isTimed ? Instant(microseconds: selection.times[last]) : nil,
      duration: timeline.duration, distance: timeline.distance / Geodesy.metresPerMile,
      latitudes: spread.latitudes, longitudes: spread.longitudes)
    if options.keepsTimes, let recording {
      drive.recorded = TimedDrive(
        selection, rows, timeline, label: name,
        startTime: recording.hasArtificialStart ? nil : drive.startTime, resolution: recording.resolution)
    }
    var report = ImportReport()
    report.pointsUsed = rows.count
    report.pointsInDrive = spread.latitudes.count
    report.step = timeline.duration / Double(spread.latitudes.count - 1)
    report.resampled = spread.isResampled
    report.largestTimeError = spread.largestTimeError
    report.largestPlaceError = spread.largestPlaceError
    report.elapsed = timeline.elapsed
    report.moving = timeline.moving
    report.recordedDistance = timeline.distance
    report.warnings = spread.warnings + DriveWarnings.find(selection, rows, timeline, options)
    return ImportedDrive(drive: drive, report: report)
  }
}

extension DriveImporter {
  /// The number of times that the step between points is halved because their lines touch a privacy zone.
  private static let mostHalvings = 8

  /// Spreads the points evenly. With privacy zones, the step is shorter where lines between two points would
  /// cut the corner of a road beside one, unless the points are to be kept.
  private static func spread(
    _ selection: PointSelection, _ rows: Range<Int>, _ timeline: Timeline, _ options: ImportOptions
  ) throws(TrackError) -> UniformResampling {
    var spread = try UniformResampling(selection, rows, timeline, cadence: options.cadence)
    let zones = PrivacyZones(options.privacyZones)
    guard !zones.isEmpty, spread.isResampled else { return spread }
    for _ in 0..<mostHalvings where touches(zones, spread) {
      let step = timeline.duration / Double(max(spread.latitudes.count - 1, 1))
      spread = try UniformResampling(selection, rows, timeline, cadence: .seconds(step / 2))
    }
    return spread
  }

  private static func touches(_ zones: PrivacyZones, _ spread: UniformResampling) -> Bool {
    let places = zip(spread.latitudes, spread.longitudes).map { Coordinate(latitude: $0, longitude: $1) }
    return zip(places, places.dropFirst()).contains { !zones.crossed(from: $0, to: $1).isEmpty }
  }
}

extension TrackWarning.Code {
  /// A point was omitted because the receiver reported a low accuracy.
  public static let inaccuratePosition = Self("inaccurate-position")
  /// A point without a time was omitted.
  public static let missingTime = Self("missing-time")
  /// The kept points are not evenly spaced in time.
  public static let unevenCadence = Self("uneven-cadence")
  /// The times have a lower resolution than those of a receiver.
  public static let coarseTimes = Self("coarse-times")
  /// The positions have a lower resolution than those of a receiver.
  public static let coarsePositions = Self("coarse-positions")
}
