import Testing
import TrackModel
import TrackTransforms

@testable import GhostModel
@testable import TestSupport

@Suite("Timed drives")
struct TimedDriveTests {
  @Test("A recording keeps its times and its segments")
  func recording() throws {
    let trace = try TimedDrive(
      .track([(0, 0), (10, 0.001)], [(60, 0.002), (75.5, 0.003)]), label: "a", source: "a.gpx")
    #expect(trace.elapsed == [0, 10, 60, 75.5])
    #expect(trace.longitudes == [0, 0.001, 0.002, 0.003])
    #expect(trace.segmentStarts == [0, 2])
    #expect(trace.hasTimestamps)
    #expect(trace.startTime == Recording.origin)
    #expect(trace.duration == 75.5)
  }

  @Test("The points are put in order as in an import")
  func order() throws {
    let ordered = Recording.track([(0, 0), (10, 0.001)], [(60, 0.002), (75.5, 0.003)])
    let others: [Recording] = [
      .track([(60, 0.002), (75.5, 0.003)], [(0, 0), (10, 0.001)]),
      .track([(75.5, 0.003), (60, 0.002)], [(10, 0.001), (0, 0)]),
    ]
    for other in others {
      #expect(try TimedDrive(other, label: "a") == TimedDrive(ordered, label: "a"))
    }
  }

  @Test("Recorded speeds and courses stay with their points if others are skipped")
  func motion() throws {
    var batch = PointBatch()
    for (second, speed) in [(0, 10.0), (1, 11), (1, 99), (2, 12), (3, .nan)] {
      batch.append(
        latitude: 0, longitude: 0.0001 * Double(second), time: Int64(second) * 1_000_000)
      batch.set(.speed, speed)
      batch.set(.course, 90)
    }
    var recording = Recording(segments: [Recording.Segment()])
    recording.segments[0].append(batch, keepsMotion: true)
    var trace = try TimedDrive(recording, label: "a")
    #expect(trace.motion?.map(\.speed) == [10, 11, 12, nil])
    #expect(trace.motion?.map(\.course) == [90, 90, 90, 90])
    var plain = Recording(segments: [Recording.Segment()])
    plain.segments[0].append(batch)
    let other = try TimedDrive(plain, label: "b")
    #expect(other.motion == nil)
    trace.append(other, at: 10)
    #expect(trace.motion?.map(\.speed) == [10, 11, 12, nil, nil, nil, nil, nil])
  }

  @Test("A recording without times needs a duration, which is spread by distance")
  func untimed() throws {
    expectError(.noTimes) { try TimedDrive(.untimed([0, 1, 3]), label: "a") }
    let trace = try TimedDrive(
      .untimed([0, 1, 3]), label: "a", options: .with { $0.duration = 90 })
    #expect(!trace.hasTimestamps)
    #expect(zip(trace.elapsed, [0, 30, 90]).allSatisfy { abs($0 - $1) < 1e-6 })
  }

  @Test(
    "Isolated points at 0°, 0° of a drive are removed as in an import, and impossible speeds are reported",
    arguments: [
      (null: [2], elapsed: [0.0, 15, 45, 60]), ([0, 1], [0, 15, 30]), ([4], [0, 15, 30, 45]),
      ([0, 1, 2, 3], [0, 0]), ([], [0, 15, 30, 45, 60]),
    ])
  func doubtful(null: [Int], elapsed: [Double]) throws {
    func drive(_ latitude: (Int) -> Double) -> Drive {
      let coordinates = (0..<5).map { index in
        let isNull = null.contains(index)
        return Coordinate(
          latitude: isNull ? 0 : latitude(index), longitude: isNull ? 0 : 8 + Double(index) * 0.01)
      }
      return Drive(
        name: "d", startTime: Recording.origin, endTime: nil, duration: 60, distance: 1,
        coordinates: coordinates)
    }
    let trace = try TimedDrive(drive { _ in 47 })
    #expect(trace.elapsed == elapsed)
    #expect(trace.latitudes.allSatisfy { $0 == 47 })
    let start = null.first == 0 ? Double(null.count) * 15 : 0
    #expect(trace.startTime == Recording.origin.advanced(bySeconds: start))
    #expect(trace.warnings.map(\.code) == (null.isEmpty ? [] : [.nullIsland]))
    #expect(trace.warnings.map(\.count) == (null.isEmpty ? [] : [null.count]))
    #expect(trace.warnings.first?.place.path == null.first.map { "point \($0 + 1)" })
    // 1,112 km in 15 s.
    if null.isEmpty {
      #expect(try TimedDrive(drive { $0 == 2 ? 57 : 47 }).warnings.map(\.code) == [.impossibleSpeed])
    }
    // The app's engine uses all points.
    #expect(try TimedDrive(evenly: drive { _ in 47 }).count == 5)
  }

  @Test("A drive's duration is spread evenly over its points")
  func drive() throws {
    let coordinates = (0..<5).map { Coordinate(latitude: 47, longitude: 8 + Double($0) * 0.01) }
    let drive = Drive(
      name: "d", startTime: nil, endTime: nil, duration: 60, distance: 1,
      coordinates: coordinates)
    let trace = try TimedDrive(drive, label: "d")
    #expect(trace.elapsed == [0, 15, 30, 45, 60])
    #expect(!trace.hasTimestamps)
    #expect(trace.coordinate(at: 3) == coordinates[3])
  }

  /// A drive to the east at 10 m/s, a point per 100 m, from a longitude.
  private func straightDrive(from longitude: Double = 0, count: Int = 31) throws -> TimedDrive {
    let places = (0..<count).map { row -> Coordinate in
      let east = longitude + 100 * Double(row) / Geodesy.metresPerDegree
      return Coordinate(latitude: 0, longitude: east > 180 ? east - 360 : east)
    }
    return try TimedDrive(
      label: "a", coordinates: places, elapsed: (0..<count).map { Double($0) * 10 }, segmentStarts: [0, 20])
  }

  /// A zone whose center is a number of metres from the start of the drive to the east, and to the north.
  private func zone(
    at metres: Double, north: Double = 0, radius: Double, from longitude: Double = 0
  ) -> PrivacyStage.Circle {
    let center = Coordinate(
      latitude: north / Geodesy.metresPerDegree, longitude: longitude + metres / Geodesy.metresPerDegree)
    return PrivacyStage.Circle(center: center, radius: radius)
  }

  private func seconds(_ points: ClosedRange<Int>) -> [Double] { points.map { Double($0) * 10 } }

  @Test("The points of a zone at the start, in the middle and at the end are removed, and no line crosses it")
  func privacy() throws {
    let whole = try straightDrive()
    let start = try whole.outside([zone(at: 0, radius: 250)])
    #expect(start.removed == 3 && start.zones == [0])
    #expect(start.drive.elapsed == seconds(0...27))
    #expect(start.drive.longitudes == Array(whole.longitudes[3...]))
    #expect(start.drive.segmentStarts == [0, 17])

    let middle = try whole.outside([zone(at: 1000, radius: 250), zone(at: 9000, radius: 100)])
    #expect(middle.removed == 5 && middle.zones == [0])
    #expect(middle.drive.elapsed == seconds(0...7) + seconds(13...30))
    #expect(middle.drive.segmentStarts == [0, 8, 15])

    let end = try whole.outside([zone(at: 3000, radius: 150)])
    #expect(end.removed == 2 && end.drive.duration == 280)
    #expect(end.drive.segmentStarts == [0, 20])

    let between = try whole.outside([zone(at: 450, radius: 30)])
    #expect(between.removed == 0 && between.zones == [0])
    #expect(between.drive.segmentStarts == [0, 5, 20])
    #expect(try whole.outside([zone(at: 450, north: 40, radius: 30)]).drive == whole)
    expectError(.tooFewPoints) { try whole.outside([zone(at: 1600, radius: 1599)]) }
  }

  @Test("Values of channels in a zone are removed with its points")
  func privateChannels() throws {
    var batch = PointBatch()
    for second in 0..<30 {
      batch.append(
        latitude: 0, longitude: 100 * Double(second) / Geodesy.metresPerDegree,
        time: Int64(second) * 1_000_000)
      batch.set(.power, (10...12).contains(second) ? 777 : 200)
    }
    var recording = Recording(segments: [Recording.Segment()])
    recording.segments[0].append(batch, keepsChannels: true)
    let whole = try TimedDrive(recording, label: "a")
    #expect(whole.channels.first?.values.count == 30)
    let middle = try whole.outside([zone(at: 1100, radius: 150)]).drive
    #expect(middle.channels.map(\.values) == [Array(repeating: 200, count: 27)])
    #expect(middle.channels.first?.elapsed == (0...9).map(Double.init) + (13...29).map(Double.init))
    #expect(middle.hiddenStarts == [10])
    let start = try whole.outside([zone(at: 0, radius: 1250)]).drive
    #expect(start.channels.first?.elapsed == (0...16).map(Double.init))
    #expect(start.hiddenStarts.isEmpty)
  }

  @Test("A zone at the antimeridian covers both sides, and a drive starts at the first point outside")
  func privacyAtTheAntimeridian() throws {
    let whole = try straightDrive(from: 179.995)
    let found = try whole.outside([zone(at: 0, radius: 1250, from: 179.995)])
    #expect(found.removed == 13)
    #expect(found.drive.longitudes[0] < -179.99)
    let recorded = try TimedDrive(.track([(0, 0), (10, 0.001), (20, 0.002), (30, 0.003)]), label: "a")
    let later = try recorded.outside([zone(at: 0, radius: 150)])
    #expect(later.drive.startTime == Recording.origin.advanced(bySeconds: 20))
  }

  @Test("Invalid columns throw an error")
  func refused() {
    let place = Coordinate(latitude: 1, longitude: 1)
    expectError(.tooFewPoints) {
      try TimedDrive(label: "a", coordinates: [place], elapsed: [0])
    }
    expectError(.outOfOrder) {
      try TimedDrive(label: "a", coordinates: [place, place], elapsed: [1, 0])
    }
    expectError(.invalidValue) {
      try TimedDrive(label: "a", coordinates: [place, place], elapsed: [0, .nan])
    }
    expectError(.invalidValue) {
      try TimedDrive(
        label: "a", coordinates: [place, Coordinate(latitude: 91, longitude: 0)], elapsed: [0, 1])
    }
    expectError(.invalidValue) {
      try TimedDrive(label: "a", coordinates: [place, place], elapsed: [0, 1], segmentStarts: [0, 2])
    }
  }

  @Test("A fix with a clock two years ahead is omitted")
  func clockError() throws {
    var segment = Recording.Segment()
    for index in 0..<40 {
      segment.append(
        Coordinate(latitude: 50, longitude: 8 + Double(index) / 10_000),
        time: Recording.instant(Double(index) + (index == 20 ? 2 * 365 * 86400 : 0)))
    }
    let trace = try TimedDrive(Recording(segments: [segment]), label: "a")
    #expect(trace.count == 39)
    #expect(trace.duration == 39)
  }

  @Test("A drive document without times is evenly spaced in time over the given duration")
  func evenDrive() throws {
    var recording = Recording.untimed([0, 0.0001, 0.002, 0.004])
    recording.drive = RecordedDrive(DriveElement.make([]))
    let trace = try TimedDrive(recording, label: "a", options: .with { $0.duration = 3 })
    #expect(trace.elapsed == [0, 1, 2, 3] && !trace.hasTimestamps && trace.warnings == [])
  }
}
