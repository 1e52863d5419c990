import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite struct SpreadTimesStageTests {
  private func info(_ begin: Double?, _ end: Double?) -> TrackInfo {
    var info = TrackInfo()
    info.timeSpan = TimeSpan(begin: begin.map { .test($0) }, end: end.map { .test($0) })
    return info
  }

  private func equator(_ longitudes: Double...) -> PointColumns { .line(longitudes.map { (nil, 0, $0) }) }

  @Test(
    "Points are assigned times by distance, from the start to the end of the time span",
    arguments: [1, 3, 4096])
  func byDistance(capacity: Int) {
    // A quarter of the distance, then half, then the rest; 400 s.
    let run = StageRun(
      [.header] + StreamItem.track(info(1000, 1400), equator(1, 1.01, 1.03, 1.04)), [SpreadTimesStage()],
      capacity: capacity)
    let seconds = run.lines[0].seconds
    #expect(seconds.first == 1000)
    #expect(isNear(seconds[1], 1100, within: 1e-6))
    #expect(isNear(seconds[2], 1300, within: 1e-6))
    #expect(seconds.last == 1400)
    #expect(run.lines[0].longitudes == [1, 1.01, 1.03, 1.04])
    #expect(run.summary == "spread-times: 1 track assigned times by distance")
  }

  private func drive(_ attributes: KeyValuePairs<String, String>) -> TrackInfo {
    var info = TrackInfo()
    info.extensions = [DriveElement.make(attributes.map { .init(name: $0.key, value: $0.value) })]
    return info
  }

  @Test("Points of a drive are evenly spaced in time, from an artificial start if none is known")
  func drives() {
    let items = [.header] + StreamItem.track(drive(["id": "x", "duration": "30"]), equator(0, 0.01, 0.5, 1))
    let run = StageRun(items, [SpreadTimesStage(.drives)])
    let times = run.lines[0].times.map { $0 - DriveElement.unknownStart.microseconds }
    #expect(times == [0, 10_000_000, 20_000_000, 30_000_000])
    #expect(
      run.tracks[0].extensions == drive(["id": "x", "duration": "30", "clock": "artificial"]).extensions)
    #expect(
      run.summary == "spread-times: 1 drive assigned times evenly over the duration, "
        + "1 without a start time, counted from 1999-09-09T09:09:09Z")
    let paced = StageRun(
      items, [SpreadTimesStage(.drives, pace: .init(duration: 3, start: .test(5)), keepsIdentity: false)])
    #expect(paced.lines[0].seconds == [5, 15, 25, 35])
    #expect(paced.tracks[0].extensions == drive([:]).extensions)
    #expect(paced.summary == "spread-times: 1 drive assigned times evenly over the duration")
  }

  @Test("The drives scope gives times to drives only, and existing times are unchanged")
  func scope() {
    let line = [.header] + StreamItem.track(TrackInfo(), equator(0, 1, 4))
    #expect(StageRun(line, [SpreadTimesStage(.drives, pace: .init(duration: 4))]).items == line)
    let all = StageRun(line, [SpreadTimesStage(.all, pace: .init(duration: 4, start: .test(0)))])
    #expect(isNear(all.lines[0].seconds[1], 1, within: 1e-6) && all.lines[0].seconds.last == 4)
    let timed = [.header] + StreamItem.track(drive(["duration": "9"]), .equator(seconds: [0, 1, 5]))
    #expect(StageRun(timed, [SpreadTimesStage(.all, pace: .init(duration: 4))]).items == timed)
  }

  @Test("Segments share the time, including the distance between them")
  func segments() {
    let run = StageRun(
      [.header] + StreamItem.track(info(0, 100), equator(0, 0.01), PointColumns(), equator(0.03, 0.05)),
      [SpreadTimesStage()])
    let seconds = run.lines.flatMap(\.seconds)
    for (second, expected) in zip(seconds, [0.0, 20, 60, 100]) {
      #expect(isNear(second, expected, within: 1e-6))
    }
    #expect(run.lines.map(\.count) == [2, 0, 2])
  }

  @Test("A time span delivered after the points is used")
  func late() {
    let run = StageRun(
      [.header, .event(.beginTrack(TrackInfo()))] + StreamItem.segment(equator(0, 1))
        + [.late(info(5, 9)), .event(.endTrack)], [SpreadTimesStage()])
    #expect(run.lines[0].seconds == [5, 9])
  }

  @Test("Points at one position are evenly spaced in time")
  func zeroLength() {
    let run = StageRun([.header] + StreamItem.track(info(0, 30), equator(7, 7, 7, 7)), [SpreadTimesStage()])
    #expect(run.lines[0].seconds == [0, 10, 20, 30])
  }

  @Test("The shorter way across the antimeridian is used")
  func antimeridian() {
    let run = StageRun(
      [.header] + StreamItem.track(info(0, 30), equator(179.99, -180, -179.98)), [SpreadTimesStage()])
    #expect(isNear(run.lines[0].seconds[1], 10, within: 1e-5))
  }

  @Test("Tracks with times, with a missing start or end, or with fewer than two points are unchanged")
  func untouched() {
    let items: [StreamItem] =
      [.header] + StreamItem.track(info(0, 30), .equator(seconds: [nil, 4, nil]))
      + StreamItem.track(info(0, nil), equator(0, 1)) + StreamItem.track(info(nil, 3), equator(0, 1))
      + StreamItem.track(info(3, 3), equator(0, 1)) + StreamItem.track(info(4, 3), equator(0, 1))
      + StreamItem.track(TrackInfo(), equator(0, 1)) + StreamItem.track(info(0, 1), equator(5))
      + StreamItem.track(info(0, 1), PointColumns()) + StreamItem.track(info(0, 1))
      + StreamItem.route(info(0, 1), equator(0, 1)) + [.event(.waypoint(.place("w", 0, 0)))]
    let run = StageRun(items, [SpreadTimesStage()])
    #expect(run.items == items)
    #expect(run.summary == nil)
  }

  @Test("An incomplete track gets no times, because its actual end is unknown")
  func brokenOff() {
    let items: [StreamItem] =
      [.header, .event(.beginTrack(info(0, 100))), .event(.beginSegment), .points(equator(0, 1))]
    let run = StageRun(items, [SpreadTimesStage()], error: TrackError(.truncated, "cut"))
    #expect(run.items == items)
    #expect(run.summary == nil)
  }

  @Test("A time span between extreme times causes no trap")
  func extremes() {
    var extreme = TrackInfo()
    extreme.timeSpan = TimeSpan(
      begin: Instant(microseconds: .min + 1), end: Instant(microseconds: .max))
    let items = [.header] + StreamItem.track(extreme, equator(0, 1, 2))
    #expect(StageRun(items, [SpreadTimesStage()]).items == items)
  }

  @Test("A pace that does not apply to a track is reported")
  func unusedPace() {
    let timed = StreamItem.track(TrackInfo(), .equator(seconds: [0, 5]))
    let untimed = StreamItem.track(TrackInfo(), equator(0, 1))
    func messages(_ items: [StreamItem], _ stage: SpreadTimesStage) -> [String] {
      StageRun([.header] + items, [stage]).warnings.filter { $0.code == .unusedOption }.map(\.message)
    }
    #expect(
      messages(timed, SpreadTimesStage(pace: .init(duration: 3)))
        == ["the recording has times; the given duration is ignored"])
    #expect(
      messages(timed, SpreadTimesStage(pace: .init(speed: 3, start: .test(9))))
        == ["the recording has times; the given speed and start are ignored"])
    #expect(
      messages(untimed, SpreadTimesStage(pace: .init(start: .test(9))))
        == ["neither times nor a duration; the given start is ignored"])
    #expect(messages(untimed, SpreadTimesStage(pace: .init(duration: 3, start: .test(9)))).isEmpty)
    // The start applies to times that count from an unknown one.
    let offset = DriveElement.unknownStart.secondsSince1970 - Instant.test(0).secondsSince1970
    let relative = StreamItem.track(TrackInfo(), .equator(seconds: [offset, offset + 5]))
    #expect(messages(relative, SpreadTimesStage(pace: .init(start: .test(9)))).isEmpty)
    #expect(
      messages(relative, SpreadTimesStage(pace: .init(speed: 3, start: .test(9))))
        == ["the recording has times; the given speed is ignored"])
    #expect(messages(timed + untimed, SpreadTimesStage()).isEmpty)
    #expect(messages(timed, SpreadTimesStage(pace: .init(duration: 3), reportsUnusedPace: false)).isEmpty)
  }
}
