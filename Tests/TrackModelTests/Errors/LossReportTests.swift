import Testing
import TrackModel

@Suite("Loss reports")
struct LossReportTests {
  @Test(
    "A single loss is in the singular",
    arguments: [
      ("extensions", "1 extension"), ("properties", "1 property"),
      (
        "addresses of authors that GPX 1.0 does not allow", "1 address of authors that GPX 1.0 does not allow"
      ),
      ("heart rates or cadences out of range", "1 heart rate or cadence out of range"),
      ("names, symbols or other texts of trackpoints", "1 name, symbol or other text of trackpoints"),
      ("times before year 1 or after 9999", "1 time before year 1 or after 9999"),
      ("fractional calorie counts (rounded)", "1 fractional calorie count (rounded)"),
      ("kinds of fix", "1 kind of fix"),
    ])
  func singular(_ what: String, _ text: String) {
    var report = LossReport()
    report.add(what)
    #expect(report.text == text)
  }

  @Test("Other counts are in the plural, with grouped digits")
  func plural() {
    var report = LossReport()
    report.add("heart rates", 1210)
    report.add("waypoint symbols", 3)
    #expect(report.text == "1 210 heart rates, 3 waypoint symbols")
  }
}
