/// When a drive begins to move.
///
/// Speed alone is fooled by the jitter of a standing receiver. So: the first time that it is far from where
/// it stood and does not come back soon; from there back to the moment at which an even acceleration began.
enum MotionOnset {
  /// Metres from the standing place that no jitter reaches.
  static let leavingRadius = 25.0
  /// Metres: nearer than this it has come back.
  static let returnRadius = 15.0
  /// Seconds within which jitter comes back.
  static let patience = 30.0
  /// Seconds before it is far that tell where it stood; a car takes some five to get there.
  static let standingSpan = 20.0
  /// Metres up to which a start is looked at.
  static let accelerationReach = 45.0
  /// Seconds for which cars gain speed before they keep it.
  static let accelerations = [2.0, 4, 6, 10]

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

  /// Goes back from where it is far to where it began.
  ///
  /// It stood, gained speed evenly for T seconds, and kept it: along the way out, y = c for t < t₀, then
  /// c + k (t − t₀)², then on in a straight line. The t₀ with the least squares.
  private static func refined(_ places: TimedPlaces, crossing: Int, centre: SIMD3<Double>) -> Double {
    let direction = (places.place(crossing) - centre).normalized
    var first = crossing
    while first > 0, places.time(crossing) - places.time(first) < standingSpan { first -= 1 }
    let origin = places.time(first)
    var samples: [(time: Double, out: Double)] = []
    var index = first
    while index < places.count {
      let out = (places.place(index) - centre).dot(direction)
      samples.append((places.time(index) - origin, out))
      if index > crossing, out > accelerationReach { break }
      index += 1
      // Who crawls for long tells no more.
      if places.time(min(index, places.count - 1)) - places.time(crossing) > 10 { break }
    }
    var best = (error: Double.infinity, time: places.time(crossing) - origin)
    let latest = places.time(crossing) - origin
    // A quarter of a second apart, but where fixes are hours apart.
    let step = max(0.25, latest / 1000)
    var candidate = 0.0
    while candidate < latest {
      for seconds in accelerations {
        let error = error(samples, startingAt: candidate, gainingSpeedFor: seconds)
        if error < best.error { best = (error, candidate) }
      }
      candidate += step
    }
    return origin + best.time
  }

  /// The sum of squares that a stand and an even acceleration leave over.
  private static func error(
    _ samples: [(time: Double, out: Double)], startingAt start: Double, gainingSpeedFor seconds: Double
  ) -> Double {
    var count = 0.0, sumX = 0.0, sumY = 0.0, sumXX = 0.0, sumXY = 0.0, sumYY = 0.0
    for sample in samples {
      let moving = max(0, sample.time - start)
      let gaining = min(moving, seconds)
      let x = gaining * (2 * moving - gaining)
      count += 1
      sumX += x
      sumY += sample.out
      sumXX += x * x
      sumXY += x * sample.out
      sumYY += sample.out * sample.out
    }
    let spread = count * sumXX - sumX * sumX
    guard spread > 0 else { return .infinity }
    let rate = (count * sumXY - sumX * sumY) / spread
    guard rate > 0 else { return .infinity }
    let level = (sumY - rate * sumX) / count
    return sumYY - level * sumY - rate * sumXY
  }
}
