import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite struct SplitGapStageTests {
  private func run(_ info: TrackInfo = TrackInfo(), _ segments: [Double?]..., capacity: Int = 4096)
    -> StageRun
  {
    let items =
      [.header, .event(.beginTrack(info))]
      + segments.flatMap { StreamItem.segment(.equator(seconds: $0)) } + [.event(.endTrack)]
    return StageRun(items, [SplitGapStage(seconds: 60)], capacity: capacity)
  }

  @Test(
    "A gap longer than the limit starts a new track; a gap of equal length does not", arguments: [1, 2, 4096])
  func inside(capacity: Int) {
    let points = PointColumns.equator(seconds: [0, 60, 120.000001, 130, 500])
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(name: "Tour"), points), [SplitGapStage(seconds: 60)],
      capacity: capacity)
    #expect(
      run.items == [.header] + StreamItem.track(TrackInfo(name: "Tour"), points.rows(0..<2))
        + StreamItem.track(TrackInfo(name: "Tour (2)"), points.rows(2..<4))
        + StreamItem.track(TrackInfo(name: "Tour (3)"), points.rows(4..<5)))
    #expect(run.summary == "split-gap: tracks split at 2 gaps above 1 min")
  }

  @Test("A gap between segments starts a track there without adding an empty segment")
  func betweenSegments() {
    let run = run(TrackInfo(), [0, 10], [20, 30], [], [100, 110])
    let points = [[0, 10], [20, 30], [100, 110]].map { PointColumns.equator(seconds: $0) }
    #expect(
      run.items == [.header] + StreamItem.track(TrackInfo(), points[0], points[1], PointColumns())
        + StreamItem.track(TrackInfo(), points[2]))
    #expect(run.summary == "split-gap: tracks split at 1 gap above 1 min")
  }

  @Test("Points without a time belong to the points before them, and descending times are not a gap")
  func untimed() {
    #expect(run(TrackInfo(), [0, nil, nil, 100, nil]).lines.map(\.seconds) == [[0, nil, nil], [100, nil]])
    #expect(run(TrackInfo(), [nil, 5000, 0, 10]).lines.map(\.seconds) == [[nil, 5000, 0, 10]])
    #expect(run(TrackInfo(), [nil, nil]).summary == nil)
  }

  @Test("A new track in the file is not a gap, and routes are not split")
  func newTrack() {
    let items =
      [.header] + StreamItem.track(TrackInfo(), .equator(seconds: [0]))
      + StreamItem.track(TrackInfo(), .equator(seconds: [5000]))
      + StreamItem.route(TrackInfo(), .equator(seconds: [0, 5000]))
    let run = StageRun(items, [SplitGapStage(seconds: 60)])
    #expect(run.items == items)
    #expect(run.summary == nil)
  }

  @Test("The parts keep the track's information and the laps in their time range", arguments: [1, 4096])
  func descriptions(capacity: Int) {
    var info = TrackInfo(name: "Tour")
    info.type = "driving"
    func lap(_ start: Double, _ seconds: Double?) -> Lap {
      var lap = Lap(start: .test(start))
      lap.elapsedTime = seconds
      lap.distance = seconds.map { 10 * $0 }
      return lap
    }
    info.laps = [lap(0, 10), lap(10, 50), lap(60, 145), lap(205, 20), lap(225, nil)]
    info.timeSpan = TimeSpan(begin: .test(0), end: .test(500))
    info.extensions = [ExtensionElement(name: "x")]
    // The second lap ends in the first gap, the third extends over it.
    let run = run(info, [0, 55], [58, 62], [200, 230], [500], capacity: capacity)
    var first = info
    first.timeSpan = nil
    first.laps = [lap(0, 10), lap(10, 50), lap(60, nil)]
    var second = TrackInfo(name: "Tour (2)")
    second.type = "driving"
    second.laps = [lap(200, nil), lap(205, 20), lap(225, nil)]
    var third = TrackInfo(name: "Tour (3)")
    third.type = "driving"
    third.laps = [lap(500, nil)]
    #expect(run.tracks == [first, second, third])
    #expect(run.summary == "split-gap: tracks split at 2 gaps above 1 min, 4 parts of laps without totals")
    // Without a split, everything is unchanged.
    #expect(self.run(info, [0, 50], [55, 60], capacity: capacity).tracks == [info])
  }

  @Test("A late name gets the number of its part")
  func lateName() {
    let items: [StreamItem] =
      [.header, .event(.beginTrack(TrackInfo()))] + StreamItem.segment(.equator(seconds: [0, 100]))
      + [.late(TrackInfo(name: "Tour"))] + StreamItem.segment(.equator(seconds: [300])) + [.event(.endTrack)]
    let run = StageRun(items, [SplitGapStage(seconds: 60)])
    #expect(run.tracks.map(\.name) == [nil, "Tour (2)", "Tour (3)"])
  }

  @Test(
    "Up to ten points with a time too far ahead do not start a track; more points do",
    arguments: [1, 4, 4096])
  func clockError(capacity: Int) {
    func lines(_ seconds: [Double?]) -> [Int] {
      StageRun(
        [.header] + StreamItem.track(TrackInfo(), .equator(seconds: seconds)), [SplitGapStage(seconds: 60)],
        capacity: capacity
      ).lines.map(\.count)
    }
    #expect(lines([0, 1, 9000, 2, 3]) == [5])
    #expect(lines([0, 1, 9000, 9001, nil, 9002, 2, 3, 90]) == [8, 1])
    #expect(lines([0] + (0..<10).map { 9000 + Double($0) } + [1]) == [12])
    #expect(lines([0] + (0..<11).map { 9000 + Double($0) } + [1]) == [1, 12])
  }

  @Test("Extreme times are a gap and cause no trap")
  func extremes() {
    var points = PointColumns()
    for time in [Int64.min + 1, .max, .max] {
      points.append(Coordinate(latitude: 0, longitude: 0), time: Instant(microseconds: time))
    }
    let run = StageRun([.header] + StreamItem.track(TrackInfo(), points), [SplitGapStage(seconds: 1)])
    #expect(run.lines.map(\.count) == [1, 2])
  }
}
