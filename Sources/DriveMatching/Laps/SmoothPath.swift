import GhostModel
import TrackModel

/// The path of a recording between its fixes: a cubic curve with a velocity at each fix.
///
/// The velocity at a fix is that of the parabola through it and its neighbours, which is exact for constant
/// acceleration.
struct SmoothPath {
  let places: [SIMD3<Double>]
  /// Seconds since the first fix, per fix, not descending.
  let times: [Double]
  /// Metres driven until each fix; jitter of a stationary receiver is not counted.
  let distances: [Double]

  /// Metres: shorter moves are jitter.
  static let spacing = 3.0
  /// Metres: the curve is divided into parts of about this length.
  static let resolution = 10.0

  init(_ trace: TimedDrive) {
    self.init(
      (0..<trace.count).map {
        EarthFixed.vector(latitude: trace.latitudes[$0], longitude: trace.longitudes[$0])
      }, times: trace.elapsed)
  }

  /// - Parameter places: at least one, as many as `times`.
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
      // Fixes between the two shared in the move.
      for between in (anchor + 1)..<max(index, anchor + 1) {
        let share = (places[between] - places[anchor]).length / step
        distances[between] += min(share, 1) * (distances[index] - distances[anchor])
      }
      anchor = index
    }
    self.distances = distances
  }

  var count: Int { places.count }

  /// The last fix at a moment or before, at most the last but one.
  func step(at time: Double) -> Int {
    var low = 0
    var high = count
    while high - low > 1 {
      let middle = (low + high) / 2
      if times[middle] <= time { low = middle } else { high = middle }
    }
    return min(low, max(count - 2, 0))
  }

  /// The position at a moment, on the curve.
  func place(at time: Double) -> SIMD3<Double> {
    guard count > 1 else { return places[0] }
    let step = step(at: time)
    return place(step, fraction(of: time, in: step))
  }

  /// Metres driven until a moment.
  func distance(at time: Double) -> Double {
    guard count > 1 else { return 0 }
    let step = step(at: time)
    return distances[step] + fraction(of: time, in: step) * (distances[step + 1] - distances[step])
  }

  /// The position at a fraction of the time from a fix to the next one.
  func place(_ step: Int, _ fraction: Double) -> SIMD3<Double> {
    Self.place(places, times, step, fraction)
  }

  /// The velocity at a fix, in metres per second.
  func velocity(_ fix: Int) -> SIMD3<Double> { Self.velocity(places, times, fix) }

  /// The moments between two times at which the curve is sampled, about ``resolution`` apart, with the
  /// positions.
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
    // Hermite's cubic.
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
    // In a bend the vectors partly cancel each other, the speeds do not: the truth is between the two.
    let speed = (last * before.length + first * after.length) / (first + last)
    let velocity = (last * before + first * after) / (first + last)
    return (speed + velocity.length) / 2 * velocity.normalized
  }
}
