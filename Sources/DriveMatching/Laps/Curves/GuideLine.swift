import TrackModel

/// A line with the distance along it, for following a drive on a known road.
struct GuideLine {
  let places: [SIMD3<Double>]
  /// The distance from the first position along the line in metres, per position.
  let distanceAlong: [Double]

  /// In metres.
  var length: Double { distanceAlong.last ?? 0 }

  /// The distance in metres that a drive may appear to move backwards, because of noise.
  private static let backward = 30.0
  /// The maximum distance in metres by which a drive may be ahead of the position expected from its driven
  /// distance.
  private static let forward = 40.0

  /// Creates a line.
  ///
  /// - Parameter places: at least two positions.
  init(_ places: [SIMD3<Double>]) {
    self.places = places
    var distanceAlong = [Double](repeating: 0, count: places.count)
    for index in places.indices.dropFirst() {
      distanceAlong[index] = distanceAlong[index - 1] + (places[index] - places[index - 1]).length
    }
    self.distanceAlong = distanceAlong
  }

  /// Returns the nearest point of a part of the line: the distance along the line, and to the left of it,
  /// in metres.
  func nearest(
    to place: SIMD3<Double>, from low: Double, to high: Double
  ) -> (distanceAlong: Double, left: Double) {
    var best = (distanceAlong: low, left: Double.infinity)
    var index = segment(at: low)
    let up = place.normalized
    while index + 1 < places.count, distanceAlong[index] <= high {
      let step = places[index + 1] - places[index]
      let (fraction, rest) = (place - places[index]).projected(onto: step)
      let distance = rest.length
      if distance < abs(best.left) {
        let left = up.cross(step).dot(rest) >= 0 ? distance : -distance
        best = (distanceAlong[index] + fraction * (distanceAlong[index + 1] - distanceAlong[index]), left)
      }
      index += 1
    }
    return best
  }

  /// Returns the nearest point of the whole line.
  func nearest(to place: SIMD3<Double>) -> (distanceAlong: Double, left: Double) {
    nearest(to: place, from: 0, to: length)
  }

  /// Returns the position at a distance along the line.
  func place(at distance: Double) -> SIMD3<Double> {
    let index = segment(at: distance)
    let length = distanceAlong[index + 1] - distanceAlong[index]
    let fraction = length > 0 ? min(max((distance - distanceAlong[index]) / length, 0), 1) : 0
    return places[index] + fraction * (places[index + 1] - places[index])
  }

  /// Returns the direction of the line at a distance along it, with length 1.
  func direction(at distance: Double) -> SIMD3<Double> {
    let index = segment(at: distance)
    return (places[index + 1] - places[index]).normalized
  }

  func segment(at distance: Double) -> Int {
    let next = distanceAlong.partitionIndex { !($0 <= distance) }
    return max(0, min(next - 1, places.count - 2))
  }

  /// A fix of a drive, matched with the line.
  struct Match {
    var time: Double
    /// The distance along the line in metres.
    var distanceAlong: Double
    /// The distance to the left of the line in metres.
    var left: Double
    /// In metres per second.
    var speed: Double
  }

  /// Returns the fixes of a drive between two times, matched with the line from its start.
  ///
  /// - Parameter farthest: the lateral distance in metres above which a match is the last one.
  func follow(
    _ path: SmoothPath, from start: Double, to end: Double, within farthest: Double = .infinity
  ) -> [Match] {
    let steps = path.step(at: start)...path.step(at: end)
    let fixes = (steps.lowerBound + 1)...max(steps.upperBound, steps.lowerBound + 1)
    return follow(
      path, from: start, within: farthest,
      fixes.lazy.filter { path.times[$0] >= start && path.times[$0] <= end }.map {
        (path.times[$0], path.places[$0], path.velocity($0).length)
      })
  }

  /// Returns points of the drive's curve, matched with the line. They are about evenly spaced, regardless
  /// of the distance between fixes.
  func followCurve(_ path: SmoothPath, from start: Double, to end: Double) -> [Match] {
    let samples = path.samples(from: start, to: end)
    let points = zip(samples, samples.dropFirst()).map { before, after in
      let seconds = after.time - before.time
      return (after.time, after.place, seconds > 0 ? (after.place - before.place).length / seconds : 0)
    }
    return follow(path, from: start, within: .infinity, points)
  }

  private func follow(
    _ path: SmoothPath, from start: Double, within farthest: Double,
    _ points: some Sequence<(time: Double, place: SIMD3<Double>, speed: Double)>
  ) -> [Match] {
    var matches: [Match] = []
    var supposed = 0.0
    var driven = path.distance(at: start)
    for point in points {
      let distance = path.distance(at: point.time)
      let found = nearest(
        to: point.place, from: supposed - Self.backward,
        to: supposed + 1.3 * (distance - driven) + Self.forward)
      driven = distance
      supposed = max(supposed, found.distanceAlong)
      matches.append(
        Match(time: point.time, distanceAlong: found.distanceAlong, left: found.left, speed: point.speed))
      if abs(found.left) > farthest { break }
    }
    return matches
  }
}
