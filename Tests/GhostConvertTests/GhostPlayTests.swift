import CommandLineParsing
import Foundation
import GhostModel
import Testing
import TrackModel

@testable import ghost_convert

@Suite struct GhostPlayTests {
  /// A clock that advances when `sleep` is called, and by `lineTime` with every line.
  private final class Watch {
    var time = 100.0
    var waits: [Double] = []
    var clock: PlayClock {
      PlayClock(
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
    GhostPlay(trail: trail, rate: rate).run(watch.clock) { position, seconds in
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

  @Test("A speed is a pace or a rate")
  func speeds() throws {
    #expect(try GhostSpeed("4x") == .rate(4))
    #expect(try GhostSpeed("0.5x") == .rate(0.5))
    #expect(try GhostSpeed("1,5x") == .rate(1.5))
    #expect(try GhostSpeed("4 x") == .rate(4))
    #expect(try GhostSpeed("36km/h") == .pace(10))
    #expect(throws: (any Error).self) { try GhostSpeed("0x") }
    let fault = #expect(throws: InvalidValue.self) { try GhostSpeed("4") }
    #expect(fault.map { "\($0)".contains("4x") } == true)
  }
}
