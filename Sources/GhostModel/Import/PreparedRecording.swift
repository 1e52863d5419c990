import TrackModel

/// A recording in order of time, with the selection of its points for a drive.
struct PreparedRecording {
  /// The recording in order of time, without points with wrong times.
  let recording: Recording
  /// The recording with evenly spaced times, if it is a drive without times.
  let even: Recording?
  /// The times of the whole track, if its points have none.
  let span: (begin: Instant, end: Instant, seconds: Double)?
  /// The options that apply to the points.
  let options: ImportOptions
  /// The points of the drive.
  var selection: PointSelection
  /// The number of points removed because of their times.
  let clockErrors: Int

  /// Prepares a recording.
  ///
  /// - Parameter keepsEnds: whether points whose times are far from all others are kept at the ends.
  /// - Throws: the errors of ``ImportOptions/check()`` and of the selection of points.
  init(_ recording: Recording, _ given: ImportOptions, keepsEnds: Bool) throws(TrackError) {
    try given.check()
    var options = given
    let (recording, clockErrors) = recording.inOrder(keepsEnds: keepsEnds)
    // The app's accuracy limit for receivers does not apply to sources with a low resolution.
    if recording.resolution != nil, options.maximumAccuracy == ImportOptions().maximumAccuracy {
      options.maximumAccuracy = nil
    }
    even = recording.evenDrive(options)
    span = even == nil ? Self.wholeTrack(recording, options) : nil
    if let span { options.duration = span.seconds }
    // The times were derived from them.
    if even != nil || recording.hasArtificialStart {
      options.duration = nil
      options.speed = nil
    }
    selection = try PointSelection(even ?? recording, options, clockErrors: clockErrors)
    self.recording = recording
    self.options = options
    self.clockErrors = clockErrors.count
  }

  /// Returns the seconds since the first point per selected point, and the time of the first point if it is
  /// known. If all points have the same time, selects all of them.
  ///
  /// - Throws: `tooFewPoints` if no point is selected.
  mutating func elapsedTimes() throws(TrackError) -> (elapsed: [Double], start: Instant?, areRecorded: Bool) {
    guard selection.latitudes.count > 0 else { throw selection.tooFewPoints }
    let first = selection.times[0]
    let isOneInstant = selection.isOneInstant
    if isOneInstant {
      var options = options
      // Without times, a selection requires a duration, which is unused here.
      options.duration = 1
      selection = try PointSelection(recording.withoutTimes, options)
    }
    let count = selection.latitudes.count
    let elapsed =
      isOneInstant || count == 1
      ? Array(repeating: 0, count: count)
      : try Timeline(selection, 0..<count, options).offsets.map { $0 / 1e6 }
    let areRecorded = isOneInstant || even == nil && selection.isTimed
    let start = areRecorded ? Instant(microseconds: first) : recording.timeSpan?.begin
    return (elapsed, recording.hasArtificialStart ? nil : start, areRecorded)
  }

  /// Returns the time span that replaces the times of points, if necessary.
  private static func wholeTrack(
    _ recording: Recording, _ options: ImportOptions
  ) -> (begin: Instant, end: Instant, seconds: Double)? {
    guard options.duration == nil, options.speed == nil, let begin = recording.timeSpan?.begin,
      let end = recording.timeSpan?.end, begin < end, recording.hasNoTimes,
      case let seconds = end.seconds(since: begin), seconds <= ImportOptions.longestDuration
    else { return nil }
    return (begin, end, seconds)
  }
}
