package import GhostModel
public import TrackModel

/// Times laps during the drive, fix by fix.
///
/// The timer is a value without a clock; its times are those of the fixes. A crossing of the gate is
/// reported one fix later, because the curve between two fixes depends on the next one.
///
/// ```swift
/// var timer = try LapTimer(course)
/// for fix in fixes {
///   let reading = timer.add(fix)
///   if let lap = reading.finished { print(lap.duration) }
/// }
/// ```
public struct LapTimer: Sendable {
  /// The state after a fix.
  public struct Reading: Sendable, Hashable {
    /// The number of the current lap, starting at 1, or `nil` before the first crossing.
    public var lap: Int?
    /// The seconds since the start of the current lap.
    public var elapsed: Double?
    /// The lap that ended with this fix.
    public var finished: TimedLap?
    /// The difference to the best lap at the same position in seconds, positive if behind, or nil without a
    /// lap to compare with.
    public var gap: Double?
    /// The best lap so far.
    public var best: TimedLap?
  }

  private let line: GateLine
  /// The gate in the opposite direction.
  private let opposite: GateLine
  /// Whether the drive has crossed the gate in the direction opposite to its bearing.
  public private(set) var hasCrossedBackwards = false
  /// Whether the drive has crossed the gate in its direction.
  public var hasCrossed: Bool { lastCrossing != nil }
  private var places: [SIMD3<Double>] = []
  private var motion: [RecordedMotion] = []
  /// The seconds since the first fix.
  private var times: [Double] = []
  private var firstTime: Instant?
  /// Whether the drive has been away from the gate since the last crossing.
  private var isClear = true
  private var lastCrossing: GateCrossing?
  private var laps: [TimedLap] = []
  private var best: (lap: TimedLap, profile: LapProfile)?
  /// The best lap with dense fixes, on whose road the drive is placed between sparse fixes.
  private var road: LapProfile?
  /// The last distance along the best lap in metres, and the fix at which the drive was there.
  private var position = (distanceAlong: 0.0, place: SIMD3<Double>.zero)

  /// The number of fixes before a crossing over which its direction is measured.
  private static let window = 12
  /// The largest number of stored fixes of a lap.
  private static let longestLap = 200_000

  /// Creates a timer for the gate of a course, which must have a bearing.
  ///
  /// - Throws: `usage` for a gate without a bearing.
  public init(_ course: LapCourse) throws(TrackError) {
    guard let line = GateLine(course.gate) else {
      throw TrackError(.usage, "the gate has no bearing")
    }
    self.line = line
    opposite = GateLine(at: line.middle, across: -line.forward)
  }

  /// Processes the next fix. Fixes that are not later than the previous one, or invalid
  /// (``TrackModel/LocationFix/isValid``), are ignored.
  public mutating func add(_ fix: LocationFix) -> Reading {
    let first = firstTime ?? fix.time
    firstTime = first
    let now = fix.time.seconds(since: first)
    guard fix.isValid, times.last.map({ now > $0 }) ?? true else { return reading(now, finished: nil) }
    places.append(
      EarthFixed.vector(latitude: fix.coordinate.latitude, longitude: fix.coordinate.longitude))
    times.append(now)
    motion.append(
      RecordedMotion(
        speed: fix.speed.flatMap { $0 >= 0 ? $0 : nil }, course: fix.course.flatMap { $0 >= 0 ? $0 : nil }))
    if places.count > Self.longestLap {
      places.removeFirst(Self.longestLap / 2)
      times.removeFirst(Self.longestLap / 2)
      motion.removeFirst(Self.longestLap / 2)
    }
    if !hasCrossedBackwards { hasCrossedBackwards = crossesBackwards }
    let finished = crossing().flatMap { pass($0) }
    return reading(now, finished: finished)
  }

  /// Returns the crossing in the second to last step of the fixes.
  private mutating func crossing() -> GateCrossing? {
    guard places.count > 2 else { return nil }
    let step = places.count - 3
    if line.isAway(places[step]) { isClear = true }
    let isGap = road != nil && times[step + 1] - times[step] >= TimedPlaces.sparseInterval
    let isPast = line.along(places[step]) < 0 && line.along(places[step + 1]) >= 0
    guard isClear, isPast || isGap else { return nil }
    let path = path(from: max(0, step - Self.window))
    guard let crossing = line.crossings(path).last(where: { $0.time <= times[step + 1] }),
      crossing.time >= times[step]
    else { return nil }
    isClear = false
    return crossing
  }

  /// Whether the second to last step of the fixes crosses the gate in the opposite direction.
  private var crossesBackwards: Bool {
    guard places.count > 2 else { return false }
    let step = places.count - 3
    guard line.along(places[step]) > 0, line.along(places[step + 1]) <= 0 else { return false }
    return !opposite.crossings(path(from: max(0, step - Self.window))).isEmpty
  }

  /// Returns the path of the stored fixes from an index, with long gaps filled.
  private func path(from first: Int) -> SmoothPath {
    let (places, times) = (Array(places[first...]), Array(times[first...]))
    let path = SmoothPath(
      places, times: times, velocities: RecordedVelocities(Array(motion[first...]), places, times).velocities)
    guard let road,
      path.longestInterval(from: times[0], to: times[times.count - 1]) >= TimedPlaces.sparseInterval
    else {
      return path
    }
    return GapFilling(path, with: road, isCircuit: true).filled
  }

  /// Starts a lap at a crossing.
  ///
  /// - Returns: the lap that ends at the crossing.
  private mutating func pass(_ crossing: GateCrossing) -> TimedLap? {
    var path = path(from: 0)
    path.findStops(from: times[0], to: times[times.count - 1])
    let crossing = line.withStops(crossing, path)
    defer {
      lastCrossing = crossing
      let kept = max(0, places.count - Self.window - 3)
      places.removeFirst(kept)
      times.removeFirst(kept)
      motion.removeFirst(kept)
      position = (0, line.middle)
    }
    guard let start = lastCrossing.map({ line.withStops($0, path) }) else { return nil }
    var lap = TimedLap(
      number: laps.count + 1, start: start.time, duration: crossing.time - start.time,
      distance: path.distance(at: crossing.time) - path.distance(at: start.time),
      maximumSpeed: path.maximumSpeed(from: start.time, to: crossing.time),
      uncertainty: (start.uncertainty * start.uncertainty + crossing.uncertainty * crossing.uncertainty)
        .squareRoot())
    lap.waiting = path.waiting(from: start.time, to: crossing.time)
    lap.isComplete = laps.isEmpty || abs(lap.distance / usualDistance - 1) < 0.15
    laps.append(lap)
    if lap.isComplete, lap.duration < best?.lap.duration ?? .infinity,
      let profile = LapProfile(path, from: start.time, to: crossing.time)
    {
      best = (lap, profile)
      // The line between sparse fixes is not the road.
      if path.longestInterval(from: start.time, to: crossing.time) < TimedPlaces.sparseInterval {
        road = profile
      }
    }
    return lap
  }

  /// The median distance of the laps so far, in metres.
  private var usualDistance: Double {
    laps.map(\.distance).upperMedian ?? 0
  }

  private mutating func reading(_ now: Double, finished: TimedLap?) -> Reading {
    var reading = Reading(finished: finished, best: best?.lap)
    guard let start = lastCrossing else { return reading }
    reading.lap = laps.count + 1
    reading.elapsed = now - start.time
    guard let best, let place = places.last else { return reading }
    let step = (place - position.place).length
    // Search near the distance that the drive has moved; after a cut corner or lost fixes, anywhere ahead.
    let line = best.profile.line
    var found = line.nearest(
      to: place, from: position.distanceAlong + 0.7 * step - LapProfile.reach,
      to: position.distanceAlong + 1.3 * step + LapProfile.reach)
    if abs(found.left) > LapProfile.reach {
      found = line.nearest(
        to: place, from: position.distanceAlong, to: position.distanceAlong + 2 * step + LapProfile.window)
    }
    let beyond = position.distanceAlong + 1.3 * step + LapProfile.reach - line.length
    if found.distanceAlong >= line.length || abs(found.left) > LapProfile.reach, beyond > 0 {
      // A crossing is timed one fix later. Until then, the drive continues on the beginning of the circuit.
      let next = line.nearest(to: place, from: 0, to: beyond)
      found = (next.distanceAlong + line.length, next.left)
    }
    guard abs(found.left) <= LapProfile.reach else { return reading }
    position = (found.distanceAlong, place)
    reading.gap = now - start.time - best.profile.time(from: 0, found.distanceAlong)
    return reading
  }
}

extension LapTimer {
  /// Creates a timer of a gate on the road of a ghost. A gate without a bearing is crossed in its direction.
  ///
  /// - Throws: `noTracks` if the ghost does not pass the gate.
  package init(gate: Gate, on ghost: GhostTrail) throws(TrackError) {
    let drive = try TimedDrive(
      label: "", coordinates: ghost.coordinates, elapsed: ghost.elapsed,
      segmentStarts: [0] + ghost.segmentStarts)
    self = try LapTimer(LapCourse(gate: gate, in: [drive]))
  }
}
