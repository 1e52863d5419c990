/// When a drive begins to move.
///
/// Speed alone is fooled by the jitter of a standing receiver. So: the first time that it is far from where it
/// stood and does not come back soon; from there back to the moment at which an even acceleration began.
enum MotionOnset {
  /// Metres from the standing place that no jitter reaches.
  static let leavingRadius = 25.0
  /// Metres: nearer than this it has come back.
  static let returnRadius = 15.0
  /// Seconds within which jitter comes back.
  static let patience = 30.0
  /// Metres: as near as this it still stands.
  static let standingRadius = 4.0
  /// Metres up to which an even acceleration is taken for granted.
  static let accelerationReach = 45.0

  /// Seconds since the first point at which motion begins, or nil where the drive never leaves its first place.
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

  private static func refined(_ places: TimedPlaces, crossing: Int, centre: SIMD3<Double>) -> Double {
    // What the receiver was off by lasts for some seconds; so distances count from its last standing fixes.
    var last = lastStanding(places, before: crossing, centre: centre)
    if let origin = places.mean(
      from: places.time(last) - 6, through: places.time(last), endingAt: last)
    {
      last = lastStanding(places, before: crossing, centre: origin)
      return onset(places, after: last, origin: origin)
    }
    return places.time(last)
  }

  private static func lastStanding(_ places: TimedPlaces, before crossing: Int, centre: SIMD3<Double>) -> Int
  {
    var index = crossing
    while index > 0, (places.place(index) - centre).length > standingRadius { index -= 1 }
    return index
  }

  /// Even acceleration from rest: the root of the distance grows evenly with time, and the line meets zero at the
  /// beginning.
  private static func onset(_ places: TimedPlaces, after last: Int, origin: SIMD3<Double>) -> Double {
    let standing = places.time(last)
    guard last + 1 < places.count else { return standing }
    var count = 0.0, sumTime = 0.0, sumRoot = 0.0, sumSquare = 0.0, sumProduct = 0.0
    var index = last + 1
    while index < places.count {
      let distance = (places.place(index) - origin).length
      if distance > accelerationReach, count >= 2 { break }
      if distance > 3 {
        let time = places.time(index) - standing
        let root = distance.squareRoot()
        count += 1
        sumTime += time
        sumRoot += root
        sumSquare += time * time
        sumProduct += time * root
      }
      if distance > accelerationReach { break }
      index += 1
    }
    guard count >= 2 else { return standing }
    let spread = count * sumSquare - sumTime * sumTime
    let slope = spread > 0 ? (count * sumProduct - sumTime * sumRoot) / spread : 0
    guard slope > 0 else { return standing }
    let begin = standing + (sumTime - sumRoot / slope) / count
    return max(0, min(max(begin, standing - 4), places.time(last + 1)))
  }
}
