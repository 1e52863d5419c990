import GhostModel
import Testing

@testable import DriveMatching

@Suite("Ranking of compared drives")
struct VerdictTests {
  private static func gap(_ drive: Int, _ seconds: Double) -> RankedGap {
    RankedGap(drive: drive, seconds: seconds, uncertainty: 1)
  }

  @Test(
    "A drive wins if its lead exceeds the uncertainty",
    arguments: [(-5.0, Optional(1)), (5, 0), (0.9, nil), (-0.9, nil)])
  func lead(gap: Double, winner: Int?) {
    let verdict = Verdict([Self.gap(1, gap)])
    #expect(verdict.winner == winner)
    #expect(verdict.margin == (winner == nil ? nil : abs(gap)))
    #expect(verdict.uncertainty == 1)
  }

  @Test("Recordings of one motion have no winner")
  func oneMotion() {
    let verdict = Verdict([], orElse: [Self.gap(1, 5)])
    #expect(verdict.winner == nil)
    #expect(verdict.margin == nil)
    #expect(verdict.uncertainty == 1)
  }

  @Test("A recording of an earlier ride is not ranked among other drives")
  func otherDrives() {
    let verdict = Verdict(
      [Self.gap(2, 8)], orElse: [Self.gap(1, -5), Self.gap(2, 8)])
    #expect(verdict.winner == 0)
    #expect(verdict.margin == 8)
  }
}
