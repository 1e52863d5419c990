import Testing

@testable import GhostExport
@testable import GhostModel

struct LeaderTests {
  @Test(
    "The drive that is further along the road leads",
    arguments: [
      // Thursday gains 1 s per step up to the divergence, falls behind on the detour (it reaches step 10
      // after 120 s, Tuesday after 100 s), and passes Tuesday at its stop (Thursday reaches step 15 after
      // 165 s, Tuesday leaves it after 170 s).
      (40.0, 1), (110, 0), (140, 0), (168, 1), (219, 1),
    ])
  func leads(time: Double, drive: Int) throws {
    let document = try Race.document()
    #expect(Leader(document, ExportClock(document)).drive(at: time) == drive)
  }

  @Test("Without a shared road the tour follows the first drive")
  func nothingShared() throws {
    var document = try Race.document()
    document.comparison.pairs = []
    #expect(Leader(document, ExportClock(document)).drive(at: 100) == 0)
  }
}
