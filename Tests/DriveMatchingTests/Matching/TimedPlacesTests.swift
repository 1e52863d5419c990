import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Positions over time")
struct TimedPlacesTests {
  @Test(
    "Slow drives accelerate less than cars, and those between are in between",
    arguments: [(3.0, 1.2), (5, 1.2), (8, 1.55), (12, 1.9), (30, 1.9)])
  func acceleration(_ drive: (speed: Double, acceleration: Double)) throws {
    let car = SimulatedDrive(SimulatedRoad().straight(6000), speed: drive.speed)
    let places = TimedPlaces(try car.trace("a"))
    #expect(abs(places.acceleration - drive.acceleration) < 0.05)
    #expect(places.backwards.acceleration == places.acceleration)
    #expect(places.dropFirst(5).acceleration == places.acceleration)
  }
}
