public import GhostModel
public import TrackModel

/// The gap between a current drive and a ghost, by place, updated with each fix.
///
/// Each fix is matched with the ghost's road in the same way as a comparison matches whole drives, using the
/// fixes so far. Stops, detours, a start that is also the end, and roads that are driven twice are handled.
/// Both clocks are aligned where the driver first enters the road, at the time of departure from there;
/// earlier time is ignored. They are aligned again when the driver has arrived and starts the road again, lap
/// after lap.
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
    /// The time at which the ghost was here, in seconds since its start, or nil off its road. At a stop of
    /// the ghost, the time of its stay that is nearest to the current time.
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
  /// The vertex of the last query of the ghost's times.
  private var hint = 0

  /// The distance in metres within which the driver is at a stop of the ghost: receivers are inaccurate, and
  /// queues have different lengths.
  private static let restReach = StopDetector.joining.metres

  /// The start of timing.
  private struct Run {
    /// The metres along the ghost's road at the first fix, and at the last one before the departure.
    var origin: Double
    var left: Double
    var departure: LiveDeparture
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

    init(at distanceAlong: Double, _ departure: LiveDeparture, stretch: Int) {
      origin = distanceAlong
      left = distanceAlong
      self.departure = departure
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

  private mutating func advance(to distanceAlong: Double, _ place: SIMD3<Double>, _ now: Double) {
    let stretch = position.stretch
    func begin() -> Run { Run(at: distanceAlong, LiveDeparture(at: place, now), stretch: stretch) }
    var run = run ?? begin()
    let isAligned = run.departure.isSettled && run.stretch == stretch
    if run.stretch != stretch {
      if !run.isSure {
        run = reconsidered(run, at: distanceAlong, place) ?? begin()
      } else if run.hasArrived, distanceAlong < run.distanceAlong {
        run = begin()
      }
    }
    run.stretch = stretch
    run.distanceAlong = distanceAlong
    run.isSure = run.isSure || position.isSure
    // A driver who starts within the last metres has not driven the road.
    let end = line.length - min(LivePlace.arrival, line.length / 2)
    run.hasArrived = false
    if distanceAlong >= end, run.origin < end { run.arrive(at: distanceAlong, now) }
    // The ghost waits as long as the driver is stationary at the entry to the road.
    if run.departure.stays(at: place, now) { run.left = distanceAlong }
    if !isAligned { run.offset = ghostDeparture(run) - run.departure.time }
    self.run = run
  }

  /// Returns the run of a driver whose position on the road was wrong, with its start, or nil if that is off
  /// the road.
  private mutating func reconsidered(_ run: Run, at distanceAlong: Double, _ place: SIMD3<Double>) -> Run? {
    let origin = run.departure.origin
    let start = position.place(of: origin, before: distanceAlong, by: (place - origin).length)
    return start.map { Run(at: $0, run.departure, stretch: position.stretch) }
  }

  /// Returns the time at which the ghost left the place of the driver's departure.
  private mutating func ghostDeparture(_ run: Run) -> Double {
    guard run.departure.isStationary else { return line.passage(at: run.origin, near: &hint).departure }
    if isAtStart(run.left) { return line.departures[0] }
    return line.rest(near: run.left, within: Self.restReach, hint: &hint).departure
  }

  /// Whether the ghost started from rest at a place, apart from jitter.
  private func isAtStart(_ distanceAlong: Double) -> Bool {
    line.atStart.isStationary && distanceAlong <= MotionOnset.leavingRadius
  }

  /// Returns the times at which the ghost arrived at a place or at a stop near it, and left both.
  private mutating func presence(at distanceAlong: Double) -> (arrival: Double, departure: Double) {
    let passage = line.passage(at: distanceAlong, near: &hint)
    if isAtStart(distanceAlong) {
      // The position of a driver who departs does not change over the first metres.
      let beyond = line.passage(at: distanceAlong + MatchablePolyline.spacing, near: &hint)
      return (line.departures[0], beyond.departure)
    }
    let rest = line.rest(near: distanceAlong, within: Self.restReach, hint: &hint)
    return (min(passage.arrival, rest.arrival), max(passage.departure, rest.departure))
  }

  private mutating func reading(_ now: Double) -> Reading {
    let elapsed = run.map { now + $0.offset }
    var reading = Reading(state: run == nil ? .waiting : .offRoute, elapsed: elapsed)
    reading.ghost = elapsed.flatMap { trail.position(at: $0) }
    guard let distanceAlong = position.distanceAlong, let run, let elapsed else { return reading }
    var moment = elapsed
    let ghost: (arrival: Double, departure: Double)
    if run.hasArrived, let arrival = run.arrival {
      // A driver who has arrived stays there, and a stop of the ghost shortly before its end counts.
      reading.state = .arrived
      moment = arrival.time + run.offset
      ghost = line.passage(at: arrival.distanceAlong, near: &hint)
    } else {
      reading.state = .onRoute
      ghost = presence(at: distanceAlong)
    }
    let ghostElapsed = min(max(moment, ghost.arrival), ghost.departure)
    reading.ghostElapsed = ghostElapsed
    reading.gap = moment - ghostElapsed
    reading.distance = line.distance(at: elapsed) - distanceAlong
    return reading
  }
}
