/// Finds the stops of a drive.
struct StopDetector {
  /// A place where the drive was stationary, and the points recorded there.
  struct Stop {
    var place: SIMD3<Double>
    var arrival: Double
    var departure: Double
    /// The points at the stop, whose jitter would otherwise add distance.
    var points: Range<Int>
  }

  /// The speed in metres per second, and as a fraction of the usual speed, below which the drive is
  /// stationary.
  static let speed = 1.0
  static let usualShare = 0.45
  /// The time in seconds before and after a point over which the speed is measured: the time for `metres`
  /// at the usual speed, because a slow drive is hardly faster than the noise.
  static let reach = (least: 3.0, metres: 12.0, most: 8.0)
  /// The minimum duration of a stop, in seconds.
  static let shortest = 3.0
  /// The radius of a stop in metres.
  static let radius = 6.0
  /// The distance in metres and time in seconds of apparent motion due to receiver drift within a stop.
  static let bridge = (metres: 9.0, seconds: 8.0)
  /// The distance in metres from a stop from which the drive is in motion, and up to which its departure is
  /// fitted.
  static let underWay = (least: 12.0, most: 35.0)
  /// The last seconds of a stop, which define its position at departure. Receivers drift over longer times.
  static let memory = 15.0
  /// The time after the last stationary point within which the drive is in motion, in seconds.
  static let departureWindow = 15.0
  /// The usual braking and acceleration in metres per second squared.
  static let braking = 2.0
  static let acceleration = 1.8

  /// The distance in metres and time in seconds between stops that are merged, because receivers drift and
  /// queues move up.
  static let joining = (metres: 15.0, seconds: 30.0)

  private let places: TimedPlaces
  /// The speed of this drive below which it is stationary, in metres per second. A walker is not much
  /// faster than ``speed``.
  private let threshold: Double
  private(set) var found: [Stop] = []

  /// - Parameter moving: the points between the start and the end of the motion.
  init(_ places: TimedPlaces, moving: Range<Int>) {
    self.places = places
    let usual = places.usualSpeed(in: moving) ?? .infinity
    threshold = min(Self.speed, Self.usualShare * usual)
    let reach = min(max(Self.reach.metres / usual, Self.reach.least), Self.reach.most)
    var left = moving.lowerBound
    var right = moving.lowerBound
    var core: Range<Int>?
    for index in moving {
      let time = places.time(index)
      while left + 1 < index, places.time(left + 1) <= time - reach { left += 1 }
      right = max(right, index)
      while right + 1 < moving.upperBound, places.time(right) < time + reach { right += 1 }
      let span = places.time(right) - places.time(left)
      let isStopped =
        span > reach && span <= 30 && places.distance(left, right) < threshold * span
        && places.distance(left, index) < 2 * threshold * span
      if isStopped {
        if let open = core, index - open.upperBound <= 0 || bridges(open, index) {
          core = open.lowerBound..<(index + 1)
        } else {
          if let core { close(core, moving) }
          core = index..<(index + 1)
        }
      }
      if index + 1 < moving.upperBound { addPause(index) }
    }
    if let core { close(core, moving) }
    found.sort { $0.points.lowerBound < $1.points.lowerBound }
    join()
  }

  /// Whether a stop continues over points with apparent motion.
  private func bridges(_ core: Range<Int>, _ index: Int) -> Bool {
    places.time(index) - places.time(core.upperBound - 1) <= Self.bridge.seconds
      && places.distance(core.upperBound - 1, index) < Self.bridge.metres
  }

  /// Adds a stop between consecutive points that are long apart in time and close in distance, as written by
  /// recorders that record by distance.
  private mutating func addPause(_ index: Int) {
    let seconds = places.time(index + 1) - places.time(index)
    guard seconds >= 10 else { return }
    let metres = places.distance(index, index + 1)
    guard metres <= 40, metres < threshold * seconds else { return }
    let arrival = places.time(index) + braked(metres / 2, at: index, previous: index - 1, Self.braking)
    let departure =
      places.time(index + 1) - braked(metres / 2, at: index + 1, previous: index + 2, Self.acceleration)
    guard departure - arrival >= Self.shortest else { return }
    found.append(
      Stop(
        place: (places.place(index) + places.place(index + 1)) / 2, arrival: arrival, departure: departure,
        points: (index + 1)..<(index + 1)))
  }

  private mutating func close(_ core: Range<Int>, _ moving: Range<Int>) {
    var sum = SIMD3<Double>.zero
    for index in core { sum += places.place(index) }
    let centre = sum / Double(core.count)
    var before = core.lowerBound
    while before > moving.lowerBound, (places.place(before) - centre).length <= Self.radius { before -= 1 }
    var after = core.upperBound - 1
    while after + 1 < moving.upperBound, (places.place(after) - centre).length <= Self.radius { after += 1 }
    let middle = (places.time(core.lowerBound) + places.time(core.upperBound - 1)) / 2
    let mirrored = (places.count - core.upperBound)..<(places.count - core.lowerBound)
    let arrival =
      Self.leaving(places.backwards, mirrored, limit: places.count - 1 - moving.lowerBound)
      .map { places.duration - $0 }
      ?? min(
        places.time(before) + travel(from: before, previous: before - 1, to: centre, Self.braking), middle)
    let departure =
      Self.leaving(places, core, limit: moving.upperBound - 1)
      ?? max(
        places.time(after) - travel(from: after, previous: after + 1, to: centre, Self.acceleration), middle)
    guard departure - arrival >= Self.shortest, before + 1 <= after else { return }
    found.append(
      Stop(place: centre, arrival: arrival, departure: departure, points: (before + 1)..<after))
  }

  /// Returns the departure from a stop, or `nil` if the drive is not in motion soon.
  ///
  /// - Parameters:
  ///   - core: the points that are certainly stationary.
  ///   - limit: the last point to consider.
  private static func leaving(_ places: TimedPlaces, _ core: Range<Int>, limit: Int) -> Double? {
    let latest = core.upperBound - 1
    var first = latest
    var centre = places.place(latest)
    while first > core.lowerBound, places.time(latest) - places.time(first - 1) <= memory {
      first -= 1
      centre += places.place(first)
    }
    centre /= Double(latest - first + 1)
    var crossing = latest + 1
    while crossing <= limit, (places.place(crossing) - centre).length < underWay.least { crossing += 1 }
    guard crossing <= limit, places.time(crossing) - places.time(latest) <= departureWindow else {
      return nil
    }
    // Only slightly later, so that a bend after the stop does not shorten the distance.
    let direction = (places.place(crossing) - centre).normalized
    let origin = places.time(first)
    var fit = OnsetFit(acceleration: places.acceleration)
    var index = first
    while index <= limit {
      let out = (places.place(index) - centre).dot(direction)
      fit.append(time: places.time(index) - origin, out: out)
      if index > crossing, out > underWay.most { break }
      index += 1
      if index <= limit, places.time(index) - places.time(crossing) > 5 { break }
    }
    let middle = (places.time(core.lowerBound) + places.time(latest)) / 2
    return origin + fit.moment(within: max(middle - origin, 0)...(places.time(crossing) - origin))
  }

  /// Returns the time from a point to a stop some metres further on in seconds, with constant braking.
  private func braked(_ distance: Double, at point: Int, previous: Int, _ braking: Double) -> Double {
    guard previous >= 0, previous < places.count else { return (2 * distance / braking).squareRoot() }
    let way = places.distance(point, previous)
    let seconds = abs(places.time(point) - places.time(previous))
    let speed = seconds > 0 ? way / seconds : 0
    let hardest = distance + way / 2 > 0 ? speed * speed / (2 * (distance + way / 2)) : 0
    return (2 * distance / max(braking, hardest)).squareRoot()
  }

  /// Returns the seconds between passing a point and a stop at a position, with constant braking or
  /// acceleration.
  ///
  /// - Parameter previous: the point on the far side, which determines the speed.
  private func travel(from point: Int, previous: Int, to centre: SIMD3<Double>, _ braking: Double) -> Double {
    let distance = (places.place(point) - centre).length
    let braked = (2 * distance / braking).squareRoot()
    guard previous >= 0, previous < places.count else { return braked }
    let seconds = abs(places.time(point) - places.time(previous))
    let speed = seconds > 0 ? places.distance(point, previous) / seconds : 0
    let reach = speed * speed / (2 * braking)
    guard speed > 1, distance > reach else { return braked }
    return speed / braking + (distance - reach) / speed
  }

  /// Merges stops that overlap or are adjacent.
  private mutating func join() {
    var kept: [Stop] = []
    for stop in found {
      guard var last = kept.last, isOne(last, stop) else {
        kept.append(stop)
        continue
      }
      last.departure = max(last.departure, stop.departure)
      last.points = last.points.lowerBound..<max(last.points.upperBound, stop.points.upperBound)
      kept[kept.count - 1] = last
    }
    found = kept
  }

  private func isOne(_ first: Stop, _ second: Stop) -> Bool {
    second.points.lowerBound < first.points.upperBound || second.arrival < first.departure
      || second.arrival - first.departure <= Self.joining.seconds
        && (second.place - first.place).length <= Self.joining.metres
  }
}
