import CMath
import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Laps with sparse fixes, recorded motion and several circuits")
struct SparseLapTests {
  /// Six laps of a circuit of 1,400 m, after the first 200 m of its first straight.
  static let road: SimulatedRoad = {
    var road = SimulatedRoad().straight(200)
    for _ in 0..<6 { road = road.arc(300, turning: 180).straight(400).arc(300, turning: 180).straight(400) }
    return road
  }()
  static let drive = SimulatedDrive(road, speed: 25, sway: 0.3)

  /// Returns the fixes of a drive that are at least an interval after the previous one, as a function of
  /// their time, and its last fix.
  static func thinned(_ trace: TimedDrive, _ interval: (Double) -> Double) throws -> TimedDrive {
    var kept: [Int] = []
    for index in 0..<trace.count {
      let time = trace.elapsed[index]
      if kept.last.map({ time - trace.elapsed[$0] >= interval(time) }) ?? true { kept.append(index) }
    }
    if kept.last != trace.count - 1 { kept.append(trace.count - 1) }
    return try TimedDrive(
      label: "thinned", coordinates: kept.map { trace.coordinate(at: $0) },
      elapsed: kept.map { trace.elapsed[$0] })
  }

  @Test("Fixes every 30 s are timed on the road of the other laps of the recording")
  func sparseHalf() throws {
    let trace = try Self.drive.trace("a", noise: 0)
    let half = Self.drive.time(at: 3600)
    let sparse = try Self.thinned(trace) { $0 > half ? 30 : 1 }
    let course = try LapCourse(gate: LapCourseTests.gate, in: [sparse])
    let laps = course.sessions(of: [sparse])[0].laps
    try #require(laps.count == 6)
    // The third lap has fixes of both kinds.
    for index in [0, 1, 3, 4, 5] {
      let lap = laps[index]
      #expect(lap.isComplete)
      #expect(abs(lap.distance - 1400) < 40)
      let duration =
        Self.drive.time(at: 50 + 1400 * Double(index + 1)) - Self.drive.time(at: 50 + 1400 * Double(index))
      // Without the road, a crossing between two sparse fixes is known to half a gap, 15 s.
      #expect(abs(lap.duration - duration) < (index < 3 ? 0.1 : 5))
    }
  }

  @Test("A lap that ends in the pit lane is no model for crossings between sparse fixes")
  func pitLane() throws {
    // The third lap ends on a lane 22 m aside, and has the densest fixes.
    let gate = 4250
    let road = Self.road.detour(over: (gate - 100)...(gate + 45), offset: 22, angle: 45)
    let drive = SimulatedDrive(road, speed: 25, sway: 0.3, stops: [(at: Double(gate - 60), seconds: 20)])
    let pit = drive.time(at: Double(gate - 1500))...drive.time(at: Double(gate + 60))
    let sparse = try Self.thinned(try drive.trace("a", noise: 0)) { pit.contains($0) ? 3 : 6 }
    let course = try LapCourse(gate: LapCourseTests.gate, in: [sparse])
    let laps = course.sessions(of: [sparse])[0].laps
    #expect(laps.map(\.isComplete) == [true, true, true, true, true, true])
    for (index, lap) in laps.enumerated() where index < 2 {
      let start = drive.time(at: 50 + 1400 * Double(index))
      #expect(abs(lap.start - start) < 0.5)
    }
  }

  /// Five laps of a circuit of 4,400 m, with fixes every 30 s, about 600 m.
  static let large: SimulatedDrive = {
    var road = SimulatedRoad().straight(600)
    for _ in 0..<5 {
      road = road.arc(1000, turning: 180).straight(1200).arc(1000, turning: 180).straight(1200)
    }
    return SimulatedDrive(road, speed: 25, sway: 0.3)
  }()

  @Test("Laps are complete although all fixes are 30 s apart")
  func sparseOnly() throws {
    let trace = try Self.large.trace("a", .every(30), noise: 2)
    let course = try LapCourse(gate: LapCourseTests.gate, in: [trace])
    let laps = course.sessions(of: [trace])[0].laps.filter(\.isComplete)
    #expect(laps.count == 5)
    for (index, lap) in laps.enumerated() {
      // Halfway between two fixes.
      #expect(abs(lap.start - Self.large.time(at: 50 + 4400 * Double(index))) < 15)
    }
  }

  @Test("A circuit is found although all fixes are 30 s apart, with the gate on the road")
  func sparseCircuit() throws {
    let trace = try Self.large.trace("a", .every(30), noise: 2)
    let course = try LapCourse(gate: nil, in: [trace])
    let distances = Self.large.road.points.map {
      Geodesy.distance(from: LapCourseTests.projection.coordinate($0), to: course.gate.coordinate)
    }
    #expect(try #require(distances.min()) < 25)
    #expect(course.sessions(of: [trace])[0].laps.count(where: \.isComplete) >= 3)
  }

  @Test("A sector in a tunnel without fixes does not prevent the timing of laps")
  func tunnel() throws {
    // From the middle of each lap's first bend to the end of the second one.
    let trace = try Self.drive.trace("a", .every(1), noise: 0)
    let kept = (0..<trace.count).filter { index in
      let metres = Self.drive.metres(at: trace.elapsed[index]).truncatingRemainder(dividingBy: 1400)
      return !(350...1250).contains(metres)
    }
    let dark = try TimedDrive(
      label: "tunnel", coordinates: kept.map { trace.coordinate(at: $0) },
      elapsed: kept.map { trace.elapsed[$0] })
    // The middle of the second bend, about 110 m from the curve between the fixes at the ends of the tunnel.
    let sector = Gate(LapCourseTests.projection.coordinate(Self.road.place(at: 1400 + 1050)))
    let course = try LapCourse(gate: LapCourseTests.gate, sectors: [sector], in: [dark])
    let laps = course.sessions(of: [dark])[0].laps
    #expect(laps.count == 6)
    #expect(laps.count(where: \.isComplete) == 6)
  }

  @Test("The stated uncertainty follows the lateral scatter of the laps")
  func uncertainty() throws {
    func middle(_ noise: Double) throws -> Double {
      let trace = try Self.drive.trace("a", noise: noise, seed: 5)
      let laps = try LapCourse(gate: LapCourseTests.gate, in: [trace]).sessions(of: [trace])[0].laps
      return laps.map(\.uncertainty).sorted()[laps.count / 2]
    }
    // Two crossings at 20 m/s with an error of 5 m each: 0.35 s.
    let (exact, noisy) = (try middle(0), try middle(5))
    #expect(exact < 0.1)
    #expect(noisy > 0.2 && noisy < 0.6)
  }

  /// A drive with fixes every 4 s whose speed varies, and its recorded motion.
  private func recorded(_ late: Double) throws -> (
    places: [SIMD3<Double>], times: [Double], motion: [RecordedMotion]
  ) {
    let trace = try Self.drive.trace("a", .every(4), noise: 0)
    let places = (0..<trace.count).map {
      EarthFixed.vector(latitude: trace.latitudes[$0], longitude: trace.longitudes[$0])
    }
    let motion = trace.elapsed.map { time in
      let (first, last) = (time - late - 0.1, time - late + 0.1)
      let move =
        Self.road.place(at: Self.drive.metres(at: last)) - Self.road.place(at: Self.drive.metres(at: first))
      return RecordedMotion(
        speed: (Self.drive.metres(at: last) - Self.drive.metres(at: first)) / 0.2,
        course: (90 - atan2(move.y, move.x) * 180 / .pi + 360).truncatingRemainder(dividingBy: 360))
    }
    return (places, trace.elapsed, motion)
  }

  @Test("With recorded speed and course, the curve between fixes is closer to the road")
  func velocities() throws {
    let (places, times, motion) = try recorded(0)
    let velocities = RecordedVelocities(motion, places, times).velocities
    #expect(velocities.count == places.count)
    func error(_ path: SmoothPath) -> Double {
      let moments = stride(from: 10, to: Self.drive.duration - 10, by: 0.5)
      return moments.map { time in
        let place = EarthFixed.coordinate(of: path.place(at: time))
        let road = LapCourseTests.projection.coordinate(Self.road.place(at: Self.drive.metres(at: time)))
        return Geodesy.distance(from: place, to: road)
      }.reduce(0, +)
    }
    let plain = error(SmoothPath(places, times: times))
    #expect(error(SmoothPath(places, times: times, velocities: velocities)) < 0.5 * plain)
  }

  @Test("Recorded speeds that disagree with the distances are ignored")
  func wrongSpeeds() throws {
    let (places, times, motion) = try recorded(0)
    let wheel = motion.map { RecordedMotion(speed: 1.2 * ($0.speed ?? 0), course: $0.course) }
    #expect(RecordedVelocities(wheel, places, times).velocities.isEmpty)
    var stray = motion
    stray[20].speed = 0
    stray[30].course = stray[30].course.map { ($0 + 180).truncatingRemainder(dividingBy: 360) }
    let velocities = RecordedVelocities(stray, places, times).velocities
    #expect(velocities[20] == nil)
    let direction = SmoothPath.parabola(places, times, 30).normalized
    #expect(try #require(velocities[30]).normalized.dot(direction) > 0.99)
  }

  @Test("A recorded speed between two fixes at one time is not used, because any speed agrees")
  func instantSpeed() throws {
    var (places, times, motion) = try recorded(0)
    places.insert(places[40], at: 40)
    times.insert(times[40], at: 40)
    motion.insert(RecordedMotion(speed: 1e300), at: 40)
    motion[41].speed = 1e300
    let velocities = RecordedVelocities(motion, places, times).velocities
    #expect(velocities.count == places.count)
    #expect(velocities[40] == nil && velocities[41] == nil)
  }

  @Test("A second circuit in the recording is found with its gate and its laps")
  func twoCircuits() throws {
    // Six laps of the first circuit, a straight of 3 km, and three laps of a circuit of 1,000 m.
    var road = Self.road.straight(3000)
    let second = road.length
    for _ in 0..<3 { road = road.arc(200, turning: 180).straight(300).arc(200, turning: 180).straight(300) }
    let drive = SimulatedDrive(road.straight(500), speed: 25)
    let trace = try drive.trace("a", noise: 1)
    let course = try LapCourse(gate: nil, in: [trace])
    let sessions = course.sessions(of: [trace])
    #expect(sessions[0].laps.filter(\.isComplete).count >= 5)
    let others = course.otherCircuits(of: [trace], besides: sessions)
    #expect(others.count == 1)
    let laps = try #require(others.first).laps[0]
    #expect(laps.count >= 2)
    for lap in laps {
      #expect(abs(lap.distance - 1000) < 20)
      // The end of the long straight is also the last straight of the circuit, of 300 m.
      #expect(lap.start > drive.time(at: second - 300) - 1)
    }
  }

  @Test("A recording of one circuit has no other one")
  func oneCircuit() throws {
    let trace = try Self.drive.trace("a", noise: 1)
    let course = try LapCourse(gate: nil, in: [trace])
    #expect(course.otherCircuits(of: [trace], besides: course.sessions(of: [trace])).isEmpty)
  }
}
