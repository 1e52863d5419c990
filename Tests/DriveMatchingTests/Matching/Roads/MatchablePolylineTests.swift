import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Polyline of a drive")
struct MatchablePolylineTests {
  @Test(
    "A stop is one vertex with arrival and departure",
    arguments: [SimulatedDrive.Sampling.every(1), .metres(10), .smart])
  func stops(sampling: SimulatedDrive.Sampling) throws {
    let drive = SimulatedDrive(
      SimulatedRoad().straight(3000), speed: 14, stops: [(900, 30), (2000, 50)], idle: (20, 10))
    let line = MatchablePolyline(try drive.trace("a", sampling, seed: 2))
    #expect(line.stopVertices.count == 2)
    for (vertex, (metres, seconds)) in zip(line.stopVertices, [(900.0, 30.0), (2000, 50)]) {
      let arrival = drive.time(at: metres) - seconds
      #expect(abs(line.arrivals[vertex] - arrival) < 4)
      #expect(abs(line.departures[vertex] - arrival - seconds) < 4)
      #expect(abs(line.distanceAlong[vertex] - metres) < 25)
    }
    #expect(abs(line.length - 3000) < 60)
    #expect(line.holes.isEmpty)
    #expect(zip(line.distanceAlong, line.distanceAlong.dropFirst()).allSatisfy { $0 <= $1 })
    for vertex in 1..<line.count { #expect(line.arrivals[vertex] >= line.departures[vertex - 1]) }
  }

  @Test("A long distance without a fix is a hole if fixes are otherwise dense")
  func holes() throws {
    let drive = SimulatedDrive(SimulatedRoad().straight(4000), speed: 15)
    let dark = drive.time(at: 1500)...drive.time(at: 2300)
    let line = MatchablePolyline(try drive.trace("a", seed: 3, blind: dark))
    #expect(line.holes.count == 1)
    #expect(abs(line.holeLength(from: 0, to: line.length) - 800) < 60)
    #expect(abs(line.holeLength(from: 0, to: 2000) - 500) < 60)
    #expect(line.isInHole(1900))
    #expect(!line.isInHole(1000))
    // A recorder with one fix per minute has no holes.
    #expect(MatchablePolyline(try drive.trace("b", .every(25), noise: 0)).holes.isEmpty)
  }

  @Test("A fix that no car could have reached is omitted")
  func spike() throws {
    var coordinates = (0..<100).map { Coordinate(latitude: 47, longitude: 8 + Double($0) * 2e-4) }
    coordinates[50].latitude += 0.01
    let trace = try TimedDrive(
      label: "a", coordinates: coordinates, elapsed: (0..<100).map { Double($0) })
    // 99 steps of 15.2 m, without the 2.2 km to the outlier and back.
    #expect(abs(MatchablePolyline(trace).length - 99 * 15.2) < 60)
  }
}
