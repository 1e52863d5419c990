import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Comparison of simultaneous recordings")
struct SimultaneousComparisonTests {
  private static let road = SimulatedRoad().winding(12)
  private static let drive = SimulatedDrive(road, speed: 8, sway: 0.3, stops: [(1200, 60), (2500, 40)])

  /// Returns a recording whose times are shifted by seconds that depend on the elapsed time.
  private static func trace(seed: UInt64, later shift: (_ elapsed: Double) -> Double) throws -> TimedDrive {
    let trace = try drive.trace("", noise: 1, seed: seed)
    var segment = Recording.Segment()
    for row in 0..<trace.count {
      let time = trace.elapsed[row] + shift(trace.elapsed[row])
      segment.append(
        trace.coordinate(at: row), time: Instant(microseconds: 1_700_000_000_000_000 + Int64(time * 1e6)))
    }
    return try TimedDrive(Recording(segments: [segment]), label: "\(seed)", source: nil)
  }

  private static func pair(later shift: (_ elapsed: Double) -> Double) throws -> PairComparison {
    let traces = [try trace(seed: 1, later: { _ in 0 }), try trace(seed: 2, later: shift)]
    return try #require(DriveComparison.compare(traces).pairs.first)
  }

  @Test("Somebody who falls behind is slower by that time, even if both clocks show nearly the same")
  func companion() throws {
    let duration = Self.drive.duration
    let pair = try Self.pair { 1 + 4 * $0 / duration }
    #expect(pair.ride == .companion)
    let gap = try #require(pair.finalGap)
    #expect(abs(gap - 4) < 2 * pair.uncertainty)
    #expect(abs(gap - 4) < 2)
  }

  @Test("Two devices on one ride took the same time")
  func twoDevices() throws {
    let pair = try Self.pair { _ in 0.6 }
    #expect(pair.ride == .simultaneous)
    #expect(abs(try #require(pair.finalGap)) < 0.5)
  }

  @Test("Recordings of different times have no relation")
  func anotherDay() throws {
    let pair = try Self.pair { _ in 86_400 }
    #expect(pair.ride == nil)
    #expect(pair.relation == .shared)
  }
}
