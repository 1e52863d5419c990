import Testing
import TrackModel

@testable import TrackArchives
@testable import TrackFormats

@Suite("Garmin account export")
struct GarminExportTests {
  private static func names(_ json: String) -> GarminActivityNames {
    var names = GarminActivityNames()
    names.add(Array(json.utf8))
    return names
  }

  /// 1444750995 s is 2015-10-13T15:43:15Z.
  private static let list = """
    [{"summarizedActivitiesExport": [
      {"activityId": 48151623421, "name": "Bern Cycling", "activityType": "cycling", "beginTimestamp": 1444750995000},
      {"activityId": 48151623499, "name": "Thun", "startTimeGmt": 1444800000000.0, "other": {"name": "no"}},
      {"name": "without a time"}, 7, null]}, {"somethingElse": [1, 2]}]
    """

  private static func instant(_ seconds: Double) throws -> Instant {
    try #require(Instant(secondsSince1970: seconds))
  }

  @Test("An activity is found by its start, with a tolerance of 5 s")
  func byStart() throws {
    let names = Self.names(Self.list)
    let exact = names.notes(start: try Self.instant(1_444_750_995), fileName: "a.fit")
    #expect(exact?.name == "Bern Cycling")
    #expect(exact?.type == "cycling")
    #expect(names.notes(start: try Self.instant(1_444_750_990), fileName: "a.fit")?.name == "Bern Cycling")
    #expect(names.notes(start: try Self.instant(1_444_750_989), fileName: "a.fit") == nil)
    #expect(names.notes(start: try Self.instant(1_444_800_004), fileName: "a.fit")?.name == "Thun")
  }

  @Test("Of several activities, the one that starts nearest is found, in any order of the list")
  func nearest() throws {
    let starts = [1_444_750_008, 1_444_750_000, 1_444_750_004]
    let list = starts.map { "{\"name\": \"\($0 % 100)\", \"beginTimestamp\": \($0)000}" }.joined(
      separator: ",")
    let names = Self.names("{\"summarizedActivitiesExport\": [\(list)]}")
    for (start, name) in [(-5.0, "0"), (1.9, "0"), (2.1, "4"), (7, "8"), (13, "8")] {
      let found = names.notes(start: try Self.instant(1_444_750_000 + start), fileName: "")
      #expect(found?.name == name, "\(start)")
    }
    #expect(names.notes(start: try Self.instant(1_444_749_994.9), fileName: "") == nil)
    #expect(names.notes(start: try Self.instant(1_444_750_013.1), fileName: "") == nil)
  }

  @Test("An activity is found by a time within it, such as that of a late first position")
  func duringActivity() throws {
    // Two activities overlap, as those of a multisport session and of its part do.
    let list = """
      {"summarizedActivitiesExport": [
        {"name": "Session", "beginTimestamp": 1444750000000, "duration": 3000000.5, "elapsedDuration": 3600000},
        {"name": "Part", "beginTimestamp": 1444751000000, "duration": 600000},
        {"name": "Later", "beginTimestamp": 1444760000000, "duration": 60000}]}
      """
    let names = Self.names(list)
    let expected: [(seconds: Double, name: String?)] = [
      (-6, nil), (12, "Session"), (1004, "Part"), (1599, "Part"), (1601, "Session"), (3600, "Session"),
      (3606, nil), (9000, nil), (10_030, "Later"), (10_061, nil),
    ]
    for (seconds, name) in expected {
      #expect(
        names.notes(start: try Self.instant(1_444_750_000 + seconds), fileName: "a.fit")?.name == name,
        "\(seconds)")
    }
  }

  @Test("Without a start, an activity is found by the number in its file name")
  func byNumber() {
    let names = Self.names(Self.list)
    #expect(names.notes(start: nil, fileName: "runner@example.com_48151623499.fit")?.name == "Thun")
    #expect(names.notes(start: nil, fileName: "runner@example.com_1.fit") == nil)
    #expect(names.notes(start: nil, fileName: "ride.fit") == nil)
  }

  @Test("A list is read from an object, and other values beside lists are skipped")
  func otherShapes() {
    let list = """
      {"summarizedActivitiesExport": [{"activityId": 48151623421, "name": "Bern", "description": "Fast"}]}
      """
    for text in [list, "[7, null, \(list), {\"summarizedActivitiesExport\": 1}]"] {
      let notes = Self.names(text).notes(start: nil, fileName: "48151623421.fit")
      #expect(notes?.name == "Bern")
      #expect(notes?.description == "Fast")
    }
  }

  @Test("A damaged list is used up to the damage", arguments: [150, 300, 1, 0])
  func damaged(_ length: Int) throws {
    let names = Self.names(String(Self.list.prefix(length)))
    let start = try Self.instant(1_444_750_995)
    #expect((names.notes(start: start, fileName: "")?.name == "Bern Cycling") == (length >= 150))
  }

  @Test("Only uploaded files are inputs, wherever the export's folder is")
  func verdicts() {
    var guide = ExportGuide()
    let names = [
      "x/DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1.zip",
      "x/DI_CONNECT/DI-Connect-Fitness/a_0_summarizedActivities.json", "x/customer_data/customer.json",
      "ride.gpx",
    ]
    for name in names { guide.add(name) }
    #expect(guide.services == ["Garmin"])
    func isRead(_ name: String) -> Bool { if case .read = guide.verdict(name) { true } else { false } }
    #expect(names.map(isRead) == [true, false, false, true])
  }

  @Test("Archives of an export can be unpacked into folders, and other files are not parts of it")
  func unpacked() {
    var guide = ExportGuide()
    let names = [
      "DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1/a_1.fit",
      "DI_CONNECT/DI-Connect-Uploaded-Files/UploadedFiles_0-_Part1/a_2.txt",
      "DI_CONNECT/DI-Connect-User/u.json",
      "IT_INCIDENT/x.json", "customer_data/customer.json", "readme.json", "phone/Timeline.json",
      "logger/2022/day.csv", "old/route.plt", "lap.vbo", "gps.log", "a.txt",
    ]
    for name in names { guide.add(name) }
    #expect(guide.services == ["Garmin"])
    func isRead(_ name: String) -> Bool { if case .read = guide.verdict(name) { true } else { false } }
    #expect(
      names.filter(isRead) == [names[0], names[1]] + names[6...])
  }
}
