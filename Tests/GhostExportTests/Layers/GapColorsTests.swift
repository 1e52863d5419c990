import GhostExport
import Testing

@testable import GhostExport

struct GapColorsTests {
  @Test("The step is a round number, and four steps cover nine tenths of the gaps")
  func step() {
    // Nine of ten gaps are at most 38 s: four steps of 10 s.
    let colors = GapColors(gaps: [-1, 2, 3, 4, 5, 6, 7, 8, -38, 4000], uncertainty: 0)
    #expect(colors.step == 10)
    #expect(GapColors(gaps: Array(repeating: 38, count: 19) + [4000], uncertainty: 0).step == 10)
    #expect(GapColors(gaps: [], uncertainty: 0).step == 0.5)
    #expect(GapColors(gaps: [.infinity, .nan, 1e9], uncertainty: 0).step == 7200)
  }

  @Test("Gaps within twice the uncertainty are level")
  func level() {
    let colors = GapColors(gaps: Array(repeating: 38, count: 20), uncertainty: 1.5)
    #expect(colors.level == 3)
    #expect(GapColors(gaps: Array(repeating: 38, count: 20), uncertainty: 60).level == 5)
    #expect([-3, -0.1, 0, 3].map(colors.bucket) == [0, 0, 0, 0])
    #expect([3.1, 10, 10.1, 30, 31, 400].map(colors.bucket) == [1, 1, 2, 3, 4, 4])
    #expect([-3.1, -10, -10.1, -30, -31, -.infinity].map(colors.bucket) == [-1, -1, -2, -3, -4, -4])
    #expect(colors.bucket(.nan) == 0)
  }

  @Test("The colour changes only if the gap is clearly outside its step")
  func hysteresis() {
    let colors = GapColors(gaps: Array(repeating: 38, count: 20), uncertainty: 1.5)
    // The step is 10 s, and an eighth of it 1.25 s.
    #expect(colors.bucket(11, after: 1) == 1)
    #expect(colors.bucket(11.3, after: 1) == 2)
    #expect(colors.bucket(9, after: 2) == 2)
    #expect(colors.bucket(8.7, after: 2) == 1)
    #expect(colors.bucket(-40, after: 3) == -4)
  }

  @Test("The drive that is ahead determines the colour, and level is grey")
  func colors() {
    let colors = GapColors(gaps: [38], uncertainty: 1)
    let first = ExportColor(0x0000FF)
    let second = ExportColor(0xFF0000)
    #expect(colors.color(4, first: first, second: second) == first)
    #expect(colors.color(-4, first: first, second: second) == second)
    #expect(colors.color(0, first: first, second: second) == GapColors.level)
    // 0.25 + 0.75 / 2 of the way from C8C8C8 to 0000FF: 0xC8 · 0.375 = 75 and 0xC8 + 0.625 · (0xFF − 0xC8)
    // = 234.
    #expect(
      colors.color(2, first: first, second: second) == ExportColor(red: 75, green: 75, blue: 234))
    #expect((1...4).map(colors.words) == ["up to 0:10", "up to 0:20", "up to 0:30", "more than 0:30"])
  }
}
