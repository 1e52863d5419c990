import Testing
import TrackModel

@testable import TrackArchives
@testable import TrackFormats

@Suite("Months that a Takeout covers with activities")
struct CoveredMonthsTests {
  /// Midnights in UTC in seconds since 1970, computed with `date -u -d DAY +%s`.
  @Test(
    "A month extends from its first to its last microsecond in UTC",
    arguments: [
      (1_609_459_199_999_999, false), (1_609_459_200_000_000, true), (1_612_137_599_999_999, true),
      (1_612_137_600_000_000, false), (-1, false),
    ])
  func bounds(_ time: Int, _ isCovered: Bool) {
    var months = CoveredMonths()
    months.add(fileName: "2021_JANUARY.json")
    #expect(months.contains(Int64(time)) == isCovered)
  }

  @Test("Times before 1970 are assigned to their month")
  func early() {
    var months = CoveredMonths()
    months.add(fileName: "1969_DECEMBER.json")
    #expect(months.contains(-1) && months.contains(-2_678_400_000_000))
    #expect(!months.contains(0) && !months.contains(-2_678_400_000_001))
    #expect(!months.contains(.max) && !months.contains(.min + 1))
  }

  @Test(
    "Only a month with an entry replaces the recording of the whole history",
    arguments: [
      ("{\"timelineObjects\": [{\"placeVisit\": {}}]}", true), ("{\"x\": 1, \"timelineObjects\": [{", true),
      ("{\"timelineObjects\": []}", false), ("{}", false), ("", false), ("{\"timelineObj", false),
      ("[{\"timelineObjects\": 1}]", false),
    ])
  func emptyMonth(_ text: String, _ isCovered: Bool) throws {
    var guide = ExportGuide()
    let month = "Takeout/Location History/Semantic Location History/2021/2021_JANUARY.json"
    #expect(ExportGuide.isMonth(month))
    guide.add("Takeout/Location History/Records.json")
    guide.add(month)
    guide.add(month: month, ByteInput(bytes: Array(text.utf8)))
    guard case .read(let notes) = guide.verdict("Takeout/Location History/Records.json") else {
      Issue.record("the recording is skipped")
      return
    }
    if case .recording = notes { #expect(isCovered) } else { #expect(!isCovered) }
  }

  @Test(
    "Other file names cover no month",
    arguments: ["2021.json", "JANUARY_2021.json", "2021_WINTER.json", "x", ""])
  func others(_ name: String) {
    var months = CoveredMonths()
    months.add(fileName: name)
    #expect(months.isEmpty)
  }
}
