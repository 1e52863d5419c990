import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite struct CropStageTests {
  private func kept(_ seconds: [Double?], _ bounds: CropStage.Bounds) -> [Double?] {
    StageRun([.header] + StreamItem.track(TrackInfo(), .equator(seconds: seconds)), [CropStage(bounds)])
      .lines[0].seconds
  }

  @Test("Cropping to two instants keeps both ends; an open end keeps everything on its side")
  func instants() {
    let seconds: [Double?] = [0, 9.999999, 10, 15, nil, 20, 20.000001]
    #expect(kept(seconds, .instants(from: .test(10), to: .test(20))) == [10, 15, 20])
    #expect(kept(seconds, .instants(from: .test(15), to: nil)) == [15, 20, 20.000001])
    #expect(kept(seconds, .instants(from: nil, to: .test(10))) == [0, 9.999999, 10])
    #expect(kept(seconds, .instants(from: .test(20), to: .test(10))) == [])
  }

  @Test("If nothing remains, the times of the recording are local, also if the bounds have a date")
  func localTimes() {
    let start = Instant(microseconds: 1_714_600_500_000_000)  // 2024-05-01T21:55:00Z
    var points = PointColumns()
    points.append(Coordinate(latitude: 0, longitude: 0), time: start)
    for bounds in [
      CropStage.Bounds.instants(from: nil, to: start.advanced(bySeconds: -1)),
      .timesOfDay(from: 0, to: 1),
    ] {
      let run = StageRun(
        [.header] + StreamItem.track(TrackInfo(), points), [CropStage(bounds) { _ in 7200 }])
      let time = "2024-05-01T23:55:00+02:00"
      #expect(
        run.warnings.filter { $0.code == .nothingLeft }.map(\.message)
          == ["no points left; the recording lasts from \(time) to \(time)"])
    }
  }

  private func segments(_ seconds: [Double?], _ bounds: CropStage.Bounds) -> [[Double?]] {
    StageRun([.header] + StreamItem.track(TrackInfo(), .equator(seconds: seconds)), [CropStage(bounds)])
      .lines.map(\.seconds)
  }

  @Test("Cropping to two times of day keeps this range of each day, with a segment for each")
  func timesOfDay() {
    let hour = 3600.0
    // 7:30 and 8:10 on the same day, the next day and the day before.
    let seconds: [Double?] = [
      7.5 * hour - 1, 7.5 * hour, 8 * hour, 8 * hour + 600, 8 * hour + 601, 32 * hour, -16 * hour, -17 * hour,
    ]
    #expect(
      segments(seconds, .timesOfDay(from: 7.5 * hour, to: 8 * hour + 600))
        == [[7.5 * hour, 8 * hour, 8 * hour + 600], [32 * hour, -16 * hour]])
  }

  @Test("A range across midnight ends in the morning")
  func overMidnight() {
    let hour = 3600.0
    let seconds: [Double?] = [0, hour, hour + 1, 12 * hour, 23 * hour - 1, 23 * hour, 24 * hour, 25 * hour]
    #expect(
      segments(seconds, .timesOfDay(from: 23 * hour, to: hour))
        == [[0, hour], [23 * hour, 24 * hour, 25 * hour]])
  }

  @Test("Times of day before 1970 are also relative to midnight")
  func before1970() {
    var points = PointColumns()
    // 1969-12-31, 23:59:59 and 12:00.
    for seconds in [-1, -43_200] {
      points.append(
        Coordinate(latitude: 0, longitude: 0), time: Instant(microseconds: Int64(seconds) * 1_000_000))
    }
    let run = StageRun(
      [.header] + StreamItem.track(TrackInfo(), points), [CropStage(.timesOfDay(from: 82_800, to: 86_399))])
    #expect(run.lines[0].times == [-1_000_000])
  }

  @Test("Trackpoints without a time are removed and counted; waypoints without one are kept")
  func untimed() {
    let run = StageRun(
      [
        .header, .event(.waypoint(.place("in", 0, 0, seconds: 5))),
        .event(.waypoint(.place("out", 0, 0, seconds: 50))), .event(.waypoint(.place("place", 0, 0))),
      ] + StreamItem.route(TrackInfo(), .equator(seconds: [nil, nil, 50]))
        + StreamItem.track(TrackInfo(), .equator(seconds: [nil, 4, 40]), .equator(seconds: [nil])),
      [CropStage(.instants(from: .test(0), to: .test(10)))])
    #expect(run.waypoints.map(\.details.name) == ["in", "place"])
    #expect(run.lines.map(\.seconds) == [[nil, nil], [4], []])
    #expect(run.summary == "crop: 5 of 10 points removed, 2 of them without a time")
  }

  /// Returns a lap of this duration, in seconds, with all totals.
  private func lap(_ start: Double, _ seconds: Double?) -> Lap {
    var lap = Lap(start: .test(start))
    lap.elapsedTime = seconds
    lap.timerTime = seconds
    lap.distance = 500
    lap.calories = 10
    lap.trigger = "Manual"
    return lap
  }

  /// Returns the expected lap after cutting.
  private func rest(_ start: Double, _ trigger: String?) -> Lap {
    var lap = Lap(start: .test(start))
    lap.trigger = trigger
    return lap
  }

  private func described(_ info: TrackInfo, _ bounds: CropStage.Bounds) -> (info: TrackInfo, summary: String?)
  {
    let run = StageRun(
      [.header] + StreamItem.track(info, .equator(seconds: [0, 100])), [CropStage(bounds)])
    return (run.tracks.first ?? TrackInfo(name: "none"), run.summary)
  }

  @Test("Laps outside the range are removed, and a cut lap loses its totals")
  func laps() {
    var info = TrackInfo()
    info.laps = [lap(0, 20), lap(20, 30), lap(50, 20), lap(70, nil)]
    let (both, summary) = described(info, .instants(from: .test(30), to: .test(80)))
    #expect(both.laps == [rest(30, "Manual"), lap(50, 20), rest(70, nil)])
    #expect(summary == "crop: 2 of 2 points removed, 1 lap removed, 2 laps cut")
    #expect(described(info, .instants(from: .test(20), to: nil)).info.laps == Array(info.laps[1...]))
    #expect(
      described(info, .instants(from: nil, to: .test(50))).info.laps == [
        info.laps[0], info.laps[1], rest(50, nil),
      ])
    info.laps = [Lap()]
    #expect(described(info, .instants(from: nil, to: .test(100))).info.laps == [])
    #expect(described(info, .instants(from: nil, to: nil)).info.laps == [Lap()])
  }

  @Test("Cropping to two times of day cuts laps on each day")
  func lapsOfDays() {
    let hour = 3600.0
    var info = TrackInfo()
    // 06:00-08:00, 08:00-09:00, 11:00-13:00, 23:00-08:30 and, on the third day, 06:00-12:30.
    info.laps = [
      lap(6 * hour, 2 * hour), lap(8 * hour, hour), lap(11 * hour, 2 * hour), lap(23 * hour, 9.5 * hour),
      lap(54 * hour, 6.5 * hour),
    ]
    // From 07:00 to 12:00.
    #expect(
      described(info, .timesOfDay(from: 7 * hour, to: 12 * hour)).info.laps
        == [
          rest(7 * hour, "Manual"), info.laps[1], rest(11 * hour, nil), rest(31 * hour, "Manual"),
          rest(55 * hour, nil),
        ])
    // From 22:00 to 07:00, over midnight.
    #expect(
      described(info, .timesOfDay(from: 22 * hour, to: 7 * hour)).info.laps
        == [rest(6 * hour, nil), rest(23 * hour, nil), rest(54 * hour, nil)])
  }

  @Test("The time span in the track's information is cut as well")
  func timeSpan() {
    func span(_ begin: Double?, _ end: Double?, _ bounds: CropStage.Bounds) -> [Double?]? {
      var info = TrackInfo()
      info.timeSpan = TimeSpan(begin: begin.map { .test($0) }, end: end.map { .test($0) })
      return described(info, bounds).info.timeSpan.map { span in
        [span.begin, span.end].map { $0.map { $0.seconds(since: .test(0)) } }
      }
    }
    let crop = CropStage.Bounds.instants(from: .test(30), to: .test(80))
    #expect(span(0, 100, crop) == [30, 80])
    #expect(span(40, 50, crop) == [40, 50])
    #expect(span(0, 20, crop) == nil)
    #expect(span(90, 100, crop) == nil)
    #expect(span(90, nil, crop) == nil)
    #expect(span(nil, 100, crop) == [nil, 80])
    #expect(span(0, nil, crop) == [30, nil])
    let day = CropStage.Bounds.timesOfDay(from: 3600, to: 7200)
    #expect(span(0, 10_000, day) == [3600, 7200])
    #expect(span(5000, 86_400 + 5000, day) == [5000, 86_400 + 5000])
    #expect(span(7201, 86_400, day) == nil)
  }

  @Test("Without removed points there is no summary")
  func all() {
    let items = [.header] + StreamItem.track(TrackInfo(), .equator(seconds: [1, 2]))
    let run = StageRun(items, [CropStage(.instants(from: nil, to: nil))])
    #expect(run.items == items)
    #expect(run.summary == nil)
  }
}
