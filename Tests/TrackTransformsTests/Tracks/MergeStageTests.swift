import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite struct MergeStageTests {
  private let first = PointColumns.equator(seconds: [0, 1])
  private let second = PointColumns.equator(seconds: [10, 11, 12])

  @Test("Segments of all tracks become those of one track, and those that begin at once keep their order")
  func segments() {
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(), first, second) + StreamItem.track()
        + StreamItem.track(TrackInfo(), second), [MergeStage()])
    #expect(run.items == [.header] + StreamItem.track(TrackInfo(), first, second, second))
    // The third track has the times of the second.
    #expect(
      run.summary
        == "merge: 3 tracks merged into one, segments that begin before the previous segment ends: 1")
  }

  @Test("Content before the first track stays before it; other content follows the merged track")
  func between() {
    let here = StreamItem.event(.waypoint(.place("here", 0, 0)))
    let there = StreamItem.event(.waypoint(.place("there", 0, 0)))
    let plan = StreamItem.route(TrackInfo(name: "plan"), first)
    var file = FileInfo()
    file.name = "other file"
    let run = StageRun(
      [.header, here] + plan + StreamItem.track(TrackInfo(), first) + [there, .extensions("file")] + plan
        + [.event(.header(file))] + StreamItem.track(TrackInfo(), second) + [there], [MergeStage()])
    #expect(
      run.items == [.header, here] + plan + StreamItem.track(TrackInfo(), first, second)
        + [there, .extensions("file")] + plan + [.event(.annotation(.file(file))), there])
  }

  @Test("A single track is unchanged, and so is a file without tracks")
  func single() {
    let items =
      [.header] + StreamItem.track(TrackInfo(name: "a"), first, second) + [
        .event(.waypoint(.place("w", 0, 0)))
      ]
    let run = StageRun(items, [MergeStage()])
    #expect(run.items == items)
    #expect(run.summary == nil)
    let none = [.header] + StreamItem.route(TrackInfo(), first)
    #expect(StageRun(none, [MergeStage()]).items == none)
  }

  @Test("The first name is kept; other names are counted as removed unless they are equal")
  func names() {
    func info(_ name: String?, _ type: String?) -> TrackInfo {
      var info = TrackInfo(name: name)
      info.type = type
      info.links = [TrackLink(address: "a:\(name ?? "")")]
      return info
    }
    let run = StageRun(
      [.header] + StreamItem.track(info("a", nil), first) + StreamItem.track(info("b", "car"), first)
        + StreamItem.track(info("c", "foot"), first) + StreamItem.track(info("a", "car"), first),
      [MergeStage()])
    #expect(run.tracks.count == 1)
    #expect(run.tracks[0].name == "a")
    #expect(run.tracks[0].type == "car")
    #expect(run.tracks[0].links.map(\.address) == ["a:a", "a:b", "a:c", "a:a"])
    #expect(
      run.summary
        == "merge: 4 tracks merged into one, segments that begin before the previous segment ends: 3, removed: 2 names, 1 kind"
    )
  }

  @Test("Name, number and texts come from the first track that has any")
  func words() {
    func info(_ name: String?, comment: String?, number: Int?) -> TrackInfo {
      var info = TrackInfo(name: name)
      info.comment = comment
      info.number = number
      return info
    }
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(), first)
        + StreamItem.track(info("a", comment: nil, number: nil), first)
        + StreamItem.track(info("b", comment: "of b", number: 2), first)
        + StreamItem.track(info("a", comment: "of a", number: nil), first),
      [MergeStage()])
    #expect(run.tracks[0].name == "a")
    #expect(run.tracks[0].comment == nil && run.tracks[0].number == nil)
    #expect(
      run.summary
        == "merge: 4 tracks merged into one, segments that begin before the previous segment ends: 3, removed: 1 name, 2 comments, 1 number"
    )
  }

  @Test("The merged track lasts from the earliest start to the latest end")
  func timeSpan() {
    func spanned(_ begin: Double?, _ end: Double?) -> TrackInfo {
      var info = TrackInfo()
      info.timeSpan = TimeSpan(begin: begin.map { .test($0) }, end: end.map { .test($0) })
      return info
    }
    func merged(_ infos: TrackInfo...) -> TimeSpan? {
      StageRun([.header] + infos.flatMap { StreamItem.track($0, first) }, [MergeStage()]).tracks[0].timeSpan
    }
    #expect(merged(spanned(10, 20), spanned(30, 40)) == spanned(10, 40).timeSpan)
    #expect(merged(spanned(30, 40), TrackInfo(), spanned(10, 35)) == spanned(10, 40).timeSpan)
    #expect(merged(spanned(10, 20), spanned(5, nil)) == spanned(5, nil).timeSpan)
    #expect(merged(spanned(10, 20)) == spanned(10, 20).timeSpan)
    #expect(merged(TrackInfo(), TrackInfo()) == nil)
  }

  @Test(
    "Distances that restart are added to the last distance; continuing distances are unchanged",
    arguments: [1, 64])
  func distances(capacity: Int) {
    func counted(_ counts: Double?...) -> PointColumns {
      var points = PointColumns()
      for (index, count) in counts.enumerated() {
        points.append(
          Coordinate(latitude: 0, longitude: Double(index) / 1000), time: .test(Double(index)),
          values: count.map { [.distance: $0] } ?? [:])
      }
      return points
    }
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(), counted(0, 100), counted(nil, 150))
        + StreamItem.track(TrackInfo(), counted(nil, 10, 60)) + StreamItem.track(TrackInfo(), first)
        + StreamItem.track(TrackInfo(), counted(300, 310)), [MergeStage()], capacity: capacity)
    #expect(
      run.lines.map { line in (0..<line.count).map { line.value(.distance, at: $0) } }
        == [[0, 100], [nil, 150], [nil, 150, 200], [nil, nil], [300, 310]])
  }

  @Test("If the stream ends in a segment, the merged track ends before the content after it")
  func brokenOff() {
    let there = StreamItem.event(.waypoint(.place("there", 0, 0)))
    let items =
      [.header] + StreamItem.track(TrackInfo(), first)
      + [there, .event(.beginTrack(TrackInfo())), .event(.beginSegment), .points(second)]
    let run = StageRun(items, [MergeStage()], error: TrackError(.truncated, "cut"))
    #expect(run.items == [.header] + StreamItem.track(TrackInfo(), first, second) + [there])
  }

  @Test("Segments that begin before the end of the previous ones are counted")
  func disorder() {
    let later = PointColumns.equator(seconds: [10, 11, 12])
    let earlier = PointColumns.equator(seconds: [0, 1, 2])
    func summary(_ segments: PointColumns...) -> String? {
      StageRun([.header] + segments.flatMap { StreamItem.track(TrackInfo(), $0) }, [MergeStage()]).summary
    }
    #expect(summary(earlier, later) == "merge: 2 tracks merged into one")
    #expect(summary(later, earlier) == "merge: 2 tracks merged into one")
    #expect(
      summary(later, earlier, later)
        == "merge: 3 tracks merged into one, segments that begin before the previous segment ends: 1")
  }

  @Test(
    "Segments are sorted by their first times; those without times stay after the previous one",
    arguments: [1, 64])
  func order(capacity: Int) {
    let untimed = PointColumns.equator(seconds: [nil, nil])
    let days = [0.0, 100, 200].map { day in PointColumns.equator(seconds: [day, day + 1]) }
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(name: "c"), days[2], untimed)
        + StreamItem.track(TrackInfo(name: "a"), days[0]) + StreamItem.track(TrackInfo(name: "b"), days[1]),
      [MergeStage()], capacity: capacity)
    #expect(run.tracks.map(\.name) == ["c"])
    #expect(run.lines == [days[0], days[1], days[2], untimed])
    #expect(run.summary == "merge: 3 tracks merged into one, removed: 2 names")
  }

  @Test("The distances of an earlier track that comes later are not added to those of a later one")
  func distancesInOrder() {
    func counted(at second: Double, _ counts: Double...) -> PointColumns {
      var points = PointColumns()
      for (index, count) in counts.enumerated() {
        points.append(
          Coordinate(latitude: 0, longitude: 0), time: .test(second + Double(index)),
          values: [.distance: count])
      }
      return points
    }
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(), counted(at: 100, 0, 30))
        + StreamItem.track(TrackInfo(), counted(at: 0, 0, 50)), [MergeStage()])
    #expect(
      run.lines.map { line in (0..<line.count).map { line.value(.distance, at: $0) } } == [
        [0, 50], [50, 80],
      ])
  }
}
