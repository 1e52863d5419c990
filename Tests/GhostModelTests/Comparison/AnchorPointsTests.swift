import GhostModel
import Testing
import TrackModel

@testable import TestSupport

@Suite struct AnchorPointsTests {
  private func divergences(
    _ first: DriveTrail, _ second: DriveTrail, _ settings: ComparisonSettings = ComparisonSettings()
  ) -> [Int] {
    DriveComparisonEngine.findDivergencePoints(
      between: DriveSegment(first), and: DriveSegment(second), settings: settings
    ).map(\.firstIndex)
  }

  private func convergences(
    _ first: DriveTrail, _ second: DriveTrail, _ settings: ComparisonSettings = ComparisonSettings()
  ) -> [Int] {
    DriveComparisonEngine.findConvergencePoints(
      between: DriveSegment(first), and: DriveSegment(second), settings: settings
    ).map(\.firstIndex)
  }

  /// To the east, 10 m from point to point.
  private func straight(_ count: Int) throws -> DriveTrail {
    try .eastward(north: Array(repeating: 0, count: count))
  }

  /// The same, and from a point on to the north.
  private func turning(_ count: Int, at turn: Int) throws -> DriveTrail {
    try .made(
      metres: (0..<count).map {
        $0 < turn ? (Double($0) * 10, 0) : (Double(turn) * 10, Double($0 - turn) * 10)
      })
  }

  @Test("Drives part where they are apart by more than the radius and head apart by more than the angle")
  func fork() throws {
    // From point 20 on one goes east and the other north: at point i they are 10·√2·(i − 20) m apart and head
    // 90° apart. Of the points 0, 5, 10 … 25 is the first beyond 30 m (70.7 m). Of 41 points, 40 has no next
    // one.
    #expect(try divergences(straight(41), turning(41, at: 20)) == [25, 30, 35])
    // Looked at one by one: at 22 they are 28.3 m apart, at 23 42.4 m.
    let closely = ComparisonSettings.with { $0.samplingStride = 1 }
    #expect(try divergences(straight(41), turning(41, at: 20), closely) == Array(23...39))
    // With 120 m of radius: 113 m apart at 28, 127 m at 29; 30 is looked at.
    let widely = ComparisonSettings.with { $0.convergenceRadius = 120 }
    #expect(try divergences(straight(41), turning(41, at: 20), widely) == [30, 35])
  }

  @Test("Distance alone is no divergence, and neither is the heading alone")
  func both() throws {
    #expect(try divergences(straight(30), .eastward(north: Array(repeating: 100, count: 30))) == [])
    // 2 m back and forth to the north and south of a line 20 m off: far other headings, never 30 m apart.
    let zigzag = (0..<30).map { 20.0 + ($0 % 2 == 0 ? 8 : -8) }
    #expect(try divergences(straight(30), .eastward(north: zigzag)) == [])
  }

  @Test(
    "The heading counts to both sides and round north",
    arguments: [
      // Sideways metres per 100 m: atan 0.5 = 26.6°, atan 0.6 = 31.0°; a course of 13.3° on either side of
      // north makes 26.6° too, 16.7° make 33.4°.
      (0.0, 50.0, false), (0, 60, true), (0, -60, true), (-30, 30, true), (-23.6, 23.6, false),
    ])
  func headings(first: Double, second: Double, parts: Bool) throws {
    // Northwards, 200 m apart at the start.
    func northward(_ east: Double, from start: Double) throws -> DriveTrail {
      try .made(metres: (0..<3).map { (start + Double($0) * east, Double($0) * 100) })
    }
    let found = try divergences(northward(first, from: 0), northward(second, from: 200))
    #expect(found == (parts ? [0] : []))
  }

  @Test("A convergence needs the latch: more than twice the radius apart, and then within it")
  func latch() throws {
    // Metres apart at the points looked at: 0 0 | 70 70 | 40 40 | 20 20 | 50 50 | 10 10 | 61 20.
    let apart: [Double] = [0, 0, 70, 70, 40, 40, 20, 20, 50, 50, 10, 10, 61, 20]
    let north = apart.flatMap { Array(repeating: $0, count: 5) }
    // 70 latches, 40 is not within 30, 20 at point 30 is. 50 does not latch. 61 at point 60 does, 20 at 65
    // meets.
    #expect(try convergences(straight(70), .eastward(north: north)) == [30, 65])
  }

  @Test("Drives that are close all the way never meet, and drives that begin apart do")
  func closeOrApart() throws {
    #expect(try convergences(straight(30), .eastward(north: Array(repeating: 20, count: 30))) == [])
    let joining = Array(repeating: 200.0, count: 12) + Array(repeating: 0.0, count: 18)
    // Together from point 12 on; 15 is the first one looked at.
    #expect(try convergences(straight(30), .eastward(north: joining)) == [15])
  }

  @Test("Steps are counted from the start of each segment, and end with the shorter one")
  func starts() throws {
    let first = try straight(41)
    let second = try turning(31, at: 20)
    var late = DriveSegment(first)
    late.startIndex = 10
    let points = DriveComparisonEngine.findDivergencePoints(
      between: late, and: DriveSegment(second), settings: ComparisonSettings())
    // One is at 10 + i and goes on east, the other at i: 100 m apart from the start with one heading up to
    // 20, and with another from there on. At 30, its last point, the second has no heading.
    #expect(points.map(\.firstIndex) == [30, 35])
    #expect(points.map(\.secondIndex) == [20, 25])
    #expect(points.map(\.coordinate) == [first.coordinates[30], first.coordinates[35]])
  }

  @Test("Across the antimeridian they are as near as anywhere")
  func antimeridian() throws {
    func drive(_ longitudes: [Double]) throws -> DriveTrail {
      DriveTrail(
        Drive(
          name: "", startTime: nil, endTime: nil, duration: 10, distance: 0,
          coordinates: longitudes.map { Coordinate(latitude: 0, longitude: $0) }))
    }
    let settings = ComparisonSettings.with { $0.samplingStride = 1 }
    // 0.0001° are 11 m.
    let first = try drive([179.9999, 180, -179.9999])
    let second = try drive([180, -179.9999, -179.9998])
    #expect(divergences(first, second, settings) == [])
    #expect(convergences(first, second, settings) == [])
  }

  @Test("A stride below one looks at every point", arguments: [0, -5, Int.min])
  func stride(stride: Int) throws {
    let settings = ComparisonSettings.with { $0.samplingStride = stride }
    #expect(try divergences(straight(41), turning(41, at: 20), settings) == Array(23...39))
    // A stride beyond the end looks at the first.
    let huge = ComparisonSettings.with { $0.samplingStride = .max }
    #expect(try divergences(straight(41), turning(41, at: 20), huge) == [])
  }

  @Test("Empty drives and single points give nothing", arguments: [0, 1])
  func short(count: Int) throws {
    #expect(try divergences(straight(count), straight(40)) == [])
    #expect(try convergences(straight(40), straight(count)) == [])
  }
}
