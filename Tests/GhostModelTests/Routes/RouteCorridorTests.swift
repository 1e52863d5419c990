import Testing
import TrackModel

@testable import GhostModel

@Suite("Neighbourhoods of ways")
struct RouteCorridorTests {
  private static let road = SimulatedRoad().straight(1500).arc(300, turning: 90).straight(1200)

  private static func sketch(_ road: SimulatedRoad, step: Int) throws -> RouteSketch {
    let projection = Projection.plane(latitude: 47, longitude: 8)
    let coordinates = stride(from: 0, to: road.points.count, by: step).map {
      projection.coordinate(road.points[$0])
    }
    return try #require(RouteSketch(coordinates, duration: 300))
  }

  @Test("A way lies in its own neighbourhood, and one on another road does not")
  func holds() throws {
    let corridor = RouteCorridor(try Self.sketch(Self.road, step: 10))
    for (road, isHeld) in [
      (Self.road, true), (Self.road.reversed, true), (Self.road.roundABlock(at: 700), true),
      (SimulatedRoad(from: SIMD2(0, 500)).straight(3000), false),
      (Self.road.byAnotherRoad(bulge: 900), false),
    ] {
      for step in [10, 120] {
        let probes = RouteCorridor.probes(of: try Self.sketch(road, step: step))
        #expect(probes.count == 16)
        #expect(corridor.mayHold(probes) == isHeld)
      }
    }
  }

  @Test("A way with long steps says nothing of where its road lies")
  func sparse() throws {
    let corridor = RouteCorridor(try Self.sketch(Self.road, step: 500))
    #expect(corridor.mayHold(RouteCorridor.probes(of: try Self.sketch(Self.road.reversed, step: 10))))
    #expect(
      corridor.mayHold(RouteCorridor.probes(of: try Self.sketch(SimulatedRoad().straight(3000), step: 10))))
  }
}
