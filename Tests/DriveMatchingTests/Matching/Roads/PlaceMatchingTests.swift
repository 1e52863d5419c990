import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Matching by place")
struct PlaceMatchingTests {
  private func line(_ road: SimulatedRoad, speed: Double = 14, seed: UInt64 = 1) throws -> MatchablePolyline {
    MatchablePolyline(try SimulatedDrive(road, speed: speed).trace("a", seed: seed))
  }

  @Test("On one road, every vertex is matched in order and close to its true place")
  func oneRoad() throws {
    let road = SimulatedRoad().winding(10)
    let (first, second) = (try line(road, seed: 2), try line(road, speed: 11, seed: 3))
    let matching = PlaceMatching(of: first, on: second)
    #expect(matching.distanceAlong.allSatisfy { !$0.isNaN })
    #expect(zip(matching.distanceAlong, matching.distanceAlong.dropFirst()).allSatisfy { $0 <= $1 })
    // The lengths of the lines differ because of noise.
    for (vertex, distanceAlong) in matching.distanceAlong.enumerated() {
      #expect(
        abs(distanceAlong / second.length - first.distanceAlong[vertex] / first.length) * road.length < 45)
    }
  }

  @Test("A detour of some kilometres is not shared at any vertex")
  func detour() throws {
    let road = SimulatedRoad().straight(6000)
    let first = try line(road.detour(over: 1000...5000, offset: 300, angle: 60), seed: 4)
    let matching = PlaceMatching(of: first, on: try line(road, seed: 5))
    for (vertex, distanceAlong) in matching.distanceAlong.enumerated() {
      let metres = first.distanceAlong[vertex]
      if metres > 1080, metres < 5260 { #expect(distanceAlong.isNaN) }
      if metres < 960 || metres > 5400 { #expect(!distanceAlong.isNaN) }
    }
  }

  @Test("A crossing road is not shared")
  func crossing() throws {
    let matching = PlaceMatching(
      of: try line(SimulatedRoad().straight(2000)),
      on: try line(SimulatedRoad(from: SIMD2(1000, -1000), heading: 90).straight(2000)))
    #expect(matching.distanceAlong.allSatisfy { $0.isNaN })
  }
}
