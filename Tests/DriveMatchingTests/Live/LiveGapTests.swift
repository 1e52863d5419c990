import CMath
import GhostModel
import Testing
import TrackModel

@testable import DriveMatching
@testable import TestSupport

struct LiveGapTests {
  /// Returns a place on a road of 2 km with gentle bends that never crosses itself. It begins at 46.5° N,
  /// 7.5° E; `metres` is the distance to the north.
  static func place(_ metres: Double, sideways: Double = 0) -> Coordinate {
    let east = 120 * sin(metres / 300) + sideways
    return Coordinate(latitude: 46.5 + metres / 111_170, longitude: 7.5 + east / 76_700)
  }

  /// Returns the trail of a ghost at 10 m/s to the north that stops for `stop` seconds after 1000 m.
  ///
  /// The length along the road grows faster than the distance to the north, but the times are exact.
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

  @Test("A driver who is 10 % faster gains 10 %", arguments: [1.0, 0.5, 2.5])
  func faster(step: Double) throws {
    var live = try LiveGap(Self.trail())
    var checked = 0
    for second in stride(from: 0.0, through: 170, by: step) {
      // 11 m/s against 10: the ghost was at 11·t metres after 1.1·t seconds.
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

  @Test("The first metres are timed like all others", arguments: [0.1, 0.5, 1, 4])
  func slowStart(step: Double) throws {
    var live = try LiveGap(Self.trail())
    for number in 0...Int(100 / step) {
      let second = Double(number) * step
      // 5 m/s against 10: the ghost was at 5·t metres after t/2 seconds.
      let reading = live.add(Self.fix(second, Self.place(5 * second)))
      guard second >= 2, let gap = reading.gap else { continue }
      #expect(abs(gap - second / 2) < 0.35, "at \(second) s: \(gap)")
    }
  }

  @Test("The noise of a receiver in a stationary car does not start the clock")
  func wandering() throws {
    var live = try LiveGap(Self.trail())
    var gap: Double?
    for second in 0...100 {
      // Back and forth by three metres for a minute, then 10 m/s like the ghost.
      let metres = second < 60 ? 1.5 + 1.5 * sin(Double(second) / 5) : 10 * Double(second - 60) + 1.5
      gap = live.add(Self.fix(Double(second), Self.place(metres))).gap
    }
    // The car starts moving at 60 s; a receiver needs about one second to show it.
    #expect(abs(try #require(gap)) < 1.3)
  }

  @Test("Waiting at the start does not add to the gap, waiting on the way does")
  func waiting() throws {
    var live = try LiveGap(Self.trail())
    var last: LiveGap.Reading?
    for second in 0...300 {
      let seconds = Double(second)
      // 40 s at the start, then 10 m/s, with a stop of 30 s at 500 m.
      let moved = max(0, seconds - 40)
      let metres = 10 * (moved < 50 ? moved : max(50, moved - 30))
      last = live.add(Self.fix(seconds, Self.place(min(metres, 1900))))
      if second == 80 { #expect(abs(try #require(last?.gap)) < 0.8) }
      if second == 115 {
        // 25 s into the stop.
        #expect(abs(try #require(last?.gap) - 25) < 0.8)
      }
      if second == 200 { #expect(abs(try #require(last?.gap) - 30) < 0.8) }
    }
    #expect(last?.state == .onRoute)
  }

  @Test("The gap does not change while the ghost is stationary")
  func ghostStands() throws {
    var live = try LiveGap(Self.trail(stop: 60))
    for second in 0...190 {
      let reading = live.add(Self.fix(Double(second), Self.place(10 * Double(second))))
      // The ghost leaves 1000 m at 160 s; the driver passes it at 100 s without stopping.
      if second == 60 { #expect(abs(try #require(reading.gap)) < 0.8) }
      if second == 150 { #expect(abs(try #require(reading.gap) + 60) < 0.8) }
    }
  }

  /// Returns the metres of a driver at 10 m/s who stops for some seconds after 1000 m.
  static func metres(_ second: Double, stop: Double) -> Double {
    10 * (second < 100 ? second : max(100, second - stop))
  }

  /// Returns the trail of a ghost with one point per second.
  static func trail(seconds: Int, _ metres: (Double) -> Double) -> GhostTrail {
    var trail = GhostTrail()
    for second in 0...seconds {
      trail.append(
        GhostTrail.Point(
          coordinate: place(metres(Double(second))), timestamp: Recording.instant(Double(second))))
    }
    return trail
  }

  @Test(
    "At a stop of the ghost, the gap is that to the nearest time of its stay",
    arguments: [0.0, 30, 60, 90])
  func stops(stop: Double) throws {
    var live = try LiveGap(Self.trail(seconds: 240) { Self.metres($0, stop: 60) })
    for second in stride(from: 0, through: 180 + stop, by: 1) {
      let gap = try #require(live.add(Self.fix(second, Self.place(Self.metres(second, stop: stop)))).gap)
      if second <= 100 + stop {
        #expect(abs(gap - max(0, second - 160)) < 0.8, "at \(second) s: \(gap)")
      } else if second > 104 + stop {
        #expect(abs(gap - (stop - 60)) < 0.8, "at \(second) s: \(gap)")
      }
    }
  }

  @Test("The noise of a receiver at a stop of the ghost does not add to the gap", arguments: [3.0, 8])
  func noiseAtStop(noise: Double) throws {
    var live = try LiveGap(Self.trail(seconds: 240) { Self.metres($0, stop: 60) })
    for second in stride(from: 0.0, through: 240, by: 1) {
      let drift = (90...170).contains(second) ? noise * sin(second / 7) : 0
      let reading = live.add(Self.fix(second, Self.place(Self.metres(second, stop: 60) + drift)))
      #expect(abs(try #require(reading.gap)) < 1, "at \(second) s")
      #expect(abs(try #require(reading.distance)) < 2 * noise + 3, "at \(second) s")
    }
  }

  @Test(
    "A driver who accelerates like the ghost is level, however long they wait at the start",
    arguments: [0.0, 4, 40], [1.0, 2])
  func standingStart(wait: Double, acceleration: Double) throws {
    func metres(_ second: Double) -> Double {
      let gaining = min(max(second, 0), 12 / acceleration)
      return acceleration * gaining * gaining / 2 + 12 * max(0, second - gaining)
    }
    var live = try LiveGap(Self.trail(seconds: 140) { metres($0 - 10) })
    for second in stride(from: 0, through: 120 + wait, by: 1) {
      let gap = try #require(live.add(Self.fix(second, Self.place(metres(second - wait)))).gap)
      #expect(abs(gap) < (second < wait + 20 ? 1.3 : 0.5), "at \(second) s: \(gap)")
    }
  }

  @Test("A driver who leaves the road is off route, and on route again after returning")
  func detour() throws {
    var live = try LiveGap(Self.trail())
    var states: [LiveGap.State] = []
    for second in 0...200 {
      let metres = 10 * Double(second)
      // Up to 200 m to the side between 600 m and 1200 m.
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

  @Test("There is no gap until the driver reaches the road")
  func elsewhere() throws {
    var live = try LiveGap(Self.trail())
    let far = live.add(Self.fix(0, Self.place(500, sideways: 3000)))
    #expect(far.state == .waiting)
    #expect(far.gap == nil && far.distance == nil && far.ghost == nil)
  }

  @Test("An empty ghost is an error")
  func noWay() {
    #expect(throws: TrackError.self) { try LiveGap(GhostTrail()) }
  }

  @Test("The gap of a driver who has arrived does not change while parked", arguments: [11.0, 9])
  func parked(speed: Double) throws {
    var live = try LiveGap(Self.trail())
    let arrival = (2000 / speed).rounded(.up)
    let truth = arrival - 200
    for second in stride(from: 0, through: arrival + 400, by: 1) {
      // The receiver drifts by 4 m.
      let metres = min(speed * second, 2000) + (second > arrival ? 4 * sin(second / 15) : 0)
      let reading = live.add(Self.fix(second, Self.place(metres)))
      guard second > arrival else { continue }
      #expect(reading.state == .arrived)
      #expect(abs(try #require(reading.gap) - truth) < 1.5, "at \(second) s")
    }
  }

  @Test(
    "A fix without a position does not change the place",
    arguments: [Coordinate(latitude: .nan, longitude: 7), Coordinate(latitude: -180, longitude: -180)])
  func invalidFix(coordinate: Coordinate) throws {
    var live = try LiveGap(Self.trail())
    for second in 0...20 { _ = live.add(Self.fix(Double(second), Self.place(10 * Double(second)))) }
    #expect(live.add(Self.fix(21, coordinate)).state == .onRoute)
    var unknown = Self.fix(22, Self.place(10_000))
    unknown.horizontalAccuracy = -1
    #expect(live.add(unknown).state == .onRoute)
    #expect(abs(try #require(live.add(Self.fix(23, Self.place(230))).gap)) < 0.3)
  }
}
