import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

/// Simulated cars that stop on the way for a known time.
@Suite("Stops")
struct StopTests {
  @Test(
    "The measured duration of a stop is correct on average and close to it in each drive",
    arguments: [5.0, 10, 20, 60], [0.01, 3.0])
  func brakingCar(seconds: Double, noise: Double) throws {
    let road = SimulatedRoad().winding(8)
    let other = try SimulatedDrive(road, speed: 13).trace("b")
    var errors: [Double] = []
    for seed in 1...(noise > 1 ? 10 : 4) as ClosedRange<UInt64> {
      let drive = SimulatedDrive(
        road, speed: 14, sway: 0.2, stops: [(Double(1500 + 17 * seed), seconds)], idle: (20, 20))
      let result = try DriveComparison.compare([drive.trace("a", noise: noise, seed: seed), other])
      // A stop of five seconds may be hidden by the noise.
      #expect(seconds == 5 ? result.drives[0].stops.count <= 1 : result.drives[0].stops.count == 1)
      errors.append(result.drives[0].waiting - seconds)
    }
    #expect(abs(errors.reduce(0, +) / Double(errors.count)) < 1.2)
    if seconds > 5 { #expect(errors.allSatisfy { abs($0) < (noise > 1 ? 4 : 1.5) }) }
  }

  @Test("A stop with abrupt braking and starting has the correct duration", arguments: [10.0, 20, 50])
  func abruptCar(seconds: Double) throws {
    let road = SimulatedRoad().winding(8)
    let end = 30.5 + road.length / 14 + seconds
    let times = (0...Int(end + 20)).map(Double.init)
    let places = times.map { time in
      let driven = 14 * max(0, min(time, end) - 30.5)
      return min(driven, max(1540, driven - 14 * seconds))
    }
    let trace = try TimedDrive(
      label: "a",
      coordinates: places.map {
        Projection.plane(latitude: 47, longitude: 8).coordinate(road.place(at: $0))
      }, elapsed: times)
    let drive = try DriveComparison.compare([trace, SimulatedDrive(road, speed: 13).trace("b")]).drives[0]
    // One fix per second does not allow a better result.
    #expect(abs(drive.waiting - seconds) < 2)
    #expect(abs(drive.motionStart - 30.5) < 1)
    #expect(abs(drive.motionEnd - end) < 1)
  }

  @Test(
    "Two neighbouring stops of one drive are paired with those of the other that are nearer to each other")
  func neighbouringStops() throws {
    // At 10 m/s, with stops of 60 s after 1000 m and of 600 s after 1030 m.
    var driven: [Double] = (0...100).map { 10 * Double($0) }
    driven += [Double](repeating: 1000, count: 59)
    driven += [1010, 1020, 1030]
    driven += [Double](repeating: 1030, count: 600)
    driven += (1...197).map { 1030 + 10 * Double($0) }
    // The other receiver errs by 8 m at the first stop and by -6 m at the second one.
    let other = driven.map { place in
      switch place {
      case ...1000: place + 8 * max(0, 1 - (1000 - place) / 200)
      case ...1030: 1008 + (place - 1000) * 16 / 30
      default: place - 6 * max(0, 1 - (place - 1030) / 200)
      }
    }
    func trace(_ label: String, _ places: [Double]) throws -> TimedDrive {
      try TimedDrive(
        label: label, coordinates: places.map { Coordinate(latitude: 46 + $0 / 111_195, longitude: 7) },
        elapsed: places.indices.map(Double.init))
    }
    let pair = try DriveComparison.compare([trace("a", driven), trace("b", other)]).pairs[0]
    // 8 m at 10 m/s, and the braking that is assumed before a stop.
    let greatest = pair.profile.gaps.map { abs($0) }.max() ?? .infinity
    #expect(greatest < 3)
  }
}
