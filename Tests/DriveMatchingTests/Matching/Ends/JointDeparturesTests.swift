import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Departures of two drives")
struct JointDeparturesTests {
  /// Two walks on one road. The second one begins 20 m further along, and ends 15 m earlier.
  private struct Walks {
    var error: Double
    var uncertainty: Double

    init(seed: UInt64) throws {
      let road = SimulatedRoad().winding(3)
      let part = road.part(20...(Int(road.length) - 15))
      let idle = Double(seed % 7)
      let first = SimulatedDrive(road, speed: 1.4, idle: (start: 8 * idle, end: 50 - 5 * idle))
      let second = SimulatedDrive(part, speed: 1.7, idle: (start: 60 - 9 * idle, end: 6 * idle))
      let pair = try DriveComparison.compare([
        first.trace("a", noise: 4, seed: 2 * seed), second.trace("b", noise: 4, seed: 2 * seed + 1),
      ]).pairs[0]
      let expected =
        second.motionEnd - second.motionStart
        - (first.time(at: Double(Int(road.length) - 15)) - first.time(at: 20))
      error = try #require(pair.finalGap) - expected
      uncertainty = pair.uncertainty
    }
  }

  @Test("The margin of two walks is right within the metres by which their receivers err")
  func margin() throws {
    let walks = try (1...20).map { try Walks(seed: $0) }
    let square = walks.reduce(0) { $0 + $1.error * $1.error } / Double(walks.count)
    // Four places, each 4 m at 1.55 m/s: 5.2 s if the moments were known.
    #expect(square.squareRoot() < 6.5)
    #expect(walks.count { abs($0.error) <= 2 * $0.uncertainty } >= 18)
    #expect(walks.map(\.uncertainty).sorted()[10] < 6)
  }

  @Test("A walker who is held up near the start is not assumed to have walked on")
  func stop() throws {
    let road = SimulatedRoad().straight(900)
    let first = SimulatedDrive(road, speed: 1.5, stops: [(at: 90, seconds: 60)], idle: (start: 30, end: 30))
    let second = SimulatedDrive(road, speed: 1.5, idle: (start: 30, end: 30))
    let pair = try DriveComparison.compare([
      first.trace("a", noise: 3, seed: 5), second.trace("b", noise: 3, seed: 6),
    ]).pairs[0]
    let expected =
      second.motionEnd - second.motionStart - (first.motionEnd - first.motionStart)
    #expect(abs(try #require(pair.finalGap) - expected) < 2 * pair.uncertainty)
  }

  @Test("The margin of cars from one parking space to another is right although receivers drift for a minute")
  func slowDrift() throws {
    let pairs = try (1...16).map { (seed: UInt64) throws -> (error: Double, uncertainty: Double) in
      let road = SimulatedRoad().winding(11, seed: seed)
      let idle = Double(20 + 4 * seed)
      let first = SimulatedDrive(road, speed: 13, sway: 0.3, idle: (start: idle, end: 60))
      let second = SimulatedDrive(road, speed: 14, sway: 0.3, idle: (start: 60, end: idle))
      let pair = try DriveComparison.compare([
        first.trace("a", noise: 3, drift: 60, seed: 2 * seed),
        second.trace("b", noise: 3, drift: 60, seed: 2 * seed + 1),
      ]).pairs[0]
      let expected = second.motionEnd - second.motionStart - (first.motionEnd - first.motionStart)
      return (try #require(pair.finalGap) - expected, pair.uncertainty)
    }
    #expect(pairs.count { abs($0.error) <= 2 * $0.uncertainty } >= 15)
    #expect(pairs.map(\.uncertainty).sorted()[8] < 2.5)
  }

  @Test("A car that accelerates for 4 s up to 8 m/s has moved 4, 16 and 32 m after 2, 4 and 6 s")
  func acceleration() {
    let departure = DepartureCases.Case(moment: 10, place: 5, speed: 8, gaining: 4)
    #expect(departure.time(after: 0) == 10)
    #expect(departure.time(after: 4) == 12)
    #expect(departure.time(after: 16) == 14)
    #expect(departure.time(after: 32) == 16)
  }
}
