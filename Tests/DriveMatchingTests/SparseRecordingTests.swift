import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

/// Recordings with few points, whose straight lines cut the corners of the road.
@Suite("Recordings of few points")
struct SparseRecordingTests {
  @Test(
    "Distant points cause no events, detours or wrong gaps", arguments: [10.0, 15, 20],
    [51, 52, 53] as [UInt64])
  func oneRoad(step: Double, seed: UInt64) throws {
    let road = SimulatedRoad().winding(16)
    let first = SimulatedDrive(road, speed: 14, sway: 0.2)
    let second = SimulatedDrive(road, speed: 15, sway: 0.2)
    let result = try DriveComparison.compare([
      first.trace("a", seed: seed), second.trace("b", .every(step), seed: seed + 100),
    ])
    let pair = result.pairs[0]
    #expect(pair.events.isEmpty)
    #expect(pair.legs.map(\.kind) == [.shared])
    #expect(pair.sharedDistance > road.length - 1.2 * 15 * step)
    // The error at each place, as large as the unknown motion between two points allows.
    var errors: [Double] = []
    for row in 0..<pair.profile.count {
      let metres = first.metres(at: pair.profile.firstElapsed[row])
      guard metres > 300, metres < road.length - 300 else { continue }
      let truth = second.time(at: metres) - first.time(at: metres)
      errors.append(abs(pair.profile.secondElapsed[row] - pair.profile.firstElapsed[row] - truth))
    }
    errors.sort()
    #expect(errors[errors.count / 2] < 0.6)
    #expect(errors[errors.count - 1] < 4)
  }

  @Test("Laps with a fix every 10 s share the road of a dense recording", arguments: [61, 62] as [UInt64])
  func bendsBetweenFixes(seed: UInt64) throws {
    // Every chord of 300 m cuts off a bend, so that the road is up to half as long again.
    var road = SimulatedRoad()
    for turn in 0..<6 { road = road.straight(60).arc(240, turning: turn.isMultiple(of: 2) ? 150 : -150) }
    let first = SimulatedDrive(road, speed: 28)
    let second = SimulatedDrive(road, speed: 30)
    let pair = try DriveComparison.compare([
      first.trace("a", seed: seed), second.trace("b", .every(10), seed: seed + 100),
    ]).pairs[0]
    #expect(pair.relation == .shared)
    #expect(pair.events.isEmpty)
    #expect(pair.sharedDistance > 0.7 * road.length)
  }

  @Test(
    "With a fix every 30 s, a drive is not at the end before its last fix elsewhere",
    arguments: [28.0, 32, 37, 42, 47, 52])
  func lightBeforeEnd(idle: Double) throws {
    let road = SimulatedRoad().straight(3000)
    let first = SimulatedDrive(road, speed: 13.1, stops: [(2860, 58)], idle: (idle, 40))
    let second = SimulatedDrive(road, speed: 13.3, idle: (10, 40))
    let trace = try first.trace("a", .every(30), noise: 1, seed: 91)
    let pair = try DriveComparison.compare([
      trace, try second.trace("b", .every(30), noise: 1, seed: 92),
    ]).pairs[0]
    let elsewhere = try #require((0..<trace.count).last { first.metres(at: trace.elapsed[$0]) < 2950 })
    #expect(try #require(pair.profile.firstElapsed.last) > trace.elapsed[elsewhere])
    let truth = (second.motionEnd - second.motionStart) - (first.motionEnd - first.motionStart)
    #expect(abs(try #require(pair.finalGap) - truth) < 2.5 * pair.uncertainty)
  }

  @Test(
    "A fix at a light where the other drive waited is not evidence for a late departure",
    arguments: [81, 82, 83] as [UInt64])
  func fixAtLight(seed: UInt64) throws {
    // Departs after 2 s, at the light from 35 to 75 s; the second fix is at 60 s.
    let road = SimulatedRoad().winding(16)
    let first = SimulatedDrive(road, speed: 14, stops: [(400, 30)], idle: (20, 20))
    let second = SimulatedDrive(road, speed: 14, stops: [(400, 40)], idle: (2, 20))
    let pair = try DriveComparison.compare([
      first.trace("a", seed: seed), second.trace("b", .every(60), seed: seed + 100),
    ]).pairs[0]
    let gap = pair.profile.secondElapsed[0] - pair.profile.firstElapsed[0]
    let truth = second.motionStart - first.motionStart
    // A departure before which the drive was idle for all of the time at the light is 25 s later.
    #expect(gap < truth + 15)
    #expect(abs(gap - truth) < 2 * pair.uncertainty)
  }

  @Test("The gap is less certain if the fixes at the ends are farther apart")
  func uncertainty() throws {
    let road = SimulatedRoad().winding(16)
    let first = try SimulatedDrive(road, speed: 14).trace("a", seed: 54)
    let second = SimulatedDrive(road, speed: 15)
    let uncertainties = try [1.0, 15, 60].map { step in
      try DriveComparison.compare([first, second.trace("b", .every(step), seed: 55)]).pairs[0].uncertainty
    }
    #expect(uncertainties[0] < 2.5)
    #expect(uncertainties[1] > uncertainties[0])
    #expect(uncertainties[2] > 1.5 * uncertainties[1])
  }

  @Test(
    "A gap at the start or end of a recording belongs to the shared road", arguments: [true, false],
    [71, 72, 73] as [UInt64])
  func gapAtEnd(isAtEnd: Bool, seed: UInt64) throws {
    // The chord of the gap of 140 s is on the straight part.
    let straight = SimulatedRoad().straight(2500)
    let winding = SimulatedRoad().winding(16)
    let road = isAtEnd ? winding.then(straight) : straight.then(winding)
    let first = SimulatedDrive(road, speed: 14)
    let second = SimulatedDrive(road, speed: 15)
    let last = second.duration.rounded(.down)
    let pair = try DriveComparison.compare([
      first.trace("a", seed: seed),
      second.trace("b", seed: seed + 100, blind: isAtEnd ? last - 140...last - 0.5 : 0.5...140),
    ]).pairs[0]
    #expect(pair.events.isEmpty)
    #expect(pair.legs.map(\.kind) == [.shared, .unknown, .shared])
    // Neither drive stands, so that the margin is the difference of the two durations.
    #expect(abs(try #require(pair.finalGap) - (second.duration - first.duration)) < 2 * pair.uncertainty)
    let distances = pair.profile.distances
    #expect(try #require(distances.first) < 60 && #require(distances.last) > road.length - 60)
  }

  @Test("A gap before the end of a recording is no shared road if the other drive's way is much longer")
  func gapOnAnotherRoad() throws {
    let base = SimulatedRoad().winding(16).straight(2500)
    let from = Int(SimulatedRoad().winding(16).length) + 600
    let other = base.detour(over: from...(from + 1800), offset: 900, angle: 60)
    let second = SimulatedDrive(base, speed: 15)
    let last = second.duration.rounded(.down)
    let pair = try DriveComparison.compare([
      SimulatedDrive(other, speed: 14).trace("a", seed: 74),
      second.trace("b", seed: 75, blind: last - 140...last - 0.5),
    ]).pairs[0]
    #expect(pair.legs.map(\.kind) == [.shared, .unknown, .shared])
    #expect(pair.sharedDistance < Double(from + 100))
  }

  @Test("A separate road is still a detour", arguments: [10.0, 15])
  func detour(step: Double) throws {
    let base = SimulatedRoad().winding(5).straight(3400).then(SimulatedRoad().winding(5, seed: 2))
    let from = Int(SimulatedRoad().winding(5).length) + 200
    let other = base.detour(over: from...(from + 3000), offset: 200, angle: 60)
    let pair = try DriveComparison.compare([
      SimulatedDrive(base, speed: 14).trace("a", seed: 56),
      SimulatedDrive(other, speed: 15).trace("b", .every(step), seed: 57),
    ]).pairs[0]
    #expect(pair.legs.map(\.kind) == [.shared, .detour, .shared])
    #expect(pair.events.map(\.kind) == [.divergence, .convergence])
  }

  @Test(
    "A separate road is a detour if both recordings have few points",
    arguments: [(15.0, 200.0), (15, 90), (30, 200), (30, 75)], [91, 92, 93] as [UInt64])
  func detourOfBoth(_ way: (step: Double, offset: Double), seed: UInt64) throws {
    let step = way.step
    let base = SimulatedRoad().straight(8000)
    let other = base.detour(over: 2500...5500, offset: way.offset, angle: 60)
    let pair = try DriveComparison.compare([
      SimulatedDrive(base, speed: 14).trace("a", .every(step), seed: seed),
      SimulatedDrive(other, speed: 15).trace("b", .every(step), seed: seed + 100),
    ]).pairs[0]
    #expect(pair.legs.map(\.kind) == [.shared, .detour, .shared])
  }

  @Test(
    "A separate road is not shared up to the end, even if both drives take the same time", arguments: 1...4)
  func besideUntilTheEnd(seed: UInt64) throws {
    let base = SimulatedRoad().straight(4000)
    let other = base.detour(over: 1500...3800, offset: 110, angle: 60)
    let pair = try DriveComparison.compare([
      SimulatedDrive(base, speed: 14).trace("a", .every(30), seed: seed),
      SimulatedDrive(other, speed: 14.6).trace("b", .every(15), seed: seed + 100),
    ]).pairs[0]
    #expect(pair.sharedDistance < 2000)
  }

  @Test("Different roads to the same end, or from the same start, are a detour", arguments: [false, true])
  func detourAtEnd(isAtStart: Bool) throws {
    let common = SimulatedRoad().winding(8)
    let roads = [60.0, -60].map {
      common.arc(300, turning: $0).arc(2000, turning: -2 * $0).arc(300, turning: $0)
    }
    let drives = roads.enumerated().map { index, road in
      SimulatedDrive(isAtStart ? road.reversed : road, speed: 12 + 3 * Double(index), idle: (40, 40))
    }
    let pair = try DriveComparison.compare([
      drives[0].trace("a", .every(30), seed: 94), drives[1].trace("b", .every(30), seed: 95),
    ]).pairs[0]
    let times = drives.map { $0.time(at: roads[0].length) - $0.motionStart }
    #expect(pair.legs.contains { $0.kind == .detour })
    #expect(abs(try #require(pair.finalGap) - (times[1] - times[0])) < 2 * pair.uncertainty)
  }

  @Test(
    "Bends that fixes every minute cut are shared road, also if the other drive is slower",
    arguments: [58, 59, 60, 61] as [UInt64])
  func cutBends(seed: UInt64) throws {
    let road = SimulatedRoad().winding(24, seed: seed)
    let pair = try DriveComparison.compare([
      SimulatedDrive(road, speed: 9, sway: 0.2).trace("a", seed: seed),
      SimulatedDrive(road, speed: 15, sway: 0.2).trace("b", .every(60), seed: seed + 100),
    ]).pairs[0]
    #expect(pair.events.isEmpty)
    #expect(pair.legs.map(\.kind) == [.shared])
    #expect(pair.sharedDistance > road.length - 15 * 60)
  }

  @Test(
    "Two recordings with a fix every 30 s have no detours where both cut corners",
    arguments: [64, 65, 66, 67] as [UInt64])
  func bothSparse(seed: UInt64) throws {
    let road = SimulatedRoad().winding(24, seed: seed)
    let first = SimulatedDrive(road, speed: 12, sway: 0.2, idle: (30, 30))
    let second = SimulatedDrive(road, speed: 15, sway: 0.2, idle: (20, 40))
    let pair = try DriveComparison.compare([
      first.trace("a", .every(30), seed: seed), second.trace("b", .every(30), seed: seed + 100),
    ]).pairs[0]
    #expect(pair.events.isEmpty)
    #expect(pair.legs.map(\.kind) == [.shared])
    let truth = (second.motionEnd - second.motionStart) - (first.motionEnd - first.motionStart)
    #expect(abs(try #require(pair.finalGap) - truth) < 3 * pair.uncertainty)
  }

  /// A road with a spur that is driven to its end and back.
  private static func spur(_ metres: Int) -> SimulatedRoad {
    SimulatedRoad().winding(5).straight(300).arc(10, turning: 90).straight(metres).arc(10, turning: 180)
      .straight(metres).arc(10, turning: 90).straight(300).then(SimulatedRoad().winding(5, seed: 2))
  }

  @Test("A spur that is driven between two sparse fixes of the same ride is no detour", arguments: [60, 61])
  func spurOfOneRide(seed: UInt64) throws {
    let drive = SimulatedDrive(Self.spur(80), speed: 10)
    let pair = try DriveComparison.compare([
      drive.trace("a", seed: seed), drive.trace("b", .every(30), seed: seed + 100),
    ]).pairs[0]
    #expect(pair.events.isEmpty)
    #expect(pair.legs.map(\.kind) == [.shared])
  }

  @Test("A spur that takes longer than the time between two sparse fixes is a detour")
  func longSpur() throws {
    let pair = try DriveComparison.compare([
      SimulatedDrive(Self.spur(400), speed: 10).trace("a", seed: 62),
      SimulatedDrive(Self.spur(1), speed: 10).trace("b", .every(15), seed: 63),
    ]).pairs[0]
    #expect(pair.legs.map(\.kind) == [.shared, .detour, .shared])
  }

  @Test("A recording that begins and ends at full speed has no idle time", arguments: [15.0, 60])
  func noIdle(step: Double) throws {
    let road = SimulatedRoad().winding(16)
    let count = Int(road.length / 15 / step)
    let places = (0...count).map { Double($0) * step * 15 }
    let trace = try TimedDrive(
      label: "a",
      coordinates: places.map {
        Projection.plane(latitude: 47, longitude: 8).coordinate(road.place(at: $0))
      }, elapsed: places.map { $0 / 15 })
    let drive = try DriveComparison.compare([trace, SimulatedDrive(road, speed: 14).trace("b")]).drives[0]
    #expect(drive.motionStart < 0.1 * step)
    #expect(drive.idleAtEnd < 0.1 * step)
  }

  @Test(
    "A recording with few points that is compared with itself has no gap",
    arguments: [[4, 5, 8], [1, 1, 1]])
  func itself(segments: [Int]) throws {
    var coordinates: [Coordinate] = []
    var elapsed: [Double] = []
    var starts: [Int] = []
    for (index, count) in segments.enumerated() {
      starts.append(coordinates.count)
      for point in 0..<count {
        // The points of a recording with segments that are 400 m apart.
        let metres = Double(index * 430 + point * 8)
        coordinates.append(Coordinate(latitude: 47 + metres / 111_180, longitude: 8))
        elapsed.append(metres / 3)
      }
    }
    let trace = try TimedDrive(
      label: "a", coordinates: coordinates, elapsed: elapsed, segmentStarts: starts)
    let result = try DriveComparison.compare([trace, trace])
    #expect(result.pairs[0].relation == .shared)
    #expect(result.pairs[0].finalGap == 0)
    #expect(result.pairs[0].uncertainty == 0)
    #expect(result.pairs[0].legs.map(\.kind) == [.shared])
    #expect(result.winner == nil)
  }
}
