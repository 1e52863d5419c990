import Foundation
import Testing
import TrackModel

@testable import TestSupport
@testable import TrackArchives
@testable import TrackFormats

@Suite("Apple Health export")
struct HealthWorkoutsTests {
  private static let record = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE HealthData [
    <!ELEMENT Workout (MetadataEntry|WorkoutRoute)*>
    <!ATTLIST FileReference path CDATA #REQUIRED>
    ]>
    <HealthData locale="de_DE">
     <Record type="HKQuantityTypeIdentifierHeartRate" sourceName="Watch" value="142"/>
     <Workout workoutActivityType="HKWorkoutActivityTypeRunning" duration="29.95" sourceName="Anna&amp;s > Watch" \
    startDate="2024-05-01 18:02:10 +0200" endDate="2024-05-01 18:32:07 +0200">
      <WorkoutRoute startDate="2024-05-01 18:02:11 +0200">
       <FileReference path="/workout-routes/a.gpx"/>
      </WorkoutRoute>
     </Workout>
     <FileReference path="/workout-routes/elsewhere.gpx"/>
     <Workout workoutActivityType="HKWorkoutActivityTypeTraditionalStrengthTraining" \
    startDate="2024-06-20 19:00:00 +0200" endDate="2024-06-20 19:41:00 +0200"/>
    </HealthData>
    """

  @Test("Workouts have a kind, a time span, a device and routes", arguments: [1, 7, 1 << 16])
  func workouts(chunk: Int) throws {
    var input = ByteInput(bytes: Array(Self.record.utf8), chunk: chunk)
    let health = try #require(try HealthWorkouts(&input))
    #expect(health.workouts.map(\.notes.type) == ["Running", "Traditional Strength Training"])
    #expect(health.workouts.map(\.routes) == [["workout-routes/a.gpx"], []])
    #expect(health.byRoute == ["workout-routes/a.gpx": 0])
    #expect(!health.isCut)
    #expect(health.workouts[0].notes.description == "recorded with Anna&s > Watch")
    // 16:02:10 UTC, and 29 min 57 s later.
    let span = try #require(health.workouts[0].notes.timeSpan)
    #expect(span.begin?.description == "2024-05-01T16:02:10Z")
    #expect(span.end.flatMap { end in span.begin.map { end.seconds(since: $0) } } == 1797)
  }

  @Test("A truncated record has the complete workouts, and other XML has none")
  func damage() throws {
    let end = try #require(Self.record.range(of: "<FileReference path=\"/workout-routes/elsewhere"))
    var input = ByteInput(bytes: Array(Self.record[..<end.lowerBound].utf8))
    let health = try #require(try HealthWorkouts(&input))
    #expect(health.workouts.count == 1)
    #expect(health.isCut)
    var other = ByteInput(bytes: Array("<?xml version=\"1.0\"?><gpx/>".utf8))
    #expect(try HealthWorkouts(&other) == nil)
  }

  @Test("The predefined entities and the character references in values are decoded once")
  func references() throws {
    let name = "J&#252;rg&apos;s &lt;&quot;&#x1F697;&quot;&gt; &amp;lt; &eacute; &#0; &#xD800; &#99999999999;"
    var input = ByteInput(
      bytes: Array("<HealthData><Workout sourceName=\"\(name)\"/></HealthData>".utf8))
    let health = try #require(try HealthWorkouts(&input))
    #expect(
      health.workouts.map(\.notes.description) == [
        "recorded with Jürg's <\"🚗\"> &lt; &eacute; &#0; &#xD800; &#99999999999;"
      ])
  }

  @Test("Unusual tags are read as far as possible, and reading ends at a tag without an end")
  func unusualTags() throws {
    let long = String(repeating: "x", count: 70_000)
    for (text, types) in [
      ("<HealthData><Workout workoutActivityType=\"Running\" startDate=\"yesterday\"/>", ["Running"]),
      (
        "<HealthData><Workout a='1' workoutActivityType='HKWorkoutActivityTypeHiking'/><Workout a=\"",
        ["Hiking"]
      ),
      ("<HealthData><Workout a=\"\(long)\"/><Workout workoutActivityType=\"Running\"/>", []),
      ("<HealthData><Workout workoutActivityType=\"Running\" a=", []),
    ] as [(String, [String])] {
      var input = ByteInput(bytes: Array(text.utf8))
      let health = try #require(try HealthWorkouts(&input))
      #expect(health.workouts.map(\.notes.type) == types)
      #expect(health.workouts.allSatisfy { $0.notes.timeSpan == nil })
    }
    for text in ["", "<", "<Health Data/>", "no markup"] {
      var input = ByteInput(bytes: Array(text.utf8))
      #expect(try HealthWorkouts(&input) == nil)
    }
  }

  @Test("Routes of an archive have the notes of their workouts; indoor workouts and records are skipped")
  func archive() throws {
    let folder = try TemporaryFolder()
    var zip = ZIPBuilder()
    zip.add("apple_health_export/Exportieren.xml", Array(Self.record.utf8))
    zip.add("apple_health_export/export_cda.xml", Array("<ClinicalDocument/>".utf8))
    zip.add("apple_health_export/workout-routes/a.gpx", InputWalkTests.gpx())
    zip.add("apple_health_export/workout-routes/b.gpx", InputWalkTests.gpx())
    zip.add("apple_health_export/electrocardiograms/ecg.csv", Array("Name,Anna".utf8))
    try Data(zip.bytes).write(to: URL(filePath: folder.file("export.zip")))
    let walk = InputEnumerator([folder.file("export.zip")])
    var steps: [String] = []
    func entry(_ label: InputLabel) -> Substring { label.path.dropFirst(folder.file("export.zip").count + 1) }
    while let step = walk.next() {
      switch step {
      case .container(let container): steps += container.services
      case .input(let input):
        steps.append("\(entry(input.label)) \(input.notes.notes(start: nil)?.type ?? "")")
      case .skipped(_, let label, let reason): steps.append("\(entry(label)) \(reason.code)")
      default: Issue.record("unexpected step")
      }
    }
    let base = "apple_health_export"
    let expected = [
      "Apple Health", "\(base)/Exportieren.xml no-activity", "\(base)/export_cda.xml no-activity",
      "\(base)/workout-routes/a.gpx Running", "\(base)/workout-routes/b.gpx ",
      "\(base)/electrocardiograms/ecg.csv no-activity",
      "\(base)/Exportieren.xml (Traditional Strength Training, 2024-06-20 19:00:00 +0200) no-route",
    ]
    #expect(steps == expected)
  }

  @Test("A truncated list of workouts is reported after the entries of the export")
  func truncatedRecord() throws {
    let folder = try TemporaryFolder()
    var zip = ZIPBuilder()
    zip.add("apple_health_export/export.xml", Array(Self.record.utf8.dropLast(5)))
    try Data(zip.bytes).write(to: URL(filePath: folder.file("export.zip")))
    let walk = InputEnumerator([folder.file("export.zip")])
    var codes: [String] = []
    while let step = walk.next() {
      if case .skipped(_, _, let reason) = step { codes.append(reason.code) }
    }
    #expect(codes == ["no-activity", "no-route", "truncated-record"])
  }

  @Test("The ends of the pauses of a workout are read")
  func pauses() throws {
    let events = ["Pause", "Resume", "MotionResumed"].map {
      "<WorkoutEvent type=\"HKWorkoutEventType\($0)\" date=\"2024-05-01 18:10:00 +0200\"/>"
    }
    let record = "<HealthData><Workout a=\"b\">\(events.joined())</Workout>\(events.joined())</HealthData>"
    var input = ByteInput(bytes: Array(record.utf8))
    let health = try #require(try HealthWorkouts(&input))
    #expect(health.workouts.map { $0.notes.pauses.map(\.end.description) } == [["2024-05-01T16:10:00Z"]])
  }
}
