import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite struct MergeStageTests {
  private let first = PointColumns.equator(seconds: [0, 1])
  private let second = PointColumns.equator(seconds: [10, 11, 12])

  @Test("Segments of all tracks become one track's, in their order")
  func segments() {
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(), first, second) + StreamItem.track()
        + StreamItem.track(TrackInfo(), second), [MergeStage()])
    #expect(run.items == [.header] + StreamItem.track(TrackInfo(), first, second, second))
    // The third lies where the second does.
    #expect(
      run.summary
        == "merge: 3 tracks made one, segments that begin before the previous segment ends: 1")
  }

  @Test("What stands before the first track stays there, what follows comes behind the track")
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

  @Test("A single track stays as it is, and so does a file without any")
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

  @Test("The first name counts; others are counted as left out unless they are the same")
  func names() {
    func info(_ name: String?, _ type: String?) -> TrackInfo {
      var info = TrackInfo(name: name)
      info.type = type
      info.links = [Link(address: "a:\(name ?? "")")]
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
        == "merge: 4 tracks made one, segments that begin before the previous segment ends: 3, removed: 2 names, 1 kinds"
    )
  }

  @Test("Name, number and words come from one track, the first that has any")
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
        == "merge: 4 tracks made one, segments that begin before the previous segment ends: 3, removed: 1 names, 2 comments, 1 numbers"
    )
  }

  @Test("The one track lasts from the first beginning to the last end")
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

  @Test("Distances that begin anew go on from the last, those that have gone on stay", arguments: [1, 64])
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

  @Test("A stream that breaks off in a segment ends the track before what follows it")
  func brokenOff() {
    let there = StreamItem.event(.waypoint(.place("there", 0, 0)))
    let items =
      [.header] + StreamItem.track(TrackInfo(), first)
      + [there, .event(.beginTrack(TrackInfo())), .event(.beginSegment), .points(second)]
    let run = StageRun(items, [MergeStage()], error: TrackError(.truncated, "cut"))
    #expect(run.items == [.header] + StreamItem.track(TrackInfo(), first, second) + [there])
  }

  @Test("Segments that begin before the end of those in front of them are counted")
  func disorder() {
    let later = PointColumns.equator(seconds: [10, 11, 12])
    let earlier = PointColumns.equator(seconds: [0, 1, 2])
    func summary(_ segments: PointColumns...) -> String? {
      StageRun([.header] + segments.flatMap { StreamItem.track(TrackInfo(), $0) }, [MergeStage()]).summary
    }
    #expect(summary(earlier, later) == "merge: 2 tracks made one")
    #expect(
      summary(later, earlier, later)
        == "merge: 3 tracks made one, segments that begin before the previous segment ends: 2")
  }
}
