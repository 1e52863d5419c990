import CMath
import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Comparison of simultaneous recordings")
struct SimultaneousComparisonTests {
  typealias Sampling = SimulatedDrive.Sampling

  private static let road = SimulatedRoad().winding(12)
  private static let drive = SimulatedDrive(road, speed: 8, sway: 0.3, stops: [(1200, 60), (2500, 40)])

  /// Returns a recording whose times are shifted by seconds that depend on the elapsed time.
  private static func trace(
    _ drive: SimulatedDrive = drive, noise: Double = 1, seed: UInt64,
    later shift: (_ elapsed: Double) -> Double
  ) throws -> TimedDrive {
    let trace = try drive.trace("", noise: noise, seed: seed)
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
    "Neither of two watches of one walker is ahead anywhere, also at stops", arguments: [1, 2, 3] as [UInt64])
  func watches(seed: UInt64) throws {
    let stops = [(at: 300.0, seconds: 60.0), (700, 8), (1100, 25)]
    let walk = SimulatedDrive(
      SimulatedRoad().winding(5), speed: 1.4, sway: 0.2, stops: stops, idle: (20, 20))
    let drives = try [seed, seed + 100].map { try Self.trace(walk, noise: 3, seed: $0) { _ in 0 } }
    let (pair, ride) = try Self.pair(drives)
    #expect(ride == .simultaneous)
    #expect(pair.profile.count > 100)
    #expect(pair.profile.gaps.allSatisfy { abs($0) < 0.5 })
  }

  @Test(
    "Somebody who walks behind and then ahead of another is faster by that time, within the uncertainty",
    arguments: [1, 2, 3] as [UInt64])
  func walkers(seed: UInt64) throws {
    let walk = SimulatedDrive(SimulatedRoad().winding(8), speed: 1.4, sway: 0.2, idle: (20, 20))
    let duration = walk.duration
    let first = try Self.trace(walk, noise: 2.5, seed: seed) { _ in 0 }
    let second = try Self.trace(walk, noise: 2.5, seed: seed + 100) { 6 * sin(1.5 * .pi * $0 / duration) }
    let pair = try Self.pair([first, second]).pair
    #expect(abs(try #require(pair.finalGap) + 6) < 2 * pair.uncertainty)
    #expect(pair.uncertainty < 6)
  }

  @Test("Recordings of a few seconds can be compared, even if one has no line")
  func shortRecordings() throws {
    func recording(_ fixes: [(seconds: Int, latitude: Double, longitude: Double)]) throws -> TimedDrive {
      var segment = Recording.Segment()
      for fix in fixes {
        segment.append(
          Coordinate(latitude: fix.latitude, longitude: fix.longitude),
          time: Instant(microseconds: 1_700_000_000_000_000 + Int64(fix.seconds) * 1_000_000))
      }
      return try TimedDrive(Recording(segments: [segment]), label: "", source: nil)
    }
    let drives = [
      try recording([(0, -89.96, 180), (1, -89.96006664, -179.98800148), (2, -89.96026627, -179.98601184)]),
      try recording([(1, -89.96, 180), (3, -89.96026627, -179.98601184)]),
    ]
    for drives in [drives, drives.reversed()] {
      #expect(try Self.pair(drives).pair.profile.gaps.allSatisfy { abs($0) < 3 })
    }
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

  @Test(
    "A copy without a pause, or with one that was added, differs by its duration",
    arguments: [-1200.0, 1200],
    [0.5, 0.9])
  func pause(seconds: Double, share: Double) throws {
    let (duration, pause) = (Self.drive.duration, abs(seconds))
    func recording(with pause: Double) throws -> TimedDrive {
      try Self.trace(seed: 1) { $0 > share * duration ? pause : 0 }
    }
    let paused = try recording(with: pause)
    let whole = try recording(with: 0)
    let (pair, ride) = try Self.pair(seconds < 0 ? [paused, whole] : [whole, paused])
    #expect(ride != .duplicate && ride != .simultaneous)
    #expect(abs(try #require(pair.finalGap) - seconds) < 0.1)
  }

  @Test(
    "Two devices whose clocks differ took the same time", arguments: [-6.0, 4, 18, 45],
    [Sampling.every(1), .smart])
  func clocks(difference: Double, sampling: Sampling) throws {
    let stops = [(at: 1200.0, seconds: 60.0), (2000, 15), (2800, 40)]
    let drive = SimulatedDrive(Self.road, speed: 9, sway: 0.3, stops: stops, idle: (25, 15))
    let second = try drive.trace("", sampling, noise: 2, seed: 2)
    let drives = try [(try drive.trace("", noise: 2, seed: 1), 0), (second, difference)]
      .map { (trace: TimedDrive, later: Double) in
        var segment = Recording.Segment()
        for row in 0..<trace.count {
          let time = Int64((trace.elapsed[row] + later) * 1e6)
          segment.append(
            trace.coordinate(at: row), time: Instant(microseconds: 1_700_000_000_000_000 + time))
        }
        return try TimedDrive(Recording(segments: [segment]), label: "\(later)", source: nil)
      }
    let (pair, ride) = try Self.pair(drives)
    #expect(ride == .simultaneous)
    #expect(abs(try #require(pair.finalGap)) < 0.5 && pair.uncertainty < 0.6)
  }

  @Test(
    "Two devices depart and arrive at the same times, although the receiver of one is still settling",
    arguments: [1, 2, 3, 4] as [UInt64])
  func settling(seed: UInt64) throws {
    let drive = SimulatedDrive(
      Self.road, speed: 6, sway: 0.3, stops: [(1200, 60), (2500, 40)], idle: (15, 15))
    let drives = try [seed, seed + 100].map { seed in
      let trace = try drive.trace("", noise: 2, seed: seed)
      var segment = Recording.Segment()
      for row in 0..<trace.count {
        // 25 m in any direction, and half of it after 14 s.
        let error = seed > 100 ? 25 * exp(-trace.elapsed[row] / 20) : 0
        let place = trace.coordinate(at: row)
        segment.append(
          Coordinate(
            latitude: place.latitude + error * sin(Double(seed)) / 111_180,
            longitude: place.longitude + error * cos(Double(seed)) / 75_900),
          time: Instant(microseconds: 1_700_000_000_000_000 + Int64(trace.elapsed[row] * 1e6)))
      }
      return try TimedDrive(Recording(segments: [segment]), label: "\(seed)", source: nil)
    }
    let (pair, ride) = try Self.pair(drives)
    #expect(ride == .simultaneous)
    #expect(abs(try #require(pair.finalGap)) < 0.5 && pair.uncertainty < 0.6)
  }

  @Test("Two devices on one ride take no detour, even if one shows another road for a minute")
  func excursion() throws {
    func recording(seed: UInt64, isWrong: Bool) throws -> TimedDrive {
      let trace = try Self.drive.trace("", noise: 2, seed: seed)
      var segment = Recording.Segment()
      for row in 0..<trace.count {
        let share = (trace.elapsed[row] - 250) / 60
        let error = isWrong && (0...1).contains(share) ? 120 * sin(share * .pi) : 0
        let place = trace.coordinate(at: row)
        segment.append(
          Coordinate(latitude: place.latitude + error / 111_180, longitude: place.longitude + error / 75_900),
          time: Instant(microseconds: 1_700_000_000_000_000 + Int64(trace.elapsed[row] * 1e6)))
      }
      return try TimedDrive(Recording(segments: [segment]), label: "\(seed)", source: nil)
    }
    let drives = [try recording(seed: 1, isWrong: false), try recording(seed: 2, isWrong: true)]
    #expect(SharedRoad(MatchablePolyline(drives[0]), MatchablePolyline(drives[1])).stretches.count == 2)
    let (pair, ride) = try Self.pair(drives)
    #expect(ride == .simultaneous)
    #expect(pair.legs.map(\.kind) == [.shared] && pair.events.isEmpty)
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
