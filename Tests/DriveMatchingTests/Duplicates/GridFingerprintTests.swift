import CMath
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Grid fingerprints")
struct GridFingerprintTests {
  /// Returns the points of a winding road, `step` metres apart and shifted sideways by `offset` metres.
  static func road(
    metres: Double = 10_000, step: Double, latitude: Double = 46.9, longitude: Double = 7.4,
    offset: Double = 0,
    turn: Double = 0
  ) -> [Coordinate] {
    let metresPerDegree = 111_195.0
    return stride(from: 0, through: metres, by: step).map { distance in
      let course: Double = turn + sin(distance / 900)
      let alongNorth: Double = distance * cos(turn) + 300 * sin(distance / 700)
      let alongEast: Double = distance * sin(turn) + 200 * cos(distance / 500)
      let north: Double = alongNorth + offset * sin(course)
      let east: Double = alongEast - offset * cos(course)
      var degrees = longitude + east / metresPerDegree / cos(latitude * .pi / 180)
      if degrees > 180 { degrees -= 360 }
      return Coordinate(latitude: latitude + north / metresPerDegree, longitude: degrees)
    }
  }

  @Test(
    "Recordings of two devices match, at any interval and 20 m apart",
    arguments: [1.0, 10, 55, 140])
  func same(step: Double) {
    let fingerprint = GridFingerprint(Self.road(step: 7))
    let other = GridFingerprint(Self.road(step: step, offset: 20))
    #expect(fingerprint.isSameRoad(as: other) && other.isSameRoad(as: fingerprint))
  }

  @Test("Half of the road, a parallel road and a road that turns off do not match")
  func different() {
    let fingerprint = GridFingerprint(Self.road(step: 7))
    for other in [
      Self.road(metres: 5000, step: 7), Self.road(step: 7, longitude: 7.42), Self.road(step: 7, turn: 0.3),
      Self.road(step: 7, latitude: -46.9), [],
    ] { #expect(!fingerprint.isSameRoad(as: GridFingerprint(other))) }
  }

  @Test(
    "Fingerprints work at the poles, at the equator and at the date line",
    arguments: [0.0, 60, -89.95, 89.8, -45])
  func anywhere(latitude: Double) {
    for longitude in [0.0, 179.99, -180] {
      let fingerprint = GridFingerprint(
        Self.road(metres: 3000, step: 9, latitude: latitude, longitude: longitude))
      let other = GridFingerprint(
        Self.road(metres: 3000, step: 25, latitude: latitude, longitude: longitude, offset: 15))
      #expect(fingerprint.isSameRoad(as: other))
    }
  }

  @Test("Jumps across the Earth do not slow the comparison")
  func jumps() {
    let wild = (0..<50_000).map { (index: Int) -> Coordinate in
      let latitude = Double(index * 7919 % 170) - 85
      return Coordinate(latitude: latitude, longitude: Double(index * 104_729 % 360) - 180)
    }
    #expect(GridFingerprint(wild).isSameRoad(as: GridFingerprint(wild)))
  }
}
