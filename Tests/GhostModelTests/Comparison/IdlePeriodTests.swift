import Foundation
import GhostModel
import Testing
import TrackModel

@testable import TestSupport

@Suite struct IdlePeriodTests {
  private func idle(_ trail: DriveTrail) -> [Range<Int>] {
    TrimPosition.allCases.map {
      DriveComparisonEngine.detectIdlePeriod(trail, at: $0, threshold: 5)
    }
  }

  private func segment(_ trail: DriveTrail, start: Bool, end: Bool) throws -> DriveSegment {
    let settings = ComparisonSettings.with {
      $0.trimStartIdle = start
      $0.trimEndIdle = end
    }
    return try #require(DriveComparisonEngine.alignDrives([trail.drive], settings: settings).first)
  }

  @Test("Idle ends are counted from the end inwards, and a stop in the middle is not touched")
  func ends() throws {
    // Gaps in metres, a second each: 0 0 0 | 10 10 | 0 0 | 10 | 0 0 0 0. Three idle gaps at the start, four
    // at the end; the two in the middle are the stop.
    let trail = try DriveTrail.made(east: [0, 0, 0, 0, 10, 20, 20, 20, 30, 30, 30, 30, 30])
    #expect(idle(trail) == [0..<3, 9..<13])
    let segment = try segment(trail, start: true, end: true)
    // The first gap that moves begins at point 3; the last one ends at 8, and the idle run begins with 9.
    #expect(segment.startIndex == 3 && segment.endIndex == 9)
    #expect(segment.duration == 6)
    #expect(Array(segment.coordinates) == Array(trail.coordinates[3...9]))
  }

  @Test("Nothing idle at the end leaves the last point in")
  func nothingIdle() throws {
    let trail = try DriveTrail.made(east: [0, 10, 20, 30])
    #expect(idle(trail) == [0..<0, 4..<4])
    let segment = try segment(trail, start: true, end: true)
    #expect(segment.startIndex == 0 && segment.endIndex == 3)
    #expect(segment.duration == 3)
  }

  @Test("One idle gap at the end ends the drive where the car has come to rest")
  func oneGap() throws {
    let trail = try DriveTrail.made(east: [0, 10, 20, 20, 20])
    #expect(idle(trail)[1] == 3..<5)
    #expect(try segment(trail, start: false, end: true).endIndex == 3)
  }

  @Test(
    "What is slower than the threshold stands",
    arguments: [
      // 5 mph of 1609.34 m are 8046.7 m in 3600 s: 2.23519 m/s.
      (1.0, 2.234, true), (1, 2.237, false), (2, 4.469, true), (2, 4.472, false),
    ])
  func threshold(step: Double, gap: Double, isIdle: Bool) throws {
    let trail = try DriveTrail.made(step: step, east: [0, gap, gap + 100, gap + 200])
    #expect(idle(trail)[0] == (isIdle ? 0..<1 : 0..<0))
  }

  @Test(
    "A drive parked throughout has all points but one idle at either end",
    arguments: [(true, false), (false, true), (true, true)])
  func parked(start: Bool, end: Bool) throws {
    for count in [2, 3, 12] {
      let trail = try DriveTrail.made(east: Array(repeating: 7, count: count))
      #expect(idle(trail) == [0..<count - 1, 1..<count])
      let segment = try segment(trail, start: start, end: end)
      #expect(segment.startIndex == (start ? count - 1 : 0))
      #expect(segment.endIndex == (end ? 1 : count - 1))
      // The indices pass each other where both ends are trimmed and there are more than two points.
      #expect(segment.coordinates.isEmpty == (start && end && count > 2))
      #expect(segment.duration == (start ? 0 : 1))
    }
  }

  @Test("A parked drive of which nothing is trimmed is there whole")
  func untrimmed() throws {
    let trail = try DriveTrail.made(east: [7, 7, 7])
    #expect(try segment(trail, start: false, end: false).coordinates.count == 3)
  }

  @Test("One point, no point and no duration have no speed, and nothing idle", arguments: [0, 1, 4])
  func withoutSpeed(count: Int) throws {
    let trail = try DriveTrail.made(step: 0, east: Array(repeating: 7, count: count))
    #expect(idle(trail) == [0..<0, count..<count])
    let segment = try segment(trail, start: true, end: true)
    #expect(segment.coordinates.count == count)
    #expect(segment.duration == 0)
  }

  @Test("A duration that is no number of seconds counts as none", arguments: [Double.nan, .infinity, -1])
  func badDuration(duration: Double) throws {
    var drive = try DriveTrail.made(east: [0, 0, 10]).drive
    drive.duration = duration
    let trail = DriveTrail(drive)
    #expect(trail.averageTimePerPoint == 0)
    #expect(idle(trail) == [0..<0, 3..<3])
  }
}
