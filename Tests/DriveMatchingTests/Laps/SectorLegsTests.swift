import GhostModel
import Testing
import TrackModel

@testable import DriveMatching

@Suite struct SectorLegsTests {
  @Test("A leg that is the whole part has the uncertainty of the pair")
  func wholePart() throws {
    let road = SimulatedRoad().winding(8)
    var settings = ComparisonSettings()
    settings.areParts = true
    settings.trimStartIdle = false
    var comparison = try DriveComparison.compare(
      [
        try SimulatedDrive(road, speed: 13).trace("a", seed: 33),
        try SimulatedDrive(road, speed: 15).trace("b", seed: 34),
      ], settings: settings)
    comparison.setUncertainties(ofParts: [0.3, 0.4])
    // The square root of 0.09 and 0.16.
    #expect(abs(comparison.pairs[0].uncertainty - 0.5) < 1e-12)
    #expect(comparison.pairs[0].legs.map(\.uncertainty) == [comparison.pairs[0].uncertainty])
  }
}
