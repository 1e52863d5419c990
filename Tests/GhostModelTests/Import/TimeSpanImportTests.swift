import GhostModel
import Testing
import TrackModel
import TrackTransforms

@testable import TestSupport

@Suite struct TimeSpanImportTests {
  private func recording(_ begin: Double?, _ end: Double?, _ segments: [Double]...) -> Recording {
    var recording = Recording(
      segments: segments.map { longitudes in
        var segment = Recording.Segment()
        for longitude in longitudes {
          segment.append(Coordinate(latitude: 0, longitude: longitude), time: nil)
        }
        return segment
      })
    recording.timeSpan = TimeSpan(begin: begin.map(Recording.instant), end: end.map(Recording.instant))
    return recording
  }

  private func one(_ recording: Recording, _ options: ImportOptions = ImportOptions()) throws -> ImportedDrive
  {
    let drives = try DriveImporter.drives(from: recording, options: options, name: "n")
    #expect(drives.count == 1)
    return try #require(drives.first)
  }

  @Test(
    "A track without times uses duration, start and end of its time span, with a warning")
  func span() throws {
    let result = try one(recording(10, 14, [0, 0.001, 0.004]))
    #expect(result.drive.duration == 4)
    #expect(result.drive.startTime == Recording.instant(10))
    #expect(result.drive.endTime == Recording.instant(14))
    // At constant speed, one point per second.
    for (longitude, expected) in zip(result.longitudes, [0, 0.001, 0.002, 0.003, 0.004]) {
      #expect(abs(longitude - expected) < 1e-9)
    }
    #expect(result.longitudes.count == 5)
    #expect(
      result.report.warnings.map(\.message)
        == ["only the times of the whole track are known; constant speed assumed"])
    #expect(result.report.warnings.map(\.code) == [.coarseTimes])
    #expect(result.report.elapsed == 4)
  }

  @Test("A fraction of a second is kept, and the distance between segments takes no time")
  func segments() throws {
    let result = try one(recording(0, 2.5, [0, 0.001], [1, 1.001]), .with { $0.cadence = .keepPoints })
    #expect(result.drive.duration == 2.5)
    #expect(abs(result.report.recordedDistance - 222.638_981_586_547_2) < 1e-6)
    #expect(result.longitudes == [0, 0.001, 1, 1.001])
  }

  @Test("A given duration or speed overrides the time span", arguments: [true, false])
  func options(isDuration: Bool) throws {
    let options = ImportOptions.with {
      if isDuration { $0.duration = 100 } else { $0.speed = 111.319_490_793_273_58 / 100 }
    }
    let result = try one(recording(10, 14, [0, 0.001]), options)
    #expect(abs(result.drive.duration - 100) < 1e-6)
    #expect(result.drive.startTime == nil)
    #expect(result.drive.endTime == nil)
    #expect(result.report.warnings.isEmpty)
  }

  @Test("The times of points override the time span")
  func pointTimes() throws {
    var timed = Recording.track([(0, 0), (1, 0.001), (2, 0.002)])
    timed.timeSpan = TimeSpan(begin: Recording.instant(-100), end: Recording.instant(500))
    let result = try one(timed)
    #expect(result.drive.duration == 2)
    #expect(result.drive.startTime == Recording.instant(0))
    #expect(result.report.warnings.isEmpty)
  }

  @Test(
    "An open, empty or reversed time span has no duration",
    arguments: [(0, nil), (nil, 5), (nil, nil), (5, 5), (6, 5)] as [(Double?, Double?)])
  func noSpan(begin: Double?, end: Double?) {
    expectError(.noTimes) { try one(recording(begin, end, [0, 0.001])) }
  }

  @Test("Extreme time spans throw an error without an overflow")
  func extremes() {
    var endless = recording(0, 1, [0, 0.001, 0.004])
    endless.timeSpan = TimeSpan(begin: Instant(microseconds: .min + 1), end: Instant(microseconds: .max))
    expectError(.noTimes) { try one(endless) }
  }

  @Test("A time span with fewer than two points is an error")
  func tooFew() {
    expectError(.tooFewPoints) { try one(recording(0, 10, [0])) }
    expectError(.tooFewPoints) { try one(recording(0, 10)) }
  }

  @Test("A split gap has no effect on a time span, with a warning")
  func splitGap() throws {
    let result = try one(recording(0, 10, [0, 0.001]), .with { $0.splitGap = 1 })
    #expect(result.report.warnings.map(\.code) == [.coarseTimes, .unusedOption])
  }

  @Test("The resolution of a coarse source is a warning")
  func resolution() throws {
    var coarse = Recording.track([(0, 0), (120, 0.01)])
    coarse.resolution = Resolution(time: 60, position: 25)
    let result = try one(coarse)
    #expect(result.report.warnings.map(\.code) == [.coarseTimes, .coarsePositions])
    #expect(
      result.report.warnings.map(\.message)
        == ["the time resolution of the source is 60 s", "the position resolution of the source is 25 m"])
  }

  @Test("The first time span of a stream is used, at the beginning or later")
  func gathered() {
    func spanned(_ seconds: Double) -> TrackInfo {
      var info = TrackInfo()
      info.timeSpan = TimeSpan(begin: Recording.instant(0), end: Recording.instant(seconds))
      return info
    }
    func gathered(_ events: TrackEvent...) -> TimeSpan? {
      var builder = RecordingBuilder()
      let batch = PointBatch()
      return events.compactMap { builder.add($0, batch) }.first?.timeSpan
    }
    let late = TrackEvent.annotation(.track(spanned(9)))
    #expect(gathered(.beginTrack(spanned(5)), late, .endTrack) == spanned(5).timeSpan)
    #expect(
      gathered(.beginTrack(TrackInfo()), .beginSegment, .endSegment, late, .endTrack) == spanned(9).timeSpan)
    #expect(gathered(.beginRoute(spanned(5)), .endRoute) == spanned(5).timeSpan)
    #expect(gathered(.beginTrack(TrackInfo()), .endTrack) == nil)
  }
}
