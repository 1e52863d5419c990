import GhostModel
import Testing
import TrackModel

@testable import GhostExport

struct ComparisonSummaryTests {
  private func summary(_ comparison: DriveComparison, hasTimestamps: Bool = true) throws -> ComparisonSummary
  {
    ComparisonSummary(try HandMade.document(comparison, hasTimestamps: hasTimestamps))
  }

  @Test("A margin far above its uncertainty is an answer")
  func faster() throws {
    let summary = try summary(HandMade.comparison())
    #expect(summary.verdict == .faster(drive: 1))
    #expect(summary.headline == "Thursday was faster by 0:42")
    #expect(
      summary.explanation
        == "± 2.0 s, over 6.0 km of shared road. Clocks set to the same time where the shared road begins.")
    #expect(summary.cautions.isEmpty)
  }

  @Test(
    "A margin near its uncertainty is said to be",
    arguments: [
      (4.0, ComparisonSummary.Verdict.faster(drive: 1)), (3.9, .probablyFaster(drive: 1)),
      (2.1, .probablyFaster(drive: 1)), (2.0, .tie), (0.3, .tie),
    ])
  func verdicts(margin: Double, verdict: ComparisonSummary.Verdict) throws {
    #expect(try summary(HandMade.comparison(margin: margin)).verdict == verdict)
  }

  @Test("Without a winner it is a tie")
  func tie() throws {
    let summary = try summary(HandMade.comparison(margin: nil, winner: nil))
    #expect(summary.headline == "Too close to call")
    #expect(summary.explanation.hasPrefix("Both took the same time, ± 2.0 s, over 6.0 km"))
  }

  @Test(
    "Drives that cannot be compared are not",
    arguments: [
      (PairComparison.Relation.nothingShared, "No road in common"),
      (.reversed, "The same road, in opposite directions"),
    ])
  func incomparable(relation: PairComparison.Relation, headline: String) throws {
    let pair = PairComparison(first: 0, second: 1, relation: relation)
    let summary = try summary(
      HandMade.comparison(
        margin: nil, uncertainty: 0, winner: nil, pairs: [pair],
        fallback: relation == .reversed ? .reversed : .nothingShared))
    #expect(summary.verdict == .incomparable)
    #expect(summary.headline == headline)
    #expect(summary.explanation.contains("Tuesday and Thursday"))
  }

  @Test("Of several drives the rest is ranked, and who cannot be is named")
  func several() throws {
    let pairs = [
      PairComparison(
        first: 0, second: 1, relation: .shared, sharedDistance: 900, agreement: 1, finalGap: -10),
      PairComparison(first: 0, second: 2, relation: .nothingShared),
      PairComparison(
        first: 0, second: 3, relation: .shared, sharedDistance: 800, agreement: 0.5, finalGap: 5),
    ]
    let comparison = HandMade.comparison(
      margin: 10, uncertainty: 1, drives: ["A", "B", "C", "D"].map { HandMade.drive($0) }, pairs: pairs)
    #expect(comparison.standings.map(\.drive) == [1, 0, 3])
    #expect(comparison.standings.map(\.behind) == [0, 10, 15])
    let summary = try summary(comparison)
    #expect(summary.headline == "B was fastest by 0:10")
    #expect(summary.cautions.contains("C shares no road with A and takes no part in the ranking."))
    #expect(summary.cautions.contains { $0.contains("Only 50 % of the places matched for D") })
  }

  @Test("Times that were spread evenly and a mode that fell back are said")
  func cautions() throws {
    let summary = try summary(
      HandMade.comparison(mode: .lastConvergence, fallback: .noSuchEvent, timing: .even), hasTimestamps: false
    )
    #expect(summary.cautions[0].contains("where the ways meet for the last time, but there is no such place"))
    #expect(summary.cautions[1].hasPrefix("Tuesday and Thursday carry no time per point"))
  }

  @Test("A coarse source is said to be")
  func coarse() throws {
    var segment = Recording.Segment()
    for second in 0...1 {
      segment.append(
        Coordinate(latitude: 0, longitude: Double(second) * 0.01),
        time: Instant(microseconds: 1_714_543_929_000_000 + Int64(second) * 60_000_000))
    }
    var recording = Recording(segments: [segment])
    recording.coarseness = Coarseness(time: 60, position: 1.2)
    let trace = try DriveTrace(recording, label: "Phone")
    let document = ComparisonDocument(HandMade.comparison(), traces: [trace, trace])
    #expect(
      ComparisonSummary(document).cautions.first
        == "The source of Phone is coarse: it gives times to about 1:00 and places to about 1 m.")
  }

  @Test("Idle time, waiting and detours are a sentence each")
  func findings() throws {
    let legs = [
      Leg(
        kind: .detour,
        sides: Paired(
          HandMade.side(1000, 3000, times: 100...300), HandMade.side(1000, 4000, times: 100...280)))
    ]
    let pair = PairComparison(first: 0, second: 1, relation: .shared, legs: legs, agreement: 1, finalGap: -20)
    let comparison = HandMade.comparison(
      drives: [
        HandMade.drive("Tuesday", motion: 95...540, startIndex: 90, stops: [35, 70]),
        HandMade.drive("Thursday"),
      ], pairs: [pair])
    #expect(
      try summary(comparison).findings == [
        "Tuesday stood for 1:35 before it set off; trimmed, so it does not count.",
        "Tuesday stood for another 1:00 after it had arrived; not trimmed.",
        "Tuesday waited 2 times on the way, 1:45 in all, 1:10 at the longest.",
        "Thursday never waited on the way.",
        "After 1.0 km the ways part: Tuesday took 2.0 km, Thursday 3.0 km; Thursday gained 0:20 on it.",
      ])
  }

  @Test("The reasons add up to the gap")
  func breakdown() {
    let legs = [
      Leg(
        kind: .shared,
        sides: Paired(
          HandMade.side(0, 1000, times: 0...120, waiting: 30),
          HandMade.side(0, 1000, times: 0...95, waiting: 10))),
      Leg(
        kind: .detour,
        sides: Paired(HandMade.side(1000, 2000, times: 120...200), HandMade.side(1000, 2500, times: 95...190))
      ),
      Leg(
        kind: .unknown,
        sides: Paired(
          HandMade.side(2000, 2500, times: 200...250), HandMade.side(2500, 3000, times: 190...243))),
    ]
    let breakdown = PairBreakdown(legs)
    #expect(breakdown.waiting == -20)
    #expect(breakdown.moving == -5)
    #expect(breakdown.detours == 15)
    #expect(breakdown.unknown == 3)
  }
}
