import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Laps of drives, ranked")
struct LapRankingTests {
  private static let drive = SimulatedDrive(LapCourseTests.road, speed: 25, sway: 0.3)

  /// Returns laps between consecutive places along the road, in metres.
  private static func laps(_ places: [Double]) -> [Lap] {
    let starts = places.map { drive.time(at: $0) }
    return zip(starts, starts.dropFirst()).map { start, end in
      var lap = Lap(start: DriveElement.unknownStart.advanced(bySeconds: start))
      lap.elapsedTime = end - start
      return lap
    }
  }

  @Test("Laps of several drives are numbered in order, and ranked by their durations")
  func ranks() throws {
    let traces = try ["a", "b"].map { try Self.drive.trace($0, noise: 0) }
    let drives = traces.map { SessionDrive($0) }
    let laps = try LapRanking(LapCourse(gate: LapCourseTests.gate, in: traces), of: drives)
    #expect(laps.entries.map(\.number) == Array(1...8))
    #expect(laps.entries.map(\.drive) == [0, 0, 0, 0, 1, 1, 1, 1])
    #expect(laps.ranked.map(\.lap.duration) == laps.ranked.map(\.lap.duration).sorted())
    #expect(laps.best?.number == laps.ranked[0].number)
    #expect(!laps.missesSectors && laps.otherCircuits.isEmpty && laps.check == nil)
    #expect(try laps.entries(of: .best).map(\.number) == laps.ranked.prefix(2).map(\.number))
    #expect(try laps.entries(of: .all).count == 8)
    let chosen = try laps.entries(of: .numbers([3, 1]))
    #expect(chosen.map(\.number) == [3, 1])
    let parts = try laps.traces(of: chosen)
    #expect(parts.map(\.label) == ["lap 3", "lap 1"])
    #expect(zip(parts, chosen).allSatisfy { abs($0.duration - $1.lap.duration) < 1e-6 })
  }

  @Test("Numbers without a lap, and a single lap, are errors")
  func missing() throws {
    let trace = try Self.drive.trace("a", noise: 0)
    let laps = try LapRanking(LapCourse(gate: LapCourseTests.gate, in: [trace]), of: [SessionDrive(trace)])
    for numbers in [[1, 9], [2]] {
      let error = #expect(throws: TrackError.self) { try laps.entries(of: .numbers(numbers)) }
      #expect(error?.code == .noTracks)
    }
  }

  @Test("Recorded laps of different lengths have no best one")
  func lengths() throws {
    let trace = try Self.drive.trace("a", noise: 0)
    let places = (0...3).map { 50 + LapCourseTests.length * Double($0) }
    let equal = try LapRanking(recorded: [Self.laps(places)], of: [trace])
    #expect(equal.hasEqualLengths && equal.best != nil && equal.check != nil && equal.course == nil)
    let different = try LapRanking(recorded: [Self.laps([60, 1000, 2400, 3200])], of: [trace])
    #expect(!different.hasEqualLengths && different.best == nil)
    let error = #expect(throws: TrackError.self) { _ = try LapRanking(recorded: [[]], of: [trace]) }
    #expect(error?.code == .noTracks)
  }

  @Test("Recorded laps are counted per file")
  func counts() throws {
    var traces = try ["a", "b", "c"].map { try Self.drive.trace($0, noise: 0) }
    traces[0].source = "one.fit"
    traces[1].source = "two.fit"
    traces[2].source = "one.fit"
    let laps = Self.laps([50, 1450, 2850])
    let counts = LapSession.counts(of: [laps, [], [laps[0]]], in: traces)
    #expect(counts.map(\.file.label) == ["a", "b"])
    #expect(counts.map(\.laps) == [3, 0])
  }

  @Test("The gates of a file are used unless a gate is given, or they were not passed")
  func gates() throws {
    let trace = try Self.drive.trace("a", noise: 0)
    func waypoint(_ type: String, _ place: Coordinate) -> Waypoint {
      var waypoint = Waypoint(coordinate: place)
      waypoint.details.type = type
      return waypoint
    }
    var missed = 0
    func course(_ gate: Gate?, _ waypoints: [Waypoint]) throws -> LapCourse {
      try LapCourse(gate: gate, finish: nil, sectors: [], waypoints: waypoints, in: [trace]) { missed += 1 }
    }
    let start = waypoint("Start", LapCourseTests.gate.coordinate)
    let own = try course(nil, [start])
    #expect(own.confidence == nil && missed == 0)
    #expect(own.sessions(of: [trace])[0].laps.count == 4)
    #expect(
      try course(LapCourseTests.gate, [waypoint("Start", LapCourseTests.place(200, 5000))]).confidence == nil)
    #expect(missed == 0)
    let found = try course(nil, [waypoint("Start", LapCourseTests.place(200, 5000))])
    #expect(found.confidence != nil && missed == 1)
  }
}
