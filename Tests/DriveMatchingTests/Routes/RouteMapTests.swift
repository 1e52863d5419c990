import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Marks along a route")
struct RouteMapTests {
  private static let road = SimulatedRoad().straight(800).arc(200, turning: 60).straight(1000)

  @Test(
    "The marks have the times at which other drives passed them",
    arguments: [SimulatedDrive.Sampling.every(1), .every(4)])
  func times(sampling: SimulatedDrive.Sampling) throws {
    let map = RouteMap(try SimulatedDrive(Self.road, speed: 12).trace("map", noise: 1, seed: 1))
    #expect(abs((map.marks.last ?? 0) - 2000) < 20)
    #expect(zip(map.marks, map.marks.dropFirst()).allSatisfy { abs($1 - $0 - 25) < 1 })
    let drive = SimulatedDrive(
      Self.road, speed: 16, sway: 0.3, stops: [(at: 1210, seconds: 40)], idle: (start: 20, end: 5))
    let passage = map.passage(of: try drive.trace("drive", sampling, noise: 1, seed: 2))
    #expect(passage.hasTimestamps)
    // The errors of two receivers along the road at 5 to 16 m/s.
    for (mark, metres) in map.marks.enumerated() where metres > 50 && metres < 1950 {
      #expect(abs(passage.elapsed[mark] - drive.time(at: metres)) < 1.5, "at \(metres) m")
    }
  }

  @Test("There are no times away from the road or in the opposite direction")
  func elsewhere() throws {
    let map = RouteMap(try SimulatedDrive(Self.road, speed: 12).trace("map", noise: 1, seed: 1))
    let detour = SimulatedDrive(Self.road.detour(over: 200...600, offset: 150, angle: 89), speed: 12)
    let passage = map.passage(of: try detour.trace("detour", noise: 1, seed: 3))
    for (mark, metres) in map.marks.enumerated() {
      if (240...560).contains(metres) { #expect(passage.elapsed[mark].isNaN, "at \(metres) m") }
      if (60...160).contains(metres) || (640...1900).contains(metres) {
        #expect(!passage.elapsed[mark].isNaN, "at \(metres) m")
      }
    }
    let back = try SimulatedDrive(Self.road.reversed, speed: 12).trace("back", seed: 4)
    #expect(!map.passage(of: back).isOnRoute)
    let same = try SimulatedDrive(Self.road, speed: 10).trace("same", seed: 5)
    #expect(map.passage(of: same).isOnRoute)
  }
}
