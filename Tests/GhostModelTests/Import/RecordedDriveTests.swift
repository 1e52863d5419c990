import Foundation
import GhostModel
import TestSupport
import Testing
import TrackModel
import TrackTransforms

/// Imports drive documents again, with and without a start time.
@Suite struct RecordedDriveTests {
  private static let id = "11111111-2222-4333-8444-555555555555"

  /// Returns the recording of a drive document with four points, of which the second is close to the first.
  private func recording(
    start: Bool, duration: String = "3", span: TimeSpan? = nil, id: String = id
  ) throws -> Recording {
    var document = TrackDocument()
    var track = TrackDocument.Track(info: TrackInfo(name: "n"))
    track.info.timeSpan = span
    track.info.extensions = [
      ExtensionElement(
        namespace: "urn:ghost-car:drive:1", name: "drive",
        attributes: [
          .init(name: "id", value: id), .init(name: "duration", value: duration),
          .init(name: "distance", value: "41.5"),
        ])
    ]
    var points = PointColumns()
    for (index, longitude) in [0, 0.0001, 0.002, 0.004].enumerated() {
      points.append(
        Coordinate(latitude: 0, longitude: longitude), time: start ? Recording.instant(Double(index)) : nil)
    }
    track.segments = [TrackDocument.Segment(points: points)]
    document.tracks = [track]
    var reader = TrackDocumentReader(document)
    var recordings = RecordingBuilder()
    var batch = PointBatch()
    var found: Recording?
    while let event = try reader.next(into: &batch) { found = recordings.add(event, batch) ?? found }
    return try #require(found)
  }

  private func one(_ recording: Recording, _ options: ImportOptions = ImportOptions()) throws -> ImportedDrive
  {
    try #require(try DriveImporter.drives(from: recording, options: options, name: "n").first)
  }

  @Test(
    "The points of a drive without a start time are evenly spaced in time over its duration, not by distance")
  func withoutStart() throws {
    let result = try one(try recording(start: false))
    #expect(result.drive.duration == 3)
    #expect(result.drive.startTime == nil && result.drive.endTime == nil)
    #expect(result.longitudes == [0, 0.0001, 0.002, 0.004])
    #expect(!result.report.resampled && result.report.step == 1 && result.report.largestTimeError == 0)
    // Three points at 0 s, 1.5 s and 3 s, of which the second is in the middle between two recorded points.
    let coarse = try one(try recording(start: false), .with { $0.cadence = .seconds(1.5) })
    #expect(coarse.drive.duration == 3 && coarse.longitudes.count == 3)
    #expect(abs(coarse.longitudes[1] - (0.0001 + 0.002) / 2) < 1e-7)
  }

  @Test("A given duration or speed does not replace the duration of the document", arguments: [true, false])
  func given(isDuration: Bool) throws {
    let options = ImportOptions.with {
      if isDuration { $0.duration = 8 } else { $0.speed = 44.528 }
      $0.keepsDrive = true
    }
    let result = try one(try recording(start: false), options)
    #expect(result.drive.duration == 3)
    #expect(result.longitudes == [0, 0.0001, 0.002, 0.004])
    #expect(result.report.warnings.contains { $0.code == .unusedOption })
    #expect(!result.report.resampled && result.report.largestPlaceError < 0.001)
  }

  @Test("A speed determines a duration, over which the points are evenly spaced")
  func speed() throws {
    // 0.004° of the equator are 445.28 m.
    let result = try one(try recording(start: false, duration: "x"), .with { $0.speed = 44.528 })
    #expect(abs(result.drive.duration - 10) < 0.001)
    #expect(result.longitudes == [0, 0.0001, 0.002, 0.004])
  }

  @Test("Coordinates without a valid duration are evenly spaced over the given duration")
  func blob() throws {
    var bare = try recording(start: false, duration: "x")
    let error = #expect(throws: TrackError.self) { _ = try one(bare) }
    #expect(error?.code == .noTimes)
    bare.timeSpan = TimeSpan(begin: Recording.instant(100))
    let result = try one(bare, .with { $0.duration = 3 })
    #expect(result.longitudes == [0, 0.0001, 0.002, 0.004] && result.drive.duration == 3)
    #expect(
      result.drive.startTime == Recording.instant(100) && result.drive.endTime == Recording.instant(103))
  }

  @Test("If the number of points differs, the drive gets a new id")
  func otherPoints() throws {
    var changed = try recording(start: true)
    changed.drive?.points = 5
    let result = try one(changed, .with { $0.keepsDrive = true })
    #expect(result.drive.id.uuidString != Self.id && result.drive.distance < 1)
    changed.drive?.points = 4
    #expect(try one(changed, .with { $0.keepsDrive = true }).drive.id.uuidString == Self.id)
  }

  @Test("An unchanged drive keeps its id, distance and duration", arguments: [true, false])
  func same(start: Bool) throws {
    // The duration has more digits than microseconds, which is possible in the app.
    let result = try one(
      try recording(start: start, duration: start ? "3" : "3.0000000004"), .with { $0.keepsDrive = true })
    #expect(result.drive.id.uuidString == Self.id)
    #expect(result.drive.distance == 41.5)
    #expect(result.drive.duration == (start ? 3 : 3.0000000004))
    #expect(result.drive.startTime == (start ? Recording.instant(0) : nil))
  }

  @Test("An end time that does not match the duration is kept")
  func span() throws {
    let span = TimeSpan(begin: Recording.instant(0), end: Recording.instant(60))
    let result = try one(try recording(start: true, span: span), .with { $0.keepsDrive = true })
    #expect(result.drive.endTime == Recording.instant(60) && result.drive.duration == 3)
  }

  @Test("A drive with other points gets a new id and a new distance")
  func changed() throws {
    let result = try one(
      try recording(start: true),
      .with {
        $0.keepsDrive = true
        $0.cadence = .seconds(0.5)
      })
    #expect(result.drive.id.uuidString != Self.id && result.drive.distance < 1)
    // The same applies if the track may have been changed by a filter.
    #expect(try one(try recording(start: true)).drive.id.uuidString != Self.id)
  }

  @Test("An invalid duration is ignored", arguments: ["0", "-1", "nan", "inf", "x", "1e300"])
  func nonsense(_ duration: String) throws {
    let recording = try recording(start: false, duration: duration)
    let error = #expect(throws: TrackError.self) { _ = try one(recording) }
    #expect(error?.code == .noTimes)
  }
}
