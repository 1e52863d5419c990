/// When a drive begins to move.
///
/// Speed alone is fooled by the jitter of a standing receiver. So: the first time that it is far from where
/// it stood and does not come back soon; from there back to the moment at which it began (``OnsetFit``).
enum MotionOnset {
  /// Metres from the standing place that no jitter reaches.
  static let leavingRadius = 25.0
  /// Metres: nearer than this it has come back.
  static let returnRadius = 15.0
  /// Seconds within which jitter comes back.
  static let patience = 30.0
  /// Seconds before it is far that tell where it stood; a car takes some five to get there.
  static let standingSpan = 20.0
  /// Seconds between fixes in which a car gains all its speed, and the part of them that must be idle to be told.
  static let longStep = 8.0
  static let leastIdle = 0.35
  /// Metres up to which a start is looked at.
  static let accelerationReach = 45.0

  /// Seconds since the first point at which motion begins, or nil where the drive never leaves its first
  /// place.
  static func find(_ places: TimedPlaces) -> Double? {
    guard places.count > 1 else { return nil }
    var centre = places.place(0)
    var weight = 1.0
    var index = 1
    while index < places.count {
      let place = places.place(index)
      if (place - centre).length > leavingRadius {
        if let back = comesBack(places, index, to: centre) {
          index = back
          continue
        }
        if isLeap(places, index, from: centre) {
          centre = place
          weight = 1
        } else {
          return refined(places, crossing: index, centre: centre)
        }
      } else {
        // Over about a minute, so that the centre follows the slow drift of a receiver that stands for long.
        weight = min(weight + 1, 60)
        centre += (place - centre) / weight
      }
      index += 1
    }
    return nil
  }

  /// The first point near the standing place again, where there is one soon.
  private static func comesBack(_ places: TimedPlaces, _ start: Int, to centre: SIMD3<Double>) -> Int? {
    var index = start + 1
    while index < places.count, places.time(index) - places.time(start) <= patience {
      if (places.place(index) - centre).length < returnRadius { return index }
      index += 1
    }
    return nil
  }

  /// Whether the receiver, not the car, came to another place: in one step, and stands there. First fixes may
  /// be far off.
  private static func isLeap(_ places: TimedPlaces, _ index: Int, from centre: SIMD3<Double>) -> Bool {
    let place = places.place(index)
    guard places.distance(index - 1, index) > 0.7 * (place - centre).length else { return false }
    guard places.time(index) - places.time(index - 1) <= 5 else { return false }
    var seen = 0
    var next = index + 1
    while next < places.count, places.time(next) - places.time(index) <= 10 {
      if (places.place(next) - place).length > 10 { return false }
      seen += 1
      next += 1
    }
    return seen >= 3
  }

  /// Where fixes are so rare that the car is under way by the next: as long before as it takes at the speed it
  /// then has. Chords across bends are short, so that a stand of seconds is none; nil where fixes are not rare.
  private static func beforeLongStep(_ places: TimedPlaces, _ crossing: Int) -> Double? {
    let start = places.time(crossing - 1)
    let seconds = places.time(crossing) - start
    let way = places.distance(crossing - 1, crossing)
    guard seconds >= longStep, way > accelerationReach else { return nil }
    var speed = way / seconds
    if crossing + 1 < places.count, places.time(crossing + 1) > places.time(crossing) {
      speed =
        places.distance(crossing, crossing + 1) / (places.time(crossing + 1) - places.time(crossing))
    }
    guard speed > 0 else { return start }
    let idle = seconds - way / speed - speed / (2 * OnsetFit.usual.acceleration)
    return idle > leastIdle * seconds ? start + idle : start
  }

  /// Goes back from where it is far to where it began.
  private static func refined(_ places: TimedPlaces, crossing: Int, centre: SIMD3<Double>) -> Double {
    if let moment = beforeLongStep(places, crossing) { return moment }
    let direction = (places.place(crossing) - centre).normalized
    var first = crossing
    while first > 0, places.time(crossing) - places.time(first) < standingSpan { first -= 1 }
    let origin = places.time(first)
    var fit = OnsetFit()
    var index = first
    while index < places.count {
      let out = (places.place(index) - centre).dot(direction)
      fit.append(time: places.time(index) - origin, out: out)
      if index > crossing, out > accelerationReach { break }
      index += 1
      // Who crawls for long tells no more.
      if places.time(min(index, places.count - 1)) - places.time(crossing) > 10 { break }
    }
    return origin + fit.moment(within: 0...max(places.time(crossing) - origin, 0))
  }
}
