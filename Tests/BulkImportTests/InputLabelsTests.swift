import Testing
import TrackModel

@testable import BulkImport

@Suite("Labels of inputs")
struct InputLabelsTests {
  private static func labels(_ given: [String], _ inputs: [(path: String, track: String?)]) -> [String] {
    InputLabels.labels(given: given, inputs: inputs) { $0.description }
  }

  @Test(
    "Every drive has a unique label",
    arguments: [
      (["tuesday.gpx", "a/thursday.fit"], ["tuesday", "thursday"]),
      (["ride.drive.json", "-"], ["ride", "stdin"]),
      // The folder is added only to file names that occur more than once.
      (["mon/ride.gpx", "tue/ride.gpx", "x/walk.gpx"], ["mon/ride", "tue/ride", "walk"]),
      (["mon/ride.gpx", "ride.gpx"], ["mon/ride", "ride"]),
      (["mon/ride.gpx", "mon/ride.gpx", "mon/ride.gpx"], ["ride", "ride (2)", "ride (3)"]),
      (["ride.gpx", "ride.kml", "ride (2).gpx"], ["ride", "ride (2)", "ride (2) (2)"]),
    ])
  func unique(paths: [String], labels: [String]) {
    #expect(Self.labels([], paths.map { ($0, nil) }) == labels)
  }

  @Test("Two tracks of one file are labelled by their names")
  func tracks() {
    let inputs: [(path: String, track: String?)] = [
      ("week.gpx", "Out"), ("week.gpx", "Back"), ("day.gpx", "Out"),
    ]
    #expect(Self.labels([], inputs) == ["week Out", "week Back", "day"])
  }

  @Test("A given label is kept, and no other label equals it")
  func given() {
    let inputs: [(path: String, track: String?)] = [("a.gpx", nil), ("b.gpx", nil), ("a.gpx", nil)]
    #expect(Self.labels(["b"], inputs) == ["b", "b (2)", "a"])
    #expect(Self.labels(["x", "y"], inputs) == ["x", "y", "a"])
    #expect(Self.labels([], []) == [])
  }
}
