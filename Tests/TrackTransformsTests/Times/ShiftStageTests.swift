import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite struct ShiftStageTests {
  @Test(
    "All times are shifted; points without a time remain without one",
    arguments: [(3600.0, "1 h"), (5430, "1 h 30 min 30 s"), (-0.25, "-0.25 s"), (1e-6, "0.000001 s")])
  func times(seconds: Double, words: String) {
    var info = TrackInfo()
    info.timeSpan = TimeSpan(begin: .test(0))
    info.laps = [Lap(start: .test(5)), Lap()]
    let run = StageRun(
      [
        .header, .event(.waypoint(.place("a", 0, 0, seconds: 7))), .event(.waypoint(.place("b", 0, 0))),
        .event(.beginTrack(TrackInfo())), .event(.beginSegment), .points(.equator(seconds: [1, nil, 3])),
        .event(.endSegment), .late(info), .event(.endTrack),
      ] + StreamItem.route(info, .equator(seconds: [4])), [ShiftStage(seconds: seconds)])
    func moved(_ second: Double) -> Int64 { Instant.test(second + seconds).microseconds }
    #expect(run.lines.map(\.times) == [[moved(1), Instant.absent, moved(3)], [moved(4)]])
    #expect(run.waypoints.map(\.time) == [.test(7 + seconds), nil])
    #expect(run.tracks[0].timeSpan == TimeSpan(begin: .test(seconds)))
    #expect(run.tracks[0].laps.map(\.start) == [.test(5 + seconds), nil])
    #expect(run.items.contains(.event(.beginRoute(run.tracks[0]))))
    // Three points, a waypoint, the start of a time span twice, and the start of a lap twice.
    #expect(run.summary == "shift: 8 times shifted by \(words)")
  }

  @Test("The file's creation time is not shifted")
  func fileTime() {
    var info = FileInfo()
    info.time = .test(0)
    let run = StageRun([.event(.header(info)), .event(.annotation(.file(info)))], [ShiftStage(seconds: 60)])
    #expect(run.items == [.event(.header(info)), .event(.annotation(.file(info)))])
    #expect(run.summary == nil)
  }

  @Test("Extreme times are limited, and no shift causes a trap", arguments: [3e11, -3e11, 1e300, .nan])
  func ends(seconds: Double) {
    var points = PointColumns()
    for time in [.max, .min + 1, 0] as [Int64] {
      points.append(Coordinate(latitude: 0, longitude: 0), time: Instant(microseconds: time))
    }
    let run = StageRun([.header] + StreamItem.track(TrackInfo(), points), [ShiftStage(seconds: seconds)])
    // The shift is limited to ±3e11 s; NaN is ignored.
    let moved: Int64 = seconds.isNaN ? 0 : seconds > 0 ? 300_000_000_000_000_000 : -300_000_000_000_000_000
    let last: Int64 = moved > 0 ? .max : .max + moved
    let first: Int64 = moved < 0 ? .min + 1 : .min + 1 + moved
    #expect(run.lines[0].times == [last, first, moved])
  }
}
