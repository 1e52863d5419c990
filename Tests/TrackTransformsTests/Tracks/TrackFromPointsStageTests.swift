import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite struct TrackFromPointsStageTests {
  private func header(_ name: String?) -> StreamItem {
    var info = FileInfo()
    info.name = name
    return .event(.header(info))
  }

  private func event(_ waypoint: Waypoint) -> StreamItem { .event(.waypoint(waypoint)) }

  private let a = Waypoint.place("a", 1, 10, seconds: 30)
  private let b = Waypoint.place("b", 2, 20, seconds: 10)
  private let c = Waypoint.place("c", 3, 30, seconds: 30)
  private let place = Waypoint.place("place", 4, 40)
  private let track = StreamItem.track(TrackInfo(name: "own"), .equator(seconds: [0, 1]))

  @Test("Waypoints with times become a track with the file's name, sorted by time and then in file order")
  func joins() {
    var measured = a
    measured.values = [.elevation: 12]
    let run = StageRun(
      [header("log"), event(measured), event(place), event(b), event(c)], [TrackFromPointsStage()])
    var points = PointColumns()
    for waypoint in [b, measured, c] {
      points.append(
        waypoint.coordinate, time: waypoint.time, values: waypoint.values, details: waypoint.details)
    }
    #expect(run.items == [header("log"), event(place)] + StreamItem.track(TrackInfo(name: "log"), points))
    #expect(run.lines[0].details.map(\.details.name) == ["b", "a", "c"])
    #expect(run.lines[0].value(.elevation, at: 1) == 12)
    #expect(run.summary == "track-from-points: 3 waypoints joined into a track in time order")
  }

  @Test("Neither a single waypoint with a time nor waypoints without times become a track")
  func tooFew() {
    let run = StageRun([.header, event(place), event(a), event(place)], [TrackFromPointsStage()])
    #expect(run.waypoints.map(\.details.name) == ["place", "place", "a"])
    #expect(run.tracks.isEmpty)
    #expect(run.summary == nil)
  }

  @Test("On request, waypoints are joined even if the file has a track")
  func besideTrack() {
    let run = StageRun([.header, event(a)] + track + [event(b)], [TrackFromPointsStage()])
    #expect(run.tracks.map(\.name) == ["own", nil])
    #expect(run.lines[1].longitudes == [20, 10])
  }

  @Test(
    "If limited to files without tracks, the stage does not change a file that contains a track at any position"
  )
  func onlyWithoutTrack() {
    func run(_ items: [StreamItem]) -> StageRun {
      StageRun(items, [TrackFromPointsStage(onlyWithoutTrack: true)])
    }
    for items in [
      [.header, event(a), event(place), event(b)] + track, [.header] + track + [event(a), event(b)],
      [.header, event(a)] + track + [event(b)] + track + [event(c)],
    ] {
      let result = run(items)
      #expect(result.tracks.allSatisfy { $0.name == "own" })
      #expect(
        Set(result.waypoints)
          == Set(items.compactMap { if case .event(.waypoint(let point)) = $0 { point } else { nil } }))
      #expect(result.items.count == items.count)
      #expect(result.summary == nil)
    }
    #expect(
      run([.header, event(a)] + StreamItem.route(TrackInfo(), .equator(seconds: [nil])) + [event(b)]).tracks
        .count == 1)
  }

  @Test("A track without points does not prevent joining")
  func emptyTrack() {
    let empty = StreamItem.track(TrackInfo(name: "empty"), PointColumns())
    let run = StageRun(
      [.header, event(a)] + empty + [event(b)], [TrackFromPointsStage(onlyWithoutTrack: true)])
    #expect(run.items.starts(with: [.header] + empty))
    #expect(run.lines.map(\.longitudes) == [[], [20, 10]])
    let late = StageRun(
      [.header, event(a)] + empty + [event(b)] + track, [TrackFromPointsStage(onlyWithoutTrack: true)])
    #expect(late.items == [.header] + empty + [event(a), event(b)] + track)
  }

  @Test("The waypoints before a fault are joined after the track that the fault left open")
  func brokenOff() {
    let items: [StreamItem] = [
      .header, event(a), event(b), .event(.beginTrack(TrackInfo(name: "own"))), .event(.beginSegment),
      .points(.equator(seconds: [0])),
    ]
    let run = StageRun(items, [TrackFromPointsStage()], error: TrackError(.truncated, "cut"))
    #expect(run.lines.map(\.count) == [1, 2])
    #expect(run.tracks.map(\.name) == ["own", nil])
  }
}
