import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Laps timed fix by fix")
struct LapTimerTests {
  /// The metres per second of each lap, from gate to gate. The first one is also that before the first lap.
  private static let speeds = [22.0, 20.5, 21, 23, 22]
  private static let gate = 50.0

  /// The seconds at which each lap begins.
  private var starts: [Double] {
    Self.speeds.dropLast().reduce(into: [Self.gate / Self.speeds[0]]) { starts, speed in
      starts.append(starts[starts.count - 1] + LapCourseTests.length / speed)
    }
  }

  private func lap(at second: Double) -> Int { starts.lastIndex { $0 <= second } ?? 0 }

  private func metres(at second: Double) -> Double {
    let lap = lap(at: second)
    return Self.gate + LapCourseTests.length * Double(lap) + (second - starts[lap]) * Self.speeds[lap]
  }

  private func readings(
    every interval: Double, without gap: Range<Double>? = nil
  ) throws -> [(second: Double, reading: LapTimer.Reading)] {
    var timer = try LapTimer(LapCourse(gate: LapCourseTests.gate, in: [TimedDrive]()))
    let count = Int((starts[4] + 6) / interval)
    return (0..<count).compactMap { index in
      let second = Double(index) * interval
      if let gap, gap.contains(second) { return nil }
      let place = LapCourseTests.road.place(at: metres(at: second))
      return (
        second,
        timer.add(
          LocationFix(
            coordinate: LapCourseTests.projection.coordinate(place),
            time: Instant(microseconds: Int64(second * 1e6))))
      )
    }
  }

  @Test("Laps end one fix after the gate, with the time of the crossing", arguments: [0.2, 2])
  func finished(interval: Double) throws {
    let finished = try readings(every: interval).filter { $0.reading.finished != nil }
    #expect(finished.count == 4)
    for (index, (second, reading)) in finished.enumerated() {
      let lap = try #require(reading.finished)
      #expect(lap.number == index + 1)
      #expect(lap.isComplete)
      #expect(abs(lap.start - starts[index]) < 0.04)
      #expect(abs(lap.duration - LapCourseTests.length / Self.speeds[index]) < 0.05)
      #expect((0...2 * interval).contains(second - starts[index + 1]))
      #expect(reading.lap == index + 2)
    }
  }

  @Test(
    "After the first lap every fix has the gap to the best lap, also beyond the line before the lap has ended",
    arguments: [0.2, 2])
  func gap(interval: Double) throws {
    var best = Double.infinity
    var beyond = 0.0
    for (second, reading) in try readings(every: interval) {
      if let lap = reading.finished { best = min(best, lap.duration) }
      guard best.isFinite, let number = reading.lap else { continue }
      // The lap that the timer counts may have ended a fix ago.
      let along = metres(at: second) - Self.gate - LapCourseTests.length * Double(number - 1)
      beyond = max(beyond, along - LapCourseTests.length)
      let truth = second - starts[number - 1] - best * along / LapCourseTests.length
      let gap = try #require(reading.gap, "at \(second) s, \(along) m")
      #expect(abs(gap - truth) < 0.12, "at \(second) s, \(along) m")
    }
    // The gap must be known beyond the reach of the line.
    if interval == 2 { #expect(beyond > LapProfile.reach) }
  }

  @Test(
    "A gate in a tunnel of 40 s is timed on the road of the best lap",
    arguments: [10.0, 20, 30], [1, 2])
  func tunnel(before: Double, lap: Int) throws {
    let start = starts[lap + 1] - before
    let laps = try readings(every: 1, without: start..<(start + 40)).compactMap(\.reading.finished)
    try #require(laps.count == 4)
    for (index, lap) in laps.enumerated() {
      // The speed changes at the gate by at most 2 m/s of 22, over at most 40 s.
      #expect(abs(lap.duration - LapCourseTests.length / Self.speeds[index]) < 3)
      #expect(lap.isComplete)
    }
  }

  @Test(
    "A passage in the opposite direction is not a crossing of the gate",
    arguments: [(90.0, true, false), (270, false, true), (0, false, false)])
  func opposite(bearing: Double, isCrossed: Bool, isCrossedBackwards: Bool) throws {
    var course = try LapCourse(gate: LapCourseTests.gate, in: [TimedDrive]())
    course.gate.bearing = bearing
    var timer = try LapTimer(course)
    for second in 0...8 {
      let place = LapCourseTests.road.place(at: metres(at: Double(second)))
      _ = timer.add(
        LocationFix(
          coordinate: LapCourseTests.projection.coordinate(place),
          time: Instant(microseconds: Int64(second) * 1_000_000)))
    }
    #expect(timer.hasCrossed == isCrossed)
    #expect(timer.hasCrossedBackwards == isCrossedBackwards)
  }

  @Test("A lap that ends or begins with a stop at the gate is as uncertain as the stop is long")
  func stopAtGate() throws {
    var timer = try LapTimer(LapCourse(gate: LapCourseTests.gate, in: [TimedDrive]()))
    // The stop of 16 s is half a metre before the gate.
    let (speed, stop) = (20.0, (at: Self.gate + LapCourseTests.length - 0.5, seconds: 16.0))
    var laps: [TimedLap] = []
    for index in 0...900 {
      let second = Double(index) * 0.2
      let metres = second * speed
      let along = min(metres, max(stop.at, metres - stop.seconds * speed))
      let place = LapCourseTests.projection.coordinate(LapCourseTests.road.place(at: along))
      let fix = LocationFix(coordinate: place, time: Instant(microseconds: Int64(second * 1e6)))
      if let lap = timer.add(fix).finished { laps.append(lap) }
    }
    #expect(laps.count == 2)
    // The probability of either side is about a half: half of the duration is one standard deviation.
    for lap in laps { #expect((6...9).contains(lap.uncertainty), "\(lap.uncertainty)") }
  }

  @Test("A gate without a bearing is refused")
  func noBearing() throws {
    var course = try LapCourse(gate: LapCourseTests.gate, in: [TimedDrive]())
    course.gate.bearing = nil
    #expect(throws: TrackError.self) { try LapTimer(course) }
  }

  @Test("Fixes without a position are ignored")
  func invalidFixes() throws {
    var timer = try LapTimer(LapCourse(gate: LapCourseTests.gate, in: [TimedDrive]()))
    var laps = 0
    for second in 0...Int(starts[3]) {
      let place = LapCourseTests.projection.coordinate(
        LapCourseTests.road.place(at: metres(at: Double(second))))
      let time = Instant(microseconds: Int64(second) * 1_000_000)
      let nowhere = LocationFix(coordinate: Coordinate(latitude: .nan, longitude: 0), time: time)
      #expect(timer.add(nowhere).finished == nil)
      if timer.add(LocationFix(coordinate: place, time: time)).finished != nil { laps += 1 }
    }
    #expect(laps >= 2)
  }
}
