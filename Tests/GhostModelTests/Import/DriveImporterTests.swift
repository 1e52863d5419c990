import Foundation
import GhostModel
import Testing
import TrackModel
import TrackTransforms

@testable import TestSupport

@Suite struct DriveImporterTests {
  private func one(_ recording: Recording, _ options: ImportOptions = ImportOptions()) throws -> ImportedDrive
  {
    let drives = try DriveImporter.drives(from: recording, options: options, name: "n")
    #expect(drives.count == 1)
    return try #require(drives.first)
  }

  private func failure(_ recording: Recording, _ options: ImportOptions = ImportOptions()) -> TrackError? {
    do throws(TrackError) {
      _ = try DriveImporter.drives(from: recording, options: options, name: "n")
      return nil
    } catch {
      return error
    }
  }

  /// The length of one degree on the equator in metres: 2π × 6378137 / 360.
  private let degree = 111_319.49079327358

  // MARK: Times and distance

  @Test("A drive has the times, the duration and the distance of its recording")
  func whole() throws {
    let result = try one(.track([(0, 0), (1, 0.001), (2, 0.002), (3, 0.003)]))
    #expect(result.drive.name == "n")
    #expect(result.drive.startTime == Recording.instant(0))
    #expect(result.drive.endTime == Recording.instant(3))
    #expect(result.drive.duration == 3)
    // 0.003° of the equator, in metres and in miles.
    #expect(abs(result.report.recordedDistance - 0.003 * degree) < 1e-6)
    #expect(abs(result.drive.distance - 0.003 * degree / 1609.344) < 1e-9)
    #expect(result.longitudes == [0, 0.001, 0.002, 0.003])
    #expect(result.report.warnings.isEmpty)
  }

  @Test("The coordinates of an imported drive equal those of its blob, including the sign of zero")
  func coordinates() throws {
    // Minus zero is written as zero.
    let drive = try one(.track([(0, -0.0), (1, 0.001), (2.25, 0.002), (3, 0.00312345)])).drive
    let coordinates = drive.coordinates
    let decoded = try CoordinateBlob.decode(drive.coordinatesData)
    #expect(coordinates == decoded)
    #expect(coordinates.map(\.longitude.sign) == decoded.map(\.longitude.sign))
    let copy = try Drive(
      name: drive.name, startTime: drive.startTime, endTime: drive.endTime, duration: drive.duration,
      distance: drive.distance, coordinatesData: drive.coordinatesData)
    #expect(copy == drive)
    #expect(copy.hashValue == drive.hashValue)
  }

  @Test("Exact times are those of the recording or of a part of it, if requested")
  func exactTimes() throws {
    let recording = Recording.track([(0, 0), (1, 0.001), (5, 0.002)], [(7200, 0.003), (7210, 0.004)])
    #expect(try one(recording).drive.recorded == nil)
    let whole = try one(recording, .with { $0.keepsTimes = true }).drive.recorded
    #expect(whole?.elapsed == [0, 1, 5, 7200, 7210] && whole?.segmentStarts == [0, 3])
    #expect(whole?.longitudes == [0, 0.001, 0.002, 0.003, 0.004] && whole?.startTime == Recording.origin)
    let parts = try DriveImporter.drives(
      from: recording,
      options: .with {
        $0.keepsTimes = true
        $0.splitGap = 3600
      }, name: "")
    #expect(parts.map(\.drive.recorded?.elapsed) == [[0, 1, 5], [0, 10]])
    #expect(parts.map(\.drive.recorded?.segmentStarts) == [[0], [0]])
  }

  @Test("The pause between segments is part of the elapsed time, but not of the moving time or the distance")
  func pauses() throws {
    // A pause of ten minutes and one degree between the segments.
    let recording = Recording.track([(0, 0), (1, 0.001), (2, 0.002)], [(602, 1), (603, 1.001)])
    let elapsed = try one(recording)
    #expect(elapsed.drive.duration == 603)
    #expect(elapsed.report.elapsed == 603)
    #expect(elapsed.report.moving == 3)
    #expect(abs(elapsed.report.recordedDistance - 0.003 * degree) < 1e-6)
    #expect(elapsed.longitudes.count == 604)
    // In the middle of the pause, the app's position is in the middle between its ends.
    #expect(abs(elapsed.longitudes[302] - 0.501) < 1e-9)

    let moving = try one(recording, .with { $0.timing = .moving })
    #expect(moving.drive.duration == 3)
    #expect(abs(moving.report.recordedDistance - 0.003 * degree) < 1e-6)
    // There are two points at 2 s: the sample uses the end of the earlier segment.
    #expect(moving.longitudes == [0, 0.001, 0.002, 1.001])
    #expect(moving.drive.startTime == Recording.instant(0))
    #expect(moving.drive.endTime == Recording.instant(603))
  }

  @Test("A segment that begins with the last point of the previous one continues it")
  func sharedPoint() throws {
    let shared = try one(.track([(0, 0), (10, 0.001)], [(10, 0.001), (20, 0.002)]))
    #expect(shared.report.warnings.isEmpty)
    #expect(shared.report.elapsed == 20 && shared.report.moving == 20)
    #expect(shared.report.pointsRead == 4 && shared.report.pointsUsed == 3)
    #expect(abs(shared.report.recordedDistance - 0.002 * degree) < 1e-6)
    // At another position, the point repeats a time and begins after a pause.
    let other = try one(.track([(0, 0), (10, 0.001)], [(10, 0.005), (40, 0.006)]))
    #expect(other.report.warnings.map(\.code) == [.outOfOrder])
    #expect(other.report.elapsed == 40 && other.report.moving == 10)
    // The same applies within a segment.
    let within = try one(.track([(0, 0), (10, 0.001), (10, 0.001), (20, 0.002)]))
    #expect(within.report.warnings.map(\.code) == [.outOfOrder])
  }

  @Test(
    "A segment that begins within the usual interval, as at a lap, continues the previous one",
    arguments: [
      // The seconds of the points, where the second segment begins, and the moving time.
      ([0, 1, 2, 3, 4, 5, 6, 7], 4, 7), ([0, 1, 2, 3, 8, 9, 10, 11], 4, 6),
      ([0, 2, 9, 11, 18, 25, 27, 34], 4, 34), ([0, 2, 9, 11, 33, 40, 42, 49], 4, 27),
    ])
  func laps(seconds: [Int], start: Int, moving: Int) throws {
    let points = seconds.map { (seconds: Double($0), longitude: Double($0) * 0.0001) }
    let drive = try one(.track(Array(points[..<start]), Array(points[start...])))
    #expect(drive.report.moving == Double(moving))
    #expect(abs(drive.report.recordedDistance - Double(moving) * 0.0001 * degree) < 1e-6)
  }

  @Test(
    "The step of a drive is the usual interval of a recording with several points per second, and otherwise 1 s",
    arguments: [
      ([0, 0.03, 0.13, 0.23, 0.33, 0.43, 0.53, 0.6], 0.1), ([0, 0.3, 1.3, 2.3, 3.3, 4.3, 5], 1),
      ([0, 2, 5, 7], 1), ([0, 0.001, 0.002, 0.003, 0.004, 0.2], 0.02),
    ] as [([Double], Double)])
  func step(seconds: [Double], step: Double) throws {
    let drive = try one(.track(seconds.map { ($0, $0 * 0.0001) }))
    #expect(abs(drive.report.step - step) < 1e-9)
  }

  @Test("Segments of one point each result in a drive without moving time")
  func noMovingTime() throws {
    let result = try one(.track([(0, 1)], [(60, 2)]), .with { $0.timing = .moving })
    #expect(result.drive.duration == 0)
    #expect(result.longitudes == [1, 2])
    #expect(result.drive.distance == 0)
    #expect(result.report.largestTimeError == 0)
    #expect(result.report.step == 0)
  }

  // MARK: Accuracy and positions

  @Test("The app's limit of 15 m is not applied to a coarse source; a requested limit is")
  func accuracyOfCoarseSource() throws {
    var segment = Recording.Segment()
    for (second, accuracy) in [4.0, 22, 48, 5].enumerated() {
      segment.append(
        Coordinate(latitude: 0, longitude: Double(second)), time: Recording.instant(Double(second)),
        horizontalAccuracy: accuracy)
    }
    var recording = Recording(segments: [segment])
    recording.resolution = Resolution(time: 60)
    #expect(try one(recording, .with { $0.cadence = .keepPoints }).longitudes == [0, 1, 2, 3])
    let asked = try one(recording, .with { ($0.cadence, $0.maximumAccuracy) = (.keepPoints, 30) })
    #expect(asked.longitudes == [0, 1, 3])
  }

  @Test("Points with an accuracy worse than 15 m are omitted; 15 m and unknown accuracies are kept")
  func accuracy() throws {
    var segment = Recording.Segment()
    for (second, accuracy) in [nil, 3, 15, 15.1, 80, 4].enumerated() as EnumeratedSequence<[Double?]> {
      segment.append(
        Coordinate(latitude: 0, longitude: Double(second)), time: Recording.instant(Double(second)),
        horizontalAccuracy: accuracy)
    }
    let recording = Recording(segments: [segment])
    let result = try one(recording, .with { $0.cadence = .keepPoints })
    #expect(result.longitudes == [0, 1, 2, 5])
    #expect(result.report.pointsRead == 6)
    #expect(result.report.pointsUsed == 4)
    let warning = try #require(result.report.warnings.first)
    #expect(warning.code == .inaccuratePosition)
    #expect(warning.count == 2)
    #expect(warning.place.path == "point 4")
    #expect(try one(recording, .with { $0.maximumAccuracy = nil }).longitudes == [0, 1, 2, 3, 4, 5])
    let error = failure(recording, .with { $0.maximumAccuracy = 0 })
    #expect(error?.code == .tooFewPoints)
    #expect(error?.suggestion == .allowLowerAccuracy)
  }

  @Test("Positions out of range are omitted and counted")
  func invalid() throws {
    let result = try one(.track([(0, 0), (1, 181), (2, .nan), (3, .infinity), (4, 0.004)]))
    #expect(result.report.pointsUsed == 2)
    #expect(result.report.warnings.map(\.code) == [.invalidPosition])
    #expect(result.report.warnings.map(\.count) == [3])
  }

  @Test("Fewer than two points throw an error")
  func tooFew() {
    #expect(failure(.track())?.code == .tooFewPoints)
    #expect(failure(.track([], []))?.code == .tooFewPoints)
    #expect(failure(.track([(0, 1)]))?.code == .tooFewPoints)
    #expect(failure(.track([(0, 1), (1, 200)]))?.code == .tooFewPoints)
    #expect(failure(.untimed([1]), .with { $0.duration = 60 })?.code == .tooFewPoints)
  }

  // MARK: Order

  @Test("A point that is not later than the previous one is omitted and counted")
  func order() throws {
    var points = (0..<20).map { (seconds: Double($0), longitude: Double($0) / 1000) }
    points[7].seconds = 6
    points[12].seconds = 3
    let result = try one(.track(points))
    #expect(result.report.pointsUsed == 18)
    #expect(result.report.warnings.map(\.code) == [.outOfOrder, .outOfOrder])
    #expect(
      result.report.warnings.map(\.message) == [
        "time out of order, point skipped", "time equal to that of the last point, point skipped",
      ])
    #expect(result.report.warnings.map(\.count) == [1, 1])
    #expect(result.report.warnings.map(\.place.path) == ["point 13", "point 8"])
    // Between 6 s and 8 s the drive is interpolated, which results in the same position.
    #expect(abs(result.longitudes[7] - 0.007) < 1e-12)
  }

  @Test("More than one point in ten out of order is an error that names the first one")
  func outOfOrder() throws {
    var points = (0..<20).map { (seconds: Double($0), longitude: 0.0) }
    for index in [7, 12, 15] { points[index].seconds = 2.5 }
    let error = try #require(failure(.track(points)))
    #expect(error.code == .outOfOrder)
    #expect(error.place.path == "point 8")
    #expect(error.message.contains("3 of 20"))
    #expect(error.message == "3 of 20 points are earlier than their predecessors")
    // A second segment that is entirely earlier than the first is moved before it; one that overlaps it is
    // not.
    #expect(failure(.track([(100, 0), (105, 1)], [(0, 2), (102, 3)]))?.place.path == "point 3")
    #expect(failure(.track([(100, 0), (105, 1)], [(0, 2), (2, 3)])) == nil)
  }

  @Test("Repeated times are never an error, even in a short recording")
  func repeatedTimes() throws {
    let short = try one(.track([(0, 0), (1, 0.001), (1, 0.001), (2, 0.002)]))
    #expect(short.report.pointsUsed == 3)
    #expect(short.report.warnings.map(\.code) == [.outOfOrder])
    #expect(short.report.warnings.map(\.count) == [1])
    #expect(short.report.warnings.first?.place.path == "point 3")
    // Two points per second, with times in whole seconds.
    let points = (0..<20).map { (index: Int) in
      (seconds: Double(index / 2), longitude: Double(index) / 1000)
    }
    let double = try one(.track(points))
    #expect(double.report.pointsUsed == 10)
    #expect(double.report.elapsed == 9)
    let all = try #require(failure(.track([(5, 0), (5, 1), (5, 2)])))
    #expect(all.code == .tooFewPoints)
    #expect(all.message.contains("at different times"))
  }

  @Test("In a short recording, one or two points may be out of order, but not more than a third")
  func shortOutOfOrder() throws {
    let result = try one(
      .track([(0, 0), (1, 0.001), (0.5, 0.002), (2, 0.003), (1.5, 0.004), (3, 0.005)]))
    #expect(result.report.pointsUsed == 4)
    #expect(result.report.warnings.first?.count == 2)
    #expect(failure(.track([(0, 0), (2, 1), (1, 2), (0.5, 3)]))?.code == .outOfOrder)
  }

  // MARK: Missing times

  @Test("A recording without times is an error with two suggestions")
  func noTimes() throws {
    let error = try #require(failure(.untimed([0, 1, 2])))
    #expect(error.code == .noTimes)
    #expect(error.message == "no times")
    #expect(error.suggestion == .provideDurationOrSpeed)
  }

  /// Returns 20 points, one per second.
  private static func recording(untimed: Set<Int>) -> Recording {
    var segment = Recording.Segment()
    for index in 0..<20 {
      segment.append(
        Coordinate(latitude: 0, longitude: Double(index) / 1000),
        time: untimed.contains(index) ? nil : Recording.instant(Double(index)))
    }
    return Recording(segments: [segment])
  }

  @Test("Up to one point in ten may have no time")
  func untimedPoints() throws {
    let result = try one(Self.recording(untimed: [3, 11]))
    #expect(result.report.pointsUsed == 18)
    #expect(result.report.warnings.map(\.code) == [.missingTime])
    #expect(result.report.warnings.map(\.count) == [2])
    let error = try #require(failure(Self.recording(untimed: [3, 11, 12])))
    #expect(error.code == .noTimes)
    #expect(error.message == "3 of 20 points have no time")
    #expect(error.suggestion == .provideDurationOrSpeed)
    // If the suggestion is followed, the duration replaces the existing times.
    let given = try one(Self.recording(untimed: [3, 11, 12]), .with { $0.duration = 190 })
    #expect(given.drive.duration == 190)
    #expect(given.drive.startTime == nil)
    #expect(given.report.pointsUsed == 20)
    #expect(given.report.warnings.map(\.code) == [.missingTime])
  }

  @Test(
    "Points without time at the ends are left out, up to half of the points",
    arguments: [
      (untimed: Set(0..<5), used: 15), (Set(15..<20), 15), (Set(0..<3).union(14..<20), 11),
      (Set(0..<9).union([15]), 10), (Set(0..<10), 10),
    ])
  func untimedEnds(untimed: Set<Int>, used: Int) throws {
    let result = try one(Self.recording(untimed: untimed))
    #expect(result.report.pointsUsed == used)
    #expect(result.report.warnings.map(\.code) == [.missingTime])
    #expect(result.report.warnings.map(\.count) == [20 - used])
    // One point per second.
    let timed = (0..<20).filter { !untimed.contains($0) }
    #expect(result.drive.duration == Double(timed[timed.count - 1] - timed[0]))
  }

  @Test(
    "A recording with fewer times is refused",
    arguments: [Set(0..<11), Set(9..<20), Set(0..<6).union(15..<20), Set(0..<9).union([12, 15])])
  func untimed(untimed: Set<Int>) throws {
    let error = try #require(failure(Self.recording(untimed: untimed)))
    #expect(error.code == .noTimes)
    #expect(error.message == "\(untimed.count) of 20 points have no time")
  }

  @Test("A duration is spread over the line at constant speed")
  func duration() throws {
    // Lengths of 1, 3 and 4 thousandths of a degree in 8 s: one per second.
    let result = try one(.untimed([0, 0.001, 0.004, 0.008]), .with { $0.duration = 8 })
    #expect(result.drive.duration == 8)
    #expect(result.drive.startTime == nil)
    #expect(result.drive.endTime == nil)
    #expect(result.longitudes.count == 9)
    for (second, longitude) in result.longitudes.enumerated() {
      #expect(abs(longitude - Double(second) / 1000) < 1e-9)
    }
    #expect(result.report.resampled)
  }

  @Test("A speed determines the duration: length divided by speed")
  func speed() throws {
    // A hundredth of a degree is 1113.1949 m; at 10 m/s 111.31949 s.
    let result = try one(.untimed([0, 0.001, 0.01]), .with { $0.speed = 10 })
    #expect(abs(result.drive.duration - 111.31949079327358) < 1e-8)
    #expect(result.longitudes.count == 112)
    #expect(result.longitudes.first == 0)
    #expect(result.longitudes.last == 0.01)
  }

  @Test("At constant speed, the distance between segments adds neither time nor distance")
  func constantSpeedSegments() throws {
    let result = try one(.untimed([0, 0.002], [1, 1.002]), .with { $0.duration = 4 })
    #expect(abs(result.report.recordedDistance - 0.004 * degree) < 1e-6)
    let expected = [0, 0.001, 0.002, 1.001, 1.002]
    #expect(zip(result.longitudes, expected).allSatisfy { abs($0 - $1) < 1e-9 })
    #expect(result.longitudes.count == 5)
  }

  @Test("A line without a length can have a duration, but not a speed")
  func withoutLength() throws {
    let recording = Recording.untimed([7, 7, 7])
    let result = try one(recording, .with { $0.duration = 10 })
    #expect(result.longitudes == [7, 7, 7])
    #expect(!result.report.resampled)
    #expect(result.report.step == 5)
    #expect(failure(recording, .with { $0.speed = 10 })?.code == .noTimes)
  }

  @Test("A recording with times ignores the duration, with a warning")
  func unusedDuration() throws {
    let result = try one(.track([(0, 0), (1, 0.001)]), .with { $0.duration = 50 })
    #expect(result.drive.duration == 1)
    #expect(result.report.warnings.map(\.code) == [.unusedOption])
  }

  @Test(
    "Non-positive and non-finite quantities are errors", arguments: [0.0, -1, .nan, .infinity, -.infinity])
  func invalidOptions(_ value: Double) {
    let recording = Recording.track([(0, 0), (1, 1)])
    #expect(failure(recording, .with { $0.duration = value })?.code == .invalidValue)
    #expect(failure(recording, .with { $0.speed = value })?.code == .invalidValue)
    #expect(failure(recording, .with { $0.splitGap = value })?.code == .invalidValue)
    #expect(failure(recording, .with { $0.cadence = .seconds(value) })?.code == .invalidValue)
  }

  @Test("Excessive and contradictory durations are errors")
  func contradictions() {
    let recording = Recording.untimed([0, 1])
    #expect(failure(recording, .with { $0.duration = 1e300 })?.code == .invalidValue)
    #expect(failure(recording, .with { $0.speed = 1e-300 })?.code == .invalidValue)
    #expect(failure(recording, .with { $0.maximumAccuracy = -1 })?.code == .invalidValue)
    #expect(failure(recording, .with { $0.maximumAccuracy = .nan })?.code == .invalidValue)
    let both = ImportOptions.with {
      $0.duration = 60
      $0.speed = 10
    }
    #expect(failure(recording, both)?.code == .invalidValue)
  }

  // MARK: Gaps

  @Test("A gap above the limit begins a new drive, even within a segment")
  func split() throws {
    let recording = Recording.track(
      [(0, 0), (1, 0.001), (1201, 1), (1202, 1.001)], [(2402, 1.002), (2403, 1.003)],
      [(3604, 3), (3605, 3.001)])
    let drives = try DriveImporter.drives(from: recording, options: .with { $0.splitGap = 1200 }, name: "n")
    // Gaps of exactly 1200 s are kept; the gap of 1201 s splits the drive.
    #expect(drives.map(\.drive.name) == ["n (1)", "n (2)"])
    #expect(drives.map(\.drive.startTime) == [Recording.instant(0), Recording.instant(3604)])
    #expect(drives.map(\.drive.endTime) == [Recording.instant(2403), Recording.instant(3605)])
    #expect(drives.map(\.drive.duration) == [2403, 1])
    #expect(drives.map(\.report.pointsRead) == [8, 8])
    #expect(drives.map(\.report.pointsUsed) == [6, 2])
    let four = try DriveImporter.drives(from: recording, options: .with { $0.splitGap = 1199 }, name: "n")
    #expect(four.map(\.drive.duration) == [1, 1, 1, 1])
    #expect(abs(four[1].report.recordedDistance - 0.001 * degree) < 1e-6)
    let ids = Set(four.map(\.drive.id))
    #expect(ids.count == 4)
  }

  @Test("A single point between gaps is omitted with a warning; if nothing remains, that is an error")
  func shortParts() throws {
    let recording = Recording.track([(0, 0), (100, 1), (200, 2), (201, 2.001)])
    let result = try one(recording, .with { $0.splitGap = 50 })
    #expect(result.drive.name == "n")
    #expect(result.longitudes == [2, 2.001])
    #expect(result.report.warnings.map(\.code) == [.shortPart])
    #expect(result.report.warnings.map(\.count) == [2])
    #expect(failure(.track([(0, 0), (100, 1)]), .with { $0.splitGap = 50 })?.code == .tooFewPoints)
  }

  @Test("Times that are millennia apart are an error instead of using all memory")
  func millennia() throws {
    // The years 1970 and 9999.
    let recording = Recording.track([(0, 0), (1, 1), (253_000_000_000, 2)])
    let error = try #require(failure(recording))
    #expect(error.code == .limitExceeded)
    #expect(
      error.suggestion
        == .either(.splitAtGaps(seconds: 21_600), .either(.splitAtStops(seconds: 600), .lengthenCadence)))
    #expect(try one(recording, .with { $0.cadence = .keepPoints }).longitudes == [0, 1, 2])
    #expect(try one(recording, .with { $0.splitGap = 3600 }).longitudes == [0, 1])
    let endless = ImportOptions.with { $0.cadence = .seconds(.leastNonzeroMagnitude) }
    #expect(failure(.track([(0, 0), (1, 1)]), endless)?.code == .limitExceeded)
    var segment = Recording.Segment()
    for time in [Int64.min + 1, 0, .max] {
      segment.append(Coordinate(latitude: 0, longitude: 0), time: Instant(microseconds: time))
    }
    #expect(
      failure(Recording(segments: [segment]), .with { $0.cadence = .keepPoints })?.code == .limitExceeded)
  }

  // MARK: Identity

  @Test("Importing twice results in the same drive, and the name does not change its id")
  func twice() throws {
    let recording = Recording.track([(0, 0), (1.3, 0.001), (2, 0.002), (4.1, 0.004)])
    let first = try one(recording)
    let second = try one(recording)
    #expect(first.drive == second.drive)
    let other = try DriveImporter.drives(from: recording, options: ImportOptions(), name: "other")
    #expect(other.map(\.drive.id) == [first.drive.id])
    #expect(DriveDocument.encode(first.drive) == DriveDocument.encode(second.drive))
  }

  // MARK: Recordings

  @Test("A drive contains its recording if requested")
  func keptRecording() throws {
    let recording = Recording.track([(0, 0), (1, 0.001), (1, 0.0015), (2, 0.002)], [(5, 0.003), (6, 0.004)])
    #expect(try one(recording).recording == nil)
    #expect(try one(recording, .with { $0.keepsRecording = true }).recording == recording)
  }

  @Test("Each drive of a split recording contains its part of it")
  func splitRecording() throws {
    let recording = Recording.track(
      [(0, 0), (1, 0.001), (2, 0.002)], [(602, 1), (603, 1.001), (604, 1.002)])
    let options = ImportOptions.with {
      $0.keepsRecording = true
      $0.splitGap = 60
    }
    let drives = try DriveImporter.drives(from: recording, options: options, name: "n")
    let first = Recording.track([(0, 0), (1, 0.001), (2, 0.002)])
    let second = Recording.track([(602, 1), (603, 1.001), (604, 1.002)])
    #expect(drives.map(\.recording) == [first, second])
  }

  @Test("A recording is divided at times into parts, whose points without a time follow their predecessors")
  func parts() {
    func time(_ second: Int64?) -> Int64 { second ?? Instant.absent }
    func recording(_ segments: [[Int64?]]) -> Recording {
      Recording(
        segments: segments.map { times in
          var segment = Recording.Segment()
          for second in times {
            segment.append(
              Coordinate(latitude: 1, longitude: 2), time: second.flatMap { Instant(microseconds: $0) })
          }
          return segment
        })
    }
    let whole = recording([[nil, 0, nil, 1], [nil, 2, 5], [6, nil], [7, 20, 21], [nil], [30]])
    let parts = whole.parts(in: [0...1, 5...6, 7...7, 21...40])
    #expect(
      parts == [
        recording([[0, nil, 1], [nil]]), recording([[5], [6, nil]]), recording([[7]]),
        recording([[21], [nil], [30]]),
      ])
    #expect(whole.parts(in: []).isEmpty)
    #expect(whole.parts(in: [3...4]) == [recording([])])
  }

  @Test("Recordings of drives have no points in a privacy zone, not even skipped ones")
  func skippedPointsInZone() throws {
    var segment = Recording.Segment()
    for row in 0..<40 {
      segment.append(
        Coordinate(latitude: 0, longitude: 0.001 * Double(row)), time: Recording.instant(Double(row)),
        horizontalAccuracy: row < 20 ? 500 : 5)
    }
    let zone = PrivacyStage.Circle(center: Coordinate(latitude: 0, longitude: 0), radius: 1500)
    let imported = try DriveImporter.drives(
      from: Recording(segments: [segment]),
      options: .with {
        $0.privacyZones = [zone]
        $0.keepsRecording = true
      }, name: "a")
    let points = try #require(imported.first?.recording).segments.flatMap(\.longitudes)
    #expect(!points.isEmpty && points.allSatisfy { $0 > 1500 / Geodesy.metresPerDegree })
  }

  @Test(
    "No line of a drive touches a privacy zone next to the road, whatever the cadence",
    arguments: [1.0, 10, 30])
  func cadenceAtZone(seconds: Double) throws {
    // Around a place at a distance of 310 m, one degree of the circle per second, which is 5.4 m.
    var segment = Recording.Segment()
    for second in 0..<180 {
      let angle = Double(second) * .pi / 180
      segment.append(
        Coordinate(latitude: 310 / 110_574.28 * sin(angle), longitude: 310 / 111_319.49 * cos(angle)),
        time: Recording.instant(Double(second)))
    }
    let place = Coordinate(latitude: 0, longitude: 0)
    let imported = try DriveImporter.drives(
      from: Recording(segments: [segment]),
      options: .with {
        $0.privacyZones = [PrivacyStage.Circle(center: place, radius: 300)]
        $0.cadence = .seconds(seconds)
      }, name: "a")
    let drive = try #require(imported.first?.drive)
    #expect(imported.count == 1 && drive.duration == 179)
    for (first, second) in zip(drive.coordinates, drive.coordinates.dropFirst()) {
      #expect(Geodesy.distance(from: place, toLine: [first, second]) > 300)
    }
    // The middle of a chord over 30° of the circle is 299.4 m from the place.
    #expect(drive.count > 7)
  }

  @Test("A privacy zone without a place or a radius is an error, because it would hide nothing")
  func invalidZones() {
    let recording = Recording.track([(0, 0), (1, 0.001)])
    let place = Coordinate(latitude: 0, longitude: 0)
    for (center, radius) in [
      (place, -500), (place, .nan), (place, 0), (Coordinate(latitude: 97, longitude: 46), 500),
    ] {
      let zone = PrivacyStage.Circle(center: center, radius: radius)
      #expect(failure(recording, .with { $0.privacyZones = [zone] })?.code == .invalidValue)
    }
  }
}
