import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Search for the most common road")
struct RoadSearchTests {
  @Test("A sample contains every drive once, and its beginning is fair to every period", arguments: 2...8)
  func sample(period: Int) {
    let drives = Array(0..<4000)
    let sample = RoadSearch.sample(drives)
    #expect(sample.sorted() == drives)
    for part in 0..<period {
      // Four standard deviations of a binomial distribution.
      let share = 1 / Double(period)
      let count = Double(sample.prefix(400).count { $0 % period == part })
      #expect(abs(count - 400 * share) < 4 * (400 * share * (1 - share)).squareRoot())
    }
    #expect((140...260).contains(sample.prefix(400).count { $0 < 2000 }))
  }

  @Test("A hundred drives along the road are enough")
  func enough() throws {
    let projection = Projection.plane(latitude: 47, longitude: 8)
    let road = SimulatedRoad().straight(500)
    let ends = [50.0, 450].map { projection.coordinate(road.place(at: $0)) }
    var search = try RoadSearch(from: ends[0], to: ends[1])
    let drive = try SimulatedDrive(road, speed: 15).trace("a", noise: 0)
    let other = try SimulatedDrive(road.part(0...300), speed: 15).trace("b", noise: 0)
    for _ in 0..<99 {
      search.add(drive)
      search.add(other)
    }
    #expect(!search.isComplete)
    search.add(drive)
    #expect(search.isComplete)
    #expect(abs(try search.segment(named: "road").length - 400) < 5)
  }
}
