import Testing
import TrackModel

@testable import TestSupport
@testable import TrackTransforms

@Suite struct StartStageTests {
  /// Points on the equator at times since the unknown start.
  private func relative(_ seconds: Double...) -> PointColumns {
    let offset = DriveElement.unknownStart.secondsSince1970 - Instant.test(0).secondsSince1970
    return .equator(seconds: seconds.map { $0 + offset })
  }

  @Test("Times from an unknown start count from the given one, and the mark of the track is removed")
  func relativeTimes() {
    var marked = TrackInfo(name: "a")
    marked.extensions = [DriveElement.artificialClockMark]
    let days = 3.0 * 86_400
    // The second track is not marked. The third begins after more than a day, which only its mark reveals.
    let run = StageRun(
      [.header] + StreamItem.track(marked, relative(0, 5)) + StreamItem.track(TrackInfo(), relative(60, 65))
        + StreamItem.track(marked, relative(days, days + 1)), [StartStage(.test(1000))])
    #expect(run.lines.map(\.seconds) == [[1000, 1005], [1060, 1065], [1000 + days, 1001 + days]])
    #expect(run.tracks.map(\.extensions) == [[], [], []])
  }

  @Test("Other attributes of a drive are kept, and known times are unchanged")
  func others() {
    var drive = TrackInfo()
    let identifier = ExtensionElement.Attribute(name: DriveElement.identifier, value: "x")
    let clock = ExtensionElement.Attribute(name: DriveElement.clock, value: DriveElement.artificialClock)
    drive.extensions = [DriveElement.make([identifier, clock])]
    let run = StageRun(
      [.header] + StreamItem.track(drive, relative(0))
        + StreamItem.track(TrackInfo(), .equator(seconds: [7])),
      [StartStage(.test(1000))])
    #expect(run.lines.map(\.seconds) == [[1000], [7]])
    #expect(run.tracks.map(\.extensions) == [[DriveElement.make([identifier])], []])
  }
}
