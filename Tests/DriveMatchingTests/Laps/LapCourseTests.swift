import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Laps of a circuit")
struct LapCourseTests {
  /// A circuit of 1,400 m, driven four times after the first 200 m of its first straight.
  static let road: SimulatedRoad = {
    var road = SimulatedRoad().straight(200)
    for _ in 0..<4 { road = road.arc(300, turning: 180).straight(400).arc(300, turning: 180).straight(400) }
    return road
  }()
  static let length = 1400.0
  static let projection = Projection.plane(latitude: 47, longitude: 8)
  /// A gate on the first straight, 50 m after its beginning.
  static let gate = Gate(projection.coordinate(SIMD2(50, 0)), bearing: 90)

  static func place(_ east: Double, _ north: Double) -> Coordinate {
    projection.coordinate(SIMD2(east, north))
  }

  @Test("Laps begin and end when the car passes the gate", arguments: [0.1, 1, 3])
  func times(interval: Double) throws {
    let drive = SimulatedDrive(Self.road, speed: 25, sway: 0.3)
    let trace = try drive.trace("a", .every(interval), noise: 0)
    let course = try LapCourse(gate: Self.gate, in: [trace])
    let laps = try #require(course.sessions(of: [trace]).first).laps
    #expect(laps.count == 4)
    for (index, lap) in laps.enumerated() {
      let start = drive.time(at: 50 + Self.length * Double(index))
      let end = drive.time(at: 50 + Self.length * Double(index + 1))
      #expect(lap.isComplete)
      #expect(abs(lap.start - start) < 0.06 * interval + 0.01)
      #expect(abs(lap.end - end) < 0.06 * interval + 0.01)
      #expect(abs(lap.distance - Self.length) < 15)
    }
  }

  @Test("A gate in a hairpin is crossed although the fixes before and after it are on its legs")
  func hairpin() throws {
    // Laps of 682 m: straights of 300 m, joined by bends with a radius of 13 m.
    var road = SimulatedRoad().straight(200)
    for _ in 0..<5 { road = road.arc(41, turning: 180).straight(300).arc(41, turning: 180).straight(300) }
    let drive = SimulatedDrive(road, speed: 12)
    // Five metres after the beginning of the first bend, in the direction of the bend.
    let gate = Gate(Self.projection.coordinate(road.place(at: 205)), bearing: 90 - 180 * 5 / 41)
    for interval in [0.2, 1, 3, 4] {
      let trace = try drive.trace("a", .every(interval), noise: 0)
      let course = try LapCourse(gate: gate, in: [trace])
      let laps = course.sessions(of: [trace])[0].laps
      #expect(laps.count == 4, "\(interval)")
      for (index, lap) in laps.enumerated() {
        #expect(lap.isComplete)
        #expect(abs(lap.start - drive.time(at: 205 + 682 * Double(index))) < 0.2 * interval)
      }
    }
  }

  @Test("A gate without a bearing uses the direction of most passages")
  func bearing() throws {
    let trace = try SimulatedDrive(Self.road, speed: 25).trace("a", noise: 1)
    let course = try LapCourse(gate: Gate(Self.gate.coordinate), in: [trace])
    #expect(abs(try #require(course.gate.bearing) - 90) < 5)
  }

  @Test("Sectors add up to the lap, and the best of each add up to the theoretical best")
  func sectors() throws {
    let drive = SimulatedDrive(Self.road, speed: 25, stops: [(at: 700, seconds: 9), (at: 2900, seconds: 5)])
    let trace = try drive.trace("a", noise: 0)
    // The middle of the opposite straight.
    let opposite = Gate(Self.place(0, 600 / Double.pi))
    let course = try LapCourse(gate: Self.gate, sectors: [opposite], in: [trace])
    let session = try #require(course.sessions(of: [trace]).first)
    for lap in session.laps {
      #expect(lap.sectors.count == 2)
      #expect(abs(lap.sectors.reduce(0, +) - lap.duration) < 1e-9)
    }
    // In driving order, and in the opposite one.
    let early = Gate(trace.coordinate(at: trace.index(at: drive.time(at: 350))))
    for gates in [[early, opposite], [opposite, early]] {
      let course = try LapCourse(gate: Self.gate, sectors: gates, in: [trace])
      let laps = try #require(course.sessions(of: [trace]).first).laps
      #expect(laps.allSatisfy { $0.sectors.count == 3 })
      #expect(laps.allSatisfy { abs($0.sectors[2] - session.laps[$0.number - 1].sectors[1]) < 0.01 })
    }
    let far = Gate(Coordinate(latitude: 1, longitude: 1))
    #expect(throws: TrackError.self) { try LapCourse(gate: Self.gate, sectors: [far], in: [trace]) }
    let cuts = (0..<4).map { lap in
      [50, 700, 1450].map { drive.time(at: $0 + Self.length * Double(lap)) }
    }
    let best = cuts.map { $0[1] - $0[0] }.min()! + cuts.map { $0[2] - $0[1] }.min()!
    #expect(abs(try #require(session.theoreticalBest) - best) < 0.3)
  }

  @Test("Stops are included in the lap time")
  func waiting() throws {
    let drive = SimulatedDrive(Self.road, speed: 25, stops: [(at: 2000, seconds: 20)])
    let trace = try drive.trace("a", noise: 0)
    let laps = try LapCourse(gate: Self.gate, in: [trace]).sessions(of: [trace])[0].laps
    #expect(laps.map { $0.waiting > 15 } == [false, true, false, false])
    #expect(laps.allSatisfy { $0.isComplete })
  }

  @Test("A lap with a long stop is complete although the receiver drifts", arguments: 1...4)
  func drift(seed: UInt64) throws {
    let drive = SimulatedDrive(Self.road, speed: 25, stops: [(at: 2000, seconds: 900)])
    let trace = try drive.trace("a", noise: 4, seed: seed)
    let laps = try LapCourse(gate: Self.gate, in: [trace]).sessions(of: [trace])[0].laps
    #expect(laps.count == 4 && laps.allSatisfy { $0.isComplete })
    #expect(laps.allSatisfy { abs($0.distance - Self.length) < 60 })
    #expect(abs(laps[1].waiting - 900) < 30)
  }

  @Test("A stop on identical fixes is found, however long it is", arguments: [60.0, 180, 1200])
  func frozen(seconds: Double) throws {
    let drive = SimulatedDrive(Self.road, speed: 25, stops: [(at: 2000, seconds: seconds)])
    let trace = try drive.trace("a", noise: 0)
    let laps = try LapCourse(gate: Self.gate, in: [trace]).sessions(of: [trace])[0].laps
    #expect(abs(laps[1].waiting - seconds) < 3)
  }

  @Test(
    "A lap through the pit lane is marked, with and without a stop in it", arguments: [0.0, 10, 60], [0, 0.5])
  func pitLane(stop: Double, noise: Double) throws {
    // The third lap uses a lane 12 m to the left of the second straight.
    let road = Self.road.detour(over: 3350...3650, offset: 12, angle: 30)
    let drive = SimulatedDrive(road, speed: 25, stops: stop > 0 ? [(at: 3500, seconds: stop)] : [])
    for seed in 1...4 as ClosedRange<UInt64> {
      let trace = try drive.trace("a", .every(0.2), noise: noise, seed: seed)
      // In the lane, the car needs 2.5 times as long.
      var delay = 0.0
      let elapsed = trace.elapsed.map { time in
        if (3350...3650).contains(drive.metres(at: time)) { delay += 1.5 * 0.2 }
        return time + delay
      }
      let slow = try TimedDrive(
        label: "a", coordinates: (0..<trace.count).map { trace.coordinate(at: $0) }, elapsed: elapsed)
      let laps = try LapCourse(gate: Self.gate, in: [slow]).sessions(of: [slow])[0].laps
      #expect(laps.map(\.isThroughPitLane) == [false, false, true, false])
    }
  }

  @Test("A crossing without fixes is timed from the other laps")
  func hole() throws {
    let drive = SimulatedDrive(Self.road, speed: 25)
    let crossing = drive.time(at: 50 + 2 * Self.length)
    // The car enters the bend in the gap, so that a straight line between the fixes would leave the road.
    let trace = try drive.trace("a", noise: 0, blind: (crossing - 20)...(crossing + 10))
    let laps = try LapCourse(gate: Self.gate, in: [trace]).sessions(of: [trace])[0].laps
    #expect(laps.count == 4)
    #expect(laps.allSatisfy { $0.isComplete })
    #expect(abs(laps[1].end - crossing) < 0.5)
    #expect(laps[1].uncertainty > 0.3)
  }

  @Test("A lap that leaves the circuit is incomplete")
  func paddock() throws {
    var road = SimulatedRoad().straight(200)
    for _ in 0..<2 { road = road.arc(300, turning: 180).straight(400).arc(300, turning: 180).straight(400) }
    // From the beginning of the straight, past the gate at a distance of 154 m, and back to the end of the
    // straight.
    road = road.arc(300, turning: 180).straight(400).arc(300, turning: 180).straight(20)
      .arc(100, turning: -90).straight(26).arc(100, turning: 90).straight(125)
      .arc(100, turning: 90).straight(26).arc(100, turning: -90)
    for _ in 0..<2 { road = road.arc(300, turning: 180).straight(400).arc(300, turning: 180).straight(400) }
    let trace = try SimulatedDrive(Self.road, speed: 25).trace("a", noise: 0)
    let other = try SimulatedDrive(road, speed: 20).trace("b", noise: 0)
    let course = try LapCourse(gate: Self.gate, in: [trace, other])
    let sessions = course.sessions(of: [trace, other])
    #expect(sessions[0].laps.allSatisfy { $0.isComplete })
    // Laps 1 and 2, then two rounds without passing the gate, then a last lap.
    #expect(sessions[1].laps.map(\.isComplete) == [true, true, false, true])
  }

  @Test("The circuit is found, with the gate on a straight")
  func search() throws {
    let trace = try SimulatedDrive(Self.road, speed: 25).trace("a", noise: 1)
    let course = try LapCourse(gate: nil, in: [trace])
    let bearing = try #require(course.gate.bearing)
    #expect(abs(bearing - 90) < 6 || abs(bearing - 270) < 6)
    #expect(try #require(course.confidence) > 0.7)
    let laps = course.sessions(of: [trace])[0].laps.filter(\.isComplete)
    #expect(laps.count >= 3)
    for lap in laps { #expect(abs(lap.distance - Self.length) < 20) }
  }

  @Test("A road that is driven once is not a circuit")
  func none() throws {
    let trace = try SimulatedDrive(SimulatedRoad().winding(12), speed: 20).trace("a")
    expectError(.noTracks) { try LapCourse(gate: nil, in: [trace]) }
  }

  @Test("A finish that is the gate is an error", arguments: [nil, 90.0])
  func sameFinish(bearing: Double?) throws {
    let trace = try SimulatedDrive(Self.road, speed: 25).trace("a")
    expectError(.invalidValue) {
      try LapCourse(gate: Self.gate, finish: Gate(Self.gate.coordinate, bearing: bearing), in: [trace])
    }
  }

  @Test("A road that laps drive up and down is distinguished from a circuit")
  func bothDirections() throws {
    // Turns with a radius of 3 m, so that the way back is 6 m from the way there.
    var road = SimulatedRoad().straight(100)
    for _ in 0..<3 { road = road.straight(400).arc(9, turning: 180).straight(400).arc(9, turning: 180) }
    for (road, east, isBoth) in [(road, 300.0, true), (Self.road, 50, false)] {
      let trace = try SimulatedDrive(road, speed: 15).trace("a", noise: 0)
      let course = try LapCourse(gate: Gate(Self.place(east, 0), bearing: 90), in: [trace])
      let sessions = course.sessions(of: [trace])
      #expect(sessions[0].best != nil)
      #expect(course.drivesBothDirections(sessions, of: [trace]) == isBoth)
    }
  }

  @Test("A gate next to the road is an error")
  func beside() throws {
    let trace = try SimulatedDrive(Self.road, speed: 25).trace("a")
    expectError(.noTracks) {
      try LapCourse(gate: Gate(Self.place(50, 3000)), in: [trace])
    }
  }

  @Test("The runs of a hill climb extend from the gate to the finish, without the way back")
  func hillClimb() throws {
    let hill = SimulatedRoad().straight(300).arc(200, turning: 60).straight(500).arc(200, turning: -40)
      .straight(300)
    let road = hill.following(hill.reversed.points).following(hill.points)
    let drive = SimulatedDrive(road, speed: 15)
    let trace = try drive.trace("a", noise: 0)
    let start = Gate(Self.projection.coordinate(hill.place(at: 100)))
    let finish = Gate(Self.projection.coordinate(hill.place(at: 1400)))
    let laps = try LapCourse(gate: start, finish: finish, in: [trace]).sessions(of: [trace])[0].laps
    let second = Double(road.points.count - hill.points.count)
    #expect(laps.count == 2)
    #expect(laps.allSatisfy { $0.isComplete })
    for (lap, begin) in zip(laps, [0, second]) {
      #expect(abs(lap.start - drive.time(at: begin + 100)) < 0.3)
      #expect(abs(lap.end - drive.time(at: begin + 1400)) < 0.3)
    }
  }

  @Test(
    "Runs are found although the car turns just after the gates", arguments: [5.0, 10, 50], [0, 0.5])
  func turns(behind metres: Double, noise: Double) throws {
    let hill = SimulatedRoad().straight(300).arc(200, turning: 60).straight(500)
    let length = Double(hill.points.count) - 1
    let runs = 3
    var road = hill
    for _ in 1..<runs { road = road.following(hill.reversed.points).following(hill.points) }
    let drive = SimulatedDrive(road, speed: 12)
    let trace = try drive.trace("a", .every(0.2), noise: noise)
    let start = Gate(Self.projection.coordinate(hill.place(at: metres)))
    let finish = Gate(Self.projection.coordinate(hill.place(at: length - metres)))
    let laps = try LapCourse(gate: start, finish: finish, in: [trace]).sessions(of: [trace])[0].laps
    #expect(laps.count == runs)
    #expect(laps.allSatisfy { $0.isComplete })
    for (run, lap) in laps.enumerated() {
      let begin = Double(run * (road.points.count - hill.points.count) / (runs - 1))
      #expect(abs(lap.start - drive.time(at: begin + metres)) < 0.05 + noise)
      #expect(abs(lap.end - drive.time(at: begin + length - metres)) < 0.05 + noise)
    }
  }

  @Test("A part of a drive begins and ends where the car was at the given times")
  func part() throws {
    let drive = SimulatedDrive(Self.road, speed: 25)
    let trace = try drive.trace("a", noise: 0)
    let (start, end) = (drive.time(at: 50), drive.time(at: 1450))
    let part = try trace.part(from: start, to: end, label: "lap 1")
    #expect(part.label == "lap 1")
    #expect(part.elapsed[0] == 0)
    #expect(abs(part.duration - (end - start)) < 1e-9)
    #expect(Geodesy.distance(from: part.coordinate(at: 0), to: Self.gate.coordinate) < 0.5)
    #expect(Geodesy.distance(from: part.coordinate(at: part.count - 1), to: Self.gate.coordinate) < 0.5)
  }

  @Test("Recorded laps end after their elapsed time, or when the next lap begins")
  func recorded() throws {
    var recording = Recording()
    var segment = Recording.Segment()
    for second in 0...100 {
      segment.append(
        Self.place(10 * Double(second), 0), time: Instant(microseconds: Int64(second) * 1_000_000))
    }
    recording.segments = [segment]
    let trace = try TimedDrive(recording, label: "a")
    var laps = [0, 30, 70].map { Lap(start: Instant(microseconds: $0 * 1_000_000)) }
    laps[1].elapsedTime = 38
    let session = LapSession(laps, of: trace)
    #expect(session.laps.map(\.start) == [0, 30, 70])
    #expect(session.laps.map(\.duration) == [30, 38, 30])
    #expect(session.best?.number == 1)
    #expect(session.laps.allSatisfy { abs($0.averageSpeed - 10) < 0.1 })
    // The last lap of TCX has a time without pauses and a distance: 200 m are the road of 20 s, 300 m that of
    // the rest of the drive.
    for (distance, duration) in [(200.0, 20.0), (300, 30)] {
      laps[2].timerTime = 20
      laps[2].distance = distance
      #expect(LapSession(laps, of: trace).laps.last?.duration == duration)
    }
    // A button pressed twice, and a lap of another track.
    laps[2].elapsedTime = 0.3
    laps[2].distance = 13_000
    laps.append(Lap(start: Instant(microseconds: 200_000_000)))
    let odd = LapSession(laps, of: trace)
    #expect(odd.laps.map(\.isComplete) == [true, true, false])
    #expect(odd.best?.number == 1)
  }

  @Test(
    "The timer time of a TCX lap is its duration if the next start, in whole seconds, or the end agrees",
    // With a pause of five seconds in the second lap, its timer time is not its duration.
    arguments: [([20.4, 19.7, 20.1], [20.4, 19.7, 20.1]), ([20.4, 14.7, 20.1], [20.4, 20, 20.1])])
  func timerTimes(_ timers: [Double], _ durations: [Double]) throws {
    var segment = Recording.Segment()
    for second in 0..<60 {
      segment.append(
        Self.place(10 * Double(second), 0), time: Instant(microseconds: Int64(second) * 1_000_000))
    }
    let trace = try TimedDrive(Recording(segments: [segment]), label: "a")
    let laps = timers.enumerated().map { index, timer in
      var lap = Lap(start: Instant(microseconds: 20_000_000 * Int64(index)))
      lap.timerTime = timer
      return lap
    }
    let session = LapSession(laps, of: trace)
    for (lap, duration) in zip(session.laps, durations) { #expect(abs(lap.duration - duration) < 1) }
    if timers == durations {
      #expect(session.laps.map { ($0.duration * 10).rounded() } == [204, 197, 201])
      #expect(session.best?.number == 2)
    }
  }

  @Test("Recorded laps in any order are timed in the order of their starts, and may overlap")
  func unordered() throws {
    func lap(_ start: Int64?, _ seconds: Double?) -> Lap {
      var lap = Lap(start: start.map { Instant(microseconds: $0 * 1_000_000) })
      lap.elapsedTime = seconds
      return lap
    }
    let trace = try clock()
    let descending = LapSession([lap(60, 30), lap(nil, 10), lap(30, nil), lap(0, 30)], of: trace)
    #expect(descending.laps.map(\.start) == [0, 30, 60])
    #expect(descending.laps.map(\.duration) == [30, 30, 30])
    #expect(descending.laps.map(\.number) == [1, 2, 3])
    #expect(descending.timed == 0...90)
    // A lap of the whole drive around another one, and laps that end before they begin.
    let overlapping = LapSession([lap(100, 20), lap(50, 300), lap(200, -50), lap(0, -1)], of: trace)
    #expect(overlapping.laps.map(\.start) == [50, 100])
    #expect(overlapping.timed == 50...350)
    let tracks = LapSession.divide([lap(60, 30), lap(30, nil), lap(0, nil)], among: [trace])
    #expect(tracks == [[lap(0, nil), lap(30, nil), lap(60, 30)]])
  }

  /// - Returns: a trace of 400 s with a fix per second from the first second of 1970.
  private func clock() throws -> TimedDrive {
    var segment = Recording.Segment()
    for second in 0...400 {
      segment.append(
        Self.place(10 * Double(second), 0), time: Instant(microseconds: Int64(second) * 1_000_000))
    }
    return try TimedDrive(Recording(segments: [segment]), label: "a")
  }

  @Test("Consecutive recorded laps in whole seconds start after the elapsed times of those before")
  func wholeSeconds() throws {
    let (start, durations) = (10.62, [83.41, 84.17, 82.93, 83.68])
    var exact = [start]
    for duration in durations { exact.append(exact[exact.count - 1] + duration) }
    let laps = zip(exact, durations).map { start, duration in
      var lap = Lap(start: Instant(microseconds: Int64(start) * 1_000_000))
      lap.elapsedTime = duration
      return lap
    }
    let session = LapSession(laps, of: try clock())
    let errors = zip(session.laps, exact).map { $0.start - $1 }
    // All starts have the same error. Their fractions of a second, .62, .03, .20 and .13, leave [.59, 1).
    #expect(errors.allSatisfy { abs($0 - errors[0]) < 1e-6 && abs($0 - (0.795 - 0.62)) < 0.001 })
    #expect(zip(session.laps, durations).allSatisfy { abs($0.duration - $1) < 1e-9 })
    #expect(session.laps.allSatisfy { $0.uncertainty == 0 })
  }

  @Test("Laps from a column are as uncertain as the times of its rows")
  func lapColumn() throws {
    let laps = [Int64(20), 103, 187].map { second in
      var lap = Lap(start: Instant(microseconds: second * 1_000_000))
      lap.elapsedTime = 83
      return lap
    }
    let session = LapSession(laps, of: try clock())
    // Both ends are rounded up to rows: √(2 / 12) s.
    #expect(session.laps.allSatisfy { abs($0.uncertainty - (1 / 6.0).squareRoot()) < 1e-9 })
  }

  @Test("A circuit of 130 m is found without a gate", arguments: [0.5, 1])
  func shortCircuit(noise: Double) throws {
    var road = SimulatedRoad().straight(25)
    for _ in 0..<8 { road = road.arc(40, turning: 180).straight(25).arc(40, turning: 180).straight(25) }
    let trace = try SimulatedDrive(road, speed: 8).trace("a", .every(0.2), noise: noise)
    let course = try LapCourse(gate: nil, in: [trace])
    let laps = course.sessions(of: [trace])[0].laps.filter(\.isComplete)
    // The first lap begins at the gate, which can be anywhere.
    #expect(laps.count >= 7)
    for lap in laps.dropLast() { #expect(abs(lap.distance - 130) < 10) }
  }
}
