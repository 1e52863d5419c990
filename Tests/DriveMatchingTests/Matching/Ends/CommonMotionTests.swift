import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Common motion of two recordings")
struct CommonMotionTests {
  private static let road = SimulatedRoad().winding(12)
  private static let sides = [StretchEnd.Side.start, .end]

  /// A ride with two stops, whose pace varies.
  private static func ride(speed: Double = 8, waiting seconds: Double = 60) -> SimulatedDrive {
    SimulatedDrive(
      road, speed: speed, sway: 0.3, stops: [(1200, seconds), (2500, 40)], idle: (40, 30))
  }

  /// Returns the line of a recording.
  ///
  /// - Parameters:
  ///   - clock: the time of the first fix in seconds.
  ///   - skipped: the seconds at the beginning that were not recorded.
  ///   - step: the number of fixes of which one was recorded.
  private static func line(
    _ drive: SimulatedDrive, clock: Double = 0, skipped: Double = 0, step: Int = 1, noise: Double = 1,
    seed: UInt64
  ) throws -> MatchablePolyline {
    let trace = try drive.trace("", noise: noise, seed: seed)
    var segment = Recording.Segment()
    for row in stride(from: 0, to: trace.count, by: step) where trace.elapsed[row] >= skipped {
      let seconds = 1.7e9 + clock + trace.elapsed[row]
      segment.append(
        trace.coordinate(at: row), time: Instant(secondsSince1970: seconds) ?? Instant(microseconds: 0))
    }
    return MatchablePolyline(try TimedDrive(Recording(segments: [segment]), label: "", source: nil))
  }

  private static func motion(
    _ first: MatchablePolyline, _ second: MatchablePolyline, _ side: StretchEnd.Side
  ) -> CommonMotion? {
    CommonMotion(SharedRoad(first, second), side)
  }

  @Test("Two devices on one ride have one motion, and its gap is that between their first fixes")
  func twoDevices() throws {
    let first = try Self.line(Self.ride(), seed: 1)
    let second = try Self.line(Self.ride(), skipped: 25, seed: 2)
    for side in Self.sides {
      let motion = try #require(Self.motion(first, second, side))
      #expect(abs(motion.gap + 25) < 0.5)
      #expect(motion.variance < 0.5)
    }
  }

  @Test(
    "A thinned copy with another date has the motion of the recording, in either order",
    arguments: [3, 4, 5, 12] as [UInt64])
  func thinnedCopy(seed: UInt64) throws {
    let ride = SimulatedDrive(
      Self.road, speed: 13, sway: 0.3, stops: [(1200, 30), (2100, 33), (2500, 40), (3300, 15)],
      idle: (40, 30))
    let whole = try Self.line(ride, noise: 2.5, seed: seed)
    let copy = try Self.line(ride, clock: 172_800, step: 45, noise: 2.5, seed: seed)
    for side in Self.sides {
      let gap = try #require(Self.motion(whole, copy, side)?.gap)
      let opposite = try #require(Self.motion(copy, whole, side)?.gap)
      #expect(abs(gap) < 1e-3)
      #expect(abs(opposite) < 1e-3)
    }
  }

  @Test(
    "A drive of another day with a fix every 45 s and nearly the same pace is not a copy",
    arguments: [3, 4, 5, 12] as [UInt64])
  func similarPace(seed: UInt64) throws {
    func ride(speed: Double, waiting: Double) -> SimulatedDrive {
      SimulatedDrive(
        Self.road, speed: speed, sway: 0.3,
        stops: [(1200, 30), (2100, waiting), (2500, 40), (3300, 15)], idle: (40, 30))
    }
    let whole = try Self.line(ride(speed: 13, waiting: 33), noise: 2.5, seed: seed)
    let other = try Self.line(
      ride(speed: 13.05, waiting: 32), clock: 172_800, step: 45, noise: 2.5, seed: seed + 100)
    for side in Self.sides {
      #expect(Self.motion(whole, other, side) == nil)
      #expect(Self.motion(other, whole, side) == nil)
    }
  }

  @Test("A copy with times of another day has the motion of its original")
  func copyOfAnotherDay() throws {
    let first = try Self.line(Self.ride(), seed: 5)
    let second = try Self.line(Self.ride(), clock: 86_400, noise: 1.2, seed: 6)
    for side in Self.sides {
      let motion = try #require(Self.motion(first, second, side))
      #expect(abs(motion.gap) < 0.5)
    }
  }

  @Test("Two drives on one road on different days have different motions", arguments: [8.4, 10])
  func differentDays(speed: Double) throws {
    let first = try Self.line(Self.ride(), seed: 7)
    let second = try Self.line(Self.ride(speed: speed, waiting: 75), clock: 86_400, seed: 8)
    for side in Self.sides { #expect(Self.motion(first, second, side) == nil) }
  }

  @Test("Two people who start together and ride at different speeds have different motions")
  func companions() throws {
    let first = try Self.line(Self.ride(), seed: 9)
    let second = try Self.line(Self.ride(speed: 8.6, waiting: 30), seed: 10)
    for side in Self.sides { #expect(Self.motion(first, second, side) == nil) }
  }
}
