public import GhostModel
public import TrackModel

/// The gap between a current drive and a ghost, by place, updated with each fix.
///
/// Each fix is matched with the ghost's road in the same way as a comparison matches whole drives,
/// using the fixes so far. Stops, detours, a start that is also the end, and roads
/// that are driven twice are handled. Both clocks are aligned where the driver first enters the road, at
/// the time of departure from there; earlier time is ignored. They are aligned again when the driver has
/// arrived and starts the road again, lap after lap.
///
/// ```swift
/// var live = try LiveGap(trail)
/// for fix in fixes {
///   let reading = live.add(fix)
///   if let gap = reading.gap { show(gap) }  // negative: ahead
/// }
/// ```
///
/// The cost of a fix depends on the number of nearby passes of the road, not on the length of the trail.
public struct LiveGap: Sendable {
  /// The position of the driver relative to the ghost's route.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// The driver has not reached the ghost's road yet.
    case waiting
    /// The driver is on the ghost's road, so that the reading has a gap.
    case onRoute
    /// The driver has left the ghost's road.
    case offRoute
    /// The driver has reached the end of the ghost's drive. The gap is that of the arrival, until the driver
    /// starts the road again.
    case arrived
  }

  /// The result of a fix.
  public struct Reading: Sendable, Hashable {
    /// The position of the driver relative to the ghost's route.
    public var state: State
    /// The seconds since the ghost's start on the shared clock, or `nil` before timing starts.
    public var elapsed: Double?
    /// The time at which the ghost was here, in seconds since its start, or nil off its road. If the ghost
    /// is stationary here at the current time, the current time.
    public var ghostElapsed: Double?
    /// The seconds by which the driver is behind the ghost, negative if ahead, or nil off its road.
    public var gap: Double?
    /// The metres along the road from the driver to the ghost, negative if the ghost is behind, or `nil` off
    /// the road.
    public var distance: Double?
    /// The current position of the ghost, or `nil` before timing starts.
    public var ghost: Coordinate?
  }

  private let trail: GhostTrail
  private let line: MatchablePolyline
  private var position: LivePlace
  private var run: Run?
  private var firstTime: Instant?

  /// The start of timing.
  private struct Run {
    /// The metres along the ghost's road at the start.
    var origin: Double
    /// The estimated time of departure.
    var start = Start()
    /// The seconds from the driver's first fix to the ghost's start on the shared clock.
    var offset = 0.0
    /// The driver's last stretch of road, and the progress on it.
    var stretch: Int
    var distanceAlong: Double
    /// Whether the run is confirmed.
    var isSure = false
    var hasArrived = false
    /// The progress and the time of the arrival: of the last fix that was on the way to the end.
    private(set) var arrival: (distanceAlong: Double, time: Double)?

    /// The speed in metres per second above which a driver near the end is still on the way to it.
    private static let arrivingSpeed = 0.7

    init(at distanceAlong: Double, stretch: Int) {
      origin = distanceAlong
      self.distanceAlong = distanceAlong
      self.stretch = stretch
    }

    mutating func arrive(at distanceAlong: Double, _ now: Double) {
      hasArrived = true
      if let arrival,
        distanceAlong - arrival.distanceAlong <= Self.arrivingSpeed * max(now - arrival.time, 0)
      {
        return
      }
      arrival = (distanceAlong, now)
    }
  }

  /// Prepares the road of a ghost for the first fix.
  ///
  /// - Throws: `tooFewPoints` for a ghost with fewer than two points, or one that never moves.
  public init(_ trail: GhostTrail) throws(TrackError) {
    self.trail = trail
    let trace = try TimedDrive(
      label: "ghost", coordinates: trail.coordinates, elapsed: trail.elapsed,
      segmentStarts: [0] + trail.segmentStarts)
    line = MatchablePolyline(trace)
    guard line.count >= 2 else { throw TrackError(.tooFewPoints, "the ghost never moves") }
    position = LivePlace(line)
  }

  /// Processes the driver's next fix. Fixes with equal or earlier times are accepted, and invalid ones
  /// (``TrackModel/LocationFix/isValid``) only advance the time.
  public mutating func add(_ fix: LocationFix) -> Reading {
    let first = firstTime ?? fix.time
    firstTime = first
    let now = fix.time.seconds(since: first)
    guard fix.isValid else { return reading(now) }
    let place = EarthFixed.vector(
      latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude)
    position.move(to: place)
    if let distanceAlong = position.distanceAlong { advance(to: distanceAlong, place, now) }
    return reading(now)
  }

  /// Finds the departure of a driver on the road: the last fix before the driver moves away.
  private struct Start {
    /// The first position on the road.
    private(set) var origin: SIMD3<Double>?
    /// The last time at which the driver had not departed.
    private(set) var departed: Double?
    /// The distance from the origin in metres, and its time, a second or more ago.
    private var before = (metres: 0.0, seconds: 0.0)
    private var hasDeparted = false

    /// The distance from the origin in metres at which the driver has departed. Receivers drift while
    /// stationary.
    private static let departure = 25.0
    /// The speed away from the origin, in metres per second, from which the driver is in motion.
    private static let drivingSpeed = 1.0

    /// - Returns: whether the driver has not departed before this time.
    mutating func stays(at place: SIMD3<Double>, _ seconds: Double) -> Bool {
      guard !hasDeparted else { return false }
      guard let origin else {
        origin = place
        before = (0, seconds)
        departed = seconds
        return true
      }
      let metres = (place - origin).length
      hasDeparted = metres > Self.departure
      // Over less than a second, noise exceeds the speed of any car.
      guard !hasDeparted, seconds - before.seconds >= 1 else { return false }
      defer { before = (metres, seconds) }
      let isStopped = metres - before.metres < Self.drivingSpeed * (seconds - before.seconds)
      if isStopped { departed = seconds }
      return isStopped
    }
  }

  private mutating func advance(to distanceAlong: Double, _ place: SIMD3<Double>, _ now: Double) {
    var run = run ?? Run(at: distanceAlong, stretch: position.stretch)
    if run.stretch != position.stretch {
      if !run.isSure {
        run = reconsidered(run, at: distanceAlong, place)
      } else if run.hasArrived, distanceAlong < run.distanceAlong {
        run = Run(at: distanceAlong, stretch: position.stretch)
      }
    }
    run.stretch = position.stretch
    run.distanceAlong = distanceAlong
    run.isSure = run.isSure || position.isSure
    // A driver who starts within the last metres has not driven the road.
    let end = line.length - min(LivePlace.arrival, line.length / 2)
    run.hasArrived = false
    if distanceAlong >= end, run.origin < end { run.arrive(at: distanceAlong, now) }
    // The ghost waits as long as the driver is stationary at the entry to the road.
    if run.start.stays(at: place, now) { run.offset = passage(at: distanceAlong).departure - now }
    self.run = run
  }

  /// Returns the run of a driver whose position on the road was wrong. It keeps its start if that is on the
  /// road.
  private mutating func reconsidered(_ run: Run, at distanceAlong: Double, _ place: SIMD3<Double>) -> Run {
    var next = Run(at: distanceAlong, stretch: position.stretch)
    guard let origin = run.start.origin, let departed = run.start.departed,
      let begin = position.place(of: origin, before: distanceAlong, by: (place - origin).length)
    else { return next }
    next.origin = begin
    next.start = run.start
    next.offset = passage(at: begin).departure - departed
    return next
  }

  private func passage(at distanceAlong: Double) -> (arrival: Double, departure: Double) {
    line.passage(at: distanceAlong, in: line.segment(at: distanceAlong))
  }

  private func reading(_ now: Double) -> Reading {
    let elapsed = run.map { now + $0.offset }
    var reading = Reading(state: run == nil ? .waiting : .offRoute, elapsed: elapsed)
    reading.ghost = elapsed.flatMap { trail.position(at: $0) }
    guard let distanceAlong = position.distanceAlong, let run, let elapsed else { return reading }
    reading.state = run.hasArrived ? .arrived : .onRoute
    // A driver who has arrived stays there.
    let last = run.hasArrived ? run.arrival : nil
    let moment = last.map { $0.time + run.offset } ?? elapsed
    let (arrival, departure) = passage(at: last?.distanceAlong ?? distanceAlong)
    reading.ghostElapsed = min(max(moment, arrival), departure)
    reading.gap = moment < arrival ? moment - arrival : max(0, moment - departure)
    reading.distance = line.distanceAlong(at: elapsed) - distanceAlong
    return reading
  }
}

extension MatchablePolyline {
  /// Returns the progress of the drive at a time in metres, clamped to 0 and its length.
  func distanceAlong(at seconds: Double) -> Double {
    let next = arrivals.partitionIndex { $0 > seconds }
    guard next > 0 else { return 0 }
    guard next < count, seconds > departures[next - 1] else { return distanceAlong[next - 1] }
    let span = arrivals[next] - departures[next - 1]
    let fraction = span > 0 ? min((seconds - departures[next - 1]) / span, 1) : 0
    return distanceAlong[next - 1] + fraction * (distanceAlong[next] - distanceAlong[next - 1])
  }
}
