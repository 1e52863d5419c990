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
    let fork = try #require(
      ForkPlacement(lines: lines).place(
        edge: edge, forwards: true, limit: SharedRoad.Place(2900, 2900), shared: SharedRoad.Place(0, 0)))
    #expect(abs(fork.first - 1000) < 8)
    #expect(abs(fork.second - 1000) < 8)
  }

  @Test("Parallel roads that do not approach each other have no fork")
  func parallel() throws {
    let lines = Paired(
      MatchablePolyline(try SimulatedDrive(SimulatedRoad().straight(2000), speed: 14).trace("a", noise: 0)),
      MatchablePolyline(
        try SimulatedDrive(SimulatedRoad(from: SIMD2(0, 10)).straight(2000), speed: 14)
          .trace("b", noise: 0)))
    let fork = ForkPlacement(lines: lines).place(
      edge: SharedRoad.Place(1000, 1000), forwards: true, limit: SharedRoad.Place(2000, 2000),
      shared: SharedRoad.Place(0, 0))
    #expect(fork == nil)
  }

  @Test(
    "A junction at which one drive turns is at one place in either order", arguments: [0.0, 3], [1.0, 5])
  func corner(noise: Double, interval: Double) throws {
    // Around a corner of 90° in an arc of 12 m, onto a straight road, and off it in the same way.
    let radius = 12 / (Double.pi / 2)
    let corners = (enter: 1000.0, leave: 1000 + 2 * radius + 1185)
    let side = SimulatedRoad(from: SIMD2(corners.enter, -600 - radius), heading: 90)
      .straight(600).arc(12, turning: -90).straight(1185).arc(12, turning: 90).straight(600)
    let straight = SimulatedDrive(SimulatedRoad().straight(3000), speed: 12)
    let turning = SimulatedDrive(side, speed: 5)
    let gap =
      turning.time(at: 600 + 12 + 1185 + 6) - turning.time(at: 600 + 6)
      - (straight.time(at: corners.leave) - straight.time(at: corners.enter))
    let drives = [
      try straight.trace("straight", .every(interval), noise: noise, seed: 3),
      try turning.trace("turning", .every(interval), noise: noise, seed: 4),
    ]
    let found = try DriveComparison.compare(drives).pairs[0]
    let reversed = try DriveComparison.compare(drives.reversed()).pairs[0]
    let gaps = (try #require(found.finalGap), try #require(reversed.finalGap))
    #expect(abs(gaps.0 - gap) < 2 * found.uncertainty)
    #expect(abs(gaps.0 + gaps.1) < 0.1)
    #expect(abs(found.uncertainty - reversed.uncertainty) < 0.1)
  }
}
