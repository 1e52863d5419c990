import CMath
import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Drives that come back before they leave")
struct FalseStartTests {
  /// Creates the fixes of each second of a car on a road to the north.
  ///
  /// - Parameter place: the place at a moment in metres to the east and to the north.
  private static func trace(
    _ label: String, seconds: Int, noise: Double = 1, seed: UInt64, _ place: (Double) -> SIMD2<Double>
  ) throws -> TimedDrive {
    var noise = ReceiverNoise(noise, seed: seed)
    let plane = Projection.plane(latitude: 47, longitude: 8)
    let coordinates = (0..<seconds).map { plane.coordinate(place(Double($0)) + noise.next(after: 1)) }
    return try TimedDrive(
      label: label, coordinates: coordinates, elapsed: coordinates.indices.map { Double($0) })
  }

  /// The metres of a car that drives off at a moment, to 14 m/s in 7 s.
  private static func metres(_ seconds: Double) -> Double {
    let driven = max(seconds, 0)
    return driven < 7 ? driven * driven : 49 + 14 * (driven - 7)
  }

  /// Drives 100 m on at 10 m/s, returns to 30 m behind its first place, waits 30 s, and drives off.
  private static func forgetful(_ moment: Double) -> SIMD2<Double> {
    switch moment {
    case ..<10: SIMD2(0, 10 * moment)
    case ..<23: SIMD2(0, 100 - 10 * (moment - 10))
    default: SIMD2(0, -30 + metres(moment - 53))
    }
  }

  /// The time at which the forgetful car passes its first place for good: 30 m from rest.
  private static let leaving = 53 + 30.0.squareRoot()

  private static func find(_ trace: TimedDrive) -> (start: FalseStart?, places: TimedPlaces) {
    let places = TimedPlaces(trace)
    return (FalseStart(places), places)
  }

  @Test(
    "A drive that turns back leaves when it passes its first place for good", arguments: [UInt64(1), 2, 3, 4])
  func turnsBack(seed: UInt64) throws {
    let trace = try Self.trace("a", seconds: 400, seed: seed, Self.forgetful)
    let (found, places) = Self.find(trace)
    let start = try #require(found)
    #expect(start.isRolling)
    #expect(abs(places.time(start.count) - Self.leaving) < 1.5)
    let onset = try #require(MotionOnset(places))
    #expect(!onset.isStationary && abs(onset.moment - Self.leaving) < 1.5)
    // The end of the same drive backwards is where it first reached its last place.
    let backwards = try #require(
      FalseStart(
        TimedPlaces(
          places.indices.reversed().map { places.place($0) },
          elapsed: places.indices.map { Double($0) }
        ).backwards))
    #expect(backwards.count == start.count)
  }

  @Test(
    "A drive that waits before it turns back leaves after the second wait", arguments: [UInt64(1), 2, 3, 4])
  func turnsBackAfterRest(seed: UInt64) throws {
    // Waits 40 s, drives 80 m at 8 m/s, waits 5 s, returns, waits 30 s, and drives off.
    let trace = try Self.trace("a", seconds: 400, seed: seed) { moment in
      switch moment {
      case ..<40: SIMD2(0, 0)
      case ..<50: SIMD2(0, 8 * (moment - 40))
      case ..<55: SIMD2(0, 80)
      case ..<65: SIMD2(0, 80 - 8 * (moment - 55))
      default: SIMD2(0, Self.metres(moment - 95))
      }
    }
    let onset = try #require(MotionOnset(TimedPlaces(trace)))
    #expect(onset.isStationary && abs(onset.moment - 95) < 3)
    #expect(onset.placeError < 8)
  }

  @Test(
    "A drive that passes its last place, turns and comes back arrives when it passes the place",
    arguments: [30.0, 45, 70], [UInt64(1), 2])
  func turnsAfterEnd(metres: Double, seed: UInt64) throws {
    // Passes the place at 10 m/s after 100 s, turns at once, returns at 5 m/s and waits 60 s.
    let turn = 100 + metres / 10
    let trace = try Self.trace("a", seconds: Int(turn + metres / 5) + 60, seed: seed) { moment in
      SIMD2(0, moment < turn ? 10 * (moment - 100) : max(metres - 5 * (moment - turn), 0))
    }
    let places = TimedPlaces(trace).backwards
    let start = try #require(FalseStart(places))
    #expect(start.isRolling)
    #expect(abs(places.time(places.count - 1) - places.time(start.count) - 100) < 1.5)
  }

  @Test(
    "The first positions of a parked receiver, which settle along the road, are not a drive",
    arguments: [UInt64(1), 2, 3, 4])
  func settles(seed: UInt64) throws {
    let trace = try Self.trace("a", seconds: 400, seed: seed) { moment in
      SIMD2(0, 60 * exp(-moment / 4) + Self.metres(moment - 80))
    }
    let (found, places) = Self.find(trace)
    let start = try #require(found)
    #expect(!start.isRolling)
    #expect((4...30).contains(places.time(start.count)))
    let onset = try #require(MotionOnset(places))
    #expect(onset.isStationary && abs(onset.moment - 80) < 4)
  }

  @Test(
    "The first position of a parked receiver that drifts is not a place that the drive passes twice",
    arguments: [UInt64(1), 2, 3, 4])
  func drifts(seed: UInt64) throws {
    // Settles 35 m behind the first position, and drifts around that place for a minute.
    let trace = try Self.trace("a", seconds: 400, seed: seed) { moment in
      let drift = moment < 70 ? 5 * SIMD2(sin(moment / 3), cos(moment / 3)) : .zero
      return SIMD2(0, -35 + Self.metres(moment - 70)) + exp(-moment / 4) * (SIMD2(0, 35) - drift) + drift
    }
    #expect(Self.find(trace).start?.isRolling != true)
  }

  @Test(
    "Parked cars whose receivers jump, cars that stop on their way, walkers, and laps of a small circuit leave at once",
    arguments: [UInt64(1), 2, 3, 4, 5, 6])
  func leavesAtOnce(seed: UInt64) throws {
    let jumping = try Self.trace("a", seconds: 400, seed: seed) { moment in
      SIMD2(0, (20..<35).contains(moment) ? 30 : 0) + SIMD2(0, Self.metres(moment - 80))
    }
    #expect(Self.find(jumping).start == nil)
    // Jumps for three seconds, as receivers beside walls do.
    let flickering = try Self.trace("a", seconds: 400, seed: seed) { moment in
      SIMD2((30..<33).contains(moment) || (37..<40).contains(moment) ? 35 : 0, Self.metres(moment - 48))
    }
    #expect(Self.find(flickering).start == nil)
    let stopping = try Self.trace("a", seconds: 400, seed: seed) { moment in
      SIMD2(0, moment < 20 ? 5 * moment : 100 + Self.metres(moment - 60))
    }
    #expect(Self.find(stopping).start == nil)
    let walking = try Self.trace("a", seconds: 900, noise: 3, seed: seed) { moment in SIMD2(0, 1.2 * moment) }
    #expect(Self.find(walking).start == nil)
    // Laps of 300 m at 10 m/s, with a stop of 20 s after the first one.
    let circling = try Self.trace("a", seconds: 600, seed: seed) { moment in
      let metres = moment < 30 ? 10 * moment : 300 + 10 * max(moment - 50, 0)
      let angle = metres / 300 * 2 * .pi
      return SIMD2(cos(angle), sin(angle)) * (300 / (2 * .pi))
    }
    #expect(Self.find(circling).start == nil)
  }

  @Test("The margin counts from the final departure", arguments: [UInt64(1), 2, 3, 4])
  func margin(seed: UInt64) throws {
    let forgetful = try Self.trace("a", seconds: 320, seed: seed, Self.forgetful)
    // Passes the first place of the other at 14 m/s after 10 s, and keeps its speed.
    let other = try Self.trace("b", seconds: 290, seed: seed + 50) { SIMD2(0, 14 * ($0 - 10)) }
    let pair = try DriveComparison.compare([forgetful, other]).pairs[0]
    // From there to the end of the first recording.
    let first = 319 - Self.leaving
    let second = Self.forgetful(319).y / 14
    #expect(abs(try #require(pair.finalGap) - (second - first)) < 2 * pair.uncertainty + 0.5)
    #expect(pair.uncertainty < 2)
    #expect(pair.events.isEmpty)
  }

  @Test("The wait of a drive that comes from the side of the road to its first shared place does not count")
  func besideTheRoad() throws {
    // Comes in 8 s from 40 m away, then 70 s at it.
    let waiting = try Self.trace("a", seconds: 350, seed: 1) { moment in
      SIMD2(40 - 5 * min(moment, 8), Self.metres(moment - 78))
    }
    // From 35 m before that place, at 14 m/s.
    let passing = try Self.trace("b", seconds: 280, seed: 2) { SIMD2(0, 14 * $0 - 35) }
    let pair = try DriveComparison.compare([waiting, passing]).pairs[0]
    // Up to the end of the first recording, which needs 3.5 s more to reach its speed.
    let gap = try #require(pair.finalGap)
    #expect(abs(gap + 3.5) < 5)
  }

  @Test(
    "A drive on a short circuit starts and ends where it finally leaves and first reaches the place",
    arguments: [
      (200, 11, 1), (250, 12, 1), (250, 12, 3), (333, 8, 3), (400, 4.5, 1), (400, 4.5, 8), (200, 4, 1),
    ] as [(circumference: Double, speed: Double, interval: Double)])
  func circuit(_ lap: (circumference: Double, speed: Double, interval: Double)) throws {
    let (circumference, speed, interval) = lap
    // Waits 12 s, drives 8.8 laps, and waits 15 s.
    let road = SimulatedRoad().arc(Int(8.8 * circumference), turning: 8.8 * 360)
    let drive = SimulatedDrive(road, speed: speed, idle: (12, 15))
    for seed in UInt64(1)...4 {
      let trace = try drive.trace("a", .every(interval), noise: 2, seed: seed)
      let places = TimedPlaces(trace)
      let start = try #require(MotionOnset(places))
      let end = try #require(MotionOnset(places.backwards))
      let slack = 6 + interval
      #expect(abs(start.moment - drive.motionStart) < slack, "\(seed)")
      #expect(abs(places.duration - end.moment - drive.motionEnd) < slack, "\(seed)")
    }
  }
}

extension TimedPlaces {
  fileprivate var indices: Range<Int> { 0..<count }
}
