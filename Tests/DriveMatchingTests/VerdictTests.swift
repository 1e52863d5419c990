import GhostModel
import Testing

@testable import DriveMatching

@Suite("Ranking of compared drives")
struct VerdictTests {
  private static func pair(_ second: Int, _ gap: Double?, ride: RideRelation? = nil) -> PairComparison {
    PairComparison(
      first: 0, second: second, relation: .shared, ride: ride, finalGap: gap, uncertainty: gap == nil ? 0 : 1)
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

  @Test("Two recordings of one motion have no winner", arguments: [RideRelation.duplicate, .simultaneous])
  func oneMotion(ride: RideRelation) {
    let verdict = Verdict([Self.pair(1, 5, ride: ride)])
    #expect(verdict.winner == nil)
    #expect(verdict.margin == nil)
    #expect(verdict.uncertainty == 1)
  }

  @Test("The recording of a companion is ranked")
  func companion() {
    #expect(Verdict([Self.pair(1, 5, ride: .companion)]).winner == 0)
  }

  @Test("Another recording of the first drive is not ranked among other drives")
  func otherDrives() {
    let verdict = Verdict([Self.pair(1, -5, ride: .simultaneous), Self.pair(2, 8), Self.pair(3, nil)])
    #expect(verdict.winner == 0)
    #expect(verdict.margin == 8)
  }
}
