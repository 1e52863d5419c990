import GhostModel
import Testing

@testable import DriveMatching

@Suite("Ranking of compared drives")
struct VerdictTests {
  private static func pair(_ second: Int, _ gap: Double?) -> PairComparison {
    PairComparison(
      first: 0, second: second, relation: .shared, finalGap: gap, uncertainty: gap == nil ? 0 : 1)
  }

  @Test(
    "A drive wins if its lead exceeds the uncertainty",
    arguments: [(-5.0, Optional(1)), (5, 0), (0.9, nil), (-0.9, nil)])
  func lead(gap: Double, winner: Int?) {
    let verdict = Verdict([Self.pair(1, gap)])
    #expect(verdict.winner == winner)
    #expect(verdict.margin == (winner == nil ? nil : abs(gap)))
    #expect(verdict.uncertainty == 1)
  }

  @Test("Recordings of one motion have no winner")
  func oneMotion() {
    let verdict = Verdict([], orElse: [Self.pair(1, 5)])
    #expect(verdict.winner == nil)
    #expect(verdict.margin == nil)
    #expect(verdict.uncertainty == 1)
  }

  @Test("A recording of an earlier ride is not ranked among other drives")
  func otherDrives() {
    let verdict = Verdict(
      [Self.pair(2, 8), Self.pair(3, nil)], orElse: [Self.pair(1, -5), Self.pair(2, 8), Self.pair(3, nil)])
    #expect(verdict.winner == 0)
    #expect(verdict.margin == 8)
  }
}
