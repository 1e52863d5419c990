import Testing
import TrackModel

@Suite("Coordinate")
struct CoordinateTests {
  @Test(
    "A position within the ranges is valid, including their limits and zero",
    arguments: [
      (0.0, 0.0), (-0.0, -0.0), (90, 180), (-90, -180), (90, -180), (47.36, 8.54),
      (.leastNonzeroMagnitude, 0),
    ] as [(Double, Double)])
  func valid(latitude: Double, longitude: Double) {
    #expect(Coordinate(latitude: latitude, longitude: longitude).isValid)
  }

  @Test(
    "A position that is out of range, infinite or NaN is invalid",
    arguments: [
      (90.0.nextUp, 0.0), ((-90.0).nextDown, 0), (0, 180.0.nextUp), (0, (-180.0).nextDown), (.nan, 0),
      (0, .nan),
      (.infinity, 0), (-.infinity, 0), (0, .infinity), (0, -.infinity), (.greatestFiniteMagnitude, 0),
      (147.36, 8.54),
    ] as [(Double, Double)])
  func invalid(latitude: Double, longitude: Double) {
    #expect(!Coordinate(latitude: latitude, longitude: longitude).isValid)
  }

  @Test("Two positions are equal if both numbers are; minus zero equals zero")
  func equality() {
    let zero = Coordinate(latitude: 0, longitude: 0)
    #expect(zero == Coordinate(latitude: -0.0, longitude: -0.0))
    #expect(zero.hashValue == Coordinate(latitude: -0.0, longitude: -0.0).hashValue)
    #expect(zero != Coordinate(latitude: .leastNonzeroMagnitude, longitude: 0))
    #expect(Coordinate(latitude: 1, longitude: 2) != Coordinate(latitude: 2, longitude: 1))
  }
}
