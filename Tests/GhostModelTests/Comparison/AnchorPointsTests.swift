import GhostModel
import Testing
import TrackModel

@testable import TestSupport

@Suite struct AnchorPointsTests {
  private func divergences(
    _ first: DecodedDrive, _ second: DecodedDrive, _ settings: ComparisonSettings = ComparisonSettings()
  ) -> [Int] {
    DriveComparisonEngine.findDivergencePoints(
      between: DriveSegment(first), and: DriveSegment(second), settings: settings
    ).map(\.firstIndex)
  }

  private func convergences(
    _ first: DecodedDrive, _ second: DecodedDrive, _ settings: ComparisonSettings = ComparisonSettings()
  ) -> [Int] {
    DriveComparisonEngine.findConvergencePoints(
      between: DriveSegment(first), and: DriveSegment(second), settings: settings
    ).map(\.firstIndex)
  }

  /// A drive to the east with 10 m between points.
  private func straight(_ count: Int) throws -> DecodedDrive {
    try .eastward(north: Array(repeating: 0, count: count))
  }

  /// The same, but to the north from point `turn` on.
  private func turning(_ count: Int, at turn: Int) throws -> DecodedDrive {
    try .made(
      metres: (0..<count).map {
        $0 < turn ? (Double($0) * 10, 0) : (Double(turn) * 10, Double($0 - turn) * 10)
      })
  }

  @Test("Drives diverge if both their distance and the angle between their headings exceed the limits")
  func fork() throws {
    // From point 20 on, one drive goes east and the other north: at point i they are 10·√2·(i − 20) m apart
    // and their headings differ by 90°. Of the points 0, 5, 10 … 25, the last one is the first beyond 30 m
    // (70.7 m). Point 40 is the last of 41 and has no next one.
    #expect(try divergences(straight(41), turning(41, at: 20)) == [25, 30, 35])
    // With every point sampled: 28.3 m apart at point 22, 42.4 m at 23.
    let closely = ComparisonSettings.with { $0.samplingStride = 1 }
    #expect(try divergences(straight(41), turning(41, at: 20), closely) == Array(23...39))
    // With a radius of 120 m: 113 m apart at point 28, 127 m at 29; 30 is the next sample.
    let widely = ComparisonSettings.with { $0.convergenceRadius = 120 }
    #expect(try divergences(straight(41), turning(41, at: 20), widely) == [30, 35])
  }

  @Test("Neither the distance nor the heading alone is a divergence")
  func both() throws {
    #expect(try divergences(straight(30), .eastward(north: Array(repeating: 100, count: 30))) == [])
    // A zigzag around a line at 20 m: very different headings, but never 30 m apart.
    let zigzag = (0..<30).map { 20.0 + ($0 % 2 == 0 ? 8 : -8) }
    #expect(try divergences(straight(30), .eastward(north: zigzag)) == [])
  }

  @Test(
    "The angle between headings is absolute, also across north",
    arguments: [
      // Metres to the side per 100 m: atan 0.5 = 26.6°, atan 0.6 = 31.0°. Courses of 13.3° on either side of
      // north differ by 26.6°, courses of 16.7° by 33.4°.
      (0.0, 50.0, false), (0, 60, true), (0, -60, true), (-30, 30, true), (-23.6, 23.6, false),
    ])
  func headings(first: Double, second: Double, parts: Bool) throws {
    // To the north, 200 m apart at the start.
    func northward(_ east: Double, from start: Double) throws -> DecodedDrive {
      try .made(metres: (0..<3).map { (start + Double($0) * east, Double($0) * 100) })
    }
    let found = try divergences(northward(first, from: 0), northward(second, from: 200))
    #expect(found == (parts ? [0] : []))
  }

  @Test(
    "A convergence requires a distance of more than twice the radius first, and then one within the radius")
  func latch() throws {
    // The distances at the samples, in metres: 0 0 | 70 70 | 40 40 | 20 20 | 50 50 | 10 10 | 61 20.
    let apart: [Double] = [0, 0, 70, 70, 40, 40, 20, 20, 50, 50, 10, 10, 61, 20]
    let north = apart.flatMap { Array(repeating: $0, count: 5) }
    // 70 is more than twice the radius; 40 is not within 30, but 20 at point 30 is. 50 is not enough. 61 at
    // point 60 is, and 20 at point 65 is within the radius.
    #expect(try convergences(straight(70), .eastward(north: north)) == [30, 65])
  }

  @Test("Drives that are always close do not converge; drives that begin apart do")
  func closeOrApart() throws {
    #expect(try convergences(straight(30), .eastward(north: Array(repeating: 20, count: 30))) == [])
    let joining = Array(repeating: 200.0, count: 12) + Array(repeating: 0.0, count: 18)
    // Together from point 12 on; 15 is the next sample.
    #expect(try convergences(straight(30), .eastward(north: joining)) == [15])
  }

  @Test("Steps are counted from the start of each segment up to the end of the shorter one")
  func starts() throws {
    let first = try straight(41)
    let second = try turning(31, at: 20)
    var late = DriveSegment(first)
    late.startIndex = 10
    let points = DriveComparisonEngine.findDivergencePoints(
      between: late, and: DriveSegment(second), settings: ComparisonSettings())
    // The first drive is at 10 + i and goes east, the second at i. They are 100 m apart from the start, with
    // the same heading before step 20 and different ones from there on. At 30, its last point, the second has
    // no heading.
    #expect(points.map(\.firstIndex) == [30, 35])
    #expect(points.map(\.secondIndex) == [20, 25])
    #expect(points.map(\.coordinate) == [first.coordinates[30], first.coordinates[35]])
  }

  @Test("Distances across the antimeridian are correct")
  func antimeridian() throws {
    func drive(_ longitudes: [Double]) throws -> DecodedDrive {
      DecodedDrive(
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

  @Test("A stride below one samples every point", arguments: [0, -5, Int.min])
  func stride(stride: Int) throws {
    let settings = ComparisonSettings.with { $0.samplingStride = stride }
    #expect(try divergences(straight(41), turning(41, at: 20), settings) == Array(23...39))
    // A stride beyond the end samples only the first point.
    let huge = ComparisonSettings.with { $0.samplingStride = .max }
    #expect(try divergences(straight(41), turning(41, at: 20), huge) == [])
  }

  @Test("Empty drives and single points have no events", arguments: [0, 1])
  func short(count: Int) throws {
    #expect(try divergences(straight(count), straight(40)) == [])
    #expect(try convergences(straight(40), straight(count)) == [])
  }
}
