import GhostModel
import Testing
import TrackModel
import TrackTransforms

/// A drive at constant speed to the north with a fix per second, recorded in several rows per second.
@Suite struct HeldFixesTests {
  private static let metresPerDegree = 111_195.0
  private static let seconds = (0..<30).map { Double($0) }

  /// - Parameters:
  ///   - rows: the number of rows per fix.
  ///   - positions: the metres to the north per fix.
  private func recording(rows: Int, _ positions: [Double]) -> Recording {
    var segment = Recording.Segment()
    for (second, metres) in positions.enumerated() {
      let place = Coordinate(latitude: 50 + metres / Self.metresPerDegree, longitude: 7)
      for row in 0..<rows {
        segment.append(place, time: Instant(microseconds: Int64(second * 1_000_000 + row * 1_000_000 / rows)))
      }
    }
    return Recording(segments: [segment])
  }

  @Test(arguments: [2, 4, 10]) func `Several rows per fix are one point in motion`(rows: Int) throws {
    let drive = try TimedDrive(recording(rows: rows, (0..<30).map { 12 * Double($0) }), label: "")
    #expect(drive.elapsed == Self.seconds)
    #expect(drive.warnings.map(\.code) == [.heldFixes])
    #expect(drive.warnings.first?.count == 30 * (rows - 1))
  }

  @Test func `A stop keeps fixes at the rate of the receiver`() throws {
    let positions = (0..<20).map { 12 * Double($0) } + Array(repeating: 228, count: 10)
    let drive = try TimedDrive(recording(rows: 4, positions), label: "")
    #expect(drive.elapsed == Self.seconds)
  }

  @Test func `The few repetitions of a receiver at the rate of the rows are kept`() throws {
    let positions = (0..<30).map { 12 * Double($0) } + Array(repeating: 348, count: 8)
    let drive = try TimedDrive(recording(rows: 1, positions), label: "")
    #expect(drive.count == 38 && drive.warnings.isEmpty)
  }

  @Test func `Slow motion with few decimals is not a slow receiver`() throws {
    // 1.4 m/s in ten rows per second, rounded to 1.1 m.
    var segment = Recording.Segment()
    for row in 0..<600 {
      let degrees = 50 + 0.14 * Double(row) / Self.metresPerDegree
      let place = Coordinate(latitude: (degrees * 1e5).rounded() / 1e5, longitude: 7)
      segment.append(place, time: Instant(microseconds: Int64(row) * 100_000))
    }
    let drive = try TimedDrive(Recording(segments: [segment]), label: "")
    #expect(drive.count == 600)
  }

  @Test func `Times at the ends of the range are an error and no overflow`() {
    var segment = Recording.Segment()
    for (row, time) in [-9_000_000_000_000_000_000, -8_999_999_999_999_000_000, 9_000_000_000_000_000_000]
      .enumerated()
    {
      segment.append(
        Coordinate(latitude: 50 + Double(row / 2), longitude: 7), time: Instant(microseconds: Int64(time)))
    }
    #expect(throws: TrackError.self) {
      try DriveImporter.drives(from: Recording(segments: [segment]), options: ImportOptions(), name: "a")
    }
  }

  @Test func `An import interpolates between the fixes`() throws {
    let recording = recording(rows: 5, (0..<60).map { 10 * Double($0) })
    let drive = try DriveImporter.drives(from: recording, options: ImportOptions(), name: "").first?.drive
    let latitudes = try #require(drive?.latitudes)
    let steps = zip(latitudes, latitudes.dropFirst()).map { ($1 - $0) * Self.metresPerDegree }
    let usual = 590 / Double(steps.count)
    #expect(steps.allSatisfy { abs($0 - usual) < 0.1 })
  }
}
