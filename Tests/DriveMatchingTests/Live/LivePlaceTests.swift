import CMath
import GhostModel
import Testing
import TrackModel

@testable import DriveMatching
@testable import TestSupport

/// Roads that touch or cross themselves, so that a place alone does not determine the distance along them.
struct LivePlaceTests {
  /// Straight lines between corners, in metres east and north of 46.5° N 7.5° E.
  struct Way {
    var corners: [SIMD2<Double>]

    func coordinate(_ metres: Double, aside: SIMD2<Double> = .zero) -> Coordinate {
      var left = metres
      for (from, to) in zip(corners, corners.dropFirst()) {
        let step = to - from
        let length = (step * step).sum().squareRoot()
        if left <= length || to == corners.last {
          return Self.coordinate(from + left / length * step + aside)
        }
        left -= length
      }
      return Self.coordinate(corners[0])
    }

    static func coordinate(_ place: SIMD2<Double>) -> Coordinate {
      Coordinate(latitude: 46.5 + place.y / 111_170, longitude: 7.5 + place.x / 76_740)
    }
  }

  /// Returns the trail of a ghost at 10 m/s with one point per second.
  static func ghost(_ way: Way, metres: Double, aside: (Double) -> SIMD2<Double> = { _ in .zero })
    -> GhostTrail
  {
    var trail = GhostTrail()
    for second in 0...Int(metres / 10) {
      let distanceAlong = 10 * Double(second)
      trail.append(
        GhostTrail.Point(
          coordinate: way.coordinate(distanceAlong, aside: aside(distanceAlong)),
          timestamp: Recording.instant(Double(second))))
    }
    return trail
  }

  static func fix(_ seconds: Double, _ coordinate: Coordinate) -> LocationFix {
    LocationFix(coordinate: coordinate, time: Recording.instant(100_000 + seconds))
  }

  /// A square with a circumference of 3.2 km.
  static let square = Way(corners: [[0, 0], [800, 0], [800, 800], [0, 800], [0, 0]])

  /// The metres from the ghost's end to its start, and the place of the driver's first fix.
  static let starts: [(short: Double, first: SIMD2<Double>)] = [
    (0, [0, 0]), (0, [0, 9]), (0, [-6, 4]), (0, [-12, -3]), (20, [0, 3]), (20, [0, 14]), (20, [1, 19]),
  ]

  @Test("A round trip begins at its start, however close its end is", arguments: starts)
  func roundTrip(short: Double, first: SIMD2<Double>) throws {
    var live = try LiveGap(Self.ghost(Self.square, metres: 3200 - short))
    // Half a minute at the first place, then 11 m/s against 10.
    for second in 0...30 {
      let reading = live.add(Self.fix(Double(second), Way.coordinate(first)))
      #expect(reading.state == .onRoute)
      #expect(abs(reading.gap ?? .nan) < 0.01)
    }
    for second in 31...310 {
      let reading = live.add(Self.fix(Double(second), Self.square.coordinate(11 * Double(second - 30))))
      let gap = try #require(reading.gap, "at \(second) s: \(reading)")
      // The first fix may be up to 19 m before or next to the ghost's start.
      #expect(abs(gap + 0.1 * Double(second - 30)) < 2.2, "at \(second) s: \(gap)")
      #expect(reading.state == .onRoute)
    }
    let last = live.add(Self.fix(320, Self.square.coordinate(3190)))
    #expect(last.state == .arrived)
  }

  @Test("A driver who begins at the end of a ghost that is not a loop has not arrived")
  func beginsAtEnd() throws {
    let road = Way(corners: [[0, 0], [2000, 0]])
    var live = try LiveGap(Self.ghost(road, metres: 2000))
    #expect(live.add(Self.fix(0, road.coordinate(1999))).state == .onRoute)
  }

  @Test("At a crossing of the road with itself, the driver continues straight on", arguments: [1.0, 3])
  func figureEight(step: Double) throws {
    // Two loops with a common crossing, which the second one passes in the other direction.
    let eight = Way(corners: [
      [0, 0], [500, 500], [1000, 500], [1000, -500], [500, -500], [-500, 500], [-1000, 500], [-1000, -500],
      [-500, -500], [0, 0],
    ])
    var live = try LiveGap(Self.ghost(eight, metres: 6000))
    for second in stride(from: 0.0, through: 500, by: step) {
      // Some metres to the side, so that the other road is temporarily closer.
      let wander = SIMD2(6 * sin(second / 7), 6 * cos(second / 11))
      let reading = live.add(Self.fix(second, eight.coordinate(11 * second, aside: wander)))
      guard second > 10 else { continue }
      let gap = try #require(reading.gap, "at \(second) s")
      #expect(abs(gap + 0.1 * second) < 1.8, "at \(second) s: \(gap)")
    }
  }

  @Test("With two laps of the ghost, the driver is in the first, even if the second was recorded closer")
  func twoLaps() throws {
    let laps = Way(corners: Self.square.corners + Self.square.corners.dropFirst())
    // The first lap of the ghost is shifted by 12 m.
    var live = try LiveGap(Self.ghost(laps, metres: 6400) { $0 < 3150 ? [8.5, 8.5] : .zero })
    for second in 0...570 {
      let reading = live.add(Self.fix(Double(second), laps.coordinate(11 * Double(second))))
      guard second > 10 else { continue }
      let gap = try #require(reading.gap, "at \(second) s")
      #expect(abs(gap + 0.1 * Double(second)) < 3.5, "at \(second) s: \(gap)")
    }
  }

  @Test("Several laps can be driven against a ghost of one lap")
  func lapAfterLap() throws {
    var live = try LiveGap(Self.ghost(Self.square, metres: 3200))
    var states: Set<LiveGap.State> = []
    for second in 0...540 {
      let metres = 11 * Double(second)
      let reading = live.add(
        Self.fix(Double(second), Self.square.coordinate(metres.truncatingRemainder(dividingBy: 3200))))
      states.insert(reading.state)
      if second == 280 { #expect(abs(try #require(reading.gap) + 28) < 0.5) }
      guard second > 300 else { continue }
      // The clocks are aligned again within the first 40 m of the lap, for which the ghost takes 4 s.
      let gap = try #require(reading.gap, "at \(second) s")
      let lap = Double(second) - 3200 / 11
      #expect(gap < 0.5 - 0.1 * (lap - 4) && gap > -0.5 - 0.1 * lap, "at \(second) s: \(gap)")
    }
    #expect(states == [.onRoute, .arrived])
  }

  @Test(
    "A driver who turns back and turns again is on route as soon as the direction is known",
    arguments: [1.0, 2])
  func turnsBack(step: Double) throws {
    let road = Way(corners: [[0, 0], [3000, 0]])
    var live = try LiveGap(Self.ghost(road, metres: 3000))
    // At 10 m/s: 1000 m forward, 500 m back, and forward again.
    func metres(_ second: Double) -> Double {
      second < 100 ? 10 * second : second < 150 ? 2000 - 10 * second : 10 * second - 1000
    }
    for second in stride(from: 0, through: 250, by: step) {
      let reading = live.add(Self.fix(second, road.coordinate(metres(second))))
      if (110...150).contains(second) { #expect(reading.state == .offRoute, "at \(second) s") }
      if second < 99 || second > 158 {
        let gap = try #require(reading.gap, "at \(second) s")
        // Driving back and forward again takes 100 s.
        #expect(abs(gap - (second < 100 ? 0 : 100)) < 0.8, "at \(second) s: \(gap)")
      }
    }
  }

  @Test("On a road out and back, the direction decides, although the first fix has none")
  func wayBack() throws {
    let outAndBack = Way(corners: [[0, 0], [3000, 0], [0, 0]])
    var live = try LiveGap(Self.ghost(outAndBack, metres: 6000))
    // Waits for 20 s at 2000 m, then drives back at 11 m/s against 10.
    for second in 0...150 {
      let seconds = Double(second)
      let reading = live.add(Self.fix(seconds, outAndBack.coordinate(4000 + 11 * max(0, seconds - 20))))
      guard second > 30 else { continue }
      let gap = try #require(reading.gap, "at \(second) s")
      #expect(abs(gap + 0.1 * (seconds - 20)) < 0.5, "at \(second) s: \(gap)")
    }
  }

  @Test("After a short cut in the second lap, the driver remains in the second lap")
  func shortCut() throws {
    let laps = Way(corners: Self.square.corners + Self.square.corners.dropFirst())
    var live = try LiveGap(Self.ghost(laps, metres: 6400))
    // One lap and 400 m like the ghost, then straight to the middle of the opposite side.
    for second in 0...360 { _ = live.add(Self.fix(Double(second), laps.coordinate(10 * Double(second)))) }
    for second in 361...440 {
      let reading = live.add(Self.fix(Double(second), Way.coordinate([400, 10 * Double(second - 360)])))
      if second > 375, second < 430 { #expect(reading.state == .offRoute, "at \(second) s") }
    }
    for second in 441...480 {
      // The ghost was at the middle of the opposite side, 5200 m, at 520 s: 80 s later.
      let reading = live.add(Self.fix(Double(second), laps.coordinate(5200 + 10 * Double(second - 440))))
      guard second > 450 else { continue }
      #expect(abs(try #require(reading.gap, "at \(second) s") + 80) < 0.8)
    }
  }

  @Test("The noise of a stationary receiver near the turning point is not treated as the way back")
  func standing() throws {
    let outAndBack = Way(corners: [[0, 0], [3000, 0], [0, 0]])
    var live = try LiveGap(Self.ghost(outAndBack, metres: 6000))
    for second in 0...409 {
      let seconds = Double(second)
      // Like the ghost, except for two minutes at 2900 m, during which the position moves in a circle of 12
      // m.
      let isStopped = (290..<410).contains(second)
      let jitter: SIMD2<Double> = isStopped ? [12 * sin(seconds * 0.4), 12 * cos(seconds * 0.4)] : .zero
      let reading = live.add(
        Self.fix(seconds, outAndBack.coordinate(10 * min(seconds, 290), aside: jitter)))
      #expect(reading.state == .onRoute, "at \(second) s")
      if isStopped { #expect(abs(try #require(reading.gap) - (seconds - 290)) < 2) }
    }
  }

  @Test("The noise of a parked receiver is not treated as the wrong direction")
  func parked() throws {
    let road = Way(corners: [[0, 0], [3000, 0]])
    var live = try LiveGap(Self.ghost(road, metres: 3000))
    for second in 0...60 {
      let jitter = SIMD2(2.5 * sin(Double(second) * 2.1), 2.5 * cos(Double(second) * 1.3))
      #expect(live.add(Self.fix(Double(second), Way.coordinate(jitter))).state == .onRoute, "at \(second) s")
    }
  }
}
