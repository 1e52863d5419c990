import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Shares of the same road")
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

  @Test("It is that of the drive of which less is shared, ends within reach not counted")
  func shares() throws {
    #expect(try Self.share(Self.road, Self.road) > 0.99)
    #expect(try Self.share(Self.road, Self.road.part(100...2900)) > 0.99)
    // One that was under way for 400 m already.
    #expect(try Self.share(Self.road, Self.road.part(400...3000)) > 0.99)
    // 60 m are no detour for the engine, 1,000 m of 3,000 m beside the road are.
    let detour = Self.road.detour(over: 1000...2000, offset: 100, angle: 89)
    #expect(abs(try Self.share(Self.road, detour) - 2000.0 / 3200) < 0.03)
  }

  @Test("Less than half, another direction and nothing at all share nothing")
  func nothing() throws {
    #expect(try Self.share(Self.road, Self.road.reversed) == 0)
    #expect(
      try Self.share(Self.road, SimulatedRoad().straight(1200).arc(10, turning: 90).straight(1790)) == 0)
    #expect(try Self.share(Self.road, SimulatedRoad(from: SIMD2(0, 5000)).straight(3000)) == 0)
    // Other ends: 500 m further on, and 1,000 m aside.
    #expect(try Self.share(Self.road, SimulatedRoad().straight(3500)) == 0)
    #expect(try Self.share(Self.road, SimulatedRoad().straight(2000).arc(10, turning: 90).straight(990)) == 0)
    #expect(SharedShare(MatchablePolyline(), try Self.line(Self.road, seed: 1)).share == 0)
    #expect(SharedShare(MatchablePolyline(), MatchablePolyline()).share == 0)
  }
}
