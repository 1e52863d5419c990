import GhostModel
import Testing
import TrackModel

@Suite("Replay of a ghost")
struct GhostReplayTests {
  /// A clock that advances when `sleep` is called, and by `lineTime` with every line.
  private final class Watch {
    var time = 100.0
    var waits: [Double] = []
    var clock: GhostReplay.Clock {
      GhostReplay.Clock(
        now: { self.time },
        sleep: { until in
          self.waits.append(until - self.time)
          self.time = max(self.time, until)
        })
    }
  }

  /// Returns a trail to the north with a point at each end that takes `seconds` at a constant speed.
  private static func trail(_ seconds: Double) -> GhostTrail {
    GhostTrail(
      evenly: [Coordinate(latitude: 0, longitude: 0), Coordinate(latitude: seconds * 1e-4, longitude: 0)],
      over: seconds)
  }

  private static func moments(
    _ trail: GhostTrail, rate: Double, _ watch: Watch = Watch(), lineTime: Double = 0
  ) -> [Double] {
    var moments: [Double] = []
    GhostReplay(trail, rate: rate).run(on: watch.clock) { position, seconds in
      #expect(abs(position.coordinate.latitude - seconds * 1e-4) < 1e-9)
      moments.append(seconds)
      watch.time += lineTime
    }
    return moments
  }

  @Test("A position is printed every second until the arrival, which is also printed")
  func realTime() {
    let watch = Watch()
    #expect(Self.moments(Self.trail(3.5), rate: 1, watch) == [0, 1, 2, 3, 3.5])
    #expect(watch.waits == [0, 1, 1, 1, 0.5])
    #expect(watch.time == 103.5)
  }

  @Test("At four times the speed the drive takes a quarter of the time")
  func faster() {
    let watch = Watch()
    #expect(Self.moments(Self.trail(10), rate: 4, watch) == [0, 4, 8, 10])
    #expect(watch.time == 102.5)
  }

  @Test("If lines take longer than a second, positions are skipped, and the ghost stays on time")
  func slowTerminal() {
    #expect(Self.moments(Self.trail(8), rate: 1, lineTime: 2.5) == [0, 2, 5, 7, 8])
  }

  @Test("An empty trail and a trail without a duration end immediately")
  func short() {
    #expect(Self.moments(GhostTrail(), rate: 1) == [])
    #expect(Self.moments(Self.trail(0), rate: 1) == [0])
  }

  @Test("Times at equal steps include the end, and a time of day can be on the following day")
  func moments() throws {
    let trail = Self.trail(7)
    #expect(try trail.moments(every: 3) == [0, 3, 6, 7])
    for step in [1e-7, 0, -1] { #expect(throws: TrackError.self) { try trail.moments(every: step) } }
    #expect(trail.elapsed(atTimeOfDay: 60) { _ in 0 } == nil)
    // From 23:59:00 local time for two minutes.
    let start = Instant(microseconds: (86_400 - 3660) * 1_000_000)
    let place = Coordinate(latitude: 0, longitude: 0)
    let night = GhostTrail([
      .init(coordinate: place, timestamp: start),
      .init(coordinate: place, timestamp: Instant(microseconds: start.microseconds + 120_000_000)),
    ])
    #expect(night.elapsed(atTimeOfDay: 86_370) { _ in 3600 } == 30)
    #expect(night.elapsed(atTimeOfDay: 15) { _ in 3600 } == 75)
    let before = try #require(night.elapsed(atTimeOfDay: 3600) { _ in 3600 })
    #expect(abs(before + 82_740) < 1e-6)
  }

  @Test("A time of day is on the clock that is valid at that moment of the drive")
  func changedClock() {
    // From 0:30 to 2:30 UTC. At 1:00 UTC, clocks are set back from 3:00 to 2:00, or forward from 2:00 to
    // 3:00.
    let place = Coordinate(latitude: 0, longitude: 0)
    let trail = GhostTrail(
      [1800, 9000].map {
        .init(coordinate: place, timestamp: Instant(microseconds: $0 * 1_000_000))
      })
    let hour: Int64 = 3_600_000_000
    let back = { (time: Instant) in time.microseconds < hour ? 7200 : 3600 }
    // 2:45 occurs twice, 3:15 once.
    #expect(trail.elapsed(atTimeOfDay: 2.75 * 3600, utcOffset: back) == 900)
    #expect(trail.elapsed(atTimeOfDay: 3.25 * 3600, utcOffset: back) == 6300)
    // 2:15 occurs at 0:15 UTC, before the drive, and at 1:15 UTC.
    #expect(trail.elapsed(atTimeOfDay: 2.25 * 3600, utcOffset: back) == 2700)
    let forward = { (time: Instant) in time.microseconds < hour ? 3600 : 7200 }
    #expect(trail.elapsed(atTimeOfDay: 1.75 * 3600, utcOffset: forward) == 900)
    #expect(trail.elapsed(atTimeOfDay: 3.25 * 3600, utcOffset: forward) == 2700)
  }
}
