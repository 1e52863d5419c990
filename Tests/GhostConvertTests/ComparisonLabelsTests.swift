import Testing

@testable import ghost_convert

@Suite struct ComparisonLabelsTests {
  @Test(
    "Every drive has a label of its own",
    arguments: [
      (["tuesday.gpx", "a/thursday.fit"], ["tuesday", "thursday"]),
      (["ride.drive.json", "-"], ["ride", "stdin"]),
      // The folder tells them apart, and is left alone where it does not.
      (["mon/ride.gpx", "tue/ride.gpx", "x/walk.gpx"], ["mon/ride", "tue/ride", "walk"]),
      (["mon/ride.gpx", "ride.gpx"], ["mon/ride", "ride"]),
      (["mon/ride.gpx", "mon/ride.gpx", "mon/ride.gpx"], ["ride", "ride (2)", "ride (3)"]),
      (["ride.gpx", "ride.kml", "ride (2).gpx"], ["ride", "ride (2)", "ride (2) (2)"]),
    ])
  func unique(paths: [String], labels: [String]) {
    #expect(ComparisonLabels.labels(given: [], inputs: paths.map { ($0, nil) }) == labels)
  }

  @Test("Two tracks of one file are called by their names")
  func tracks() {
    let inputs: [(path: String, track: String?)] = [
      ("week.gpx", "Out"), ("week.gpx", "Back"), ("day.gpx", "Out"),
    ]
    #expect(ComparisonLabels.labels(given: [], inputs: inputs) == ["week Out", "week Back", "day"])
  }

  @Test("A label that is given stays, and no other is the same")
  func given() {
    let inputs: [(path: String, track: String?)] = [("a.gpx", nil), ("b.gpx", nil), ("a.gpx", nil)]
    #expect(ComparisonLabels.labels(given: ["b"], inputs: inputs) == ["b", "b (2)", "a"])
    #expect(ComparisonLabels.labels(given: ["x", "y"], inputs: inputs) == ["x", "y", "a"])
    #expect(ComparisonLabels.labels(given: [], inputs: []) == [])
  }
}
