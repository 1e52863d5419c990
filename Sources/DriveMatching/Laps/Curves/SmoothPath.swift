import GhostModel
import TrackModel

/// The path of a recording between its fixes: a cubic curve with a velocity at each fix.
///
/// The velocity at a fix is the recorded one, or else that of the parabola through the fix and its
/// neighbours, which is exact for constant acceleration.
struct SmoothPath {
  let places: [SIMD3<Double>]
  /// The ascending times in seconds since the first fix, per fix.
  let times: [Double]
  /// The distance driven until each fix in metres, without the jitter of a stationary receiver.
  private(set) var distances: [Double]
  /// A gap between recorded fixes that was filled with points of a usual lap.
  struct Gap {
    /// The times of the fixes at its ends.
    var times: ClosedRange<Double>
    /// The seconds by which the drive was slower or faster in it than the usual lap.
    var difference: Double
  }

  /// The filled gaps in order of time.
  let gaps: [Gap]
  /// The times at which the drive was stationary.
  private(set) var stops: [StopDetector.Stop]
  /// The recorded velocity per fix in metres per second, or nil if it is unknown. Empty if it is unknown for
  /// all fixes.
  let velocities: [SIMD3<Double>?]

  /// The distance in metres below which motion is jitter.
  static let spacing = 3.0
  /// The approximate length of the parts into which the curve is divided, in metres.
  static let resolution = 10.0

  /// - Parameter findsStops: whether to find ``stops``.
  init(_ trace: TimedDrive, findsStops: Bool = true) {
    let places = (0..<trace.count).map {
      EarthFixed.vector(latitude: trace.latitudes[$0], longitude: trace.longitudes[$0])
    }
    let velocities = trace.motion.map { RecordedVelocities($0, places, trace.elapsed).velocities } ?? []
    let stops =
      findsStops
      ? StopDetector(TimedPlaces(places, elapsed: trace.elapsed), moving: 0..<places.count).found : []
    self.init(places, times: trace.elapsed, velocities: velocities, stops: stops)
  }

  /// Finds the stops between two times, in a path without stops.
  mutating func findStops(from start: Double, to end: Double) {
    guard count > 1 else { return }
    let range = step(at: start)..<(step(at: end) + 2)
    stops = StopDetector(TimedPlaces(places, elapsed: times), moving: range).found
    Self.removeDrift(during: stops, times, from: &distances)
  }

  /// Creates a path.
  ///
  /// - Parameters:
  ///   - places: at least one position, as many as `times`.
  ///   - velocities: the recorded velocity per fix, or empty.
  ///   - gaps: the filled gaps in order of time.
  ///   - stops: the stops in order of time.
  init(
    _ places: [SIMD3<Double>], times: [Double], velocities: [SIMD3<Double>?] = [],
    gaps: [Gap] = [], stops: [StopDetector.Stop] = []
  ) {
    self.velocities = velocities
    self.places = places
    self.times = times
    self.gaps = gaps
    self.stops = stops
    var distances = [Double](repeating: 0, count: places.count)
    var anchor = 0
    // The end of the last curve, where the next one usually starts.
    var end: (fix: Int, velocity: SIMD3<Double>)?
    for index in places.indices.dropFirst() {
      let step = (places[index] - places[anchor]).length
      guard step >= Self.spacing else {
        distances[index] = distances[anchor]
        continue
      }
      var length = step
      if anchor + 1 == index, step > Self.resolution {
        let start =
          end.flatMap { $0.fix == anchor ? $0.velocity : nil }
          ?? Self.velocity(places, times, velocities, anchor)
        let velocity = Self.velocity(places, times, velocities, index)
        end = (index, velocity)
        length = HermiteCurve(
          from: places[anchor], to: places[index], velocities: (start, velocity),
          seconds: times[index] - times[anchor]
        ).length(parts: max(2, min(16, Int(step / Self.resolution))))
      }
      distances[index] = distances[anchor] + length
      // Distribute the distance over the fixes in between.
      for between in (anchor + 1)..<max(index, anchor + 1) {
        let share = (places[between] - places[anchor]).length / step
        distances[between] += min(share, 1) * (distances[index] - distances[anchor])
      }
      anchor = index
    }
    for index in (anchor + 1)..<max(places.count, anchor + 1) {
      distances[index] = max(
        distances[index - 1], distances[anchor] + (places[index] - places[anchor]).length)
    }
    Self.removeDrift(during: stops, times, from: &distances)
    self.distances = distances
  }

  /// Removes the motion of a receiver that drifts while the drive is stationary.
  private static func removeDrift(
    during stops: [StopDetector.Stop], _ times: [Double], from distances: inout [Double]
  ) {
    // A pause without fixes is not drift: the gap may be filled with the road.
    var stops = stops.lazy.filter { !$0.points.isEmpty }.makeIterator()
    guard var stop = stops.next() else { return }
    var drift = 0.0
    var last = distances[0]
    for index in distances.indices.dropFirst() {
      while times[index - 1] > stop.departure, let next = stops.next() { stop = next }
      let step = distances[index] - last
      last = distances[index]
      if times[index - 1] >= stop.arrival, times[index] <= stop.departure { drift += step }
      distances[index] -= drift
    }
  }

  /// Returns the stationary time between two times, in seconds.
  func waiting(from start: Double, to end: Double) -> Double {
    let first = stops.partitionIndex { $0.departure > start }
    return stops[first...].prefix { $0.arrival < end }.reduce(0) {
      $0 + max(0, min($1.departure, end) - max($1.arrival, start))
    }
  }

  var count: Int { places.count }

  /// Returns the last fix at or before a time, but not the last fix of the path.
  func step(at time: Double) -> Int {
    let next = (0..<count).partitionIndex { times[$0] > time }
    return max(min(next - 1, count - 2), 0)
  }

  /// Returns the filled gap at a time, or nil.
  func gap(at time: Double) -> Gap? {
    let index = gaps.partitionIndex { $0.times.upperBound >= time }
    return index < gaps.count && gaps[index].times.lowerBound <= time ? gaps[index] : nil
  }

  /// Returns the position on the curve at a time.
  func place(at time: Double) -> SIMD3<Double> {
    guard count > 1 else { return places[0] }
    let step = step(at: time)
    return place(step, fraction(of: time, in: step))
  }

  /// Returns the distance driven until a time, in metres.
  func distance(at time: Double) -> Double {
    guard count > 1 else { return 0 }
    let step = step(at: time)
    return distances[step] + fraction(of: time, in: step) * (distances[step + 1] - distances[step])
  }

  /// Returns the last fix at or before a driven distance, but not the last fix of the path.
  func step(atDistance distance: Double) -> Int {
    max(min(distances.partitionIndex { $0 > distance } - 1, count - 2), 0)
  }

  /// Returns the position at a fraction of the interval between a fix and the next one.
  func place(_ step: Int, _ fraction: Double) -> SIMD3<Double> { curve(step).place(fraction) }

  /// Returns the curve between a fix and the next one.
  func curve(_ step: Int) -> HermiteCurve {
    HermiteCurve(
      from: places[step], to: places[step + 1], velocities: (velocity(step), velocity(step + 1)),
      seconds: times[step + 1] - times[step])
  }

  /// Returns the velocity at a fix, in metres per second.
  func velocity(_ fix: Int) -> SIMD3<Double> { Self.velocity(places, times, velocities, fix) }

  /// Returns samples of the curve between two times, about ``resolution`` apart: their times and positions.
  ///
  /// - Parameter fixes: the number of fixes of all paths that are sampled, or nil for this path alone.
  func samples(
    from start: Double, to end: Double, fixes: Int? = nil
  ) -> [(time: Double, place: SIMD3<Double>)] {
    guard count > 1, end > start else { return [] }
    // For a bounded size, even if the paths have many jumps.
    let mostParts = min(64, max(1, 400_000 / max(fixes ?? count, count)))
    var samples = [(start, place(at: start))]
    for step in step(at: start)...step(at: end) {
      let parts = max(1, min(mostParts, Int((places[step + 1] - places[step]).length / Self.resolution)))
      let curve = curve(step)
      for part in 0..<parts {
        let fraction = Double(part) / Double(parts)
        let time = times[step] + fraction * (times[step + 1] - times[step])
        guard time > start, time < end else { continue }
        let place = curve.place(fraction)
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

  private static func velocity(
    _ places: [SIMD3<Double>], _ times: [Double], _ velocities: [SIMD3<Double>?], _ fix: Int
  ) -> SIMD3<Double> {
    if fix < velocities.count, let recorded = velocities[fix] { return recorded }
    return parabola(places, times, fix)
  }

  /// Returns the velocity at a fix of the parabola through it and its neighbours.
  static func parabola(_ places: [SIMD3<Double>], _ times: [Double], _ fix: Int) -> SIMD3<Double> {
    func slope(_ step: Int) -> SIMD3<Double>? {
      guard step >= 0, step + 1 < places.count, times[step + 1] > times[step] else { return nil }
      return (places[step + 1] - places[step]) / (times[step + 1] - times[step])
    }
    guard let before = slope(fix - 1) else { return slope(fix) ?? .zero }
    guard let after = slope(fix) else { return before }
    let (first, last) = (times[fix] - times[fix - 1], times[fix + 1] - times[fix])
    // In a bend, the vectors partly cancel each other, but the speeds do not. The correct value is between
    // the two.
    let speed = (last * before.length + first * after.length) / (first + last)
    let velocity = (last * before + first * after) / (first + last)
    return (speed + velocity.length) / 2 * velocity.normalized
  }
}
