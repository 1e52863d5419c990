import CMath
import TestSupport
import TrackModel

/// A road as a line of points one metre apart, in metres east and north of an origin.
struct SimulatedRoad {
  private(set) var points: [SIMD2<Double>]
  /// The heading at the end, in degrees counterclockwise from east.
  private(set) var heading: Double

  init(from start: SIMD2<Double> = .zero, heading: Double = 0) {
    points = [start]
    self.heading = heading
  }

  /// The length in metres.
  var length: Double { Double(points.count - 1) }
  var end: SIMD2<Double> { points[points.count - 1] }

  /// Returns the road, continued by a straight line of whole metres.
  func straight(_ metres: Int) -> SimulatedRoad { arc(metres, turning: 0) }

  /// Returns the road, continued by a bend: to the left if `turning` is positive.
  func arc(_ metres: Int, turning degrees: Double) -> SimulatedRoad {
    var road = self
    let step = degrees / Double(metres)
    for _ in 0..<metres {
      let angle = (road.heading + step / 2) * .pi / 180
      road.points.append(road.end + SIMD2(cos(angle), sin(angle)))
      road.heading += step
    }
    return road
  }

  /// Returns the road, continued by bends to both sides, so that no two places look alike.
  func winding(_ pieces: Int, seed: UInt64 = 1) -> SimulatedRoad {
    var generator = SeededGenerator(seed: seed)
    var road = self
    for piece in 0..<pieces {
      let turn = Double.random(in: 20...60, using: &generator) * (piece.isMultiple(of: 2) ? 1 : -1)
      road = road.straight(Int.random(in: 150...400, using: &generator)).arc(120, turning: turn)
    }
    return road
  }

  /// Returns the road, continued by another one, which is moved and rotated to fit.
  func then(_ other: SimulatedRoad) -> SimulatedRoad {
    var road = self
    let angle = (heading - other.startHeading) * .pi / 180
    let (origin, start) = (end, other.points[0])
    for point in other.points.dropFirst() {
      let offset = point - start
      road.points.append(
        origin
          + SIMD2(
            offset.x * cos(angle) - offset.y * sin(angle), offset.x * sin(angle) + offset.y * cos(angle)))
    }
    road.heading = heading + other.heading - other.startHeading
    return road
  }

  /// Returns the road, continued by a line of points, which need not begin at the road's end.
  func following(_ line: [SIMD2<Double>]) -> SimulatedRoad {
    var road = self
    road.points += line
    return road
  }

  private var startHeading: Double {
    let step = points[1] - points[0]
    return atan2(step.y, step.x) * 180 / .pi
  }

  /// The road in the opposite direction.
  var reversed: SimulatedRoad {
    var road = self
    road.points.reverse()
    road.heading += 180
    return road
  }

  /// Returns a part of the road, in metres from its start.
  func part(_ range: ClosedRange<Int>) -> SimulatedRoad {
    var road = SimulatedRoad(from: points[range.lowerBound], heading: heading)
    road.points = Array(points[range])
    return road
  }

  /// Returns the place at a distance along the road.
  func place(at metres: Double) -> SIMD2<Double> {
    let index = min(max(Int(metres), 0), points.count - 2)
    return points[index] + (metres - Double(index)) * (points[index + 1] - points[index])
  }

  /// Returns the road with a detour that leaves it at an angle, is parallel to it and returns.
  ///
  /// - Parameters:
  ///   - range: the metres along this road between fork and return, where the road should be straight.
  ///   - offset: the largest distance to the left of the road, in metres.
  func detour(over range: ClosedRange<Int>, offset: Double, angle: Double) -> SimulatedRoad {
    let ramp = offset / tan(angle * .pi / 180)
    var road = SimulatedRoad(from: points[0])
    road.points = []
    for (index, point) in points.enumerated() {
      let tangent = points[min(index + 1, points.count - 1)] - points[max(index - 1, 0)]
      let length = (tangent.x * tangent.x + tangent.y * tangent.y).squareRoot()
      let left = SIMD2(-tangent.y, tangent.x) / length
      let (into, back) = (Double(index - range.lowerBound), Double(range.upperBound - index))
      road.points.append(point + left * offset * max(0, min(1, into / ramp, back / ramp)))
    }
    return road.evenlySpaced
  }

  /// The same line with points one metre apart.
  var evenlySpaced: SimulatedRoad {
    var road = self
    road.points = [points[0]]
    var carried = 0.0
    for index in 1..<points.count {
      let step = points[index] - points[index - 1]
      let length = (step.x * step.x + step.y * step.y).squareRoot()
      var position = 1 - carried
      while position <= length {
        road.points.append(points[index - 1] + step * (position / length))
        position += 1
      }
      carried = length - (position - 1)
    }
    return road
  }
}

/// A projection of metres east and north onto the Earth.
enum Projection {
  /// A projection around a place, with the radii of curvature of WGS 84 there. Accurate for some kilometres,
  /// except near the poles.
  case plane(latitude: Double, longitude: Double)
  /// A projection around the north pole, with north at 90° E.
  case pole

  func coordinate(_ place: SIMD2<Double>) -> Coordinate {
    switch self {
    case .plane(let latitude, let longitude):
      let sine = sin(latitude * .pi / 180)
      let curvature = 1 - 0.00669437999014 * sine * sine
      let north = 6_378_137 * (1 - 0.00669437999014) / pow(curvature, 1.5)
      let east = 6_378_137 / curvature.squareRoot() * cos(latitude * .pi / 180)
      var degrees = longitude + place.x / east * 180 / .pi
      if degrees > 180 { degrees -= 360 }
      return Coordinate(latitude: latitude + place.y / north * 180 / .pi, longitude: degrees)
    case .pole:
      let distance = (place.x * place.x + place.y * place.y).squareRoot()
      // The radius of curvature at the pole, a² / b.
      return Coordinate(
        latitude: 90 - distance / 6_399_593.6258 * 180 / .pi, longitude: atan2(place.y, place.x) * 180 / .pi)
    }
  }
}
