import Foundation
import TestSupport
import Testing
import TrackFormats
import TrackModel

@testable import BulkImport

@Suite("Summaries of inputs")
struct InputSummariesTests {
  private func run(_ paths: [String]) -> (messages: [InputSummaries.Message], fault: TrackError?) {
    var messages: [InputSummaries.Message] = []
    var sink = InputSummaries(TrackOpening(), maximumAccuracy: 15) { messages.append($0) }
    InputRun<InputSummaries.Product>(paths).run(into: &sink)
    sink.finish()
    return (messages, sink.firstFault)
  }

  @Test("Each file has a summary")
  func file() throws {
    try withFolder { folder in
      try folder.write(gpx(points: 5), to: "a.gpx")
      let (messages, fault) = run([folder.file("a.gpx")])
      guard case .file(let summary)? = messages.first, messages.count == 1 else {
        Issue.record("\(messages)")
        return
      }
      #expect(summary.trackpoints == 5 && summary.tracks == 1 && summary.drives == 1)
      #expect(summary.duration == 4)
      #expect(fault == nil)
    }
  }

  @Test("The kinds of an export's activities replace those of its files")
  func kinds() throws {
    try withFolder { folder in
      try folder.write(gpx(), to: "in/workout-routes/a.gpx")
      try folder.write(
        "<HealthData><Workout workoutActivityType=\"HKWorkoutActivityTypeCycling\">"
          + "<FileReference path=\"/workout-routes/a.gpx\"/></Workout></HealthData>", to: "in/export.xml")
      guard case .container(let summary)? = run([folder.file("in")]).messages.last else {
        Issue.record("no summary")
        return
      }
      #expect(summary.sums.activities.kinds == ["Cycling"])
    }
  }

  @Test("A folder has one summary, with its failures and duplicate drives")
  func folder() throws {
    try withFolder { folder in
      for name in ["in/a.gpx", "in/b.gpx"] { try folder.write(gpx(), to: name) }
      try folder.write("<gpx>", to: "in/c.gpx")
      let (messages, fault) = run([folder.file("in")])
      guard case .failure(_, folder.file("in"), true)? = messages.first,
        case .container(let summary)? = messages.last, messages.count == 2
      else {
        Issue.record("\(messages)")
        return
      }
      #expect(summary.inputs == 2 && summary.duplicateCount == 1)
      #expect(summary.failures.map(\.path) == [folder.file("in/c.gpx")])
      #expect(fault?.code == .malformed)
    }
  }

  @Test("The duration and the distance of a folder are those of the drives that an import would create")
  func sums() throws {
    try withFolder { folder in
      // Two copies of 9 s along 0.0009° of a meridian, which are 100 m, and another drive of 4 s.
      for name in ["in/a.gpx", "in/b.gpx"] { try folder.write(gpx(), to: name) }
      try folder.write(gpx(points: 5, day: 2), to: "in/c.gpx")
      try folder.write("<gpx>", to: "in/d.gpx")
      guard case .container(let summary)? = run([folder.file("in")]).messages.last else {
        Issue.record("no summary")
        return
      }
      #expect(summary.duplicateCount == 1 && summary.sums.drives == 2)
      #expect(summary.sums.duration == 13 && summary.sums.movingTime == 13)
      // A degree of the meridian at 52° is 111.27 km.
      #expect(abs(summary.sums.distance - 0.0013 * 111_270) < 0.5)
      // A file with only copies is an input with a drive.
      #expect(summary.withoutDrive == 0)
      let json = summary.json { _ in nil }.text
      #expect(json.contains("\"inputs\": 3, \"inputs_found\": 4"))
    }
  }

  @Test("Hundreds of files that are not inputs are counted in their order among the others")
  func passed() throws {
    try withFolder { folder in
      // More than are delivered together, before, between and after the inputs.
      for number in 0..<300 { try folder.write("", to: "in/\(1000 + number).gpx") }
      for number in [1050, 1250] {
        try folder.write(gpx(latitude: Double(number) / 50), to: "in/\(number)a.gpx")
      }
      guard case .container(let summary)? = run([folder.file("in")]).messages.last else {
        Issue.record("no summary")
        return
      }
      #expect(summary.inputs == 2)
      #expect(summary.failures.map(\.path) == (0..<300).map { folder.file("in/\(1000 + $0).gpx") })
    }
  }
}
