import GhostModel
import TrackModel

/// The comparison of two drives, based on the road they share.
struct PairMatch {
  let lines: Paired<MatchablePolyline>
  let relation: PairComparison.Relation
  private let road: SharedRoad
  private let start: StretchEnd?
  private let end: StretchEnd?
  private let passingTimes: PassingTimes
  private let events: [(event: RouteEventSearch.Event, elapsed: Paired<Double>)]
  private(set) var alignment: TimeAlignment

  /// The smallest shared road, as a share of the shorter drive and in metres.
  static let leastShare = 0.3
  static let leastLength = 300.0
  /// The share of the shorter drive that is driven in the opposite direction, at least.
  static let reversedShare = 0.5

  /// - Parameters:
  ///   - ride: the relation of the two recordings if they were made at the same time.
  ///   - clock: their clock if they are of one motion.
  init(
    _ first: MatchablePolyline, _ second: MatchablePolyline, ride: RideRelation? = nil,
    clock: SharedClock? = nil, mode: ComparisonMode, settings: ComparisonSettings
  ) {
    lines = Paired(first, second)
    let shorter = min(first.length, second.length)
    let least = min(Self.leastLength, Self.leastShare * shorter)
    var shared = SharedRoad(first, second)
    if let clock {
      shared.joinDetours(by: clock)
      if shared.length < least { shared = SharedRoad(first, second, clock) }
    }
    let found = RouteEventSearch(
      shared, areParts: settings.areParts, areCompanions: ride == .companion)
    road = found.road
    start = found.start
    end = found.end
    passingTimes = PassingTimes(road, from: found.start, to: found.end, clock: clock)
    let passingTimes = passingTimes
    events = found.events.map { event in
      (event, passingTimes.elapsed(at: event, lines: Paired(first, second)))
    }
    // A loop in the opposite direction may share some road in the same direction near its start.
    let isReversed =
      road.length < max(least, Self.reversedShare * shorter) && Self.isReversed(first, second, road)
    // Different ways from one place to another are comparable without a common road.
    let isComparable = road.length >= least || start != nil && end != nil && road.connectsSameEnds
    if isComparable, !isReversed,
      let alignment = TimeAlignment(lines, passingTimes, events, mode, settings)
    {
      relation = .shared
      self.alignment = alignment
    } else {
      relation = isReversed ? .reversed : .nothingShared
      alignment = TimeAlignment(lines, settings, because: isReversed ? .reversed : .nothingShared)
    }
  }

  /// Whether most of the shorter drive is on the other's road in the opposite direction, and less in the
  /// same.
  private static func isReversed(
    _ first: MatchablePolyline, _ second: MatchablePolyline, _ road: SharedRoad
  ) -> Bool {
    let length = SharedRoad(first, second.reversed).length
    return length > road.length && length >= reversedShare * min(first.length, second.length)
  }
}

extension PassingTimes {
  /// Returns the times at an event, from the row at its place, whose times are consistent with all others.
  fileprivate func elapsed(
    at event: RouteEventSearch.Event, lines: Paired<MatchablePolyline>
  ) -> Paired<Double> {
    // Routes diverge after a traffic light at the fork, and converge before one.
    let index =
      event.kind == .divergence
      ? rows.lastIndex { $0.place.first <= event.place.first }
      : rows.firstIndex { $0.place.first >= event.place.first }
    if let index, rows[index].place == event.place { return rows[index].elapsed }
    var hints = Paired(0, 0)
    return Paired(
      lines.first.passage(at: event.place.first, near: &hints.first).departure,
      lines.second.passage(at: event.place.second, near: &hints.second).departure)
  }
}

extension PairMatch {
  /// Returns the result for the drives from which the lines were created.
  func comparison(_ indices: Paired<Int>, _ traces: Paired<TimedDrive>) -> PairComparison {
    guard relation == .shared else {
      return PairComparison(
        first: indices.first, second: indices.second, relation: relation, sharedDistance: road.length,
        agreement: road.agreement)
    }
    return PairComparison(
      first: indices.first, second: indices.second, relation: relation,
      events: events.map { routeEvent($0.event, $0.elapsed, traces) }, profile: profile, legs: legs(traces),
      sharedDistance: road.length, agreement: road.agreement, finalGap: alignment.finalGap,
      uncertainty: uncertainty(traces))
  }

  private func routeEvent(
    _ event: RouteEventSearch.Event, _ elapsed: Paired<Double>, _ traces: Paired<TimedDrive>
  ) -> RouteEvent {
    let middle =
      (lines.first.place(at: event.place.first) + lines.second.place(at: event.place.second)) / 2
    return RouteEvent(
      kind: event.kind, coordinate: EarthFixed.coordinate(of: middle), elapsed: elapsed,
      position: Paired(
        traces.first.position(at: elapsed.first), traces.second.position(at: elapsed.second)))
  }

  private var profile: GapProfile {
    var profile = GapProfile()
    profile.reserveCapacity(passingTimes.rows.count)
    profile.stretchStarts = passingTimes.stretches.map(\.lowerBound)
    var hint = 0
    let line = lines.first
    let offset = alignment.anchor.second - alignment.anchor.first
    for row in passingTimes.rows {
      let segment = line.segment(at: row.place.first, near: &hint)
      let fraction = line.fraction(of: row.place.first, in: segment)
      let coordinate = EarthFixed.coordinate(
        of: line.places[segment] + fraction * (line.places[segment + 1] - line.places[segment]))
      profile.append(
        coordinate, distance: row.place.first, elapsed: row.elapsed, gap: row.gap - offset)
    }
    return profile
  }

  private func legs(_ traces: Paired<TimedDrive>) -> [Leg] {
    let areSpread = areSpread(traces)
    var legs: [Leg] = []
    var previous: PassingTimes.Row?
    for (stretch, rows) in zip(road.stretches, passingTimes.stretches) {
      guard let from = rows.first.map({ passingTimes.rows[$0] }),
        let to = rows.last.map({ passingTimes.rows[$0] })
      else { continue }
      if let previous {
        legs.append(
          leg(
            stretch.before == .unknown ? .unknown : .detour, from: previous, to: from, traces,
            areSpread))
      }
      legs.append(leg(.shared, from: from, to: to, traces, areSpread))
      previous = to
    }
    return legs
  }

  private func leg(
    _ kind: Leg.Kind, from: PassingTimes.Row, to: PassingTimes.Row, _ traces: Paired<TimedDrive>,
    _ areSpread: Paired<Bool>
  ) -> Leg {
    func side(_ line: MatchablePolyline, _ value: (PassingTimes.Row) -> (place: Double, elapsed: Double))
      -> Leg.Side
    {
      let (start, end) = (value(from), value(to))
      return Leg.Side(
        from: EarthFixed.coordinate(of: line.place(at: start.place)),
        to: EarthFixed.coordinate(of: line.place(at: end.place)), fromDistance: start.place,
        toDistance: end.place, fromElapsed: start.elapsed, toElapsed: end.elapsed,
        waiting: line.waiting(from: start.elapsed, to: end.elapsed))
    }
    return Leg(
      kind: kind,
      sides: Paired(
        side(lines.first) { ($0.place.first, $0.elapsed.first) },
        side(lines.second) { ($0.place.second, $0.elapsed.second) }),
      uncertainty: uncertainty(from: from.place, to: to.place, traces, areSpread))
  }

  /// Returns the standard deviation of the gap over the compared stretch, in seconds.
  private func uncertainty(_ traces: Paired<TimedDrive>) -> Double {
    guard let compared = alignment.compared else { return 0 }
    return uncertainty(from: compared.from, to: compared.to, traces, areSpread(traces))
  }

  private func uncertainty(
    from: SharedRoad.Place, to: SharedRoad.Place, _ traces: Paired<TimedDrive>, _ areSpread: Paired<Bool>
  ) -> Double {
    (variance(at: from, traces) + variance(at: to, traces)
      + (areSpread.first ? spreadVariance(of: lines.first, to.first - from.first) : 0)
      + (areSpread.second ? spreadVariance(of: lines.second, to.second - from.second) : 0))
      .squareRoot()
  }

  /// Returns the variance of the time difference at a place in square seconds. It is based on
  /// ``StretchEnd`` at the ends of the road, elsewhere on the errors of positions along the road, and on
  /// the reported precision of the sources.
  private func variance(at place: SharedRoad.Place, _ traces: Paired<TimedDrive>) -> Double {
    guard !road.isCopy else { return 0 }
    let speed = (lines.first.speed(about: place.first) + lines.second.speed(about: place.second)) / 2
    var variance: Double
    let (isFirst, isLast) = (place == passingTimes.rows.first?.place, place == passingTimes.rows.last?.place)
    if isFirst && passingTimes.isClocked.atStart || isLast && passingTimes.isClocked.atEnd {
      variance = SharedClock.error * SharedClock.error
    } else if let start, place == start.place {
      variance = start.variance
    } else if let end, place == end.place {
      variance = end.variance
    } else {
      // The place of a convergence or divergence is uncertain, and corners are cut.
      variance = (road.deviation * road.deviation + 2 * Self.forkError * Self.forkError) / (speed * speed)
      for (line, place) in [(lines.first, place.first), (lines.second, place.second)] {
        let seconds = Self.passingShare * line.secondsBetweenFixes(at: place)
        variance += seconds * seconds
      }
    }
    for trace in [traces.first, traces.second] {
      // Evenly distributed over the step: a twelfth of its square.
      let seconds = trace.resolution?.time ?? 0
      let metres = (trace.resolution?.position ?? 0) / speed
      variance += (seconds * seconds + metres * metres) / 12
    }
    return variance
  }

  /// Whether the times are spread at constant speed.
  private func areSpread(_ traces: Paired<TimedDrive>) -> Paired<Bool> {
    func isSpread(_ trace: TimedDrive) -> Bool {
      !road.isCopy && !trace.hasTimestamps && trace.isAtConstantSpeed
    }
    return Paired(isSpread(traces.first), isSpread(traces.second))
  }

  /// Returns the variance that evenly spread times add on a part of a drive, in square seconds.
  ///
  /// The duration of the whole drive is known. On a part of it, the pace may be another than the mean: a
  /// Brownian bridge, whose variance is greatest for half of the drive.
  private func spreadVariance(of line: MatchablePolyline, _ metres: Double) -> Double {
    let part = line.length > 0 ? min(max(metres / line.length, 0), 1) : 1
    let pace = Self.spreadShare * line.duration
    return Self.spreadError * Self.spreadError + 4 * part * (1 - part) * pace * pace
  }

  /// One standard deviation of the distance to a fork in metres, measured on simulated drives.
  private static let forkError = 6.0
  /// One standard deviation of the time at a place that was passed with sparse fixes, as a share of the
  /// interval between two fixes, measured on simulated drives.
  private static let passingShare = 0.06
  /// The error of evenly spread times for a recorder that writes by distance in seconds, measured on
  /// simulated drives.
  private static let spreadError = 13.0
  /// The standard deviation of the time at the middle of a drive from the half of its duration, as a share of
  /// the duration: 2 to 10 % in recordings of rides and drives.
  private static let spreadShare = 0.03
}

extension TimedDrive {
  /// Whether the times are those of a constant speed, because points were written by distance, or the times
  /// were computed from the distances. Points that are evenly spaced in time are closer together where the
  /// drive is slow.
  fileprivate var isAtConstantSpeed: Bool {
    var steps: [Double] = []
    steps.reserveCapacity(count)
    for index in 1..<count where elapsed[index] > elapsed[index - 1] {
      let way = Geodesy.distance(from: coordinate(at: index - 1), to: coordinate(at: index))
      steps.append(way / (elapsed[index] - elapsed[index - 1]))
    }
    steps.sort()
    // A single step may be short, at the end of the recording.
    guard steps.count > 20 else { return false }
    return steps[1] > 0.5 * steps[steps.count / 2]
  }
}

extension GapProfile {
  mutating func reserveCapacity(_ count: Int) {
    latitudes.reserveCapacity(count)
    longitudes.reserveCapacity(count)
    distances.reserveCapacity(count)
    firstElapsed.reserveCapacity(count)
    secondElapsed.reserveCapacity(count)
    gaps.reserveCapacity(count)
  }

  mutating func append(_ coordinate: Coordinate, distance: Double, elapsed: Paired<Double>, gap: Double) {
    latitudes.append(coordinate.latitude)
    longitudes.append(coordinate.longitude)
    distances.append(distance)
    firstElapsed.append(elapsed.first)
    secondElapsed.append(elapsed.second)
    gaps.append(gap)
  }
}
