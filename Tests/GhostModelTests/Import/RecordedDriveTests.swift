import Foundation
import GhostModel
import Testing
import TrackModel

/// Drive documents that are imported again, with and without a start.
@Suite struct RecordedDriveTests {
  private static let id = "11111111-2222-4333-8444-555555555555"

  /// A track as a drive document is read: four points of which the second is close to the first.
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
    var recordings = RecordingReader()
    return try #require(try recordings.next(from: &reader))
  }

  private func one(_ recording: Recording, _ options: ImportOptions = ImportOptions()) throws -> ImportedDrive
  {
    try #require(try DriveImporter.drives(from: recording, options: options, name: "n").first)
  }

  @Test("A drive without a start takes its duration, its points evenly spread in time and not by distance")
  func withoutStart() throws {
    let result = try one(try recording(start: false))
    #expect(result.drive.duration == 3)
    #expect(result.drive.startTime == nil && result.drive.endTime == nil)
    #expect(result.longitudes == [0, 0.0001, 0.002, 0.004])
    #expect(!result.report.resampled && result.report.step == 1 && result.report.largestTimeError == 0)
    // A step of two seconds falls on the third point and, two thirds on, between: 0 s, 1.5 s, 3 s.
    let coarse = try one(try recording(start: false), .with { $0.cadence = .seconds(1.5) })
    #expect(coarse.drive.duration == 3 && coarse.longitudes.count == 3)
    #expect(abs(coarse.longitudes[1] - (0.0001 + 0.002) / 2) < 1e-7)
  }

  @Test("A duration that is given counts before that of the document")
  func given() throws {
    let result = try one(try recording(start: false), .with { $0.duration = 8 })
    #expect(result.drive.duration == 8)
  }

  @Test("A drive that nothing was changed about is that drive again", arguments: [true, false])
  func same(start: Bool) throws {
    // The duration has more digits than microseconds, as one of an app can.
    let result = try one(
      try recording(start: start, duration: start ? "3" : "3.0000000004"), .with { $0.keepsDrive = true })
    #expect(result.drive.id.uuidString == Self.id)
    #expect(result.drive.distance == 41.5)
    #expect(result.drive.duration == (start ? 3 : 3.0000000004))
    #expect(result.drive.startTime == (start ? Recording.instant(0) : nil))
  }

  @Test("An end that the document states apart from its duration stays")
  func span() throws {
    let span = TimeSpan(begin: Recording.instant(0), end: Recording.instant(60))
    let result = try one(try recording(start: true, span: span), .with { $0.keepsDrive = true })
    #expect(result.drive.endTime == Recording.instant(60) && result.drive.duration == 3)
  }

  @Test("A drive with other points has an identifier and a distance of its own")
  func changed() throws {
    let result = try one(
      try recording(start: true),
      .with {
        $0.keepsDrive = true
        $0.cadence = .seconds(0.5)
      })
    #expect(result.drive.id.uuidString != Self.id && result.drive.distance < 1)
    // And so has one whose track may have been changed on the way.
    #expect(try one(try recording(start: true)).drive.id.uuidString != Self.id)
  }

  @Test("What is no duration is none", arguments: ["0", "-1", "nan", "inf", "x", "1e300"])
  func nonsense(_ duration: String) throws {
    let recording = try recording(start: false, duration: duration)
    let error = #expect(throws: TrackError.self) { _ = try one(recording) }
    #expect(error?.code == .noTimes)
  }
}
