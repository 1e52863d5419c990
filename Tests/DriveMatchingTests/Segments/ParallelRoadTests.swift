import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Parallel roads beside a segment")
struct ParallelRoadTests {
  private static let projection = Projection.plane(latitude: 47, longitude: 8)
  private static let road = SimulatedRoad().straight(500).arc(300, turning: 70).straight(900)
    .arc(300, turning: -50).straight(900)

  private func passages(_ road: SimulatedRoad, noise: Double, seed: UInt64) throws -> Int {
    let segment = try RoadSegment(
      name: "hill", line: Self.road.part(600...2300).points.map { Self.projection.coordinate($0) })
    let trace = try SimulatedDrive(road, speed: 15).trace("a", noise: noise, seed: seed)
    return SegmentSearch(segment).passages(in: trace).count
  }

  @Test("Drives with errors of 6 to 8 m are passages", arguments: [6.0, 7, 8])
  func noisy(noise: Double) throws {
    let found = try (1...12).map { try passages(Self.road, noise: noise, seed: $0) }
    #expect(found.count { $0 == 1 } >= 11)
  }

  @Test("A parallel road 25 m away is not a passage", arguments: [1.0, 2.5, 5])
  func parallel(noise: Double) throws {
    for (seed, range) in [1000...1600, 800...2100, 200...2700].enumerated() {
      for side in [25.0, -25] {
        let road = Self.road.detour(over: range, offset: side, angle: side > 0 ? 30 : -30)
        #expect(try passages(road, noise: noise, seed: UInt64(seed + 1)) == 0)
      }
    }
  }
}
