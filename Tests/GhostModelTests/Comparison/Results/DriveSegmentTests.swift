import GhostModel
import Testing
import TrackModel

@testable import TestSupport

@Suite struct DriveSegmentTests {
  @Test(
    "A slice with invalid bounds is empty and does not crash",
    arguments: [
      (3, 2), (-1, 2), (0, 5), (5, 5), (4, -1), (.min, .max), (.max, .min), (.max, .max), (.min, .min),
    ])
  func bounds(start: Int, end: Int) throws {
    var segment = DriveSegment(try .made(east: [0, 10, 20, 30, 40]))
    segment.startIndex = start
    segment.endIndex = end
    #expect(segment.coordinates.isEmpty)
    #expect(segment.duration == 0)
    #expect(segment.time(at: 2) == nil)
  }

  @Test("The duration is the number of gaps times the average time per point")
  func duration() throws {
    // 8 s over four gaps are 2 s per gap; there are two gaps from 1 to 3.
    var segment = DriveSegment(try .made(step: 2, east: [0, 10, 20, 30, 40]))
    #expect(segment.duration == 8)
    segment.startIndex = 1
    segment.endIndex = 3
    segment.timeOffset = -5
    #expect(segment.duration == 4)
    #expect(segment.coordinates.startIndex == 1 && segment.coordinates.count == 3)
    // The first point is at −5 s, the others follow every 2 s.
    #expect((0...4).map { segment.time(at: $0) } == [nil, -5, -3, -1, nil])
  }

  @Test("A drive without points is an empty segment")
  func noPoints() throws {
    let segment = DriveSegment(try .made(east: []))
    #expect(segment.startIndex == 0 && segment.endIndex == -1)
    #expect(segment.coordinates.isEmpty)
  }

  @Test("Segments share the decoded coordinates of their drive")
  func sharing() throws {
    let trail = try DecodedDrive.made(east: [0, 10, 20])
    let address = unsafe trail.coordinates.withUnsafeBufferPointer { $0.baseAddress }
    let segments = DriveComparisonEngine.alignment(of: [trail, trail], settings: ComparisonSettings())
      .segments
    for segment in segments {
      let isShared = unsafe segment.coordinates.withUnsafeBufferPointer { $0.baseAddress } == address
      #expect(isShared)
    }
  }

  @Test("Name, colour and place default to those of the drive")
  func appearance() throws {
    let trail = try DecodedDrive.made("Tuesday", metres: [(0, 0), (10, 0)])
    #expect(DriveSegment(trail).label == "Tuesday")
    let red = TrackColor(red: 255, green: 0, blue: 0)
    let segment = DriveSegment(trail, id: 3, label: "T", color: red)
    #expect(segment.id == 3 && segment.label == "T" && segment.color == red)
    #expect(Set((0..<8).map { DriveSegment(trail, id: $0).color }).count == 8)
    #expect(DriveSegment(trail, id: -9).color != DriveSegment(trail, id: 0).color)
  }
}
