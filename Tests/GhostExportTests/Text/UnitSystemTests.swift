import Testing

@testable import GhostExport

@Suite("Units of text")
struct UnitSystemTests {
  @Test(
    "A range of distances has as many decimals as distinguish its ends",
    arguments: [
      (UnitSystem.metric, 500.0..<600.0, "0.5–0.6 km"), (.metric, 210..<240, "0.21–0.24 km"),
      (.metric, 211..<213, "0.211–0.213 km"), (.metric, 211.1..<211.3, "0.211–0.211 km"),
      (.imperial, 482.8..<643.7, "0.3–0.4 mi"),
    ])
  func ranges(units: UnitSystem, metres: Range<Double>, text: String) {
    #expect(units.distances(metres) == text)
  }
}
