/// Finds where a drive stood on its way.
struct StandingSearch {
  /// A place where it stood, and the points that only say so.
  struct Standing {
    var place: SIMD3<Double>
    var arrival: Double
    var departure: Double
    /// The points at the place, which its jitter would make a way of their own.
    var points: Range<Int>
  }

  /// Metres per second: slower over some seconds is standing.
  static let speed = 1.0
  /// Seconds to either side over which speed is taken.
  static let reach = 3.0
  /// Seconds: a shorter stand is none.
  static let shortest = 3.0
  /// Metres: points as near as this are at the standing place.
  static let radius = 6.0
  /// Metres per second squared, as a car brakes and gains speed.
  static let braking = 2.0
  static let acceleration = 1.8

  private let places: TimedPlaces
  private(set) var found: [Standing] = []

  /// - Parameter moving: the points between the first and the last motion.
  init(_ places: TimedPlaces, moving: Range<Int>) {
    self.places = places
    var left = moving.lowerBound
    var right = moving.lowerBound
    var core: Range<Int>?
    for index in moving {
      let time = places.time(index)
      while left + 1 < index, places.time(left + 1) <= time - Self.reach { left += 1 }
      right = max(right, index)
      while right + 1 < moving.upperBound, places.time(right) < time + Self.reach { right += 1 }
      let span = places.time(right) - places.time(left)
      let isStanding =
        span > Self.reach && span <= 30 && places.distance(left, right) < Self.speed * span
        && places.distance(left, index) < 2 * Self.speed * span
      if isStanding {
        if let open = core, index - open.upperBound <= 0 || bridges(open, index) {
          core = open.lowerBound..<(index + 1)
        } else {
          if let core { close(core, moving) }
          core = index..<(index + 1)
        }
      }
      if index + 1 < moving.upperBound { addPause(index, moving) }
    }
    if let core { close(core, moving) }
    found.sort { $0.points.lowerBound < $1.points.lowerBound }
    dropOverlaps()
  }

  /// Whether a stand goes on over some points that seemed to move.
  private func bridges(_ core: Range<Int>, _ index: Int) -> Bool {
    places.time(index) - places.time(core.upperBound - 1) <= 2 * Self.reach
      && places.distance(core.upperBound - 1, index) < Self.radius
  }

  /// Two points with a long time and little way between: a recorder that writes by distance stood there.
  private mutating func addPause(_ index: Int, _ moving: Range<Int>) {
    let seconds = places.time(index + 1) - places.time(index)
    guard seconds >= 10 else { return }
    let metres = places.distance(index, index + 1)
    guard metres <= 40, metres < Self.speed * seconds else { return }
    let arrival = places.time(index) + (metres / 2 * 2 / Self.braking).squareRoot()
    let departure = places.time(index + 1) - (metres / 2 * 2 / Self.acceleration).squareRoot()
    guard departure - arrival >= Self.shortest else { return }
    found.append(
      Standing(
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
    let arrival = min(
      places.time(before) + travel(from: before, previous: before - 1, to: centre, Self.braking), middle)
    let departure = max(
      places.time(after) - travel(from: after, previous: after + 1, to: centre, Self.acceleration), middle)
    guard departure - arrival >= Self.shortest, before + 1 <= after else { return }
    found.append(
      Standing(place: centre, arrival: arrival, departure: departure, points: (before + 1)..<after))
  }

  /// Seconds from passing a point to standing at a place, with an even braking at the end; or the other way
  /// round.
  ///
  /// - Parameter previous: the point on the far side, which tells the speed.
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

  /// Stands that share points or times become one.
  private mutating func dropOverlaps() {
    var kept: [Standing] = []
    for standing in found {
      guard var last = kept.last,
        standing.points.lowerBound < last.points.upperBound || standing.arrival < last.departure
      else {
        kept.append(standing)
        continue
      }
      last.departure = max(last.departure, standing.departure)
      last.points = last.points.lowerBound..<max(last.points.upperBound, standing.points.upperBound)
      kept[kept.count - 1] = last
    }
    found = kept
  }
}
