import GhostExport
import GhostModel
import Testing

struct GapSparklineTests {
  private func pair(_ stretches: [[(place: Double, gap: Double)]]) -> PairComparison {
    PairComparison(first: 0, second: 1, relation: .shared, profile: HandMade.profile(stretches))
  }

  @Test("Bars grow with the lead, upwards for the first drive")
  func rising() {
    // The mean gaps of the eighths of a line from 0 to 16 s: 1, 3, …, 15 s, with a maximum of 15 s.
    let rows = GapSparkline.rows(pair([[(0, 0), (800, 16)]]), width: 8)
    #expect(rows == ["▁▂▃▄▅▆▇█", "        "])
  }

  @Test("Bars of the second drive point down, in the available block heights")
  func falling() {
    let rows = GapSparkline.rows(pair([[(0, 0), (400, -8)]]), width: 4)
    #expect(rows == ["    ", "▔▀▀█"])
  }

  @Test("Stretches that are not shared are empty, and level stretches have the lowest bar")
  func open() {
    let rows = GapSparkline.rows(pair([[(0, 0), (100, 0)], [(300, 0), (400, 8)]]), width: 4)
    #expect(rows == ["▁  █", "    "])
    let plain = GapSparkline.rows(
      pair([[(0, 0), (100, 0)], [(300, 0), (400, 8)]]), width: 4, style: .ascii)
    #expect(plain == ["_  #", "    "])
  }

  @Test("Nothing is drawn without a road, and a single position is one bar")
  func nothing() {
    #expect(GapSparkline.rows(pair([]), width: 10) == [])
    #expect(GapSparkline.rows(pair([[(5, 3)]]), width: 10) == ["█", " "])
    #expect(GapSparkline.rows(pair([[(0, 0), (9, 9)]]), width: 0) == [])
  }

  @Test("The text has names, bars and leads within the width, and no control characters")
  func text() {
    let pair = pair([[(0, 0), (1000, 20), (3000, -42)]])
    let comparison = HandMade.comparison(
      drives: [HandMade.drive("Tue\u{1B}[31m"), HandMade.drive("A very long name of a drive")], pairs: [pair])
    let text = GapSparkline.text(comparison, pair: pair, width: 60)
    let lines = text.split(separator: "\n")
    #expect(lines.count == 2)
    #expect(lines.allSatisfy { $0.count <= 60 })
    #expect(lines[0].hasPrefix("Tue\u{FFFD}[31m  ") && lines[0].hasSuffix("up to 0:20 ahead"))
    #expect(lines[1].hasPrefix("A ver…of a drive  ") && lines[1].hasSuffix("up to 0:42 ahead"))
    #expect(!text.unicodeScalars.contains("\u{1B}"))
  }
}
