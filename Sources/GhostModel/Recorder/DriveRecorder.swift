public import TrackModel
import TrackTransforms

/// Records a drive from fixes and clock ticks, and provides live values.
///
/// The current time is passed to every call. The duration is updated by ticks *and* fixes, so that it
/// includes stops, during which no fix passes the distance filter:
///
/// ```swift
/// var recorder = DriveRecorder()
/// recorder.start(at: now)
/// recorder.tick(at: now)              // once a second
/// recorder.add(fix, at: now)          // whenever one arrives
/// recorder.stop(at: now)
/// let drive = try recorder.drive(name: "Commute")
/// ```
///
/// Calls that do not apply to the state (a fix while paused, a second start) have no effect. Setting the
/// clock back does not reduce the duration.
public struct DriveRecorder: Sendable, Hashable {
  /// The state of a recording.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// The recording has not started.
    case ready
    /// Fixes are added to the route.
    case recording
    /// The recording can be resumed. Fixes and time are ignored.
    case paused
    /// The recording is complete.
    case stopped
  }

  /// A position of the route with its time.
  public struct RoutePoint: Sendable, Hashable, Codable {
    /// The latitude in degrees.
    public var latitude: Double
    /// The longitude in degrees.
    public var longitude: Double
    /// The time of the fix in microseconds since 1970, or that of its arrival if the receiver's clock is
    /// ahead.
    public var time: Int64
    /// The elevation in metres, or `nil` if unknown.
    public var altitude: Double?
    /// The last valid fix near this position that the distance filter skipped.
    public var lastNear: LastNear?

    /// A fix that the distance filter skipped.
    public struct LastNear: Sendable, Hashable, Codable {
      /// The latitude in degrees.
      public var latitude: Double
      /// The longitude in degrees.
      public var longitude: Double
      /// Microseconds since 1970.
      public var time: Int64
    }

    /// The position.
    public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
  }

  /// A stretch of recording between start, pause, resume and stop.
  public struct Stretch: Sendable, Hashable {
    /// The time at which recording began.
    public var start: Instant
    /// The end, or `nil` while recording.
    public var end: Instant?
    /// The first row in ``DriveRecorder/route``.
    public var firstRow: Int
  }

  /// The settings that the recorder was created with.
  public let settings: RecorderSettings
  /// The current state.
  public private(set) var state = State.ready
  /// The recorded seconds without pauses.
  public private(set) var duration = 0.0
  /// The miles along the route without pauses.
  public private(set) var distance = 0.0
  /// The speed in miles per hour, as reported by the last fix, or else computed from the distance to the
  /// previous fix. 0 while paused.
  public private(set) var speed = 0.0
  /// The largest speed in miles per hour.
  public private(set) var maximumSpeed = 0.0
  /// The kept fixes in order.
  public private(set) var route: [RoutePoint] = []
  /// One stretch per start and resume, in order.
  public private(set) var stretches: [Stretch] = []
  /// The number of rejected fixes by reason.
  public private(set) var refusals: [FixRefusal: Int] = [:]
  /// The number of valid fixes that were too close to the last kept fix.
  public private(set) var filteredCount = 0

  /// The seconds of completed stretches.
  private var finished = 0.0
  /// The seconds of the current stretch.
  private var current = 0.0
  private var lastFix: LocationFix?
  /// The value of ``duration`` at the last valid fix or the start of the stretch.
  private var durationAtLastFix = 0.0

  /// Creates a recorder that is ready to start.
  public init(settings: RecorderSettings = RecorderSettings()) { self.settings = settings }

  /// The start of the recording.
  public var startTime: Instant? { stretches.first?.start }
  /// The end of the recording, or `nil` before.
  public var endTime: Instant? { state == .stopped ? stretches.last?.end : nil }
  /// The route so far.
  public var coordinates: [Coordinate] { route.map(\.coordinate) }
  /// The mean speed in miles per hour, or 0 without a duration.
  public var averageSpeed: Double { duration > 0 ? distance / (duration / 3600) : 0 }

  /// The recorded seconds since the last accepted fix, start or resume.
  public var silence: Double { duration - durationAtLastFix }

  /// Starts recording.
  public mutating func start(at now: Instant) {
    guard state == .ready else { return }
    begin(at: now)
  }

  /// Pauses recording until ``resume(at:)``.
  public mutating func pause(at now: Instant) {
    guard state == .recording else { return }
    end(at: now)
    state = .paused
  }

  /// Resumes after a pause.
  public mutating func resume(at now: Instant) {
    guard state == .paused else { return }
    begin(at: now)
  }

  /// Ends the recording. The duration includes the time since the last kept fix.
  public mutating func stop(at now: Instant) {
    if state == .recording { end(at: now) }
    if state != .ready { state = .stopped }
  }

  /// Updates the clock. Call this once per second.
  public mutating func tick(at now: Instant) {
    guard state == .recording, let start = stretches.last?.start else { return }
    current = max(current, now.seconds(since: start))
    duration = finished + current
  }

  /// Processes a fix that arrives now.
  ///
  /// - Returns: the verdict on the fix.
  @discardableResult
  public mutating func add(_ fix: LocationFix, at now: Instant) -> FixVerdict {
    tick(at: now)
    guard state == .recording, let stretch = stretches.last else { return .notRecording }
    var fix = fix
    // Otherwise a receiver whose clock is ahead would add points after the end of the drive.
    fix.time = min(fix.time, now)
    if let reason = refusal(of: fix, at: now, since: stretch.start) {
      refusals[reason, default: 0] += 1
      return .refused(reason)
    }
    dropNullIsland(before: fix)
    updateSpeed(fix)
    lastFix = fix
    durationAtLastFix = duration
    if route.count > stretch.firstRow, let last = route.last {
      let metres = Geodesy.distance(from: last.coordinate, to: fix.coordinate)
      guard metres >= settings.distanceFilter else {
        filteredCount += 1
        route[route.count - 1].lastNear = RoutePoint.LastNear(
          latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude, time: fix.time.microseconds)
        return .filtered
      }
      distance += metres / Geodesy.metresPerMile
    }
    route.append(
      RoutePoint(
        latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude,
        time: fix.time.microseconds, altitude: fix.altitude.flatMap { $0.isFinite ? $0 : nil }))
    return .kept
  }

  /// Shifts times after a correction of the clock. If all times are shifted, durations do not change.
  ///
  /// - Parameters:
  ///   - seconds: the corrected time minus the previous time.
  ///   - first: the first time that is shifted, if the clock was right before. `nil` shifts all times.
  public mutating func correctClock(by seconds: Double, since first: Instant? = nil) {
    func moved(_ time: Instant) -> Instant {
      if let first, time < first { return time }
      return Self.later(time, by: seconds)
    }
    if let first, state == .recording, let start = stretches.last?.start, start < first {
      current = max(0, current + seconds)
      duration = finished + current
      durationAtLastFix = min(durationAtLastFix, duration)
    }
    for index in stretches.indices {
      stretches[index].start = moved(stretches[index].start)
      stretches[index].end = stretches[index].end.map(moved)
    }
    for index in route.indices {
      route[index].time = moved(Instant(microseconds: route[index].time)).microseconds
      if let near = route[index].lastNear {
        route[index].lastNear?.time = moved(Instant(microseconds: near.time)).microseconds
      }
    }
    if let fix = lastFix { lastFix?.time = moved(fix.time) }
  }

  private mutating func begin(at now: Instant) {
    // A clock that was set back must not start a stretch inside the previous one.
    let start = max(now, stretches.last?.end ?? now)
    stretches.append(Stretch(start: start, firstRow: route.count))
    current = 0
    lastFix = nil
    durationAtLastFix = finished
    state = .recording
  }

  private mutating func end(at now: Instant) {
    tick(at: now)
    guard let last = stretches.indices.last else { return }
    // The last clock value, so that the stretch matches the duration.
    stretches[last].end = Self.later(stretches[last].start, by: current)
    finished += current
    current = 0
    duration = finished
    speed = 0
    lastFix = nil
  }

  private func refusal(of fix: LocationFix, at now: Instant, since start: Instant) -> FixRefusal? {
    guard fix.isValid else { return .invalidPosition }
    if NullIsland.contains(fix.coordinate.latitude, fix.coordinate.longitude),
      route.last.map({ NullIsland.isFar($0.latitude, $0.longitude) }) == true
    {
      return .nullIsland
    }
    if let accuracy = fix.horizontalAccuracy, accuracy > settings.maximumAccuracy { return .inaccurate }
    guard now.seconds(since: fix.time) <= settings.maximumAge else { return .stale }
    guard fix.time >= start else { return .beforeStart }
    if let lastFix, fix.time <= lastFix.time { return .outOfOrder }
    return nil
  }

  /// Removes a route that is entirely at 0°, 0° if the first fix elsewhere is far away.
  private mutating func dropNullIsland(before fix: LocationFix) {
    func isNull(_ point: RoutePoint) -> Bool { NullIsland.contains(point.latitude, point.longitude) }
    guard let first = route.first, isNull(first),
      NullIsland.isFar(fix.coordinate.latitude, fix.coordinate.longitude), route.allSatisfy(isNull)
    else { return }
    refusals[.nullIsland, default: 0] += route.count + filteredCount
    route = []
    filteredCount = 0
    for index in stretches.indices { stretches[index].firstRow = 0 }
    lastFix = nil
  }

  private mutating func updateSpeed(_ fix: LocationFix) {
    let metresPerSecond: Double
    if let reported = fix.speed, reported >= 0, reported.isFinite {
      metresPerSecond = reported
    } else if let lastFix {
      metresPerSecond =
        Geodesy.distance(from: lastFix.coordinate, to: fix.coordinate) / fix.time.seconds(since: lastFix.time)
    } else {
      return
    }
    speed = metresPerSecond * 3600 / Geodesy.metresPerMile
    maximumSpeed = max(maximumSpeed, speed)
  }

  /// The last clock time of a stretch.
  func lastTick(of stretch: Stretch) -> Instant {
    stretch.end ?? Self.later(stretch.start, by: current)
  }

  private static func later(_ start: Instant, by seconds: Double) -> Instant {
    start.advanced(bySeconds: seconds) ?? start
  }

  /// Restores an interrupted recording from its last checkpoint. The recording is paused, unless it had not
  /// been started or had been stopped.
  init(_ checkpoint: Checkpoint, settings: RecorderSettings) {
    self.init(settings: settings)
    duration = checkpoint.duration
    finished = checkpoint.duration
    durationAtLastFix = checkpoint.duration
    distance = checkpoint.distance
    maximumSpeed = checkpoint.maximumSpeed
    filteredCount = checkpoint.filtered
    for (name, count) in checkpoint.refused {
      if let reason = FixRefusal(rawValue: name) { refusals[reason] = count }
    }
    route = checkpoint.points
    stretches = checkpoint.stretches.map { stretch in
      Stretch(
        start: Instant(microseconds: stretch.start), end: stretch.end.map(Instant.init(microseconds:)),
        firstRow: stretch.firstRow)
    }
    state = State(rawValue: checkpoint.state) ?? .ready
    guard state == .recording, let last = stretches.indices.last else { return }
    state = .paused
    let before = stretches.dropLast().reduce(0.0) { sum, stretch in
      sum + (stretch.end.map { $0.seconds(since: stretch.start) } ?? 0)
    }
    stretches[last].end = Self.later(stretches[last].start, by: max(0, duration - before))
  }
}
