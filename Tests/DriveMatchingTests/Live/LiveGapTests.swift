import Foundation
import GhostModel
import Testing
import TrackModel

@testable import DriveMatching
@testable import TestSupport

struct LiveGapTests {
  /// A road in metres east and north of 46.5° N 7.5° E: 2 km of gentle bends, never crossing itself.
  static func place(_ metres: Double, sideways: Double = 0) -> Coordinate {
    let east = 120 * sin(metres / 300) + sideways
    return Coordinate(latitude: 46.5 + metres / 111_170, longitude: 7.5 + east / 76_700)
  }

  /// Length along that road grows faster than its metres north; times are exact whatever the length is.
  static func trail(stop: Double = 0) -> GhostTrail {
    var trail = GhostTrail()
    for second in 0...200 {
      trail.append(
        GhostTrail.Point(
          coordinate: place(10 * Double(second)),
          timestamp: Recording.instant(Double(second) + (second > 100 ? stop : 0))))
    }
    return trail
  }

  static func fix(_ seconds: Double, _ coordinate: Coordinate) -> LocationFix {
    LocationFix(coordinate: coordinate, time: Recording.instant(100_000 + seconds))
  }

  @Test("A driver who is a tenth faster gains a tenth", arguments: [1.0, 0.5, 2.5])
  func faster(step: Double) throws {
    var live = try LiveGap(Self.trail())
    var checked = 0
    for second in stride(from: 0.0, through: 170, by: step) {
      // 11 m/s against 10: at 11·t metres the ghost was after 1.1·t seconds.
      let reading = live.add(Self.fix(second, Self.place(11 * second)))
      guard second > 10 else { continue }
      let gap = try #require(reading.gap)
      #expect(abs(gap + 0.1 * second) < 0.3, "at \(second) s: \(gap)")
      #expect(reading.state == .onRoute)
      let distance = try #require(reading.distance)
      #expect(distance < 0)
      checked += 1
    }
    #expect(checked > 60)
  }

  @Test("The first metres count as all others do", arguments: [0.1, 0.5, 1, 4])
  func slowStart(step: Double) throws {
    var live = try LiveGap(Self.trail())
    for number in 0...Int(100 / step) {
      let second = Double(number) * step
      // 5 m/s against 10: at 5·t metres the ghost was after t/2 seconds.
      let reading = live.add(Self.fix(second, Self.place(5 * second)))
      guard second >= 2, let gap = reading.gap else { continue }
      #expect(abs(gap - second / 2) < 0.35, "at \(second) s: \(gap)")
    }
  }

  @Test("A receiver that wanders while the car stands does not set the clock going")
  func wandering() throws {
    var live = try LiveGap(Self.trail())
    var gap: Double?
    for second in 0...100 {
      // Three metres to and fro for a minute, then 10 m/s as the ghost.
      let metres = second < 60 ? 1.5 + 1.5 * sin(Double(second) / 5) : 10 * Double(second - 60) + 1.5
      gap = live.add(Self.fix(Double(second), Self.place(metres))).gap
    }
    // It moved off at 60 s, but for the second that a receiver needs to show it.
    #expect(abs(try #require(gap)) < 1.3)
  }

  @Test("Waiting at the start costs nothing, waiting on the way does")
  func waiting() throws {
    var live = try LiveGap(Self.trail())
    var last: LiveGap.Reading?
    for second in 0...300 {
      let seconds = Double(second)
      // 40 s at the start, then 10 m/s, 30 s at 500 m.
      let moved = max(0, seconds - 40)
      let metres = 10 * (moved < 50 ? moved : max(50, moved - 30))
      last = live.add(Self.fix(seconds, Self.place(min(metres, 1900))))
      if second == 80 { #expect(abs(try #require(last?.gap)) < 0.8) }
      if second == 115 {
        // 25 s into the wait.
        #expect(abs(try #require(last?.gap) - 25) < 0.8)
      }
      if second == 200 { #expect(abs(try #require(last?.gap) - 30) < 0.8) }
    }
    #expect(last?.state == .onRoute)
  }

  @Test("The ghost's own stop adds no gap while it lasts")
  func ghostStands() throws {
    var live = try LiveGap(Self.trail(stop: 60))
    for second in 0...190 {
      let reading = live.add(Self.fix(Double(second), Self.place(10 * Double(second))))
      // The ghost leaves 1000 m at 160 s; the driver is there at 100 s and goes on.
      if second == 60 { #expect(abs(try #require(reading.gap)) < 0.8) }
      if second == 150 { #expect(abs(try #require(reading.gap) + 60) < 0.8) }
    }
  }

  @Test("Who leaves the road is off route, and on it again after coming back")
  func detour() throws {
    var live = try LiveGap(Self.trail())
    var states: [LiveGap.State] = []
    for second in 0...200 {
      let metres = 10 * Double(second)
      // Between 600 m and 1200 m up to 200 m aside.
      let sideways = (600...1200).contains(metres) ? 200 * sin((metres - 600) / 600 * .pi) : 0
      states.append(live.add(Self.fix(Double(second), Self.place(metres, sideways: sideways))).state)
    }
    #expect(states[50] == .onRoute)
    #expect(states[90] == .offRoute)
    #expect(states[150] == .onRoute)
    #expect(states[200] == .arrived)
    let changes = zip(states, states.dropFirst()).count { $0 != $1 }
    #expect(changes <= 3)
  }

  @Test("Before the driver comes onto the road there is no gap")
  func elsewhere() throws {
    var live = try LiveGap(Self.trail())
    let far = live.add(Self.fix(0, Self.place(500, sideways: 3000)))
    #expect(far.state == .waiting)
    #expect(far.gap == nil && far.distance == nil && far.ghost == nil)
  }

  @Test("A ghost that is no way is an error")
  func noWay() {
    #expect(throws: TrackError.self) { try LiveGap(GhostTrail()) }
  }
}
