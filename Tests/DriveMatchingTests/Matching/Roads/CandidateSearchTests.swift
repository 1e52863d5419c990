import CMath
import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Candidates on another drive")
struct CandidateSearchTests {
  /// Returns the smallest distance to any segment, found by checking all of them.
  private func nearest(_ place: SIMD3<Double>, _ line: MatchablePolyline) -> Double {
    (1..<line.count).map { index in
      let step = line.places[index] - line.places[index - 1]
      let offset = place - line.places[index - 1]
      let fraction = min(max(offset.dot(step) / step.lengthSquared, 0), 1)
      return (offset - fraction * step).length
    }.min() ?? .infinity
  }

  @Test("The nearest candidate is the nearest of all segments, wherever the search begins")
  func nearestOfAll() throws {
    var generator = SeededGenerator(seed: SeededGenerator.printedSeed())
    let road = SimulatedRoad().winding(12)
    let line = MatchablePolyline(try SimulatedDrive(road, speed: 15).trace("a", noise: 1))
    var search = CandidateSearch(line)
    var found: [CandidateSearch.Candidate] = []
    for _ in 0..<400 {
      let offset = SIMD2(
        Double.random(in: -90...90, using: &generator), Double.random(in: -90...90, using: &generator))
      let place = road.place(at: .random(in: 0...road.length, using: &generator)) + offset
      let coordinate = Projection.plane(latitude: 47, longitude: 8).coordinate(place)
      let vector = EarthFixed.vector(latitude: coordinate.latitude, longitude: coordinate.longitude)
      search.find(near: vector, heading: .zero, into: &found)
      let expected = nearest(vector, line)
      let least = found.map { $0.distanceSquared.squareRoot() }.min()
      if expected <= SegmentGrid.reach {
        #expect(abs((least ?? .infinity) - expected) < 1e-6)
      } else {
        #expect(found.isEmpty)
      }
      #expect(zip(found, found.dropFirst()).allSatisfy { $0.distanceAlong < $1.distanceAlong })
    }
  }

  @Test("A road that is driven twice returns one candidate per pass, and none for the other direction")
  func passes() throws {
    let out = SimulatedRoad().straight(1000)
    let ring = out.arc(300, turning: 180).straight(1000).arc(300, turning: 180).straight(1000)
    let line = MatchablePolyline(try SimulatedDrive(ring, speed: 15).trace("a", noise: 0))
    var search = CandidateSearch(line)
    var found: [CandidateSearch.Candidate] = []
    let vertex = try #require((0..<line.count).first { line.distanceAlong[$0] > 500 })
    search.find(near: line.places[vertex], heading: line.directions[vertex], into: &found)
    #expect(found.count == 2)
    #expect(abs(found[0].distanceAlong - line.distanceAlong[vertex]) < 1)
    #expect(abs(found[1].distanceAlong - found[0].distanceAlong - 2600) < 10)
    search.find(near: line.places[vertex], heading: -line.directions[vertex], into: &found)
    #expect(found.isEmpty)
  }

  /// Laps of a circle of 630 m.
  private func laps(_ count: Int, points: Int) throws -> MatchablePolyline {
    let coordinates = (0..<(points * count)).map { index in
      let angle = Double(index) / Double(points) * 2 * Double.pi
      return Coordinate(latitude: 46.9 + 0.0009 * sin(angle), longitude: 7.4 + 0.0013 * cos(angle))
    }
    return MatchablePolyline(
      try TimedDrive(label: "laps", coordinates: coordinates, elapsed: coordinates.indices.map(Double.init)))
  }

  @Test("Of many laps the first ones from a place are written, in the order of the line")
  func limited() throws {
    let line = try laps(200, points: 63)
    var search = CandidateSearch(line)
    var all: [CandidateSearch.Candidate] = []
    var found: [CandidateSearch.Candidate] = []
    let vertex = line.count / 2
    search.find(near: line.places[vertex], heading: line.directions[vertex], into: &all)
    #expect((200...201).contains(all.count))
    let start = all[49].distanceAlong + 100
    search.find(
      near: line.places[vertex], heading: line.directions[vertex], from: start, limit: 20, into: &found)
    #expect((18...20).contains(found.count))
    let later = all.map(\.distanceAlong).drop { $0 < start }
    #expect(found.map(\.distanceAlong) == Array(later.prefix(found.count)))
  }

  /// With more laps than ``PlaceMatching/candidateLimit``, since the time grows faster below it.
  @Test("Four times as many laps take about four times as long to match")
  func time() throws {
    func shortest(_ count: Int) throws -> Duration {
      let line = try laps(count, points: 10)
      let times = (0..<2).map { _ in
        processorTime {
          let matching = PlaceMatching(of: line, on: line)
          // Each is matched with itself.
          #expect(zip(matching.distanceAlong, line.distanceAlong).allSatisfy { abs($0 - $1) < 1 })
        }
      }
      return times.min() ?? .zero
    }
    let few = try shortest(80)
    // Quadratic would be 16 times.
    #expect(try shortest(320) < few * 9)
  }
}
