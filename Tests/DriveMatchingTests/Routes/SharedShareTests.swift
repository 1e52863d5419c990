import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Share of the same road")
struct SharedShareTests {
  private static func line(_ road: SimulatedRoad, seed: UInt64) throws -> MatchablePolyline {
    let trace = try SimulatedDrive(road, speed: 12).trace("", noise: 1, seed: seed)
    let coordinates = (0..<trace.count).map(trace.coordinate)
    return try #require(SimplifiedRoute(coordinates, duration: trace.duration)).line
  }

  private static func share(_ first: SimulatedRoad, _ second: SimulatedRoad) throws -> Double {
    SharedShare(try line(first, seed: 1), try line(second, seed: 2)).share
  }

  private static let road = SimulatedRoad().straight(3000)

  @Test("The smaller share of both drives is returned, without ends that are within the tolerance")
  func shares() throws {
    #expect(try Self.share(Self.road, Self.road) > 0.99)
    #expect(try Self.share(Self.road, Self.road.part(100...2900)) > 0.99)
    // A recording that begins 400 m after the start.
    #expect(try Self.share(Self.road, Self.road.part(400...3000)) > 0.99)
    // The engine does not treat 60 m as a detour, but 1,000 m of 3,000 m on a parallel road.
    let detour = Self.road.detour(over: 1000...2000, offset: 100, angle: 89)
    #expect(abs(try Self.share(Self.road, detour) - 2000.0 / 3200) < 0.03)
  }

  @Test("Less than half, another direction and different roads have a share of zero")
  func nothing() throws {
    #expect(try Self.share(Self.road, Self.road.reversed) == 0)
    #expect(
      try Self.share(Self.road, SimulatedRoad().straight(1200).arc(10, turning: 90).straight(1790)) == 0)
    #expect(try Self.share(Self.road, SimulatedRoad(from: SIMD2(0, 5000)).straight(3000)) == 0)
    // Other ends: 500 m farther along, and 1,000 m to the side.
    #expect(try Self.share(Self.road, SimulatedRoad().straight(3500)) == 0)
    #expect(try Self.share(Self.road, SimulatedRoad().straight(2000).arc(10, turning: 90).straight(990)) == 0)
    #expect(SharedShare(MatchablePolyline(), try Self.line(Self.road, seed: 1)).share == 0)
    #expect(SharedShare(MatchablePolyline(), MatchablePolyline()).share == 0)
  }
}
