import TrackModel

/// The moves at the start of a drive between waits: it moves up in a queue at a light, a barrier or a ferry,
/// or it moves once, for example from a parking space to a light.
///
/// The receiver of a parked car drifts as far, but to all sides, whereas a car moves along the road. The way
/// forward is therefore compared with the scatter across the road, which has the same noise. Applied to
/// ``TimedPlaces/backwards``, it finds the moves at the end of a drive.
struct EndMoves {
  /// A place between the moves, and the times at which the drive reached and left it, in seconds since the
  /// first point.
  struct Place {
    var place: SIMD3<Double>
    var arrival: Double
    var departure: Double
  }
  /// The places in driving order, each for some metres of the way (``MatchablePolyline/spacing``). The last
  /// one is that of the departure.
  private(set) var places: [Place] = []
  /// Whether the drive moved only once, so it is not a queue: its wait is a stop like others.
  private(set) var isSingle = false
  /// The last fix before the departure.
  private(set) var last = 0
  /// The wait after a single move, at the place of the departure.
  var wait: Place? { isSingle ? places.last : nil }

  /// The distance in metres and the time in seconds within which a drive has left the queue.
  static let departed = (metres: 80.0, seconds: 150.0)
  /// The maximum speed in metres per second while the drive waits, at first, and in a queue, and the minimum
  /// at which it leaves; the seconds over which the others are measured.
  static let speed = (waiting: 1.0, first: 3.0, moving: 7.0, leaving: 2.5, seconds: 3.0)
  /// The first seconds, in which the drive does not move up yet.
  static let firstWait = 8.0
  /// The first seconds, in which a speed is that of the noise.
  static let firstStep = 2.0
  /// The distance in metres over which the direction of the road and the speed after the queue are measured.
  static let chord = 30.0
  /// The minimum way forward in metres, relative to the scatter across the road, and in metres per second.
  static let way = (metres: 12.0, scatter: 3.5, speed: 0.1)
  /// The minimum way in metres in the seconds of a usual move, about the length of a car, because a receiver
  /// drifts more slowly; and the largest share of the whole way, because a car that waits once drifts before
  /// its move.
  static let usualMove = (metres: 4.4, share: 0.6, seconds: 8.0)
  /// The number of fixes that show moves.
  static let leastFixes = 8
  /// The seconds at both ends of the queue over which fixes are averaged.
  static let mean = 5.0

  /// Returns nil if the drive departed from one place.
  init?(_ recorded: TimedPlaces, _ onset: MotionOnset) {
    guard onset.isStationary, onset.sparseFix == nil,
      onset.moment - recorded.time(0) >= MotionOnset.shortestIdle,
      case let start = recorded.index(at: onset.moment),
      let far = recorded.first(Self.departed.metres, from: onset.place, after: start)
    else { return nil }
    last = far
    while last > 0, recorded.speed(before: last) > Self.speed.waiting { last -= 1 }
    let here = recorded.place(last)
    guard last >= Self.leastFixes,
      (1...last).allSatisfy({ index in
        // At first the car waits, whereas the first positions of a receiver may settle. The first step may be
        // noise.
        let seconds = recorded.time(index) - recorded.time(0)
        let most = seconds <= Self.firstWait ? Self.speed.first : Self.speed.moving
        return seconds < Self.firstStep || recorded.speed(before: index) < most
      }),
      let ahead = recorded.first(Self.chord, from: here, after: last),
      // The wait may end up to a step after its last fix.
      recorded.distance(last + 1, ahead)
        > Self.speed.leaving * (recorded.time(ahead) - recorded.time(last + 1))
    else { return nil }
    let direction = (recorded.place(ahead) - here).normalized
    let fixes = (0...last).filter { !recorded.isSpike($0) }
    let times = fixes.map { recorded.time($0) }
    var along = fixes.map { (recorded.place($0) - here).dot(direction) }
    let aside = zip(fixes, along).map { recorded.place($0) - here - $1 * direction }
    let middle = aside.reduce(.zero, +) / Double(aside.count)
    let squares = aside.reduce(0) { $0 + ($1 - middle).lengthSquared }
    let scatter = (squares / Double(aside.count)).squareRoot()
    let end = times[times.count - 1]
    let way =
      Self.mean(times, along, in: end - Self.mean...end)
      - Self.mean(times, along, in: times[0]...times[0] + Self.mean)
    let recordedAlong = along
    IsotonicRegression.apply(to: &along, in: along.indices)
    let longest = Self.longestWay(times, along, within: Self.usualMove.seconds)
    let advance = LargestAdvance(times, recordedAlong, aside)
    let movesUp =
      advance.deviations > LargestAdvance.possible && longest > Self.usualMove.metres
      && way > max(Self.way.metres, Self.way.scatter * scatter, Self.way.speed * (end - times[0]))
      && longest < Self.usualMove.share * way
    let move = SingleMove(times, recordedAlong, aside, advance)
    isSingle = !movesUp || move?.isOnly ?? false
    func place(_ along: Double) -> SIMD3<Double> { here + middle + along * direction }
    if !isSingle {
      addPlaces(times, along, at: place)
    } else {
      guard let move else { return nil }
      addPlaces(of: move, times, recordedAlong, at: place)
    }
  }

  /// Adds the first place, those that the drive passed in the move, and that of the departure.
  private mutating func addPlaces(
    of move: SingleMove, _ times: [Double], _ along: [Double], at place: (Double) -> SIMD3<Double>
  ) {
    let (start, end) = (move.start, move.end)
    places.append(Place(place: place(start.along), arrival: start.time, departure: start.time))
    for (time, along) in zip(times, along) where time > start.time && time < end.time {
      places.append(Place(place: place(along), arrival: time, departure: time))
    }
    places.append(Place(place: place(end.along), arrival: end.time, departure: times[times.count - 1]))
  }

  /// Adds the places of an ascending series of distances.
  private mutating func addPlaces(
    _ times: [Double], _ along: [Double], at place: (Double) -> SIMD3<Double>
  ) {
    var first = 0
    while first < along.count {
      let next = along[first...].firstIndex { $0 - along[first] >= MatchablePolyline.spacing } ?? along.count
      let mean = along[first..<next].reduce(0, +) / Double(next - first)
      let departure = times[next - 1]
      let arrival = places.isEmpty ? departure : times[first]
      places.append(Place(place: place(mean), arrival: arrival, departure: departure))
      first = next
    }
  }

  /// Returns the mean distance of the fixes in a span of time, in metres.
  static func mean(_ times: [Double], _ along: [Double], in span: ClosedRange<Double>) -> Double {
    let near = zip(times, along).filter { span.contains($0.0) }
    return near.reduce(0) { $0 + $1.1 } / Double(near.count)
  }

  /// Returns the longest way within some seconds, in metres.
  static func longestWay(_ times: [Double], _ along: [Double], within seconds: Double) -> Double {
    var first = 0
    return times.indices.reduce(0) { longest, last in
      while times[last] - times[first] > seconds { first += 1 }
      return max(longest, along[last] - along[first])
    }
  }
}

extension TimedPlaces {
  /// Returns the first fix at a distance from a place, if the drive is there soon.
  fileprivate func first(_ metres: Double, from place: SIMD3<Double>, after index: Int) -> Int? {
    var next = index
    while next < count, time(next) - time(index) <= EndMoves.departed.seconds {
      if (self.place(next) - place).length >= metres { return next }
      next += 1
    }
    return nil
  }

  /// Returns the speed over the seconds before a fix, in metres per second.
  fileprivate func speed(before index: Int) -> Double {
    let first = min(self.index(at: time(index) - EndMoves.speed.seconds), index - 1)
    let seconds = time(index) - time(first)
    return seconds > 0 ? distance(first, index) / seconds : .infinity
  }
}
