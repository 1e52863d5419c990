import Testing
import TrackModel

@testable import GhostModel
@testable import TestSupport

@Suite("Order of segments")
struct SegmentOrderTests {
  private let later: [(seconds: Double, longitude: Double)] = [(100, 0.002), (110, 0.003)]
  private let earlier: [(seconds: Double, longitude: Double)] = [(0, 0), (10, 0.001)]

  @Test("Segments that are not in the order of their times are sorted, and none is omitted")
  func order() throws {
    let recording = Recording.track(later, earlier)
    #expect(recording.inTimeOrder == .track(earlier, later))
    let drives = try DriveImporter.drives(from: recording, options: ImportOptions(), name: "d")
    #expect(drives.map(\.report.warnings) == [[]])
    #expect(drives.first?.drive.duration == 110)
    #expect(drives.first?.report.pointsUsed == 4)
  }

  @Test("Segments that are in order, overlap, or have no times are unchanged")
  func unchanged() {
    let untimed = Recording.untimed([0, 1], [2, 3])
    let overlapping = Recording.track([(50, 0), (150, 1)], earlier, later)
    for recording in [.track(earlier, later), .track(earlier), untimed, overlapping, Recording()] {
      #expect(recording.inTimeOrder == recording)
    }
    var mixed = Recording.track(later, earlier)
    mixed.segments += untimed.segments
    #expect(mixed.inTimeOrder == mixed)
  }

  @Test("A recording that lists the newest point first is reversed, and becomes the same drive")
  func newestFirst() throws {
    let oldest = Recording.track([(0, 0), (10, 0.001), (25, 0.002)], [(100, 0.003), (110, 0.004)])
    let newest = Recording.track([(110, 0.004), (100, 0.003)], [(25, 0.002), (10, 0.001), (0, 0)])
    let drives = try [oldest, newest].map {
      try DriveImporter.drives(from: $0, options: ImportOptions(), name: "d")
    }
    #expect(drives[1].map(\.drive) == drives[0].map(\.drive))
    #expect(drives[1].map(\.report) == drives[0].map(\.report))
    #expect(drives[1].first?.drive.duration == 110)
    #expect(try GhostTrail(newest).elapsed == GhostTrail(oldest).elapsed)
  }

  @Test(
    "If most points are out of order, the error suggests combining segments that overlap in time",
    arguments: [
      (Recording.track([(0, 0), (10, 1), (20, 2), (30, 3)], [(5, 0), (15, 1), (25, 2)]), true),
      (Recording.track([(0, 0), (20, 2), (10, 1), (30, 3), (5, 0), (15, 1)], [(25, 2)]), false),
      (Recording.track([(30, 3), (0, 0), (20, 2), (10, 1), (15, 1)]), false),
    ])
  func outOfOrder(recording: Recording, isConcurrent: Bool) {
    let error = #expect(throws: TrackError.self) {
      try DriveImporter.drives(from: recording, options: ImportOptions(), name: "d")
    }
    #expect(error?.code == .outOfOrder)
    #expect((error?.suggestion == .combineRecordings) == isConcurrent)
  }
}
