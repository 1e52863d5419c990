import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Earth-fixed vectors")
struct EarthFixedTests {
  @Test(
    "Axes and poles are those of WGS 84",
    arguments: [
      (Coordinate(latitude: 0, longitude: 0), SIMD3(6_378_137.0, 0, 0)),
      (Coordinate(latitude: 0, longitude: 90), SIMD3(0, 6_378_137.0, 0)),
      (Coordinate(latitude: 90, longitude: 12), SIMD3(0, 0, 6_356_752.314245)),
      (Coordinate(latitude: 0, longitude: -180), SIMD3(-6_378_137.0, 0, 0)),
    ])
  func axes(coordinate: Coordinate, expected: SIMD3<Double>) {
    let vector = EarthFixed.vector(latitude: coordinate.latitude, longitude: coordinate.longitude)
    #expect((vector - expected).length < 1e-6)
  }

  @Test("A vector converts back to its coordinate, and distances equal those on the geodesic")
  func roundTrip() {
    var generator = SeededGenerator(seed: SeededGenerator.printedSeed())
    for _ in 0..<500 {
      let start = Coordinate(
        latitude: .random(in: -89.9...89.9, using: &generator),
        longitude: .random(in: -180...180, using: &generator))
      let end = Coordinate(
        latitude: start.latitude + .random(in: -0.001...0.001, using: &generator),
        longitude: min(180, start.longitude + .random(in: 0...0.001, using: &generator)))
      let vectors = [start, end].map { EarthFixed.vector(latitude: $0.latitude, longitude: $0.longitude) }
      let back = EarthFixed.coordinate(of: vectors[0])
      #expect(abs(back.latitude - start.latitude) < 1e-11)
      #expect(abs(back.longitude - start.longitude) < 1e-11)
      #expect(abs((vectors[1] - vectors[0]).length - Geodesy.distance(from: start, to: end)) < 1e-5)
    }
  }
}
