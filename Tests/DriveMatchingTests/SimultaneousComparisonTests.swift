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

  private static func pair(
    later shift: (_ elapsed: Double) -> Double
  ) throws -> (pair: PairComparison, ride: RideRelation?) {
    try pair([try trace(seed: 1, later: { _ in 0 }), try trace(seed: 2, later: shift)])
  }

  private static func pair(_ drives: [TimedDrive]) throws -> (pair: PairComparison, ride: RideRelation?) {
    let comparison = try DriveComparison.compare(drives)
    let pair = try #require(comparison.pairs.first)
    return (pair, comparison.ride(of: pair))
  }

  @Test("Somebody who falls behind is slower by that time, even if both clocks show nearly the same")
  func companion() throws {
    let duration = Self.drive.duration
    let (pair, ride) = try Self.pair { 1 + 4 * $0 / duration }
    #expect(ride == .companion)
    let gap = try #require(pair.finalGap)
    #expect(abs(gap - 4) < 2 * pair.uncertainty)
    #expect(abs(gap - 4) < 2)
  }

  @Test("Two devices on one ride took the same time")
  func twoDevices() throws {
    let (pair, ride) = try Self.pair { _ in 0.6 }
    #expect(ride == .simultaneous)
    #expect(abs(try #require(pair.finalGap)) < 0.5)
  }

  @Test(
    "Between sparse fixes, neither of two recordings of one ride is ahead, even if one shows no stop",
    arguments: [15, 40, 90])
  func sparseCopy(interval: Int) throws {
    let road = SimulatedRoad().winding(12)
    let stops = [(at: 1200.0, seconds: 300.0), (2500, 20), (2900, 45)]
    let drive = SimulatedDrive(road, speed: 8, sway: 0.3, stops: stops, idle: (40, 25))
    let trace = try drive.trace("", noise: 2, seed: 9)
    func recording(every seconds: Int) throws -> TimedDrive {
      var segment = Recording.Segment()
      for row in 0..<trace.count where row % seconds == 0 || row == trace.count - 1 {
        segment.append(
          trace.coordinate(at: row),
          time: Instant(microseconds: 1_700_000_000_000_000 + Int64(trace.elapsed[row] * 1e6)))
      }
      return try TimedDrive(Recording(segments: [segment]), label: "\(seconds)", source: nil)
    }
    let (dense, sparse) = (try recording(every: 1), try recording(every: interval))
    for drives in [[dense, sparse], [sparse, dense]] {
      let (pair, ride) = try Self.pair(drives)
      #expect(ride == .duplicate)
      #expect(abs(try #require(pair.finalGap)) < 1 && pair.uncertainty < 2)
      #expect(pair.profile.count > 100)
      #expect(pair.profile.gaps.allSatisfy { abs($0) < 1 })
    }
  }

  @Test(
    "Two devices on one ride share its road, even if their lines do not meet between fixes a minute apart")
  func alternatingFixes() throws {
    var road = SimulatedRoad()
    for turn in 0..<24 { road = road.straight(420).arc(40, turning: turn % 4 < 2 ? 60 : -60) }
    let trace = try SimulatedDrive(road, speed: 12).trace("", noise: 2, seed: 4)
    func recording(from first: Int) throws -> TimedDrive {
      var segment = Recording.Segment()
      for row in stride(from: first, to: trace.count, by: 60) {
        segment.append(
          trace.coordinate(at: row),
          time: Instant(microseconds: 1_700_000_000_000_000 + Int64(trace.elapsed[row] * 1e6)))
      }
      return try TimedDrive(Recording(segments: [segment]), label: "\(first)", source: nil)
    }
    let drives = [try recording(from: 0), try recording(from: 12)]
    #expect(SharedRoad(MatchablePolyline(drives[0]), MatchablePolyline(drives[1])).length < 300)
    let (pair, ride) = try Self.pair(drives)
    #expect(ride == .simultaneous)
    #expect(pair.legs.map(\.kind) == [.shared])
    // The chords are shorter than the road, and the common time is shorter.
    #expect(pair.sharedDistance > 0.5 * road.length)
    #expect(abs(try #require(pair.finalGap)) < 1 && pair.uncertainty < 2)
    #expect(pair.profile.gaps.allSatisfy { abs($0) < 1 })
  }

  @Test("A copy is recognized if its clock is wrong by hours")
  func copyAtAnotherTime() throws {
    let drives = [try Self.trace(seed: 1) { _ in 0 }, try Self.trace(seed: 1) { _ in 7200 }]
    #expect(try Self.pair(drives).ride == .duplicate)
  }

  @Test("Recordings of different times have no relation")
  func anotherDay() throws {
    let (pair, ride) = try Self.pair { _ in 86_400 }
    #expect(ride == nil)
    #expect(pair.relation == .shared)
  }

  @Test("The relations of later drives are found, too")
  func later() throws {
    let duration = Self.drive.duration
    let drives = try DriveComparison.compare([
      try Self.trace(seed: 1, later: { _ in -86_400 }), try Self.trace(seed: 2, later: { _ in 0 }),
      try Self.trace(seed: 3, later: { _ in 0.6 }), try Self.trace(seed: 4, later: { 1 + 4 * $0 / duration }),
    ]).drives
    #expect(drives[0].concurrent.isEmpty && drives[1].concurrent.isEmpty)
    #expect(drives[2].concurrent == [.init(drive: 1, relation: .simultaneous)])
    #expect(drives[2].sameRide == .init(drive: 1, relation: .simultaneous))
    #expect(
      drives[3].concurrent == [1, 2].map { ComparedDrive.ConcurrentDrive(drive: $0, relation: .companion) })
    #expect(drives[3].sameRide == nil)
  }
}
