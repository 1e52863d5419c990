import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

/// One circuit, driven several times from different starting points; which laps correspond is known.
@Suite("Comparison of laps")
struct LapTests {
  /// A circuit of 2000 m that passes every place in one direction only.
  private static let lap = SimulatedRoad().straight(400).arc(600, turning: 180).straight(400)
    .arc(600, turning: 180)

  private func laps(_ count: Int, from start: Int = 0) -> SimulatedRoad {
    var road = Self.lap
    for _ in 0..<count { road = road.then(Self.lap) }
    return road.part(start...(start + 2000 * count))
  }

  @Test(
    "Drives with the same start share the laps that both of them drove, regardless of noise",
    arguments: [(1, 2), (2, 1), (2, 3), (3, 2), (1, 3)], [31, 32, 33] as [UInt64])
  func unequalLaps(counts: (first: Int, second: Int), seed: UInt64) throws {
    let first = SimulatedDrive(laps(counts.first), speed: 12)
    let second = SimulatedDrive(laps(counts.second), speed: 14)
    let pair = try DriveComparison.compare([
      first.trace("a", seed: seed), second.trace("b", seed: seed + 100),
    ]).pairs[0]
    let common = Double(2000 * min(counts.first, counts.second))
    #expect(pair.relation == .shared)
    #expect(abs(pair.sharedDistance - common) < 0.02 * common)
    #expect(pair.legs.map(\.kind) == [.shared])
    let parts = [first, second].map { $0.time(at: common - 60) - $0.time(at: 60) }
    let truth = parts[1] - parts[0]
    // Without the first and the last 60 m, where one of the drives accelerates or brakes.
    let rows = pair.profile.distances.indices.filter {
      pair.profile.distances[$0] > 60 && pair.profile.distances[$0] < common - 60
    }
    let from = try #require(rows.first)
    let to = try #require(rows.last)
    #expect(abs(pair.profile.gaps[to] - pair.profile.gaps[from] - truth) < 2.5)
  }

  @Test(
    "A lap that starts elsewhere on the circuit shares the longer part", arguments: [500, 700, 1400],
    [41, 42, 43] as [UInt64])
  func otherStart(offset: Int, seed: UInt64) throws {
    let first = SimulatedDrive(laps(1), speed: 12)
    let second = SimulatedDrive(laps(1, from: offset), speed: 13)
    let pair = try DriveComparison.compare([
      first.trace("a", seed: seed), second.trace("b", seed: seed + 100),
    ]).pairs[0]
    #expect(pair.relation == .shared)
    #expect(abs(pair.sharedDistance - Double(max(offset, 2000 - offset))) < 60)
    #expect(pair.legs.map(\.kind) == [.shared])
  }
}
