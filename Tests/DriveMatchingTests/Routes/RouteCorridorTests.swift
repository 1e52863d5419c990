import Testing
import TrackModel

@testable import DriveMatching

@Suite("Route corridors")
struct RouteCorridorTests {
  private static let road = SimulatedRoad().straight(1500).arc(300, turning: 90).straight(1200)

  private static func path(_ road: SimulatedRoad, step: Int) throws -> SimplifiedRoute {
    let projection = Projection.plane(latitude: 47, longitude: 8)
    let coordinates = stride(from: 0, to: road.points.count, by: step).map {
      projection.coordinate(road.points[$0])
    }
    return try #require(SimplifiedRoute(coordinates, duration: 300))
  }

  @Test("A corridor contains its own route, but not one on another road")
  func holds() throws {
    let corridor = RouteCorridor(try Self.path(Self.road, step: 10))
    for (road, isHeld) in [
      (Self.road, true), (Self.road.reversed, false), (Self.road.roundABlock(at: 700), true),
      (SimulatedRoad(from: SIMD2(0, 500)).straight(3000), false),
      (Self.road.byAnotherRoad(bulge: 900), false),
    ] {
      for step in [10, 120] {
        let path = try Self.path(road, step: step)
        let probes = RouteCorridor.probes(of: path)
        #expect(probes.count == 24)
        #expect(Set(probes.map(\.distanceAlong)).count > 20)
        #expect(corridor.mayHold(probes, length: path.length) == isHeld)
      }
    }
  }

  @Test("The corridor is wider if the points of the route are farther apart", arguments: [100, 500, 1500])
  func sparse(step: Int) throws {
    let corridor = RouteCorridor(try Self.path(Self.road, step: step))
    let path = try Self.path(Self.road, step: 10)
    #expect(corridor.mayHold(RouteCorridor.probes(of: path), length: path.length))
    let elsewhere = try Self.path(SimulatedRoad(from: SIMD2(0, 4000)).straight(3000), step: 10)
    #expect(!corridor.mayHold(RouteCorridor.probes(of: elsewhere), length: elsewhere.length))
  }

  @Test("A route without points is not in any corridor")
  func empty() throws {
    let point = Coordinate(latitude: 1, longitude: 2)
    let path = try #require(SimplifiedRoute([point, point], duration: 1))
    #expect(RouteCorridor.probes(of: path).count == 24)
    #expect(RouteCorridor(path).mayHold(RouteCorridor.probes(of: path), length: 0))
  }
}
