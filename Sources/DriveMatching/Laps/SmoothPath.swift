import GhostModel
import TrackModel

/// The path of a recording between its fixes: a cubic curve with a velocity at each fix.
///
/// The velocity at a fix is that of the parabola through the fix and its neighbours, which is exact for
/// constant acceleration.
struct SmoothPath {
  let places: [SIMD3<Double>]
  /// The time per fix in seconds since the first fix, non-descending.
  let times: [Double]
  /// The distance driven up to each fix in metres, without the jitter of a stationary receiver.
  let distances: [Double]

  /// The distance in metres below which motion is jitter.
  static let spacing = 3.0
  /// The approximate length in metres of the parts into which the curve is divided.
  static let resolution = 10.0

  init(_ trace: TimedDrive) {
    self.init(
      (0..<trace.count).map {
        EarthFixed.vector(latitude: trace.latitudes[$0], longitude: trace.longitudes[$0])
      }, times: trace.elapsed)
  }

  /// - Parameter places: at least one position, as many as `times`.
  init(_ places: [SIMD3<Double>], times: [Double]) {
    self.places = places
    self.times = times
    var distances = [Double](repeating: 0, count: places.count)
    var anchor = 0
    for index in places.indices.dropFirst() {
      let step = (places[index] - places[anchor]).length
      guard step >= Self.spacing else {
        distances[index] = distances[anchor]
        continue
      }
      distances[index] =
        distances[anchor]
        + (anchor + 1 == index && step > Self.resolution
          ? Self.length(places, times, step: anchor, chord: step) : step)
      // The motion is distributed over the fixes in between.
      for between in (anchor + 1)..<max(index, anchor + 1) {
        let share = (places[between] - places[anchor]).length / step
        distances[between] += min(share, 1) * (distances[index] - distances[anchor])
      }
      anchor = index
    }
    self.distances = distances
  }

  var count: Int { places.count }

  /// Returns the last fix at or before a time, at most the second last.
  func step(at time: Double) -> Int {
    var low = 0
    var high = count
    while high - low > 1 {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle } else { high = middle }
    }
    return min(low, max(count - 2, 0))
  }

  /// Returns the position on the curve at a time.
  func place(at time: Double) -> SIMD3<Double> {
    guard count > 1 else { return places[0] }
    let step = step(at: time)
    return place(step, fraction(of: time, in: step))
  }

  /// Returns the distance driven up to a time, in metres.
  func distance(at time: Double) -> Double {
    guard count > 1 else { return 0 }
    let step = step(at: time)
    return distances[step] + fraction(of: time, in: step) * (distances[step + 1] - distances[step])
  }

  /// Returns the position at a fraction of the time from a fix to the next one.
  func place(_ step: Int, _ fraction: Double) -> SIMD3<Double> {
    Self.place(places, times, step, fraction)
  }

  /// Returns the velocity at a fix, in metres per second.
  func velocity(_ fix: Int) -> SIMD3<Double> { Self.velocity(places, times, fix) }

  /// Returns samples of the curve between two times, about ``resolution`` apart, with their times.
  func samples(from start: Double, to end: Double) -> [(time: Double, place: SIMD3<Double>)] {
    guard count > 1, end > start else { return [] }
    var samples = [(start, place(at: start))]
    for step in step(at: start)...step(at: end) {
      let parts = max(1, min(64, Int((places[step + 1] - places[step]).length / Self.resolution)))
      for part in 0..<parts {
        let fraction = Double(part) / Double(parts)
        let time = times[step] + fraction * (times[step + 1] - times[step])
        guard time > start, time < end else { continue }
        let place = place(step, fraction)
        if let last = samples.last, (place - last.1).length >= Self.spacing { samples.append((time, place)) }
      }
    }
    samples.append((end, place(at: end)))
    return samples
  }

  private func fraction(of time: Double, in step: Int) -> Double {
    let span = times[step + 1] - times[step]
    return span > 0 ? min(max((time - times[step]) / span, 0), 1) : 0
  }

  private static func length(
    _ places: [SIMD3<Double>], _ times: [Double], step: Int, chord: Double
  ) -> Double {
    let parts = max(2, min(16, Int(chord / resolution)))
    var length = 0.0
    var last = places[step]
    for part in 1...parts {
      let next = place(places, times, step, Double(part) / Double(parts))
      length += (next - last).length
      last = next
    }
    return length
  }

  private static func place(
    _ places: [SIMD3<Double>], _ times: [Double], _ step: Int, _ fraction: Double
  ) -> SIMD3<Double> {
    let span = times[step + 1] - times[step]
    let (start, end) = (places[step], places[step + 1])
    let first = span * velocity(places, times, step)
    let last = span * velocity(places, times, step + 1)
    let move = end - start
    // A cubic Hermite spline.
    let square: SIMD3<Double> = 3 * move - 2 * first - last
    let cube: SIMD3<Double> = first + last - 2 * move
    return start + fraction * (first + fraction * (square + fraction * cube))
  }

  private static func velocity(
    _ places: [SIMD3<Double>], _ times: [Double], _ fix: Int
  ) -> SIMD3<Double> {
    func slope(_ step: Int) -> SIMD3<Double>? {
      guard step >= 0, step + 1 < places.count, times[step + 1] > times[step] else { return nil }
      return (places[step + 1] - places[step]) / (times[step + 1] - times[step])
    }
    guard let before = slope(fix - 1) else { return slope(fix) ?? .zero }
    guard let after = slope(fix) else { return before }
    let (first, last) = (times[fix] - times[fix - 1], times[fix + 1] - times[fix])
    // In a bend, the vectors partly cancel each other but the speeds do not. The true value is in between.
    let speed = (last * before.length + first * after.length) / (first + last)
    let velocity = (last * before + first * after) / (first + last)
    return (speed + velocity.length) / 2 * velocity.normalized
  }
}
