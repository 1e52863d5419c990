import Testing
import TrackModel

@testable import DriveMatching
@testable import GhostModel

@Suite("Forks")
struct ForkPlacementTests {
  @Test(
    "The fork is placed where the ramp leaves the road, at any angle",
    arguments: [6.0, 10, 20, 45, 80])
  func ramp(angle: Double) throws {
    let road = SimulatedRoad().straight(3000)
    let other = road.detour(over: 1000...2900, offset: 100, angle: angle)
    let lines = Paired(
      MatchablePolyline(try SimulatedDrive(road, speed: 14).trace("a", noise: 0)),
      MatchablePolyline(try SimulatedDrive(other, speed: 14).trace("b", noise: 0)))
    // The place of the fork according to a threshold of 24 m.
    let late = min(24 / (angle * .pi / 180), 240)
    let edge = SharedRoad.Place(1000 + late, 1000 + late)
    let offset = try #require(
      ForkPlacement(lines: lines).offset(
        edge: edge, forwards: true, limit: SharedRoad.Place(2900, 2900), shared: SharedRoad.Place(0, 0)))
    #expect(abs(1000 + late + offset - 1000) < 8)
  }

  @Test("Parallel roads that do not approach each other have no fork")
  func parallel() throws {
    let lines = Paired(
      MatchablePolyline(try SimulatedDrive(SimulatedRoad().straight(2000), speed: 14).trace("a", noise: 0)),
      MatchablePolyline(
        try SimulatedDrive(SimulatedRoad(from: SIMD2(0, 10)).straight(2000), speed: 14)
          .trace("b", noise: 0)))
    let offset = ForkPlacement(lines: lines).offset(
      edge: SharedRoad.Place(1000, 1000), forwards: true, limit: SharedRoad.Place(2000, 2000),
      shared: SharedRoad.Place(0, 0))
    #expect(offset == nil)
  }
}
