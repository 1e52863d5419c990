import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Ends of the shared stretch")
struct StretchEndTests {
  private static let road = SimulatedRoad().winding(12)
  private static let length = Int(road.length)

  private func pair(
    _ first: SimulatedDrive, _ second: SimulatedDrive, noise: Double = 2.5, seed: UInt64
  ) throws -> PairComparison {
    try DriveComparison.compare([
      first.trace("a", noise: noise, seed: seed), second.trace("b", noise: noise, seed: seed + 100),
    ]).pairs[0]
  }

  @Test(
    "The clocks start where the later drive begins, whether or not the other one is already moving",
    arguments: [15, 40, 60], [21, 22, 23] as [UInt64])
  func laterBeginning(offset: Int, seed: UInt64) throws {
    let first = SimulatedDrive(Self.road, speed: 14, idle: (20, 10))
    let second = SimulatedDrive(Self.road.part(offset...Self.length), speed: 15, idle: (30, 10))
    let pair = try pair(first, second, seed: seed)
    let truth =
      (second.motionEnd - second.motionStart) - (first.motionEnd - first.time(at: Double(offset)))
    let gap = try #require(pair.finalGap)
    #expect(abs(gap - truth) < 3 * pair.uncertainty)
    #expect(pair.uncertainty < 2)
    let leg = try #require(pair.legs.first?.uncertainty)
    #expect(abs(leg - pair.uncertainty) < 1e-9)
  }

  @Test(
    "With a fix every 4 to 12 s, margins are within three deviations, and those are a fraction of the interval",
    arguments: [4, 8, 10, 11])
  func sparseFixes(interval: Int) throws {
    let first = SimulatedDrive(Self.road, speed: 14, stops: [(1500, 30)], idle: (23, 31))
    let second = SimulatedDrive(Self.road.part(30...Self.length), speed: 13, idle: (37, 26))
    let truth = (second.motionEnd - second.motionStart) - (first.motionEnd - first.time(at: 30))
    for seed in UInt64(51)..<57 {
      let pair = try DriveComparison.compare([
        first.trace("a", .every(Double(interval)), seed: seed),
        second.trace("b", .every(Double(interval)), seed: seed + 100),
      ]).pairs[0]
      #expect(abs(try #require(pair.finalGap) - truth) < 3 * pair.uncertainty, "seed \(seed)")
      #expect(pair.uncertainty < 1 + 0.3 * Double(interval), "seed \(seed)")
    }
  }

  @Test("If a recording begins where the other drive waits, timing starts at the departure")
  func light() throws {
    let first = SimulatedDrive(Self.road, speed: 14, stops: [(600, 45)], idle: (20, 10))
    let second = SimulatedDrive(Self.road.part(600...Self.length), speed: 15, idle: (12, 10))
    let departure = first.time(at: 600)
    let truth = (second.motionEnd - second.motionStart) - (first.motionEnd - departure)
    var certain = 0
    let seeds = UInt64(31)..<47
    for seed in seeds {
      let pair = try pair(first, second, seed: seed)
      #expect(abs(try #require(pair.finalGap) - truth) < 3 * pair.uncertainty, "seed \(seed)")
      if pair.uncertainty < 3 { certain += 1 }
    }
    // In the others, noise of the fixes moves the two places apart.
    #expect(certain > seeds.count / 2)
  }

  @Test("A light at which a recording begins as the car sets off is recognized", arguments: UInt64(31)..<39)
  func lightAtFirstFix(seed: UInt64) throws {
    // 12 m before the light, 30 s at rest, then 45 s at the light.
    let first = SimulatedDrive(Self.road.part(588...Self.length), speed: 9, stops: [(12, 45)], idle: (30, 10))
    let second = SimulatedDrive(Self.road.part(600...Self.length), speed: 8, idle: (0, 10))
    let truth = (second.motionEnd - second.motionStart) - (first.motionEnd - first.time(at: 12))
    let pair = try pair(first, second, noise: 1.5, seed: seed)
    #expect(abs(try #require(pair.finalGap) - truth) < 3 * pair.uncertainty)
    #expect(pair.uncertainty < 6)
  }

  @Test("A wait 12 m after the start of the other recording counts", arguments: [31, 32, 33, 34] as [UInt64])
  func waitAfterTheStart(seed: UInt64) throws {
    let first = SimulatedDrive(Self.road, speed: 14, stops: [(612, 45)], idle: (20, 10))
    let second = SimulatedDrive(Self.road.part(600...Self.length), speed: 15, idle: (12, 10))
    let pair = try pair(first, second, seed: seed)
    let truth = (second.motionEnd - second.motionStart) - (first.motionEnd - first.time(at: 600))
    #expect(abs(try #require(pair.finalGap) - truth) < 3 * pair.uncertainty)
    // Without the wait, the gap would be 45 s greater.
    #expect(try #require(pair.finalGap) < truth + 25)
  }

  @Test(
    "A stop 10 m before the end of the other recording counts", arguments: [34, 35, 36, 37] as [UInt64])
  func stopBeforeTheEnd(seed: UInt64) throws {
    let end = Self.length - 100
    let first = SimulatedDrive(Self.road.part(0...end), speed: 14, idle: (20, 30))
    let second = SimulatedDrive(Self.road, speed: 15, stops: [(Double(end - 10), 40)], idle: (15, 20))
    let pair = try pair(first, second, seed: seed)
    let truth =
      (second.time(at: Double(end)) - second.motionStart) - (first.motionEnd - first.motionStart)
    #expect(abs(try #require(pair.finalGap) - truth) < 3 * pair.uncertainty + 1)
    // Without the stop, the gap would be 40 s smaller.
    #expect(try #require(pair.finalGap) > truth - 20)
  }

  @Test(
    "If both drives wait at the light where one recording ends, the order is unknown",
    arguments: [38, 39, 40] as [UInt64])
  func lightAtTheEnd(seed: UInt64) throws {
    let end = Self.length - 150
    let first = SimulatedDrive(Self.road.part(0...end), speed: 14, idle: (20, 25))
    let second = SimulatedDrive(Self.road, speed: 15, stops: [(Double(end), 40)], idle: (15, 20))
    let pair = try pair(first, second, seed: seed)
    // Without the stop if the second drive waits after the other one, with it if before.
    let least = (second.arrivals[end] - second.motionStart) - (first.motionEnd - first.motionStart)
    let gap = try #require(pair.finalGap)
    #expect(pair.uncertainty > 5)
    #expect(gap > least - 5 && gap < least + 45)
  }

  @Test("Two recordings of one ride take the same time", arguments: [41, 42, 43] as [UInt64])
  func oneMotion(seed: UInt64) throws {
    let drive = SimulatedDrive(Self.road, speed: 8, sway: 0.3, stops: [(1500, 200)], idle: (40, 30))
    let pair = try pair(drive, drive, seed: seed)
    #expect(abs(try #require(pair.finalGap)) < 1)
    #expect(pair.uncertainty < 0.8)
    // The gap remains small while both are stationary.
    #expect(pair.profile.gaps.allSatisfy { abs($0) < 15 })
  }

  @Test("If both recordings of a ride are at one place until they end, their final gap is that of the ride")
  func wanderingEnd() throws {
    // After the arrival, 32 m away within 10 s and back within 15 s. One recording ends 60 s after the
    // arrival.
    var way: [SIMD2<Double>] = (1...10).map { Double($0) / 10 * SIMD2(-30, 12) }
    way += (1...15).map { SIMD2(-30, 12) + Double($0) / 15 * SIMD2(42, 6) }
    way += [SIMD2<Double>](repeating: SIMD2(12, 18), count: 40)
    let drive = SimulatedDrive(Self.road, speed: 8, sway: 0.3, idle: (40, 0))
    func recording(seed: UInt64, seconds: Int) throws -> TimedDrive {
      let trace = try drive.trace("", noise: 1, seed: seed)
      let end = trace.coordinate(at: trace.count - 1)
      var segment = Recording.Segment()
      func append(_ coordinate: Coordinate, at seconds: Double) {
        segment.append(
          coordinate, time: Instant(secondsSince1970: 1.7e9 + seconds) ?? Instant(microseconds: 0))
      }
      for row in 0..<trace.count { append(trace.coordinate(at: row), at: trace.elapsed[row]) }
      for (second, place) in way.prefix(seconds).enumerated() {
        let coordinate = Coordinate(
          latitude: end.latitude + place.y / 111_180, longitude: end.longitude + place.x / 75_900)
        append(coordinate, at: (trace.elapsed.last ?? 0) + Double(second + 1))
      }
      return try TimedDrive(Recording(segments: [segment]), label: "\(seed)", source: nil)
    }
    for seed in UInt64(1)...8 {
      let pair = try DriveComparison.compare([
        recording(seed: seed, seconds: 65), recording(seed: seed + 100, seconds: 60),
      ]).pairs[0]
      #expect(abs(try #require(pair.finalGap)) < 1.5, "seed \(seed)")
      #expect(pair.uncertainty < 1, "seed \(seed)")
    }
  }

  @Test("A rider who waits within sight of the end arrives later than the one who rode with him")
  func waitingBeforeTheEnd() throws {
    let road = Self.road
    let stops = [(at: 900.0, seconds: 30.0), (at: 2500.0, seconds: 20.0)]
    let first = SimulatedDrive(road, speed: 6, sway: 0.3, stops: stops, idle: (20, 120))
    let second = SimulatedDrive(
      road, speed: 6, sway: 0.3, stops: stops + [(at: road.length - 38, seconds: 60)], idle: (20, 40))
    func recording(_ drive: SimulatedDrive, seed: UInt64) throws -> TimedDrive {
      let trace = try drive.trace("", noise: 1, seed: seed)
      var segment = Recording.Segment()
      for row in 0..<trace.count {
        let time = Instant(secondsSince1970: 1.7e9 + trace.elapsed[row]) ?? Instant(microseconds: 0)
        segment.append(trace.coordinate(at: row), time: time)
      }
      return try TimedDrive(Recording(segments: [segment]), label: "\(seed)", source: nil)
    }
    let truth = second.motionEnd - first.motionEnd
    for seed in UInt64(1)...8 {
      let pair = try DriveComparison.compare([
        recording(first, seed: seed), recording(second, seed: seed + 100),
      ]).pairs[0]
      #expect(abs(try #require(pair.finalGap) - truth) < 3, "seed \(seed), truth \(truth)")
    }
  }

  @Test(
    "Drives that are similar for some minutes only are separate rides", arguments: [51, 52] as [UInt64])
  func twoMotions(seed: UInt64) throws {
    let first = SimulatedDrive(Self.road, speed: 14, idle: (20, 10))
    let second = SimulatedDrive(Self.road, speed: 14.3, idle: (10, 30))
    let pair = try pair(first, second, seed: seed)
    let truth = (second.motionEnd - second.motionStart) - (first.motionEnd - first.motionStart)
    #expect(abs(try #require(pair.finalGap) - truth) < 3 * pair.uncertainty)
  }

  private static let gentleRoad = SimulatedRoad().straight(2000).arc(900, turning: 40).straight(2800)

  /// Returns a recording of a steady drive over 5.4 km with a start time.
  private func steady(speed: Double, _ sampling: SimulatedDrive.Sampling, day: Double, seed: UInt64) throws
    -> TimedDrive
  {
    let trace = try SimulatedDrive(Self.gentleRoad, speed: speed).trace("", sampling, noise: 3, seed: seed)
    var segment = Recording.Segment()
    for row in 0..<trace.count {
      let seconds = 1.7e9 + day * 86_400 + trace.elapsed[row]
      segment.append(
        trace.coordinate(at: row), time: Instant(secondsSince1970: seconds) ?? Instant(microseconds: 0))
    }
    return try TimedDrive(Recording(segments: [segment]), label: "\(day)", source: nil)
  }

  @Test(
    "Steady drives of different days are different motions, however similar their pace",
    arguments: [0.005, 0.01, 0.015, 0.02], [61, 62] as [UInt64])
  func similarPace(share: Double, seed: UInt64) throws {
    let first = try steady(speed: 14, .every(30), day: 0, seed: seed)
    let second = try steady(speed: 14 * (1 + share), .every(1), day: 2, seed: seed + 100)
    let pair = try DriveComparison.compare([first, second]).pairs[0]
    let length = Self.gentleRoad.length
    let truth = length / (14 * (1 + share)) - length / 14
    #expect(abs(try #require(pair.finalGap) - truth) < 2.5 * pair.uncertainty, "truth \(truth)")
  }

  @Test("A place before a line whose first metres fold back is outside of the line")
  func foldedLine() throws {
    var metres = [0.0, -3.5, -7, -3.5, 0]
    metres += (1...60).map { 3.5 * Double($0) }
    let coordinates = metres.map { Coordinate(latitude: 47 + $0 / 111_180, longitude: 8) }
    let line = MatchablePolyline(
      try TimedDrive(label: "a", coordinates: coordinates, elapsed: metres.indices.map { Double($0) }))
    let place = EarthFixed.vector(latitude: 47 - 20 / 111_180, longitude: 8)
    let depth = try #require(LineEnd(line, .start).depth(of: place, near: 0, within: 25, 5))
    #expect(abs(depth + 20) < 1)
  }
}
