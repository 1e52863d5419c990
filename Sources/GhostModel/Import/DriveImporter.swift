public import TrackModel
import TrackTransforms

/// What an import did.
public struct ImportReport: Sendable, Hashable {
  /// The points of the recording, before any was left out; the same for every drive of it.
  public var pointsRead = 0
  /// The recorded points that this drive was made from.
  public var pointsUsed = 0
  /// The coordinates of the drive.
  public var pointsInDrive = 0
  /// Seconds from point to point as the app spreads the duration: duration / (points − 1).
  public var step = 0.0
  /// Whether the drive has other points than the recording.
  public var resampled = false
  /// Seconds: the greatest difference between index × step and the recorded (or interpolated) time of a
  /// point.
  public var largestTimeError = 0.0
  /// Seconds: last time minus first.
  public var elapsed = 0.0
  /// Seconds: `elapsed` without the pauses between segments.
  public var moving = 0.0
  /// Metres: the greatest distance between a recorded point and where the app puts the drive at its time.
  /// Tells what ``largestTimeError`` cannot where a coarse cadence cuts corners and stops.
  public var largestPlaceError = 0.0
  /// Metres over the recorded points, pauses between segments not counted.
  public var recordedDistance = 0.0
  /// What was left out or not followed; what concerns the whole recording stands with its first drive.
  public var warnings: [TrackWarning] = []
}

/// A drive and how it came about.
public struct ImportedDrive: Sendable {
  public var drive: Drive
  public var report: ImportReport
  /// The recorded points of the drive as they were, also those that were left out; nil unless asked for.
  public var recording: Recording?
}

/// Makes drives from recordings.
public enum DriveImporter {
  /// Makes a drive, or with ``ImportOptions/splitGap`` or ``ImportOptions/privacyZones`` one or more, in
  /// driving order.
  ///
  /// Segments that come in another order than their times, and do not overlap, are put in order.
  /// Points are left out in this order: those without a valid position; isolated ones at 0°, 0°; those with a
  /// horizontal accuracy above ``ImportOptions/maximumAccuracy``; those without a time where others have one;
  /// those that are not later than the last one that was kept. Up to ten points whose times are more than 6 h
  /// from those of their neighbours within 1 km are left out as out of order, also at the start and at the
  /// end. A stretch that repeats earlier points exactly is left out. Each kind is counted in a warning.
  /// Warnings also report gaps above 6 h, and distances that are due to speeds above 500 km/h.
  ///
  /// A recording without times takes ``ImportOptions/duration`` or ``ImportOptions/speed`` and is driven at
  /// constant speed; its drive has neither start nor end time. If neither is given and the file says when the
  /// whole track began and ended (``Recording/timeSpan``), the duration is taken from that. The points of a
  /// drive (``Recording/drive``) are always evenly spread over its duration. Times from
  /// ``DriveElement/unknownStart`` on give a drive without a start time. Distance is taken over the points
  /// that were kept, within segments.
  ///
  /// - Parameter name: of the drive; several get `name (1)`, `name (2)`, ….
  /// - Throws: ``TrackError``: `noTimes` without times, or with more than one in ten missing, and neither
  ///   duration nor speed given; `outOfOrder` where more than one timed point in ten (of a short recording
  ///   two points) is earlier than those before; one that repeats a time is left out and refuses nothing;
  ///   `tooFewPoints` for fewer than two; `limitExceeded` for a drive of more than 10 million points, and for
  ///   one of more than 10,000 that needs more than 100 times the recorded points; `invalidValue` for options
  ///   that are none.
  public static func drives(
    from recording: Recording, options: ImportOptions, name: String
  ) throws(TrackError) -> [ImportedDrive] {
    try options.check()
    var options = options
    let (sound, clockErrors) = recording.withoutClockErrors(keepsEnds: options.splitGap != nil)
    let recording = sound.inTimeOrder
    // What the app asks of a receiver is no measure for a source that is coarse by its nature.
    if recording.coarseness != nil, options.maximumAccuracy == ImportOptions().maximumAccuracy {
      options.maximumAccuracy = nil
    }
    let even = recording.evenDrive(options)
    let span = even == nil ? wholeTrack(recording, options) : nil
    if let span { options.duration = span.seconds }
    let hasOtherDuration = even != nil && (options.duration ?? options.speed) != nil
    // They are what the times were made from.
    if even != nil || recording.hasArtificialStart {
      options.duration = nil
      options.speed = nil
    }
    let selection = try PointSelection(even ?? recording, options, clockErrors: clockErrors)
    var warnings = selection.warnings
    if span != nil {
      warnings.append(
        TrackWarning(.coarseTimes, "only the times of the whole track are known, taken as a constant speed"))
    }
    if let seconds = recording.coarseness?.time {
      warnings.append(
        TrackWarning(.coarseTimes, "the source tells times only to \(whole(seconds)) s"))
    }
    if let metres = recording.coarseness?.position {
      warnings.append(
        TrackWarning(.coarsePositions, "the source tells places only to \(whole(metres)) m"))
    }
    let parts = try parts(of: selection, options, warnings: &warnings)
    var imported: [ImportedDrive] = []
    for (index, rows) in parts.enumerated() {
      let name = parts.count > 1 ? "\(name) (\(index + 1))" : name
      var result = try drive(
        from: selection, rows, of: even == nil && selection.isTimed ? recording : nil, options: options,
        name: name)
      result.report.pointsRead = recording.count + clockErrors.count
      if let span { result.drive = result.drive.at(span.begin, to: span.end) }
      if recording.hasArtificialStart {
        result.drive = result.drive.at(nil, to: nil)
      } else if even != nil {
        let begin = recording.timeSpan?.begin
        result.drive = result.drive.at(begin, to: begin?.advanced(bySeconds: result.drive.duration))
      }
      if options.keepsDrive, let recorded = recording.drive, !result.report.resampled, parts.count == 1,
        result.report.pointsInDrive == recording.count, recorded.points ?? recording.count == recording.count
      {
        let span = recording.hasArtificialStart ? nil : recording.timeSpan
        result.drive = result.drive.asRecorded(recorded, span, hasOtherDuration: hasOtherDuration)
      }
      if index == 0 { result.report.warnings.insert(contentsOf: warnings, at: 0) }
      if options.keepsRecording {
        if parts == [0..<selection.latitudes.count] {
          result.recording = recording
        } else if selection.isTimed {
          result.recording = recording.part(
            from: selection.times[rows.lowerBound], through: selection.times[rows.upperBound - 1])
        }
      }
      imported.append(result)
    }
    return imported
  }

  /// A quantity in whole units, at least 1.
  private static func whole(_ value: Double) -> Int { value >= 1 && value < 1e9 ? Int(value.rounded()) : 1 }

  /// The span of time that stands in for the times of points, where it has to.
  package static func wholeTrack(
    _ recording: Recording, _ options: ImportOptions
  ) -> (begin: Instant, end: Instant, seconds: Double)? {
    guard options.duration == nil, options.speed == nil, let begin = recording.timeSpan?.begin,
      let end = recording.timeSpan?.end, begin < end, recording.hasNoTimes,
      case let seconds = end.seconds(since: begin), seconds <= ImportOptions.longestDuration
    else { return nil }
    return (begin, end, seconds)
  }

  /// The rows of each drive.
  private static func parts(
    of selection: PointSelection, _ options: ImportOptions, warnings: inout [TrackWarning]
  ) throws(TrackError) -> [Range<Int>] {
    let count = selection.latitudes.count
    guard count >= 2 else { throw selection.tooFewPoints }
    let zones = PrivacyZones(options.privacyZones)
    var splitGap = options.splitGap
    if splitGap != nil, !selection.isTimed {
      warnings.append(TrackWarning(.unusedOption, "no times to split at, the recording stays one drive"))
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
          .tooFewPoints, "no two points with a way between them that stays out of the privacy zones")
      }
      throw TrackError(
        .tooFewPoints, "no two points without a gap above \(splitGap) s between them",
        suggestion: .lengthenSplitGap)
    }
    if long.count < parts.count {
      let places = zones.isEmpty ? "gaps" : "cuts"
      warnings.append(
        TrackWarning(
          .shortPart, "a single point between two \(places) left out", count: parts.count - long.count))
    }
    return long
  }

  /// - Parameter recording: the one whose times the selection has; nil if it has no times of its own.
  private static func drive(
    from selection: PointSelection, _ rows: Range<Int>, of recording: Recording?, options: ImportOptions,
    name: String
  ) throws(TrackError) -> ImportedDrive {
    let timeline = try Timeline(selection, rows, options)
    let spread = try EvenSpread(selection, rows, timeline, cadence: options.cadence)
    let first = rows.lowerBound
    let last = rows.upperBound - 1
    var drive = Drive(
      name: name,
      startTime: selection.isTimed ? Instant(microseconds: selection.times[first]) : nil,
      endTime: selection.isTimed ? Instant(microseconds: selection.times[last]) : nil,
      duration: timeline.duration, distance: timeline.distance / Geodesy.metresPerMile,
      latitudes: spread.latitudes, longitudes: spread.longitudes)
    if options.keepsTimes, let recording {
      drive.recorded = DriveTrace(
        selection, rows, timeline, label: name,
        startTime: recording.hasArtificialStart ? nil : drive.startTime, coarseness: recording.coarseness)
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

extension TrackWarning.Code {
  public static let inaccuratePosition = Self("inaccurate position")
  public static let missingTime = Self("missing time")
  public static let unevenCadence = Self("uneven cadence")
  public static let impossibleSpeed = Self("impossible speed")
  public static let longGap = Self("long gap")
  public static let shortPart = Self("short part")
  public static let coarseTimes = Self("coarse times")
  public static let coarsePositions = Self("coarse positions")
}
