import Foundation
import GhostModel
import Testing
import TrackModel

@testable import TestSupport

@Suite struct IdlePeriodTests {
  private func idle(_ trail: DecodedDrive) -> [Range<Int>] {
    TrimPosition.allCases.map {
      DriveComparisonEngine.detectIdlePeriod(trail, at: $0, threshold: 5)
    }
  }

  private func segment(_ trail: DecodedDrive, start: Bool, end: Bool) throws -> DriveSegment {
    let settings = ComparisonSettings.with {
      $0.trimStartIdle = start
      $0.trimEndIdle = end
    }
    return try #require(DriveComparisonEngine.alignDrives([trail.drive], settings: settings).first)
  }

  @Test("Idle periods are counted inwards from both ends, and stops on the way are ignored")
  func ends() throws {
    // Gaps in metres, one second each: 0 0 0 | 10 10 | 0 0 | 10 | 0 0 0 0. There are three idle gaps at the
    // start and four at the end. The two in the middle are a stop.
    let trail = try DecodedDrive.made(east: [0, 0, 0, 0, 10, 20, 20, 20, 30, 30, 30, 30, 30])
    #expect(idle(trail) == [0..<3, 9..<13])
    let segment = try segment(trail, start: true, end: true)
    // The first gap with motion begins at point 3. The last one ends at 8, and the idle period begins with 9.
    #expect(segment.startIndex == 3 && segment.endIndex == 9)
    #expect(segment.duration == 6)
    #expect(Array(segment.coordinates) == Array(trail.coordinates[3...9]))
  }

  @Test("If nothing is idle at the end, the last point is kept")
  func nothingIdle() throws {
    let trail = try DecodedDrive.made(east: [0, 10, 20, 30])
    #expect(idle(trail) == [0..<0, 4..<4])
    let segment = try segment(trail, start: true, end: true)
    #expect(segment.startIndex == 0 && segment.endIndex == 3)
    #expect(segment.duration == 3)
  }

  @Test("With one idle gap at the end, the drive ends where the car stops")
  func oneGap() throws {
    let trail = try DecodedDrive.made(east: [0, 10, 20, 20, 20])
    #expect(idle(trail)[1] == 3..<5)
    #expect(try segment(trail, start: false, end: true).endIndex == 3)
  }

  @Test(
    "A speed below the threshold is idle",
    arguments: [
      // 5 mph with 1609.34 m per mile are 8046.7 m in 3600 s: 2.23519 m/s.
      (1.0, 2.234, true), (1, 2.237, false), (2, 4.469, true), (2, 4.472, false),
    ])
  func threshold(step: Double, gap: Double, isIdle: Bool) throws {
    let trail = try DecodedDrive.made(step: step, east: [0, gap, gap + 100, gap + 200])
    #expect(idle(trail)[0] == (isIdle ? 0..<1 : 0..<0))
  }

  @Test(
    "All points but one of a parked drive are idle, at either end",
    arguments: [(true, false), (false, true), (true, true)])
  func parked(start: Bool, end: Bool) throws {
    for count in [2, 3, 12] {
      let trail = try DecodedDrive.made(east: Array(repeating: 7, count: count))
      #expect(idle(trail) == [0..<count - 1, 1..<count])
      let segment = try segment(trail, start: start, end: end)
      #expect(segment.startIndex == (start ? count - 1 : 0))
      #expect(segment.endIndex == (end ? 1 : count - 1))
      // If both ends of more than two points are trimmed, the start is after the end.
      #expect(segment.coordinates.isEmpty == (start && end && count > 2))
      #expect(segment.duration == (start ? 0 : 1))
    }
  }

  @Test("A parked drive that is not trimmed is complete")
  func untrimmed() throws {
    let trail = try DecodedDrive.made(east: [7, 7, 7])
    #expect(try segment(trail, start: false, end: false).coordinates.count == 3)
  }

  @Test(
    "Drives with fewer than two points or without a duration have no speed and no idle period",
    arguments: [0, 1, 4])
  func withoutSpeed(count: Int) throws {
    let trail = try DecodedDrive.made(step: 0, east: Array(repeating: 7, count: count))
    #expect(idle(trail) == [0..<0, count..<count])
    let segment = try segment(trail, start: true, end: true)
    #expect(segment.coordinates.count == count)
    #expect(segment.duration == 0)
  }

  @Test("A non-finite or negative duration is treated as zero", arguments: [Double.nan, .infinity, -1])
  func badDuration(duration: Double) throws {
    var drive = try DecodedDrive.made(east: [0, 0, 10]).drive
    drive.duration = duration
    let trail = DecodedDrive(drive)
    #expect(trail.averageTimePerPoint == 0)
    #expect(idle(trail) == [0..<0, 3..<3])
  }
}
