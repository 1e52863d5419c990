import GhostModel
import Testing

@testable import GhostExport

struct GapPlotTests {
  @Test("The scales contain all gaps and zero, and the ticks are round numbers")
  func scales() throws {
    let pair = PairComparison(
      first: 0, second: 1, relation: .shared,
      profile: HandMade.profile([[(0, 0), (5000, 65), (11_300, -42)]]))
    let plot = try #require(GapPlot(HandMade.comparison(pairs: [pair])))
    #expect(plot.distances == 0...11_300)
    #expect(plot.gaps.contains(65) && plot.gaps.contains(-42) && plot.gaps.contains(0))
    #expect(plot.distanceTicks.map(\.label) == ["0 km", "2 km", "4 km", "6 km", "8 km", "10 km"])
    #expect(plot.gapTicks.map(\.value) == [-30, 0, 30, 60])
    #expect(plot.gapTicks.map(\.label) == ["0:30", "0", "0:30", "1:00"])
    let final = plot.series.first?.final
    #expect(final?.x == 11_300 && final?.y == -42)
    let scale = GapScale(distances: plot.distances, gaps: -50...50, width: 1000, height: 300)
    #expect(scale.x(5650) == 500 && scale.y(50) == 0 && scale.y(0) == 150 && scale.y(-50) == 300)
  }

  @Test("A gap of one second uses only a small part of the scale")
  func small() throws {
    let pair = PairComparison(
      first: 0, second: 1, relation: .shared, profile: HandMade.profile([[(0, 0), (500, 1)]]))
    let plot = try #require(GapPlot(HandMade.comparison(pairs: [pair])))
    #expect(plot.gaps.upperBound - plot.gaps.lowerBound >= 12)
  }

  @Test("The line is interrupted at a detour, which is drawn as a band")
  func detour() throws {
    let legs = [
      Leg(
        kind: .detour,
        sides: Paired(
          HandMade.side(1000, 2000, times: 100...200), HandMade.side(1000, 2600, times: 100...230)))
    ]
    let pair = PairComparison(
      first: 0, second: 1, relation: .shared,
      profile: HandMade.profile([[(0, 0), (1000, 0)], [(2000, 30), (3000, 30)]]), legs: legs)
    let plot = try #require(GapPlot(HandMade.comparison(pairs: [pair])))
    #expect(plot.series.first?.lines.map(\.x) == [[0, 1000], [2000, 3000]])
    #expect(plot.bands.map(\.distances) == [1000...2000])
    #expect(plot.bands.map(\.change) == [30])
  }

  @Test("There is no plot without a shared road")
  func nothing() {
    let pair = PairComparison(first: 0, second: 1, relation: .nothingShared)
    #expect(GapPlot(HandMade.comparison(pairs: [pair])) == nil)
  }
}
