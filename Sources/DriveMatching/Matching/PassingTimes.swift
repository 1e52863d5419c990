import GhostModel
import TrackModel

/// The times at which two drives passed the places of their shared road, in driving order.
struct PassingTimes {
  /// A place with its passing times. A stop has two rows: the arrival and the departure.
  struct Row {
    var place: SharedRoad.Place
    /// The elapsed seconds of each drive since its first recorded point.
    var elapsed: Paired<Double>
    /// The gap before alignment.
    var gap: Double { elapsed.second - elapsed.first }
  }

  private(set) var rows: [Row] = []
  /// The rows of each stretch of the road.
  private(set) var stretches: [Range<Int>] = []
  /// Whether a common clock gives the times at the first and at the last place.
  private(set) var isClocked = (atStart: false, atEnd: false)
  private var hints = Paired(0, 0)

  /// The smallest distance along the first drive between rows in metres, except at stops.
  static let spacing = 5.0
  /// The distance in metres, and in standard deviations of the noise, within which stops of both drives are
  /// paired.
  static let pairing = (least: 25.0, deviations: 4.0, most: 45.0)

  private let restReach: Double

  /// - Parameters:
  ///   - start: the start of the road, if a recording starts there.
  ///   - end: the end of the road, if a recording ends there.
  ///   - clock: the clock of both recordings if they are of one motion.
  init(_ road: SharedRoad, from start: StretchEnd?, to end: StretchEnd?, clock: SharedClock? = nil) {
    let lines = SparseSteps(road).lines
    restReach = min(max(Self.pairing.least, Self.pairing.deviations * road.deviation), Self.pairing.most)
    let stops = Paired(lines.first.stopVertices, lines.second.stopVertices)
    var nextStop = Paired(0, 0)
    rows.reserveCapacity(road.places.count + 2 * (stops.first.count + stops.second.count))
    for stretch in road.stretches {
      let firstRow = rows.count
      var previous: SharedRoad.Place?
      for index in stretch.places {
        let place = road.places[index]
        if let previous {
          addStops(lines, stops, &nextStop, after: previous, before: place)
          let isLast = index == stretch.places.upperBound - 1
          if !isLast, let last = rows.last, place.first - last.place.first < Self.spacing,
            place.second - last.place.second < Self.spacing
          {
            continue
          }
        } else {
          nextStop.first = stops.first.firstIndex(
            from: nextStop.first
          ) { lines.first.distanceAlong[$0] > place.first }
          nextStop.second = stops.second.firstIndex(
            from: nextStop.second
          ) { lines.second.distanceAlong[$0] > place.second }
        }
        if rows.isEmpty, let start {
          append(place, start.elapsed)
        } else {
          add(place, lines)
        }
        previous = place
      }
      stretches.append(firstRow..<rows.count)
    }
    if let end { finish(at: end.elapsed) }
    guard !road.isCopy else { return }
    if start == nil { leaveFirstPlace() }
    if end == nil { reachLastPlace(of: road.lines) }
    if let clock { correct(by: clock, road.lines) }
  }

  /// Sets the times by the common clock of both recordings, which are at one place at one time. Not if they
  /// may be those of two people, nor at an end before which one of them waits, because people who ride
  /// together may part there. Then only the times between sparse fixes are set.
  private mutating func correct(by clock: SharedClock, _ lines: Paired<MatchablePolyline>) {
    isClocked.atStart = clock.givesTimes && !clock.waits(lines, .start)
    isClocked.atEnd = clock.givesTimes && !clock.waits(lines, .end)
    var earliest = Paired(0.0, 0)
    for row in rows.indices {
      let recorded = rows[row].elapsed
      let isLast = row == rows.count - 1
      let isClocked =
        row == 0 ? isClocked.atStart : isLast ? isClocked.atEnd : isClocked.atStart && isClocked.atEnd
      let elapsed = clock.corrected(recorded) ?? (isClocked ? clock.aligned(recorded) : recorded)
      if isLast, row > 0 { return finish(at: elapsed) }
      earliest = Paired(max(elapsed.first, earliest.first), max(elapsed.second, earliest.second))
      rows[row].elapsed = earliest
    }
  }

  /// Removes the waiting at the first place if a recording begins next to the road: a drive's clock starts
  /// when it finally leaves the place.
  private mutating func leaveFirstPlace() {
    guard let first = rows.first?.place, let stretch = stretches.first,
      min(first.first, first.second) <= RouteEventSearch.shortestApproach
    else { return }
    let departure = stretch.dropFirst().last { row in
      let place = rows[row].place
      return max(place.first - first.first, place.second - first.second) <= restReach && waits(before: row)
    }
    guard let departure else { return }
    rows.removeSubrange(0..<departure)
    stretches = stretches.map { max($0.lowerBound - departure, 0)..<($0.upperBound - departure) }
  }

  /// Removes the waiting at the last place if a recording ends next to the road.
  private mutating func reachLastPlace(of lines: Paired<MatchablePolyline>) {
    guard let last = rows.last?.place, let stretch = stretches.last,
      min(lines.first.length - last.first, lines.second.length - last.second)
        <= RouteEventSearch.shortestApproach
    else { return }
    let departure = stretch.dropFirst().first { row in
      let place = rows[row - 1].place
      return max(last.first - place.first, last.second - place.second) <= restReach && waits(before: row)
    }
    guard let departure else { return }
    rows.removeSubrange(departure...)
    stretches[stretches.count - 1] = stretch.lowerBound..<departure
  }

  /// Whether a drive waits at the place of a row until the time of the row.
  private func waits(before row: Int) -> Bool {
    let (from, to) = (rows[row - 1], rows[row])
    return from.place == to.place
      && max(to.elapsed.first - from.elapsed.first, to.elapsed.second - from.elapsed.second)
        >= StopDetector.shortest
  }

  /// Sets the last times, and lowers preceding times that are later.
  private mutating func finish(at elapsed: Paired<Double>) {
    guard var index = rows.indices.last else { return }
    rows[index].elapsed = elapsed
    while index > 0 {
      index -= 1
      let row = rows[index].elapsed
      guard row.first > elapsed.first || row.second > elapsed.second else { continue }
      rows[index].elapsed = Paired(min(row.first, elapsed.first), min(row.second, elapsed.second))
    }
  }

  /// Adds the places between two places at which one of the drives stopped.
  private mutating func addStops(
    _ lines: Paired<MatchablePolyline>, _ stops: Paired<[Int]>, _ next: inout Paired<Int>,
    after start: SharedRoad.Place, before end: SharedRoad.Place
  ) {
    while true {
      let first = Self.fraction(
        lines.first, stops.first, next.first, from: start.first, to: end.first)
      let second = Self.fraction(
        lines.second, stops.second, next.second, from: start.second, to: end.second)
      guard let fraction = [first, second].compactMap({ $0 }).min() else { return }
      var place = SharedRoad.Place(
        start.first + fraction * (end.first - start.first),
        start.second + fraction * (end.second - start.second))
      if first == fraction {
        place.first = lines.first.distanceAlong[stops.first[next.first]]
        next.first += 1
      }
      if second == fraction {
        place.second = lines.second.distanceAlong[stops.second[next.second]]
        next.second += 1
      }
      add(place, lines)
    }
  }

  /// Adds a stop.
  ///
  /// Stops of both drives within some metres are combined: both wait at the same light, or two receivers
  /// drift apart in one parked car. The gap is measured when both arrive and when both depart, not while
  /// one waits a few metres before the other.
  private mutating func addRest(_ place: SharedRoad.Place, _ lines: Paired<MatchablePolyline>) {
    // Relative to the place. A stop of one drive can join two of the other that are farther apart.
    var part = 0.0...0.0
    while true {
      let first = lines.first.rest(
        near: place.first, part, within: restReach, hint: &hints.first)
      let second = lines.second.rest(
        near: place.second, part, within: restReach, hint: &hints.second)
      let joined =
        min(
          first.part.lowerBound, second.part.lowerBound)...max(first.part.upperBound, second.part.upperBound)
      guard joined != part, joined.lowerBound >= -2 * restReach, joined.upperBound <= 2 * restReach else {
        append(place, Paired(first.arrival, second.arrival))
        append(place, Paired(first.departure, second.departure))
        return
      }
      part = joined
    }
  }

  private static func fraction(
    _ line: MatchablePolyline, _ stops: [Int], _ next: Int, from start: Double, to end: Double
  ) -> Double? {
    guard next < stops.count else { return nil }
    let place = line.distanceAlong[stops[next]]
    guard place < end, end > start else { return nil }
    return min(max((place - start) / (end - start), 0), 1)
  }

  private mutating func add(_ place: SharedRoad.Place, _ lines: Paired<MatchablePolyline>) {
    let first = lines.first.passage(at: place.first, near: &hints.first)
    let second = lines.second.passage(at: place.second, near: &hints.second)
    if first.departure > first.arrival || second.departure > second.arrival {
      addRest(place, lines)
    } else {
      append(place, Paired(first.arrival, second.arrival))
    }
  }

  /// Makes times non-descending despite noise in positions.
  private mutating func append(_ place: SharedRoad.Place, _ elapsed: Paired<Double>) {
    var row = Row(place: place, elapsed: elapsed)
    if let last = rows.last {
      row.place.first = max(place.first, last.place.first)
      row.place.second = max(place.second, last.place.second)
      row.elapsed.first = max(elapsed.first, last.elapsed.first)
      row.elapsed.second = max(elapsed.second, last.elapsed.second)
    }
    rows.append(row)
  }
}

extension Array where Element == Int {
  fileprivate func firstIndex(from start: Int, where isFound: (Int) -> Bool) -> Int {
    var index = start
    while index < count, !isFound(self[index]) { index += 1 }
    return index
  }
}

extension MatchablePolyline {
  /// The vertices of stops, without the first and the last vertex.
  var stopVertices: [Int] {
    guard count > 2 else { return [] }
    return (1..<(count - 1)).filter { departures[$0] > arrivals[$0] }
  }

  /// Returns the arrival and departure of a stop near a position, or the passing time.
  ///
  /// A stop includes stretches on which only the receiver drifts, and stops that are near in space, between
  /// which the receiver drifted along a longer line.
  ///
  /// - Parameters:
  ///   - distance: the position along the line.
  ///   - part: the part of the line near which stops belong to the position, relative to it.
  /// - Returns: the times, and the part of the line with the stops.
  func rest(
    near distance: Double, _ part: ClosedRange<Double> = 0...0, within reach: Double, hint: inout Int
  ) -> (arrival: Double, departure: Double, part: ClosedRange<Double>) {
    let passage = passage(at: distance, near: &hint)
    var rest = (arrival: passage.arrival, departure: passage.departure, part: part)
    var isFound = passage.departure > passage.arrival
    func include(_ arrival: Double, _ departure: Double, _ vertex: Int) {
      let place = distanceAlong[vertex] - distance
      rest.part = min(rest.part.lowerBound, place)...max(rest.part.upperBound, place)
      rest.arrival = isFound ? min(rest.arrival, arrival) : arrival
      rest.departure = isFound ? max(rest.departure, departure) : departure
      isFound = true
    }
    let (from, to) = (distance + part.lowerBound, distance + part.upperBound)
    let place = place(at: distance, near: &hint)
    var vertex = min(max(hint, 0), max(count - 1, 0))
    while vertex > 0, distanceAlong[vertex] >= from - 2 * reach { vertex -= 1 }
    while vertex < count, distanceAlong[vertex] <= to + 2 * reach {
      let along = distanceAlong[vertex]
      let isNear = along >= from - reach && along <= to + reach
      if isNear || along >= from - 2 * reach && (places[vertex] - place).length <= reach {
        if vertex > 0, vertex + 1 < count, departures[vertex] > arrivals[vertex] {
          include(arrivals[vertex], departures[vertex], vertex)
        }
        if isNear, vertex + 1 < count, distanceAlong[vertex + 1] <= to + reach {
          let seconds = arrivals[vertex + 1] - departures[vertex]
          if seconds >= StopDetector.shortest,
            distanceAlong[vertex + 1] - along < Self.driftSpeed * seconds
          {
            include(departures[vertex], arrivals[vertex + 1], vertex)
          }
        }
      }
      vertex += 1
    }
    return rest
  }

  /// The speed in metres per second below which motion over a few metres is receiver drift.
  static let driftSpeed = 0.5

  func passage(at distance: Double, near hint: inout Int) -> (arrival: Double, departure: Double) {
    passage(at: distance, in: segment(at: distance, near: &hint))
  }

  /// Returns the speed around a position in metres per second, over 100 m to both sides without stops, at
  /// least 0.5.
  func speed(about distance: Double) -> Double {
    let from = max(distance - 100, 0)
    let to = min(distance + 100, length)
    var vertex = segment(at: from)
    var seconds = 0.0
    var metres = 0.0
    while vertex + 1 < count, distanceAlong[vertex] < to {
      seconds += arrivals[vertex + 1] - departures[vertex]
      metres += distanceAlong[vertex + 1] - distanceAlong[vertex]
      vertex += 1
    }
    return seconds > 0 ? max(metres / seconds, 0.5) : 2
  }

  /// Returns the stopped time between two times in seconds, without the ends of the drive.
  func waiting(from start: Double, to end: Double) -> Double {
    stops.reduce(0) { $0 + max(0, min($1.departure, end) - max($1.arrival, start)) }
  }
}
