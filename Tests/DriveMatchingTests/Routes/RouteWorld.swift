import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

/// Simulated drives of which the routes are known.
struct RouteWorld {
  var drives: [RouteDrive] = []
  /// The route of each drive; `nil` for a drive without one.
  var truth: [UUID: Int] = [:]
  private var generator: SeededGenerator
  private let area: Int

  /// Creates an empty world.
  ///
  /// - Parameter area: the number of the area; worlds of different areas are 100 km apart.
  init(seed: UInt64, area: Int = 0) {
    generator = SeededGenerator(seed: seed)
    self.area = area
  }

  private var projection: Projection { .plane(latitude: 47 + Double(area) * 0.9, longitude: 8) }

  /// Adds a drive on a road.
  ///
  /// - Parameter aside: the distance by which the whole drive is shifted to the north and to the east, in
  ///   metres.
  @discardableResult
  mutating func add(
    _ road: SimulatedRoad, route: Int?, day: Double? = nil, sampling: SimulatedDrive.Sampling = .every(1),
    noise: Double = 2.5, aside: Double = 0, name: String = "", speed: Double = 13,
    idle: Double = 8
  ) throws -> RouteDrive {
    var moved = road
    if aside != 0 {
      moved = SimulatedRoad(from: road.points[0] + aside).following(road.points.map { $0 + aside })
    }
    let trace = try SimulatedDrive(moved, speed: speed, sway: 0.3, idle: (start: idle, end: 5)).trace(
      "", sampling, noise: noise, seed: generator.next(), projection: projection)
    let coordinates = (0..<trace.count).map(trace.coordinate)
    let drive = RouteDrive(
      id: id(), name: name, startTime: day.flatMap { Instant(secondsSince1970: 1.6e9 + $0 * 86_400) },
      duration: trace.duration, distance: Geodesy.length(of: coordinates),
      path: try #require(SimplifiedRoute(coordinates, duration: trace.duration)))
    drives.append(drive)
    truth[drive.id] = route
    return drive
  }

  private mutating func id() -> UUID {
    let words = (generator.next(), generator.next())
    func byte(_ index: Int) -> UInt8 {
      UInt8(truncatingIfNeeded: (index < 8 ? words.0 : words.1) >> UInt64(index % 8 * 8))
    }
    return UUID(
      uuid: (
        byte(0), byte(1), byte(2), byte(3), byte(4), byte(5), byte(6), byte(7), byte(8), byte(9), byte(10),
        byte(11), byte(12), byte(13), byte(14), byte(15)
      ))
  }

  /// The drives of each route that has several, as sets of ids.
  var expected: Set<Set<UUID>> {
    let groups = Dictionary(grouping: truth.keys) { truth[$0] ?? -1 }
    return Set(groups.values.filter { $0.count > 1 }.map(Set.init))
  }

  /// Returns a world of several roads. Each is driven several times with different noise, devices, detours
  /// and ends; in the opposite direction; on another road between the same ends; and once only.
  static func random(seed: UInt64) throws -> RouteWorld {
    var world = RouteWorld(seed: seed)
    var generator = SeededGenerator(seed: seed ^ 0xFF)
    let samplings: [SimulatedDrive.Sampling] = [.every(1), .every(4), .smart, .metres(30)]
    var route = 0
    for _ in 0..<3 {
      world.nextOrigin += SIMD2(9000, 2000)
      let base = SimulatedRoad(from: world.nextOrigin, heading: .random(in: 0..<360, using: &generator))
        .straight(500).winding(4, seed: generator.next()).straight(900)
        .winding(3, seed: generator.next())
      let other = base.byAnotherRoad(bulge: 900)
      for (road, count) in [(base, 6), (base.reversed, 3), (other, 3), (other.reversed, 1)] {
        for drive in 0..<count {
          var way = road
          // Begins up to 70 m later and ends earlier, like a drive between parking spaces. Every third drive
          // has a detour around a block.
          let cut = Int.random(in: 0...70, using: &generator)
          if drive % 3 == 2 { way = way.roundABlock(at: way.points.count / 2) }
          let last = way.points.count - 1 - Int.random(in: 0...70, using: &generator)
          way = way.part(cut...max(last, cut + 1))
          try world.add(
            way, route: route, day: .random(in: 0...900, using: &generator),
            sampling: samplings.randomElement(using: &generator) ?? .every(1),
            noise: .random(in: 1...4, using: &generator), aside: .random(in: -4...4, using: &generator),
            name: "Route \(route)", speed: .random(in: 9...16, using: &generator))
        }
        route += 1
      }
    }
    return world
  }

  private var nextOrigin = SIMD2<Double>.zero
}

extension SimulatedRoad {
  /// Returns another road between the same ends, of which the first and the last 300 m are shared.
  func byAnotherRoad(bulge: Double) -> SimulatedRoad {
    let (from, to) = (points[300], points[points.count - 301])
    let way = to - from
    let length = (way.x * way.x + way.y * way.y).squareRoot()
    // To the side on which the road is not.
    let left = SIMD2(-way.y, way.x) / length
    let sides = points.map { point in (point - from).x * left.x + (point - from).y * left.y }
    let reach = max(abs(sides.max() ?? 0), abs(sides.min() ?? 0))
    let side = (sides.max() ?? 0) > -(sides.min() ?? 0) ? -1.0 : 1.0
    var line = Array(points[0...300])
    let count = Int(length * 2)
    let aside = left * side * (reach + bulge) * 4
    for index in 1..<count {
      let fraction = Double(index) / Double(count)
      let along = from + way * fraction
      line.append(along + aside * fraction * (1 - fraction))
    }
    line += points[(points.count - 301)...]
    return SimulatedRoad(from: points[0]).following(line).evenlySpaced
  }

  /// Returns the road with a detour around a block of 120 m by 80 m.
  func roundABlock(at metre: Int) -> SimulatedRoad {
    let (from, to) = (points[metre], points[metre + 120])
    let way = to - from
    let length = (way.x * way.x + way.y * way.y).squareRoot()
    let left = SIMD2(-way.y, way.x) / length * 80
    return SimulatedRoad(from: points[0]).following(
      Array(points[1...metre]) + [from + left, to + left] + Array(points[(metre + 120)...])
    ).evenlySpaced
  }
}
