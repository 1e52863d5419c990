import GhostModel
import TrackModel

/// A drive as a polyline for matching: its points without jitter, and their passing times.
///
/// There is a vertex per moving point and one per stop. The line starts and ends with the motion, without
/// the idle time at both ends. The columns have equal length.
struct MatchablePolyline {
  /// The position per vertex, in metres from the centre of the Earth (``EarthFixed``).
  private(set) var places: [SIMD3<Double>] = []
  /// The arrival and departure at each vertex in seconds since the first recorded point, ascending. They
  /// differ at stops.
  private(set) var arrivals: [Double] = []
  private(set) var departures: [Double] = []
  /// The distance from the first vertex along the line in metres, per vertex.
  private(set) var distanceAlong: [Double] = []
  /// The direction of the line per vertex, with length 1, or the zero vector if undefined.
  private(set) var directions: [SIMD3<Double>] = []
  /// The vertices before gaps in the recording, ascending.
  private(set) var holes: [Int] = []
  /// The distances along the line of the gaps that hide a part of the drive, ascending.
  private(set) var hiddenParts: [ClosedRange<Double>] = []

  /// The seconds from the first recorded point to the last.
  private(set) var duration = 0.0
  /// The start and end of the motion in seconds since the first recorded point.
  private(set) var motionStart = 0.0
  private(set) var motionEnd = 0.0
  /// The drive at the start and at the end of the line.
  private(set) var atStart = End()
  private(set) var atEnd = End()
  /// The median interval between two vertices in seconds.
  private(set) var usualInterval = 0.0
  /// The usual acceleration of the drive in metres per second squared.
  private(set) var acceleration = TimedPlaces.usualAcceleration.car
  /// The stops along the line.
  private(set) var stops: [StopDetector.Stop] = []

  /// A drive at one end of its line, as seen from this end.
  struct End {
    /// Whether the drive was stationary. False if the recording starts or ends at speed.
    var isStationary = false
    /// The standard deviation of the stationary position in metres, or 0.
    var placeError = 0.0
    /// The last fix before the departure, or the first after the arrival, if fixes are sparse.
    var sparseFix: MotionOnset.SparseFix?
    /// The length in metres of the queue in which the drive moved up before its departure, or at its end.
    var queue = 0.0
    /// Whether the drive waited after a single move, and not only its receiver drifted.
    var movesOnce = false
    /// The fixes around the departure or arrival.
    var fixes = EndFixes()
    /// The outer fix if the drive may have rolled from it to a stop, or to it after a stop, at which the line
    /// begins or ends.
    var rollingFix: RollingFix?

    init() {}

    init(_ onset: MotionOnset, _ moves: EndMoves?) {
      isStationary = onset.isStationary
      placeError = onset.placeError
      sparseFix = onset.sparseFix
      movesOnce = moves?.isSingle ?? false
      rollingFix = moves == nil ? onset.rollingStart : nil
    }
  }

  var count: Int { places.count }
  /// The length in metres.
  var length: Double { distanceAlong.last ?? 0 }

  /// The minimum distance between points in metres. Nearer points only add noise.
  static let spacing = 3.0
  /// The distance in metres and the time in seconds without a fix that form a gap between dense fixes, and
  /// the number of usual intervals that form one between sparse fixes.
  static let holeLength = 150.0
  static let holeDuration = 10.0
  static let holeIntervals = 3.5

  /// Creates the empty line of a stationary drive.
  init() {}

  /// - Parameters:
  ///   - isRollingAtStart: whether the drive moves at the first fix, although it stops soon after it.
  ///   - isRollingAtEnd: whether the drive moves at the last fix, although it stopped shortly before it.
  init(_ trace: TimedDrive, isRollingAtStart: Bool = false, isRollingAtEnd: Bool = false) {
    let recorded = TimedPlaces(trace)
    guard recorded.duration > 0, let start = MotionOnset(recorded, isRolling: isRollingAtStart),
      let end = MotionOnset(recorded.backwards, isRolling: isRollingAtEnd)
    else { return }
    duration = recorded.duration
    acceleration = recorded.acceleration
    var firstMoves = EndMoves(recorded, start)
    var lastMoves = EndMoves(recorded.backwards, end)
    let departed = firstMoves.map { recorded.time($0.last) } ?? start.moment
    let arrived = duration - (lastMoves.map { recorded.backwards.time($0.last) } ?? end.moment)
    // Moves that last until the other end are the whole drive.
    if departed >= arrived { (firstMoves, lastMoves) = (nil, nil) }
    motionStart = firstMoves?.places.first?.departure ?? start.moment
    motionEnd = max(motionStart, recorded.duration - (lastMoves?.places.first?.departure ?? end.moment))
    atStart = End(start, firstMoves)
    atEnd = End(end, lastMoves)
    let hidden = trace.hiddenStarts.map { trace.elapsed[$0 - 1]...trace.elapsed[$0] }
    addVertices(recorded, from: start.place, firstMoves, to: end.place, lastMoves, hidden: hidden)
    measure()
    if let wait = firstMoves?.wait {
      stops.insert(
        .init(place: wait.place, arrival: wait.arrival, departure: wait.departure, points: 0..<0), at: 0)
    }
    if let wait = lastMoves?.wait {
      stops.append(
        .init(
          place: wait.place, arrival: duration - wait.departure, departure: duration - wait.arrival,
          points: 0..<0))
    }
    if let firstMoves, !firstMoves.isSingle {
      atStart.queue = distanceAlong[min(firstMoves.places.count, count - 1)]
    }
    if let lastMoves, !lastMoves.isSingle {
      atEnd.queue = length - distanceAlong[max(count - 1 - lastMoves.places.count, 0)]
    }
    if firstMoves == nil {
      atStart.fixes = EndFixes(
        recorded, start, speed: speed(about: 0), stops: stops.map { ($0.arrival, $0.place) })
    }
    if lastMoves == nil {
      atEnd.fixes = EndFixes(
        recorded.backwards, end, speed: speed(about: length),
        stops: stops.reversed().map { (duration - $0.departure, $0.place) })
    }
    findHoles(trace)
  }

  /// The first and the last position, or nil if the drive is stationary.
  var ends: (first: SIMD3<Double>, last: SIMD3<Double>)? {
    guard let first = places.first, let last = places.last, count > 1 else { return nil }
    return (first, last)
  }

  /// - Parameter isPart: whether the drive begins and ends at gates instead of its first and last motion.
  init(_ trace: TimedDrive, isPart: Bool) {
    self.init(trace, isRollingAtStart: isPart, isRollingAtEnd: isPart)
  }

  /// The line in the opposite direction, for its shape. Its times are relative to the end.
  var reversed: MatchablePolyline {
    var line = self
    let duration = motionStart + motionEnd
    line.places.reverse()
    line.arrivals = departures.reversed().map { duration - $0 }
    line.departures = arrivals.reversed().map { duration - $0 }
    line.distanceAlong = distanceAlong.reversed().map { length - $0 }
    line.directions = directions.reversed().map { -$0 }
    line.holes = holes.reversed().map { count - 2 - $0 }
    line.hiddenParts = hiddenParts.reversed().map { (length - $0.upperBound)...(length - $0.lowerBound) }
    line.stops = []
    (line.atStart, line.atEnd) = (atEnd, atStart)
    return line
  }

  private mutating func addVertices(
    _ recorded: TimedPlaces, from origin: SIMD3<Double>, _ firstMoves: EndMoves?,
    to destination: SIMD3<Double>, _ lastMoves: EndMoves?, hidden: [ClosedRange<Double>]
  ) {
    let departed = firstMoves.map { recorded.time($0.last) } ?? motionStart
    let arrived = lastMoves.map { duration - recorded.backwards.time($0.last) } ?? motionEnd
    let first = recorded.index(at: departed)
    let last = recorded.index(at: arrived)
    // From the last stationary point at the start to the first one at the end.
    let moving = first..<min(last + 2, recorded.count)
    // What a drive did in a hidden part is not known.
    stops = StopDetector(recorded, moving: moving).found.filter { stop in
      stop.arrival > departed && stop.departure < arrived
        && !hidden.contains { $0.lowerBound < stop.departure && $0.upperBound > stop.arrival }
    }
    places.reserveCapacity(moving.count + 2)
    arrivals.reserveCapacity(moving.count + 2)
    departures.reserveCapacity(moving.count + 2)
    if let firstMoves {
      for place in firstMoves.places {
        append(place.place, arrival: place.arrival, departure: place.departure)
      }
    } else {
      append(origin, arrival: motionStart, departure: motionStart)
    }
    var nextStop = 0
    var index = moving.lowerBound
    while index < moving.upperBound {
      if nextStop < stops.count, index >= stops[nextStop].points.lowerBound {
        let stop = stops[nextStop]
        append(stop.place, arrival: stop.arrival, departure: stop.departure)
        index = max(index, stop.points.upperBound)
        nextStop += 1
        continue
      }
      let time = recorded.time(index)
      if time > departed, time < arrived, !isSpike(recorded, index, moving),
        (recorded.place(index) - places[places.count - 1]).length >= Self.spacing
      {
        append(recorded.place(index), arrival: time, departure: time)
      }
      index += 1
    }
    if let lastMoves {
      for place in lastMoves.places.reversed() {
        append(place.place, arrival: duration - place.departure, departure: duration - place.arrival)
      }
    } else {
      append(destination, arrival: motionEnd, departure: motionEnd)
    }
  }

  private mutating func append(_ place: SIMD3<Double>, arrival: Double, departure: Double) {
    // Estimated times of stops may overlap with neighbouring points by fractions of a second.
    let earliest = departures.last ?? 0
    places.append(place)
    arrivals.append(max(arrival, earliest))
    departures.append(max(departure, arrival, earliest))
  }

  /// Whether a point is too far from its neighbours to have been reached in between.
  private func isSpike(_ recorded: TimedPlaces, _ index: Int, _ moving: Range<Int>) -> Bool {
    guard index > moving.lowerBound, index + 1 < moving.upperBound else { return false }
    let before = recorded.time(index) - recorded.time(index - 1)
    let after = recorded.time(index + 1) - recorded.time(index)
    let inward = recorded.distance(index - 1, index)
    let outward = recorded.distance(index, index + 1)
    return inward > 80 * before && outward > 80 * after && inward > 50
      && recorded.distance(index - 1, index + 1) < 0.5 * min(inward, outward)
  }

  private mutating func measure() {
    distanceAlong.reserveCapacity(count)
    directions.reserveCapacity(count)
    var total = 0.0
    for index in places.indices {
      if index > 0 { total += (places[index] - places[index - 1]).length }
      distanceAlong.append(total)
    }
    for index in places.indices {
      // Over several metres to both sides to reduce noise.
      var before = index
      while before > 0, distanceAlong[index] - distanceAlong[before] < 8 { before -= 1 }
      var after = index
      while after + 1 < count, distanceAlong[after] - distanceAlong[index] < 8 { after += 1 }
      directions.append((places[after] - places[before]).normalized)
    }
  }

  private mutating func findHoles(_ trace: TimedDrive) {
    guard count > 1 else { return }
    let lengths = (1..<count).map { distanceAlong[$0] - distanceAlong[$0 - 1] }
    let least = max(Self.holeLength, 5 * (lengths.upperMedian ?? 0))
    let intervals = (1..<count).map { arrivals[$0] - departures[$0 - 1] }
    usualInterval = intervals.upperMedian ?? 0
    let longest = max(Self.holeDuration, Self.holeIntervals * usualInterval)
    // If the recording marks an interruption, a smaller gap suffices.
    var interruptions = trace.segmentStarts.dropFirst().map { trace.elapsed[$0] }[...]
    var hidden = trace.hiddenStarts.map { trace.elapsed[$0] }[...]
    for index in 0..<(count - 1) {
      let metres = distanceAlong[index + 1] - distanceAlong[index]
      let seconds = arrivals[index + 1] - departures[index]
      while let next = interruptions.first, next <= departures[index] { interruptions.removeFirst() }
      while let next = hidden.first, next <= departures[index] { hidden.removeFirst() }
      let isHidden = hidden.first.map { $0 <= arrivals[index + 1] } ?? false
      let isInterrupted = interruptions.first.map { $0 <= arrivals[index + 1] } ?? false
      if isHidden || seconds > longest && metres > least || isInterrupted && metres > Self.holeLength {
        holes.append(index)
        if isHidden { hiddenParts.append(distanceAlong[index]...distanceAlong[index + 1]) }
      }
    }
  }

  /// A vertex on the line between two others.
  struct AddedVertex {
    /// The vertex before it.
    var segment: Int
    /// The distance along the line in metres.
    var distance: Double
    /// The times in seconds since the first recorded point.
    var arrival: Double
    var departure: Double
  }

  /// Inserts vertices on the line, which keeps its shape.
  ///
  /// - Parameter added: the vertices, ascending by distance.
  mutating func insert(_ added: [AddedVertex]) {
    let old = self
    let total = count + added.count
    places = []
    arrivals = []
    departures = []
    distanceAlong = []
    directions = []
    holes = []
    places.reserveCapacity(total)
    arrivals.reserveCapacity(total)
    departures.reserveCapacity(total)
    distanceAlong.reserveCapacity(total)
    directions.reserveCapacity(total)
    var next = 0
    var hole = 0
    for vertex in 0..<old.count {
      if hole < old.holes.count, old.holes[hole] == vertex {
        holes.append(places.count)
        hole += 1
      }
      places.append(old.places[vertex])
      arrivals.append(old.arrivals[vertex])
      departures.append(old.departures[vertex])
      distanceAlong.append(old.distanceAlong[vertex])
      directions.append(old.directions[vertex])
      while next < added.count, added[next].segment == vertex {
        let inserted = added[next]
        places.append(old.place(at: inserted.distance, in: vertex))
        arrivals.append(inserted.arrival)
        departures.append(inserted.departure)
        distanceAlong.append(inserted.distance)
        directions.append((old.places[vertex + 1] - old.places[vertex]).normalized)
        next += 1
      }
    }
  }

  /// Returns the vertex at or before a distance along the line: 0…count − 2.
  func segment(at distance: Double) -> Int {
    (1..<max(1, count - 1)).partitionIndex { distanceAlong[$0] > distance } - 1
  }

  /// Returns the last vertex before a distance along the line, or 0.
  func segment(before distance: Double) -> Int {
    (1..<max(1, count - 1)).partitionIndex { distanceAlong[$0] >= distance } - 1
  }

  /// Returns the vertex at or before a distance along the line, near the previous query.
  func segment(at distance: Double, near hint: inout Int) -> Int {
    var index = min(max(hint, 0), max(count - 2, 0))
    var steps = 0
    while index > 0, distanceAlong[index] > distance {
      index -= 1
      steps += 1
      if steps > 32 { return refresh(&hint, distance) }
    }
    while index + 2 < count, distanceAlong[index + 1] <= distance {
      index += 1
      steps += 1
      if steps > 32 { return refresh(&hint, distance) }
    }
    hint = index
    return index
  }

  private func refresh(_ hint: inout Int, _ distance: Double) -> Int {
    hint = segment(at: distance)
    return hint
  }

  /// Returns the fraction of the way from a vertex to the next, 0…1.
  func fraction(of distance: Double, in segment: Int) -> Double {
    let metres = distanceAlong[segment + 1] - distanceAlong[segment]
    return metres > 0 ? min(max((distance - distanceAlong[segment]) / metres, 0), 1) : 0
  }

  func place(at distance: Double) -> SIMD3<Double> { place(at: distance, in: segment(at: distance)) }

  /// Returns the position at a distance near that of the previous query.
  func place(at distance: Double, near hint: inout Int) -> SIMD3<Double> {
    place(at: distance, in: segment(at: distance, near: &hint))
  }

  private func place(at distance: Double, in segment: Int) -> SIMD3<Double> {
    places[segment] + fraction(of: distance, in: segment) * (places[segment + 1] - places[segment])
  }
}

extension MatchablePolyline {
  /// Returns the distance along the line in metres at a time in seconds since the first recorded point.
  func distance(at elapsed: Double) -> Double {
    let next = arrivals.partitionIndex { $0 > elapsed }
    guard next > 0, next < count else { return next > 0 ? length : 0 }
    let departure = departures[next - 1]
    guard elapsed > departure else { return distanceAlong[next - 1] }
    let fraction = (elapsed - departure) / (arrivals[next] - departure)
    return distanceAlong[next - 1] + fraction * (distanceAlong[next] - distanceAlong[next - 1])
  }

  /// Returns the passing time of a position on the line. Arrival and departure differ at a stop.
  func passage(at distance: Double, in segment: Int) -> (arrival: Double, departure: Double) {
    let fraction = fraction(of: distance, in: segment)
    if fraction <= 0 { return (arrivals[segment], departures[segment]) }
    if fraction >= 1 { return (arrivals[segment + 1], departures[segment + 1]) }
    let time = departures[segment] + fraction * (arrivals[segment + 1] - departures[segment])
    return (time, time)
  }
}
