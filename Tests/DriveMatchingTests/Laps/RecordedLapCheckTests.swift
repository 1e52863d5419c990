import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Recorded laps, timed from positions")
struct RecordedLapCheckTests {
  static let drive = SimulatedDrive(LapCourseTests.road, speed: 25, sway: 0.3)

  /// Returns the laps of a recorder between consecutive places along the road, started some seconds late.
  private func session(_ places: [Double], late: [Double], of trace: TimedDrive) -> LapSession {
    let starts = zip(places, late).map { Self.drive.time(at: $0) + $1 }
    let laps = zip(starts, starts.dropFirst()).map { start, end in
      var lap = Lap(start: DriveElement.unknownStart.advanced(bySeconds: start))
      lap.elapsedTime = end - start
      return lap
    }
    // The drive has no date.
    return LapSession(laps, of: trace)
  }

  @Test("Laps that begin at one place are timed there")
  func circuit() throws {
    let trace = try Self.drive.trace("a", noise: 0)
    let places = (0...3).map { 50 + LapCourseTests.length * Double($0) }
    // The driver presses the button of the third lap half a second late.
    let session = session(places, late: [0, 0, 0.5, 0], of: trace)
    let check = RecordedLapCheck([session], of: [trace])
    #expect(check.course != nil)
    for (index, lap) in session.laps.enumerated() {
      let timed = try #require(check.timed(lap, ofDrive: 0))
      let duration = Self.drive.time(at: places[index + 1]) - Self.drive.time(at: places[index])
      #expect(abs(timed.duration - duration) < 0.1)
      #expect(abs(timed.duration - lap.duration - [0, -0.5, 0.5][index]) < 0.1)
    }
    #expect(check.timed(session.laps[0], ofDrive: 1) == nil)
  }

  @Test("The ways from the paddock to the gate and back are no complete laps")
  func ends() throws {
    let trace = try Self.drive.trace("a", noise: 0)
    let gates = (0...2).map { 1300 + LapCourseTests.length * Double($0) }
    let places = [60] + gates + [gates[2] + 1150]
    let session = session(places, late: places.map { _ in 0 }, of: trace)
    #expect(session.laps.map(\.isComplete) == [true, true, true, true])
    let reviewed = RecordedLapCheck([session], of: [trace]).reviewed([session])
    #expect(reviewed[0].laps.map(\.isComplete) == [false, true, true, false])
    // A recorder that writes 0 for the distance.
    var lap = Lap(start: DriveElement.unknownStart)
    lap.elapsedTime = 30
    lap.distance = 0
    let path = LapSession([lap], of: trace)
    #expect(path.laps[0].isComplete && path.laps[0].distance > 100)
  }

  @Test("Laps that begin and end at the gate are complete, even if the drive begins or ends there")
  func wholeDrive() throws {
    let whole = try Self.drive.trace("a", noise: 0)
    let gates = (0...3).map { Self.drive.time(at: 50 + LapCourseTests.length * Double($0)) }
    let trace = try whole.part(from: gates[0], to: gates[3], label: "a")
    let laps = zip(gates, gates.dropFirst()).map { start, end in
      var lap = Lap(start: DriveElement.unknownStart.advanced(bySeconds: start - gates[0]))
      lap.elapsedTime = end - start
      return lap
    }
    let session = LapSession(laps, of: trace)
    let check = RecordedLapCheck([session], of: [trace])
    #expect(check.course != nil)
    #expect(check.reviewed([session])[0].laps.map(\.isComplete) == [true, true, true])
  }

  @Test("A lap of a file with several tracks belongs to the track that it overlaps most")
  func tracks() throws {
    // Tracks of 60 s and 90 s, the second of which starts when the first ends.
    func track(_ start: Double, _ seconds: Int) throws -> TimedDrive {
      var segment = Recording.Segment()
      for second in 0...seconds {
        let time = start + Double(second)
        segment.append(Coordinate(latitude: 0, longitude: time * 1e-4), time: Recording.instant(time))
      }
      return try TimedDrive(Recording(kind: .track, segments: [segment]), label: "a")
    }
    func lap(_ start: Double, _ seconds: Double?) -> Lap {
      var lap = Lap(start: Recording.instant(start))
      lap.elapsedTime = seconds
      return lap
    }
    let tracks = [try track(1000, 60), try track(1060, 90)]
    // The first two laps end 0.6 s after the end of the first track, as starts are rounded down.
    let laps = [lap(1000, 30), lap(1030, 30.6), lap(1060, 45), lap(1105, 45), lap(2000, 10)]
    #expect(LapSession.divide(laps, among: tracks) == [Array(laps[0...1]), Array(laps[2...3])])
    // One of the tracks was selected.
    #expect(LapSession.divide(laps, among: [tracks[1]]) == [Array(laps[2...3])])
    // Laps without a duration end when the next one starts.
    let open = [lap(1000, nil), lap(1059.5, nil), lap(1100, nil)]
    #expect(LapSession.divide(open, among: tracks) == [[open[0]], Array(open[1...2])])
    // A short lap within a track, and one that began long before.
    let odd = [lap(1020, 0.4), lap(0, 1020)]
    #expect(LapSession.divide(odd, among: [tracks[0]]) == [odd.reversed()])
  }

  @Test("The short last lap of a ride with laps of equal distance is no complete lap")
  func remnant() throws {
    let trace = try Self.drive.trace("a", noise: 0)
    let session = session([100, 1100, 2100, 3100, 3400], late: [0, 0, 0, 0, 0], of: trace)
    #expect(session.laps.map(\.isComplete) == [true, true, true, false])
  }

  @Test("A lap that began before the drive has the distance of the drive, and no speed above its maximum")
  func early() throws {
    let trace = try Self.drive.trace("a", noise: 0)
    var lap = Lap(start: DriveElement.unknownStart.advanced(bySeconds: -3600))
    lap.elapsedTime = 3640
    lap.distance = 90_000
    let timed = try #require(LapSession([lap], of: trace).laps.first)
    #expect(timed.duration == 40)
    #expect(abs(timed.distance - Self.drive.metres(at: 40)) < 15)
    #expect(!timed.isComplete && timed.maximumSpeed >= timed.averageSpeed)
  }

  @Test("Thousands of laps that begin along the road have no gate")
  func manyLaps() throws {
    let trace = try Self.drive.trace("a", noise: 0)
    // More than are tried as the centre of a group. They begin along two kilometres.
    let laps = (0..<5000).map { index in
      var lap = Lap(start: DriveElement.unknownStart.advanced(bySeconds: 20 + 0.02 * Double(index)))
      lap.elapsedTime = 0.02
      return lap
    }
    let session = LapSession(laps, of: trace)
    #expect(session.laps.count == 5000)
    #expect(RecordedLapCheck([session], of: [trace]).course == nil)
  }

  @Test("Laps by distance begin at different places and have no gate")
  func distance() throws {
    let trace = try Self.drive.trace("a", noise: 0)
    let session = session([100, 1100, 2100, 3100, 4100], late: [0, 0, 0, 0, 0], of: trace)
    let check = RecordedLapCheck([session], of: [trace])
    #expect(session.laps.count == 4)
    #expect(check.course == nil)
    #expect(check.timed(session.laps[0], ofDrive: 0) == nil)
  }
}
