import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite struct PrivacyStageTests {
  private let home = Coordinate(latitude: 0, longitude: 0)

  /// Returns points on the equator at these thousandths of a degree east (111.319 m each).
  private func way(_ thousandths: Double...) -> PointColumns {
    .line(thousandths.map { (nil, 0, $0 / 1000) })
  }

  /// Returns the remaining points of each line, in thousandths of a degree. 500 m are 4.49 thousandths.
  private func left(_ segments: PointColumns...) -> [[Double]] {
    let items =
      [.header, .event(.beginTrack(TrackInfo()))] + segments.flatMap { StreamItem.segment($0) }
      + [.event(.endTrack)]
    return [1, 4096].map { capacity in
      StageRun(items, [PrivacyStage(center: home, radius: 500)], capacity: capacity).lines.map { line in
        line.longitudes.map { ($0 * 1000).rounded() }
      }
    }.reduce(nil) { (known: [[Double]]?, next) in
      if let known { #expect(known == next) }
      return next
    } ?? []
  }

  @Test("Points near home are removed from the start and the end")
  func ends() {
    #expect(left(way(0, 2, 4, 5, 7, 9)) == [[5, 7, 9]])
    #expect(left(way(9, 7, 5, 4, 2, 0)) == [[9, 7, 5]])
    #expect(left(way(-1, 3, 6, 8, 6, 4, 1)) == [[6, 8, 6]])
    #expect(left(way(5, 9)) == [[5, 9]])
  }

  @Test("A line inside the circle is removed completely; one that passes through is split into two")
  func passing() {
    #expect(left(way(0, 1, 2, 4)) == [[]])
    #expect(left(way(-9, -6, -3, 0, 3, 6, 9)) == [[-9, -6], [6, 9]])
    #expect(left(way(0, 6, 2, 6, 8, 3, 1)) == [[6], [6, 8]])
  }

  @Test("A route that passes through is split into two routes")
  func route() {
    let run = StageRun(
      [.header] + StreamItem.route(TrackInfo(name: "r"), way(-6, 0, 6)),
      [PrivacyStage(center: home, radius: 500)])
    #expect(run.lines.map(\.longitudes) == [[-0.006], [0.006]])
    #expect(run.items.count { if case .event(.beginRoute) = $0 { true } else { false } } == 2)
  }

  @Test(
    "The summary has the number of points removed by each zone, and a zone without points causes a warning")
  func zones() {
    func stage(_ thousandths: Double...) -> PrivacyStage {
      PrivacyStage(
        thousandths.map {
          .init(center: Coordinate(latitude: 0, longitude: $0 / 1000), radius: 150)
        })
    }
    let items = [.header] + StreamItem.track(TrackInfo(), way(0, 1, 2, 3, 4, 5, 6))
    let both = StageRun(items, [stage(0, 5)])
    #expect(both.summary == "privacy: 5 of 7 points removed (zone 1: 2, zone 2: 3)")
    #expect(both.warnings.map(\.code) == [.truncated])
    let one = StageRun(items, [stage(9, 5)])
    #expect(one.summary == "privacy: 3 of 7 points removed (zone 1: 0, zone 2: 3)")
    #expect(one.warnings.last?.code == .unmatchedZone)
    #expect(one.warnings.last?.message == "privacy zone 1 contains no points")
    #expect(StageRun(items, [stage(9)]).warnings.last?.message.hasPrefix("the privacy zone") == true)
  }

  @Test("Removed ends can extend over several segments, which are kept")
  func segments() {
    #expect(
      left(way(0, 1), way(2, 6), way(7), way(7, 3), PointColumns(), way(2, 0)) == [[], [6], [7], [7], [], []])
    #expect(left(way(9, 3), way(1), way(2, 8)) == [[9], [], [8]])
  }

  @Test("Each track and each route has its own ends, and waypoints inside are removed")
  func lines() {
    let run = StageRun(
      [.header, .event(.waypoint(.place("home", 0, 0.004))), .event(.waypoint(.place("away", 0, 0.005)))]
        + StreamItem.track(TrackInfo(), way(0, 6)) + StreamItem.track(TrackInfo(), way(1, 7))
        + StreamItem.route(TrackInfo(), way(8, 0)), [PrivacyStage(center: home, radius: 500)])
    #expect(run.lines.map { $0.longitudes.map { ($0 * 1000).rounded() } } == [[6], [7], [8]])
    #expect(run.waypoints.map(\.details.name) == ["away"])
    #expect(run.summary == "privacy: 4 of 8 points removed")
  }

  @Test("A line from one circle into an overlapping one is cut once")
  func circles() {
    let stage = PrivacyStage([
      .init(center: home, radius: 300), .init(center: Coordinate(latitude: 0, longitude: 0.004), radius: 300),
    ])
    // The first circle extends to 2.69, the second from 1.31 to 6.69.
    let run = StageRun([.header] + StreamItem.track(TrackInfo(), way(5, 3, 1, 0, 1, 3, 5, 7, 8)), [stage])
    #expect(run.lines.map(\.longitudes) == [[0.007, 0.008]])
  }

  @Test("Points inside at the end of a broken stream are removed, because they may be the end")
  func brokenOff() {
    let items: [StreamItem] =
      [.header, .event(.beginTrack(TrackInfo())), .event(.beginSegment), .points(way(9, 7, 3, 0))]
    let run = StageRun(
      items, [PrivacyStage(center: home, radius: 500)], error: TrackError(.truncated, "cut"))
    #expect(run.lines[0].longitudes == [0.009, 0.007])
    #expect(run.summary == "privacy: 2 of 4 points removed")
  }

  @Test("Details and channels of remaining points are kept")
  func details() {
    var points = PointColumns()
    for index in 0..<8 {
      points.append(
        Coordinate(latitude: 0, longitude: Double(index) / 1000), time: .test(Double(index)),
        values: [.elevation: Double(index)], details: PointDetails(name: "\(index)"))
    }
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(), points), [PrivacyStage(center: home, radius: 500)])
    #expect(run.lines[0] == points.rows(5..<8))
    #expect(run.lines[0].details.map(\.details.name) == ["5", "6", "7"])
  }

  @Test(
    "Distances start at 0 at the first remaining point and do not reveal the distance to the start",
    arguments: [1, 3, 64])
  func distances(capacity: Int) {
    var points = PointColumns()
    // Each point is 111 m farther from home, with distances 150 m apart that restart after the seventh
    // point.
    let counts: [Double?] = [100, 250, nil, 550, 700, nil, 1000, 1150, 20]
    for (index, count) in counts.enumerated() {
      points.append(
        Coordinate(latitude: 0, longitude: Double(index) / 1000), time: .test(Double(index)),
        values: count.map { [.distance: $0] } ?? [:])
    }
    var passed = Waypoint.place("w", 0, 1)
    passed.values[.distance] = 900
    let run = StageRun(
      [.header, .event(.waypoint(passed))] + StreamItem.track(TrackInfo(), points)
        + StreamItem.track(TrackInfo(), points),
      [PrivacyStage(center: home, radius: 500)], capacity: capacity)
    for line in run.lines { #expect((0..<4).map { line.value(.distance, at: $0) } == [nil, 0, 150, 20]) }
    #expect(run.waypoints.map(\.values) == [[:]])
  }

  @Test(
    "Distances continue after a cut without the hidden part")
  func distancesBehindCut() {
    var points = PointColumns()
    for (index, thousandths) in [-8.0, -6, -3, 3, 6, 8].enumerated() {
      points.append(
        Coordinate(latitude: 0, longitude: thousandths / 1000), time: .test(Double(index)),
        values: [.distance: Double(index * 100)])
    }
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(), points), [PrivacyStage(center: home, radius: 500)])
    #expect(
      run.lines.map { line in (0..<2).map { line.value(.distance, at: $0) } } == [[0, 100], [100, 200]])
  }

  @Test("A circle may extend over the antimeridian")
  func antimeridian() {
    let run = StageRun(
      [.header]
        + StreamItem.track(TrackInfo(), .line([(nil, 0, -179.998), (nil, 0, 179.999), (nil, 0, 179.99)])),
      [PrivacyStage(center: Coordinate(latitude: 0, longitude: 180), radius: 500)])
    #expect(run.lines[0].longitudes == [179.99])
  }

  @Test("Laps and extensions are removed from the whole file, because they may contain the position")
  func descriptions() {
    var info = TrackInfo(name: "kept")
    info.laps = [Lap()]
    info.timeSpan = TimeSpan(begin: .test(0))
    var file = FileInfo()
    file.time = .test(0)
    info.extensions = [ExtensionElement(namespace: nil, prefix: nil, name: "BeginPosition", text: "0 0")]
    let run = StageRun(
      [.event(.header(file)), .event(.beginTrack(info))] + StreamItem.segment(way(7, 9)) + [
        StreamItem.extensions("late"), .late(info), .event(.endTrack),
      ], [PrivacyStage(center: home, radius: 500)])
    #expect(run.lines.map { $0.longitudes.count } == [2])
    #expect(
      run.summary == "privacy: 8 items that may reveal the place removed (laps, extensions, times, distances)"
    )
    #expect(!String(describing: run).contains("BeginPosition"))
    #expect(run.items.first == .header && run.tracks.map(\.timeSpan) == [nil])
  }
}
