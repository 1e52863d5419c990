public import TrackModel
import TrackTransforms

/// Records a drive: fed with fixes and with the ticks of a clock, it keeps the route and the live values.
///
/// A value without a clock of its own: every call says what time it is. The duration is taken from that clock
/// with every tick *and* every fix, so that it goes on at a red light, where no fix passes the distance
/// filter:
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
/// A call that the state has no use for (a fix while paused, a second start) changes nothing. A clock that is
/// set back does not take anything from the duration.
public struct DriveRecorder: Sendable, Hashable {
  public enum State: String, Sendable, Hashable, CaseIterable {
    case ready, recording, paused, stopped
  }

  /// A place of the route with its time.
  public struct RoutePoint: Sendable, Hashable, Codable {
    public var latitude: Double
    public var longitude: Double
    /// When the fix was measured, or when it arrived if its clock is ahead: microseconds since 1970.
    public var time: Int64
    /// Metres; nil where it is not known.
    public var altitude: Double?
    /// The last good fix that the distance filter held back behind this one: where and when the car was last
    /// seen here.
    public var lastNear: LastNear?

    public struct LastNear: Sendable, Hashable, Codable {
      public var latitude: Double
      public var longitude: Double
      /// Microseconds since 1970.
      public var time: Int64
    }

    public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }
  }

  /// A stretch between start, pause, resume and stop.
  public struct Stretch: Sendable, Hashable {
    public var start: Instant
    /// Nil while it lasts.
    public var end: Instant?
    /// The row of ``DriveRecorder/route`` at which it begins.
    public var firstRow: Int
  }

  public let settings: RecorderSettings
  public private(set) var state = State.ready
  /// Seconds on the clock while recording; pauses are not counted.
  public private(set) var duration = 0.0
  /// Miles along the route; what is driven during a pause is not counted.
  public private(set) var distance = 0.0
  /// Miles per hour as the last fix said or, where it said none, as the way since the one before it; 0 while
  /// paused.
  public private(set) var speed = 0.0
  /// Miles per hour.
  public private(set) var maximumSpeed = 0.0
  /// The fixes that were kept, in order.
  public private(set) var route: [RoutePoint] = []
  /// One per start and resume, in order.
  public private(set) var stretches: [Stretch] = []
  /// How many fixes were refused, by reason.
  public private(set) var refusals: [FixRefusal: Int] = [:]
  /// How many good fixes were too near to the last kept one to add to the route.
  public private(set) var filteredCount = 0

  /// Seconds of the stretches that are over.
  private var finished = 0.0
  /// Seconds of the current stretch: the latest that the clock has said.
  private var current = 0.0
  private var lastFix: LocationFix?
  /// What ``duration`` was when the last good fix came, or the stretch began.
  private var durationAtLastFix = 0.0

  public init(settings: RecorderSettings = RecorderSettings()) { self.settings = settings }

  /// When recording began.
  public var startTime: Instant? { stretches.first?.start }
  /// When recording stopped; nil before.
  public var endTime: Instant? { state == .stopped ? stretches.last?.end : nil }
  /// The route so far.
  public var coordinates: [Coordinate] { route.map(\.coordinate) }
  /// Miles per hour over the whole duration; 0 before any time has passed.
  public var averageSpeed: Double { duration > 0 ? distance / (duration / 3600) : 0 }

  /// Seconds of recording since the last fix that was not refused, or since recording was begun or taken up
  /// again: how long the receiver has had nothing good to say.
  public var silence: Double { duration - durationAtLastFix }

  /// Begins to record.
  public mutating func start(at now: Instant) {
    guard state == .ready else { return }
    begin(at: now)
  }

  /// Stops the clock until ``resume(at:)``.
  public mutating func pause(at now: Instant) {
    guard state == .recording else { return }
    end(at: now)
    state = .paused
  }

  /// Goes on after a pause.
  public mutating func resume(at now: Instant) {
    guard state == .paused else { return }
    begin(at: now)
  }

  /// Ends the recording for good. The duration counts to this moment, however long ago the last fix was kept.
  public mutating func stop(at now: Instant) {
    if state == .recording { end(at: now) }
    if state != .ready { state = .stopped }
  }

  /// Says what time it is; to be called once a second.
  public mutating func tick(at now: Instant) {
    guard state == .recording, let start = stretches.last?.start else { return }
    current = max(current, now.seconds(since: start))
    duration = finished + current
  }

  /// Takes a fix that arrives now.
  ///
  /// - Returns: what became of it.
  @discardableResult
  public mutating func add(_ fix: LocationFix, at now: Instant) -> FixVerdict {
    tick(at: now)
    guard state == .recording, let stretch = stretches.last else { return .notRecording }
    var fix = fix
    // A receiver whose clock is ahead would otherwise put points behind the end of the drive.
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

  /// Moves everything in time, where the clock that told the times so far turns out to have been wrong by so
  /// much. No duration changes.
  ///
  /// - Parameter seconds: what the clock says now less what it would have said before.
  public mutating func correctClock(by seconds: Double) {
    func moved(_ time: Instant) -> Instant { Self.later(time, by: seconds) }
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
    // A clock that was set back must not let a stretch begin within the one before.
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
    // What the clock said last, so that the stretch is as long as the duration says.
    stretches[last].end = Self.later(stretches[last].start, by: current)
    finished += current
    current = 0
    duration = finished
    speed = 0
    lastFix = nil
  }

  private func refusal(of fix: LocationFix, at now: Instant, since start: Instant) -> FixRefusal? {
    guard fix.coordinate.isValid else { return .invalidPosition }
    if NullIsland.contains(fix.coordinate.latitude, fix.coordinate.longitude),
      route.last.map({ NullIsland.isFar($0.latitude, $0.longitude) }) == true
    {
      return .nullIsland
    }
    if let accuracy = fix.horizontalAccuracy {
      guard accuracy >= 0 else { return .invalidPosition }
      guard accuracy <= settings.maximumAccuracy else { return .inaccurate }
    }
    guard now.seconds(since: fix.time) <= settings.maximumAge else { return .stale }
    guard fix.time >= start else { return .beforeStart }
    if let lastFix, fix.time <= lastFix.time { return .outOfOrder }
    return nil
  }

  /// Takes back a route that is all at 0°, 0° when the first fix elsewhere is far away.
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
    if let said = fix.speed, said >= 0, said.isFinite {
      metresPerSecond = said
    } else if let lastFix {
      metresPerSecond =
        Geodesy.distance(from: lastFix.coordinate, to: fix.coordinate) / fix.time.seconds(since: lastFix.time)
    } else {
      return
    }
    speed = metresPerSecond * 3600 / Geodesy.metresPerMile
    maximumSpeed = max(maximumSpeed, speed)
  }

  /// The last moment of a stretch that the clock has told.
  func lastTick(of stretch: Stretch) -> Instant {
    stretch.end ?? Self.later(stretch.start, by: current)
  }

  private static func later(_ start: Instant, by seconds: Double) -> Instant {
    let length = Instant(secondsSince1970: seconds)?.microseconds ?? 0
    let (sum, overflow) = start.microseconds.addingReportingOverflow(length)
    return overflow ? start : Instant(microseconds: sum)
  }

  /// Takes up a recording that was interrupted, as its last checkpoint knew it: paused, unless it was not
  /// begun or stopped.
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
