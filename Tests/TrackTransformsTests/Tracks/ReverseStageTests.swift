import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite struct ReverseStageTests {
  @Test("Times are mirrored over the whole track, so that speeds and pauses are kept")
  func times() {
    // 1 s and 3 s, a pause of 96 s, 10 s.
    let first = PointColumns.equator(seconds: [0, 1, 4])
    let second = PointColumns.line([(100, 1, 0), (110, 2, 0)])
    let run = StageRun([.header] + StreamItem.track(TrackInfo(name: "a"), first, second), [ReverseStage()])
    #expect(run.lines.map(\.seconds) == [[0, 10], [106, 109, 110]])
    #expect(run.lines.map(\.latitudes) == [[2, 1], [0, 0, 0]])
    #expect(run.lines[1].longitudes == [0.002, 0.001, 0])
    #expect(run.tracks.map(\.name) == ["a"])
    #expect(run.summary == "reverse: 1 line reversed")
  }

  @Test("A track that lists the newest point first keeps its times, courses, distances and laps")
  func newestFirst() {
    let start = Instant(microseconds: PointColumns.midnight)
    func points(_ rows: [(seconds: Double, course: Double, distance: Double)]) -> PointColumns {
      var points = PointColumns()
      for row in rows {
        points.append(
          Coordinate(latitude: 0, longitude: row.distance / 100),
          time: start.advanced(bySeconds: row.seconds),
          values: [.course: row.course, .distance: row.distance])
      }
      return points
    }
    var info = TrackInfo()
    info.laps = [Lap(start: start), Lap(start: start.advanced(bySeconds: 20))]
    let run = StageRun(
      [.header]
        + StreamItem.track(
          info, points([(30, 80, 50), (20, 70, 30)]), points([(10, 60, 10), (0, 50, 0)])),
      [ReverseStage()])
    #expect(run.lines.map(\.seconds) == [[0, 10], [20, 30]])
    #expect(run.lines.map(\.longitudes) == [[0, 0.1], [0.3, 0.5]])
    #expect(run.lines.map { $0.values(of: .course) } == [[50, 60], [70, 80]])
    #expect(run.lines.map { $0.values(of: .distance) } == [[0, 10], [30, 50]])
    #expect(run.tracks.map(\.laps) == [info.laps])
  }

  @Test("A single wrong time does not move the track", arguments: [63_072_000.0, -63_072_000])
  func wrongClock(offset: Double) {
    var seconds = (0..<20).map { Optional(Double($0)) }
    seconds[4] = 4 + offset
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(), .equator(seconds: seconds)), [ReverseStage()])
    var expected = (0..<20).map { Optional(Double($0)) }
    expected[15] = 15 - offset
    #expect(run.lines.map(\.seconds) == [expected])
  }

  @Test("Points without a time remain without one")
  func untimed() {
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(), .equator(seconds: [nil, 5, nil, 6, 9, nil]))
        + StreamItem.route(TrackInfo(), .equator(seconds: [nil, nil])), [ReverseStage()])
    #expect(run.lines.map(\.seconds) == [[nil, 5, 8, nil, 9, nil], [nil, nil]])
    #expect(run.lines[1].longitudes == [0.001, 0])
    #expect(run.summary == "reverse: 2 lines reversed")
  }

  @Test(
    "Course points are reversed, distances start at the other end, and other channels stay with their points")
  func channels() {
    func points(_ rows: [(course: Double, distance: Double, elevation: Double)]) -> PointColumns {
      var points = PointColumns()
      for row in rows {
        points.append(
          Coordinate(latitude: 0, longitude: row.elevation),
          values: [.course: row.course, .distance: row.distance, .elevation: row.elevation],
          details: PointDetails(name: row.elevation == 1 ? "one" : nil))
      }
      return points
    }
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(), points([(0, 5, 1), (90, 100, 2)]), points([(270, 300, 3)])),
      [ReverseStage()])
    // 300 m in total.
    #expect(run.lines[0].values(of: .course) == [90])
    #expect(run.lines[0].values(of: .distance) == [0])
    #expect(run.lines[1].values(of: .course) == [270, 180])
    #expect(run.lines[1].values(of: .distance) == [200, 295])
    #expect(run.lines[1].values(of: .elevation) == [2, 1])
    #expect(run.lines[1].details == [.init(row: 1, details: PointDetails(name: "one"))])
  }

  @Test("Extensions stay with their segment or track")
  func extensions() {
    let points = PointColumns.equator(seconds: [0])
    let items: [StreamItem] =
      [.header, .event(.beginTrack(TrackInfo())), .event(.beginSegment), .points(points), .extensions("1")]
      + [.event(.endSegment), .extensions("track"), .event(.beginSegment), .points(points), .extensions("2")]
      + [.event(.endSegment), .event(.endTrack), .extensions("file")]
    let expected: [StreamItem] =
      [.header, .event(.beginTrack(TrackInfo())), .event(.beginSegment), .points(points), .extensions("2")]
      + [.event(.endSegment), .event(.beginSegment), .points(points), .extensions("1"), .event(.endSegment)]
      + [.extensions("track"), .event(.endTrack), .extensions("file")]
    #expect(StageRun(items, [ReverseStage()]).items == expected)
    let route: [StreamItem] =
      [.header, .event(.beginRoute(TrackInfo())), .points(points), .extensions("route"), .event(.endRoute)]
    #expect(StageRun(route, [ReverseStage()]).items == route)
  }

  @Test("Laps are reversed, each starting at its former end")
  func laps() {
    var info = TrackInfo()
    var first = Lap(start: .test(0))
    first.distance = 1
    var second = Lap(start: .test(40))
    second.elapsedTime = 50
    info.laps = [first, second]
    let run = StageRun(
      [.header] + StreamItem.track(info, .equator(seconds: [0, 40, 100])), [ReverseStage()])
    // The second lap ended at 90 s of 100 s, the first at the start of the second.
    #expect(run.tracks[0].laps.map(\.start) == [.test(10), .test(60)])
    #expect(run.tracks[0].laps.map(\.distance) == [nil, 1])
  }

  @Test("Laps that follow the points one by one are reversed together")
  func lateLaps() {
    let late = [(0, 30), (30, 50), (80, 20)].map { start, timer in
      var lap = Lap(start: .test(Double(start)))
      lap.timerTime = Double(timer)
      var info = TrackInfo()
      info.laps = [lap]
      return StreamItem.late(info)
    }
    let track = StreamItem.track(TrackInfo(name: "a"), .equator(seconds: [0, 40, 100]))
    let run = StageRun([.header] + track.dropLast() + late + track.suffix(1), [ReverseStage()])
    #expect(run.tracks[0].name == "a")
    #expect(run.tracks[0].laps.map(\.start) == [.test(0), .test(20), .test(70)])
    #expect(run.tracks[0].laps.map(\.timerTime) == [20, 50, 30])
  }

  @Test("Reversing a track twice restores it")
  func twice() {
    let items =
      [.header]
      + StreamItem.track(
        TrackInfo(), .equator(seconds: [0, 1, nil, 4]), PointColumns(), .equator(seconds: [9]))
    #expect(StageRun(items, [ReverseStage(), ReverseStage()]).items == items)
  }
}
