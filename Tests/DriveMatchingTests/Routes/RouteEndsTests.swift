import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Search of routes by their ends")
struct RouteEndsTests {
  /// Returns random places within some hundred metres of a centre, anywhere on the Earth.
  private static func places(
    _ count: Int, about centre: SIMD3<Double>, using generator: inout SeededGenerator
  ) -> [SIMD3<Double>] {
    (0..<count).map { _ in
      var offset = SIMD3<Double>.zero
      for axis in 0..<3 { offset[axis] = .random(in: -400...400, using: &generator) }
      return centre + offset
    }
  }

  @Test(
    "The search finds the same routes as checking all of them",
    arguments: [(47.0, 8.0), (0, 180), (90, 0), (-33, -0.0001)])
  func bruteForce(latitude: Double, longitude: Double) {
    let seed = SeededGenerator.printedSeed()
    var generator = SeededGenerator(seed: seed)
    let starts = Self.places(
      300, about: EarthFixed.vector(latitude: latitude, longitude: longitude), using: &generator)
    let ends = Self.places(
      300, about: EarthFixed.vector(latitude: -latitude, longitude: longitude / 2), using: &generator)
    var index = RouteEnds(tolerance: (150, 150))
    for (start, end) in zip(starts, ends) { index.append(start: start, end: end) }
    var removing = index
    var removed: Set<Int> = []
    var found: [Int] = []
    var total = 0
    for number in starts.indices {
      let near = starts.indices.filter {
        (starts[$0] - starts[number]).length <= 150 && (ends[$0] - ends[number]).length <= 150
      }
      index.find(start: starts[number], end: ends[number], into: &found)
      #expect(found == near)
      total += near.count
      let taken = removing.remove(start: starts[number], end: ends[number])
      #expect(taken.sorted() == near.filter { !removed.contains($0) })
      removed.formUnion(taken)
    }
    // Each route finds itself, and some find others.
    #expect(total > starts.count)
    #expect(removed.count == starts.count)
  }
}
