import TestSupport
import Testing
import TrackArchives
import TrackModel
import TrackTransforms

@testable import BulkImport

@Suite("Pauses of an export")
struct PauseStageTests {
  private func pause(_ seconds: Double, delay: Double = 0) -> ActivityNotes.Pause {
    var pause = ActivityNotes.Pause(end: .test(seconds))
    pause.delay = delay
    return pause
  }

  private func run(_ points: PointColumns, _ pauses: [ActivityNotes.Pause], capacity: Int) -> [StreamItem] {
    StageRun([.header] + StreamItem.track(TrackInfo(), points), [PauseStage(pauses)], capacity: capacity)
      .items
  }

  @Test("A segment starts with the first point after a pause", arguments: [1, 2, 4096])
  func segments(capacity: Int) {
    let points = PointColumns.equator(seconds: [0, 10, 20, 100, 110, 200])
    #expect(
      run(points, [pause(95), pause(150), pause(160), pause(300), pause(-5)], capacity: capacity)
        == [.header]
        + StreamItem.track(TrackInfo(), points.rows(0..<3), points.rows(3..<5), points.rows(5..<6)))
  }

  @Test("Times that do not count the pauses are delayed", arguments: [1, 4096])
  func delays(capacity: Int) {
    let points = PointColumns.equator(seconds: [0, 10, 20, 30])
    let later = points.rows(2..<4)
    #expect(
      run(points, [pause(15, delay: 60)], capacity: capacity)
        == [.header]
        + StreamItem.track(
          TrackInfo(), points.rows(0..<2), later.with(times: later.times.map { $0 + 60_000_000 })))
  }

  @Test("An impossible delay does not overflow", arguments: [1e300, -1e300, 1.84e13])
  func impossibleDelay(delay: Double) {
    let items = run(.equator(seconds: [0, 10, 20, 30]), [pause(15, delay: delay)], capacity: 4096)
    #expect(items.count == 9)
  }
}
