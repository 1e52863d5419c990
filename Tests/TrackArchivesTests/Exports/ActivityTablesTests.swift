import Testing
import TrackModel

@testable import TrackArchives

@Suite("Tables of activities")
struct ActivityTablesTests {
  private func notes(_ verdict: ExportGuide.Verdict) -> ActivityNotes? {
    if case .read(.known(let notes)) = verdict { notes } else { nil }
  }

  private func isSkipped(_ verdict: ExportGuide.Verdict) -> Bool {
    if case .skip(.noActivity) = verdict { true } else { false }
  }

  @Test("Samsung's exercises have the kind of their number and a title")
  func samsung() {
    let folder = "samsunghealth_anna_20240518/"
    let table = """
      com.samsung.shealth.exercise,6312010,10
      title,com.samsung.health.exercise.start_time,com.samsung.health.exercise.exercise_type,com.samsung.health.exercise.datauuid
      ,2024-05-17 06:12:30.000,11007,0a1b-1,
      "Lake, round",2024-05-18 06:12:30.000,1002,0a1b-2,
      ,2024-05-19 06:12:30.000,99999,0a1b-3,
      """
    var guide = ExportGuide()
    #expect(ExportGuide.isTable(folder + "com.samsung.shealth.exercise.20240518.csv"))
    #expect(!ExportGuide.isTable(folder + "com.samsung.shealth.exercise.weather.20240518.csv"))
    guide.add(table: folder + "com.samsung.shealth.exercise.20240518.csv", Array(table.utf8))
    #expect(guide.services == ["Samsung Health"])
    func file(_ identifier: String, _ kind: String) -> ExportGuide.Verdict {
      guide.verdict(
        "\(folder)jsons/com.samsung.shealth.exercise/0/\(identifier).com.samsung.health.exercise.\(kind).json"
      )
    }
    #expect(notes(file("0a1b-1", "location_data"))?.type == "cycling")
    #expect(notes(file("0a1b-2", "location_data"))?.name == "Lake, round")
    #expect(notes(file("0a1b-3", "location_data"))?.type == nil)
    #expect(isSkipped(file("0a1b-1", "live_data")))
    #expect(isSkipped(guide.verdict(folder + "com.samsung.shealth.exercise.20240518.csv")))
  }

  @Test("RunGap's descriptions name the file next to them and its kind")
  func runGap() {
    let stem = "RunGap/2024-05-17_06-12-30_hk_1715926350"
    let description = """
      {"title": "Lake", "description": "", "activityType": {"internalName": "RUN", "sourceName": "running"},
       "startTime": {"time": "2024-05-17T06:12:30Z"}, "laps": [1, {"title": "no"}]}
      """
    var guide = ExportGuide()
    guide.add(table: stem + ".metadata.json", Array(description.utf8))
    guide.add(table: "other.metadata.json", Array("{\"title\": \"photo\"}".utf8))
    guide.finish([stem + ".fit", "other.gpx"])
    #expect(guide.services == ["RunGap"])
    #expect(notes(guide.verdict(stem + ".fit"))?.name == "Lake")
    #expect(notes(guide.verdict(stem + ".fit"))?.type == "running")
    #expect(notes(guide.verdict(stem + ".fit"))?.description == nil)
    #expect(isSkipped(guide.verdict(stem + ".metadata.json")))
    #expect(isSkipped(guide.verdict(stem + ".rungap.json")))
    #expect(notes(guide.verdict("other.fit")) == nil)
    #expect(!isSkipped(guide.verdict("other.metadata.json")))
  }

  @Test(
    "Measurements of phyphox count from their first start",
    arguments: [
      "\"event\",\"experiment time\",\"system time\"\n\"START\",5.0E-1,1715926350.623\n\"START\",9.0,1715926400.0\n",
      "\"event\";\"experiment time\";\"system time\"\n\"START\";0,5;1715926350,623\n",
    ])
  func phyphox(table: String) {
    var guide = ExportGuide()
    guide.add(table: "ride/meta/time.csv", Array(table.utf8))
    #expect(guide.services == ["phyphox"])
    #expect(notes(guide.verdict("ride/Location.csv"))?.clockStart?.description == "2024-05-17T06:12:30.123Z")
    // The second start is 9.0 s of measurement and 49.877 s after the start.
    let pauses = notes(guide.verdict("ride/Location.csv"))?.pauses ?? []
    #expect(pauses.map(\.end.description) == (table.contains("9.0") ? ["2024-05-17T06:12:39.123Z"] : []))
    #expect(pauses.allSatisfy { abs($0.delay - 40.877) < 1e-6 })
    #expect(isSkipped(guide.verdict("ride/meta/time.csv")))
    #expect(notes(guide.verdict("Location.csv")) == nil)
    var other = ExportGuide()
    other.add(table: "meta/time.csv", Array("day,hours\n1,2\n".utf8))
    #expect(other.services == [])
  }
}
