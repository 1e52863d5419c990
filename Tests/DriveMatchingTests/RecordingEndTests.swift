import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

/// Recordings that begin or end on each other's road.
@Suite("Ends of recordings")
struct RecordingEndTests {
  @Test("If a recording ends before the other's road does, the final gap is that at its last place")
  func earlyEnd() throws {
    let road = SimulatedRoad().winding(12)
    let first = SimulatedDrive(road, speed: 14)
    let second = SimulatedDrive(road, speed: 15)
    let whole = try second.trace("b", seed: 58)
    // Truncated at full speed, 20 m before the end of the other drive's recording.
    let end = first.time(at: road.length - 150)
    let other = second.time(at: road.length - 170)
    func cut(_ trace: TimedDrive, at moment: Double) throws -> TimedDrive {
      let kept = trace.elapsed.count { $0 <= moment }
      return try TimedDrive(
        label: trace.label, coordinates: (0..<kept).map { trace.coordinate(at: $0) },
        elapsed: Array(trace.elapsed[..<kept]))
    }
    let shorter = try cut(whole, at: other)
    let pair = try DriveComparison.compare([cut(first.trace("a", seed: 59), at: end), shorter]).pairs[0]
    let last = second.metres(at: shorter.duration)
    #expect(abs(try #require(pair.profile.secondElapsed.last) - shorter.duration) < 1)
    #expect(abs(try #require(pair.profile.firstElapsed.last) - first.time(at: last)) < 1)
  }

  @Test("A start next to a road that is not taken is not a shared road")
  func chanceBeginning() throws {
    let base = SimulatedRoad().straight(4000)
    // From a place 8 m from the road, away from it, parallel to it, and back to it.
    let other = SimulatedRoad(from: SIMD2(300, 8), heading: 90).straight(300)
      .following(SimulatedRoad(from: SIMD2(301, 308)).straight(1000).points)
      .following(SimulatedRoad(from: SIMD2(1301, 307), heading: -90).straight(307).points)
      .following(base.part(1302...4000).points)
    let pair = try DriveComparison.compare([
      SimulatedDrive(base, speed: 14).trace("a", seed: 60),
      SimulatedDrive(other, speed: 13).trace("b", seed: 61),
    ]).pairs[0]
    #expect(pair.events.map(\.kind) == [.convergence])
    #expect(pair.legs.map(\.kind) == [.shared])
    #expect(abs(pair.sharedDistance - 2699) < 60)
  }

  @Test(
    "Drives with the same start and end are compared as a whole, although one leaves the road metres after or before them",
    arguments: [15...1200, 3800...4985])
  func detourAtEnd(_ part: ClosedRange<Int>) throws {
    let road = SimulatedRoad().straight(5000)
    let first = SimulatedDrive(road, speed: 14, idle: (start: 20, end: 20))
    let second = SimulatedDrive(
      road.detour(over: part, offset: 150, angle: 60), speed: 13, idle: (start: 20, end: 20))
    let expected = second.motionEnd - second.motionStart - (first.motionEnd - first.motionStart)
    let traces = [try first.trace("a", seed: 65), try second.trace("b", seed: 66)]
    let pair = try DriveComparison.compare(traces).pairs[0]
    #expect(pair.legs.map(\.kind) == [.shared, .detour, .shared])
    let gap = try #require(pair.finalGap)
    #expect(abs(gap - expected) < 2 * pair.uncertainty)
    let swapped = try DriveComparison.compare(traces.reversed()).pairs[0]
    #expect(abs(try #require(swapped.finalGap) + gap) < pair.uncertainty)
  }
}
