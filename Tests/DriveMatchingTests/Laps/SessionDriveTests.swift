import GhostModel
import TestSupport
import Testing
import TrackModel

@testable import DriveMatching

@Suite("Drives recorded in consecutive files")
struct SessionDriveTests {
  /// Returns a drive to the east with a point per second. A degree on the equator is 111,319.49 m.
  ///
  /// - Parameters:
  ///   - start: its start in seconds, or nil without times.
  ///   - metres: the place of its first point.
  private func drive(_ name: String, start: Double?, at metres: Double) throws -> TimedDrive {
    var segment = Recording.Segment()
    for second in 0...10 {
      segment.append(
        Coordinate(latitude: 0, longitude: (metres + 20 * Double(second)) / 111_319.49),
        time: start.map { Recording.instant($0 + Double(second)) })
    }
    var options = ImportOptions()
    if start == nil { options.duration = 10 }
    return try TimedDrive(
      Recording(kind: .track, segments: [segment]), label: name, source: "\(name).gpx", options: options)
  }

  @Test("A drive that starts shortly after another, where it ended, continues it")
  func joined() throws {
    // The files are given in another order than they were recorded.
    let drives = SessionDrive.joined([
      try drive("b", start: 30, at: 220), try drive("a", start: 0, at: 0),
    ])
    #expect(drives.count == 1)
    #expect(drives[0].trace.label == "a + b")
    #expect(drives[0].trace.duration == 40)
    #expect(drives[0].part(at: 10).source == "a.gpx" && drives[0].part(at: 10).start == 0)
    #expect(drives[0].part(at: 30).source == "b.gpx" && drives[0].part(at: 30).start == 30)
  }

  @Test(
    "Drives that overlap, start late or start elsewhere are separate",
    // A pause of 1 s allows 200 m, after 200 m of driving.
    arguments: [(9.0, 200.0), (71, 200), (11, 410), (11, -10)])
  func separate(start: Double, metres: Double) throws {
    let first = try drive("a", start: 0, at: 0)
    #expect(SessionDrive.joined([first, try drive("b", start: start, at: metres)]).count == 2)
    #expect(SessionDrive.joined([first, try drive("b", start: 11, at: 390)]).count == 1)
  }

  @Test("Parts that begin with the last fix of the previous part are joined, whichever parts are given")
  func sharedFixes() throws {
    // Tenths of a second have no exact binary representation, so sums of them have rounding errors.
    let parts = try (0..<9).map { part in
      let start = Double(part) * 10.1
      var segment = Recording.Segment()
      for tenth in 0...101 {
        let time = start + Double(tenth) / 10
        segment.append(
          Coordinate(latitude: 0, longitude: 20 * time / 111_319.49), time: Recording.instant(time))
      }
      return try TimedDrive(
        Recording(kind: .track, segments: [segment]), label: "\(part)", source: "\(part).gpx",
        options: ImportOptions())
    }
    for first in parts.indices {
      for last in first..<parts.count {
        #expect(SessionDrive.joined(Array(parts[first...last])).count == 1)
      }
    }
  }

  @Test("The label of a drive names each file once")
  func label() throws {
    var second = try drive("b", start: 30, at: 220)
    second.source = "a.gpx"
    second.label = "a"
    let drives = SessionDrive.joined([
      try drive("a", start: 0, at: 0), second, try drive("c", start: 60, at: 440),
    ])
    #expect(drives.map(\.trace.label) == ["a + c"])
    #expect(drives[0].parts.count == 3)
  }

  @Test("Drives without times are not joined")
  func untimed() throws {
    #expect(
      SessionDrive.joined([try drive("a", start: nil, at: 0), try drive("b", start: nil, at: 200)]).count == 2
    )
  }

  @Test("Of two recordings of one ride, the one with more points is kept")
  func devices() throws {
    let ride = SimulatedDrive(SimulatedRoad().winding(8), speed: 15)
    func recording(_ step: Double, seed: UInt64, part: Range<Int>? = nil) throws -> TimedDrive {
      let trace = try ride.trace("a", .every(step), noise: 1.5, seed: seed)
      var segment = Recording.Segment()
      for row in part ?? 0..<trace.count {
        segment.append(trace.coordinate(at: row), time: Recording.instant(trace.elapsed[row]))
      }
      return try TimedDrive(
        Recording(kind: .track, segments: [segment]), label: "a", options: ImportOptions())
    }
    let dense = try recording(0.5, seed: 1)
    let other = try recording(1, seed: 2)
    #expect(SessionDrive.repetitions(in: [other, dense]) == [0: 1])
    #expect(SessionDrive.repetitions(in: [dense, try recording(1, seed: 2, part: 40..<120)]) == [1: 0])
    // An excerpt with more points than the whole ride.
    let excerpt = try recording(0.25, seed: 1, part: (dense.count / 2)..<(2 * dense.count - 1))
    #expect(SessionDrive.repetitions(in: [excerpt, other]) == [0: 1])
    #expect(SessionDrive.repetitions(in: [other, dense, excerpt]) == [0: 1, 2: 1])
    // Half of it was recorded before the other began.
    let late = try recording(0.5, seed: 1, part: (dense.count / 2)..<dense.count)
    let early = try recording(1, seed: 2, part: 0..<(other.count * 3 / 4))
    #expect(SessionDrive.repetitions(in: [late, early]) == [:])
  }

  @Test("The same recording under another name is recognised")
  func same() throws {
    let first = try drive("a", start: 0, at: 0)
    #expect(SessionDrive.repetitions(in: [first, try drive("b", start: 0, at: 0)]) == [1: 0])
    #expect(SessionDrive.repetitions(in: [first, try drive("a", start: 100, at: 0)]) == [:])
    #expect(SessionDrive.repetitions(in: [first, try drive("a", start: 0, at: 1000)]) == [:])
  }
}
