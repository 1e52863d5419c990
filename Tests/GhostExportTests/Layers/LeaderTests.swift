import Testing

@testable import GhostExport
@testable import GhostModel

struct LeaderTests {
  @Test(
    "Who is farther along the road leads",
    arguments: [
      // Thursday gains a second a step up to the fork, comes behind on the detour (it is at step 10 at 120 s,
      // Tuesday at 100 s), and passes at Tuesday's light (step 15 at 165 s; Tuesday leaves it at 170 s).
      (40.0, 1), (110, 0), (140, 0), (168, 1), (219, 1),
    ])
  func leads(time: Double, drive: Int) throws {
    let document = try Race.document()
    #expect(Leader(document, SharedClock(document)).drive(at: time) == drive)
  }

  @Test("Where nothing is shared the tour stays with the first drive")
  func nothingShared() throws {
    var document = try Race.document()
    document.comparison.pairs = []
    #expect(Leader(document, SharedClock(document)).drive(at: 100) == 0)
  }
}
