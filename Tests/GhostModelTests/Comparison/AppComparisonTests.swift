import GhostModel
import Testing
import TrackModel

@testable import TestSupport

@Suite struct AppComparisonTests {
  /// Stationary for three gaps, then 400 m east at 10 m/s, then stationary for two gaps: 46 points, one per
  /// second.
  private func reference() throws -> DecodedDrive {
    let east = Array(repeating: 0.0, count: 3) + (0...40).map { Double($0) * 10 } + [400, 400]
    return try .made("reference", metres: east.map { ($0, 0) })
  }

  /// The same road with 2 s between points; 100 m to the side from point 10 to 14, and to the north from
  /// point 20 on.
  private func other() throws -> DecodedDrive {
    func place(_ index: Int) -> (east: Double, north: Double) {
      if index >= 20 { return (200, Double(index - 20) * 10) }
      return (Double(index) * 10, (10..<15).contains(index) ? 100 : 0)
    }
    return try .made("other", step: 2, metres: (0...40).map(place))
  }

  @Test(
    "The gap is the difference in time over the part that the mode compares",
    arguments: [
      // Trimmed, the first drive has 42 gaps of 1 s (40 of motion, 2 stationary), the other one 40 of 2 s.
      (ComparisonMode.startLocation, 38.0), (.endLocation, 38),
      // Apart with different headings at the samples 25, 30, 35 and 40, reached after as many seconds and
      // twice as many. At 40 the second drive has no next point.
      (.firstDivergence, 25), (.lastDivergence, 35),
      // Together again at 15: the first drive has 27 s left, the other one 25 gaps of 2 s.
      (.firstConvergence, 23), (.lastConvergence, 23),
    ])
  func gaps(mode: ComparisonMode, gap: Double) throws {
    let result = try DriveComparisonEngine.compare(
      [try reference(), try other()], settings: ComparisonSettings(mode: mode))
    #expect(result.pairs.map(\.finalGap) == [gap])
    #expect(result.winner == 0 && result.margin == gap)
    #expect(result.mode == mode && result.fallback == nil)
    #expect(result.engine == .app && result.timing == .even)
    let swapped = try DriveComparisonEngine.compare(
      [try other(), try reference()], settings: ComparisonSettings(mode: mode))
    #expect(swapped.pairs.map(\.finalGap) == [-gap])
    #expect(swapped.winner == 1 && swapped.margin == gap)
  }

  @Test("Each drive has its compared part and its times of motion")
  func drives() throws {
    let result = try DriveComparisonEngine.compare(
      [try reference(), try other()], settings: .with { $0.trimEndIdle = true })
    let first = try #require(result.drives.first)
    #expect(first.label == "reference" && first.points == 46)
    // The last motion ends at point 43, where the idle gaps begin. Point 44 is the first of the idle period.
    #expect(first.startIndex == 3 && first.endIndex == 44)
    #expect(first.duration == 41 && abs(first.distance - 400) < 0.01)
    #expect(first.motionStart == 3 && first.motionEnd == 43 && first.elapsed == 45)
    #expect(first.idleAtStart == 3 && first.idleAtEnd == 2)
    #expect(result.drives[1].motionStart == 0 && result.drives[1].motionEnd == 80)
  }

  @Test("Events are in driving order, with the indices and times of both drives")
  func events() throws {
    let result = try DriveComparisonEngine.compare(
      [try reference(), try other()], settings: ComparisonSettings())
    let events = try #require(result.pairs.first).events
    #expect(events.map(\.kind) == [.convergence, .divergence, .divergence, .divergence])
    #expect(events.map(\.position.first) == [18, 28, 33, 38])
    #expect(events.map(\.elapsed.second) == [30, 50, 60, 70])
    // The drives remain apart after the first of the three divergences.
    #expect(events.map(\.isRepeated) == [false, false, true, true])
  }

  @Test("The fastest of several drives wins, by its margin to the next one")
  func several() throws {
    func drive(_ step: Double) throws -> DecodedDrive {
      try .eastward("\(step)", step: step, north: Array(repeating: 0, count: 11))
    }
    let result = try DriveComparisonEngine.compare(
      [try drive(3), try drive(1), try drive(2)], settings: ComparisonSettings())
    // The durations are 30 s, 10 s and 20 s.
    #expect(result.pairs.map(\.finalGap) == [-20, -10])
    #expect(result.winner == 1 && result.margin == 10)
    let tie = try DriveComparisonEngine.compare(
      [try drive(3), try drive(3)], settings: ComparisonSettings(mode: .firstDivergence))
    #expect(tie.winner == nil && tie.margin == nil)
    #expect(tie.mode == .startLocation && tie.fallback == .noSuchEvent)
  }

  @Test("A drive that never moves has no gap")
  func parked() throws {
    let parked = try DecodedDrive.made(east: [5, 5, 5, 5])
    let result = try DriveComparisonEngine.compare([try reference(), parked], settings: ComparisonSettings())
    #expect(result.winner == nil && result.pairs.map(\.finalGap) == [nil])
    #expect(result.drives[1].motionStart == 3 && result.drives[1].motionEnd == 3)
    #expect(result.drives[1].duration == 0 && result.drives[1].distance == 0)
  }

  @Test("A drive that stays within the convergence radius of its first point is not ranked")
  func jitter() throws {
    // A parked car at the start of the reference, whose positions scatter by up to 28 m at up to 28 m/s.
    let scattered = (0..<40).map { (east: $0 % 2 == 0 ? 0.0 : 20, north: $0 % 4 < 2 ? 0.0 : 20) }
    let parked = try DecodedDrive.made("parked", metres: scattered)
    for mode in ComparisonMode.allCases {
      let result = try DriveComparisonEngine.compare(
        [try reference(), parked, try other()], settings: ComparisonSettings(mode: mode))
      #expect(result.pairs[0].finalGap == nil && result.winner != 1, "\(mode)")
    }
    // With a radius of 25 m, it leaves the surroundings of its first point.
    let far = try DriveComparisonEngine.compare(
      [try reference(), parked], settings: .with { $0.convergenceRadius = 25 })
    #expect(far.winner == 1)
  }

  @Test(
    "A drive of one point or without a duration has no gap and no winner, in any mode and order",
    arguments: ComparisonMode.allCases)
  func withoutTime(mode: ComparisonMode) throws {
    for odd in [try DecodedDrive.made(east: [5]), try .made(step: 0, east: [0, 10, 20, 30, 40, 50, 60])] {
      for trails in [[try reference(), odd], [odd, try reference()]] {
        let result = try DriveComparisonEngine.compare(trails, settings: ComparisonSettings(mode: mode))
        #expect(result.winner == nil && result.margin == nil && result.pairs.map(\.finalGap) == [nil])
      }
      // The other drives are ranked without it.
      let three = try DriveComparisonEngine.compare(
        [try reference(), odd, try other()], settings: ComparisonSettings())
      #expect(three.winner == 0 && three.margin == 38)
    }
  }

  @Test("A divergence is repeated if the drives have not been together since the last one")
  func repeated() throws {
    // A zigzag 100 m to the north from point 10 to 19 and from 30 to 39, with a different heading at each
    // point.
    let zigzag = try DecodedDrive.made(
      "zigzag",
      metres: (0..<51).map { index in
        let isApart = (10..<20).contains(index) || (30..<40).contains(index)
        return (Double(index) * 10, isApart ? (index % 2 == 0 ? 100 : 130) : 0)
      })
    let straight = try DecodedDrive.eastward(north: Array(repeating: 0, count: 51))
    let result = try DriveComparisonEngine.compare([straight, zigzag], settings: ComparisonSettings())
    let divergences = try #require(result.pairs.first).events.filter { $0.kind == .divergence }
    #expect(divergences.map(\.position.first) == [10, 15, 30, 35])
    #expect(divergences.map(\.isRepeated) == [false, true, false, true])
  }

  @Test("A single drive throws an error")
  func one() throws {
    let trail = try reference()
    #expect(throws: TrackError.self) {
      try DriveComparisonEngine.compare([trail], settings: ComparisonSettings())
    }
  }
}
