import Testing
import TrackModel

@testable import GhostModel

@Suite("Onset of motion")
struct MotionOnsetTests {
  @Test(
    "The car leaves when it leaves, whatever the jitter before", arguments: [0.0, 2.5, 6], [0.0, 20, 60])
  func onset(noise: Double, idle: Double) throws {
    let drive = SimulatedDrive(SimulatedRoad().straight(2000), speed: 14, idle: (idle, idle / 2))
    let places = TimedPlaces(try drive.trace("a", noise: noise, seed: 3))
    let tolerance = noise > 5 ? 5.0 : 2
    let start = try #require(MotionOnset(places)).moment
    #expect(abs(start - drive.motionStart) < tolerance)
    let end = try #require(MotionOnset(places.backwards)).moment
    #expect(abs(places.duration - end - drive.motionEnd) < tolerance)
  }

  @Test("A drive that never leaves its place never moves")
  func parked() throws {
    let coordinates = (0..<200).map { Coordinate(latitude: 47 + Double($0 % 7) * 2e-5, longitude: 8) }
    let trace = try DriveTrace(
      label: "parked", coordinates: coordinates, elapsed: (0..<200).map { Double($0) })
    #expect(MotionOnset(TimedPlaces(trace)) == nil)
    #expect(RoadLine(trace).count == 0)
  }

  @Test("First fixes that lie far off are no motion")
  func coldStart() throws {
    // 60 m off for five seconds, then where it stands for a minute, then away.
    var metres = [Double](repeating: -60, count: 5)
    metres += [Double](repeating: 0, count: 60)
    for second in 1...60 {
      let seconds = Double(second)
      metres.append(seconds < 8 ? 0.9 * seconds * seconds : 14.4 * seconds - 57.6)
    }
    let coordinates = metres.map { Coordinate(latitude: 47 + $0 / 111_180, longitude: 8) }
    let trace = try DriveTrace(
      label: "cold", coordinates: coordinates, elapsed: metres.indices.map { Double($0) })
    let start = try #require(MotionOnset(TimedPlaces(trace))).moment
    #expect(abs(start - 64) < 3)
  }
}
