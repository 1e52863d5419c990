import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite struct AccuracyStageTests {
  @Test("Points less accurate than the limit are removed; points at the limit or without accuracy are kept")
  func limit() {
    var points = PointColumns()
    for (index, accuracy) in [nil, 5, 10, 10.1, 500, 0].enumerated() as EnumeratedSequence<[Double?]> {
      points.append(
        Coordinate(latitude: 0, longitude: Double(index)),
        values: accuracy.map { [.horizontalAccuracy: $0] } ?? [:])
    }
    var good = Waypoint.place("good", 0, 0)
    good.values = [.horizontalAccuracy: 10]
    var bad = good
    bad.values = [.horizontalAccuracy: 11]
    let run = StageRun(
      [.header, .event(.waypoint(good)), .event(.waypoint(bad)), .event(.waypoint(.place("unknown", 0, 0)))]
        + StreamItem.track(TrackInfo(), points), [AccuracyStage(metres: 10)])
    #expect(run.lines.map(\.longitudes) == [[0, 1, 2, 5]])
    #expect(run.waypoints.map(\.details.name) == ["good", "unknown"])
    #expect(run.summary == "max-accuracy: 3 of 9 points removed")
  }

  @Test("A segment without accurate points is kept empty; without removed points there is no summary")
  func extremes() {
    var points = PointColumns()
    points.append(Coordinate(latitude: 0, longitude: 0), values: [.horizontalAccuracy: 30])
    let items = [.header] + StreamItem.track(TrackInfo(), points)
    let run = StageRun(items, [AccuracyStage(metres: 29)])
    #expect(run.items == [.header] + StreamItem.track(TrackInfo(), PointColumns()))
    #expect(run.summary == "max-accuracy: 1 of 1 point removed")
    let all = StageRun(items, [AccuracyStage(metres: 30)])
    #expect(all.items == items)
    #expect(all.summary == nil)
  }
}
