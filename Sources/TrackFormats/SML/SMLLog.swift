import TrackModel

/// A Suunto log in XML or JSON, whose samples become one track.
protocol SMLLog: LogSource, ~Copyable {
  /// The name of the watch and the kind of activity.
  var info: TrackInfo { get }
  var track: SMLTrack { get set }

  /// Reads the next sample or description.
  ///
  /// - Returns: false at the end of the log.
  mutating func advance() throws(TrackError) -> Bool

  /// Counts a warning at the current position.
  mutating func warn(_ code: TrackWarning.Code, _ message: String) throws(TrackError)
}

extension SMLLog where Self: ~Copyable {
  /// Takes the next sample, and warns about what it has that is skipped.
  mutating func take(_ sample: SMLSample) throws(TrackError) {
    let skipped = track.samples.skippedMarks
    if !track.samples.take(sample) {
      try warn(.invalidPosition, "position out of range, point skipped")
    }
    for _ in skipped..<track.samples.skippedMarks {
      try warn(.limitExceeded, "more than \(SMLSamples.maximumMarks) ends of laps, the rest ignored")
    }
  }

  mutating func next() throws(TrackError) -> LogEntry? {
    while true {
      if track.samples.isInLocalTime {
        track.samples.isInLocalTime = false
        try log.report(.timeWithoutZone, "only the header has a time, without a zone, treated as UTC")
      }
      if let entry = try track.next(info) { return entry }
      guard !track.isAtEnd else { return nil }
      do throws(TrackError) {
        if try !advance() { track.finish(nil) }
      } catch {
        track.finish(error)
      }
    }
  }
}

/// The track of a Suunto log: its points with the description before the first one, and its laps.
struct SMLTrack {
  var samples = SMLSamples()
  /// Whether the log has ended.
  private(set) var isAtEnd = false
  private var fault: TrackError?
  /// The description before the first point.
  private var sent: TrackInfo?
  private var hasLate = false

  /// Ends the log, whose last points are then delivered before an error.
  mutating func finish(_ error: TrackError?) {
    isAtEnd = true
    fault = error
    samples.finish()
  }

  /// Returns the next entry that is complete, or nil.
  ///
  /// - Parameter info: the description of the track.
  mutating func next(_ info: TrackInfo) throws(TrackError) -> LogEntry? {
    if let entry = samples.next() {
      guard sent == nil, case .point(let point, _) = entry else { return entry }
      sent = info
      return .point(point, starts: .track(info))
    }
    guard isAtEnd else { return nil }
    if !hasLate, let sent {
      hasLate = true
      var late = TrackInfo()
      if sent.type == nil { late.type = info.type }
      if sent.source == nil { late.source = info.source }
      late.laps = samples.laps
      if !late.isEmpty { return .late(late) }
    }
    if let error = fault {
      fault = nil
      throw error
    }
    return nil
  }
}
