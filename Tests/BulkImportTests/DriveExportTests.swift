import DriveLibrary
import Foundation
import GhostModel
import TestSupport
import Testing
import TrackFormats
import TrackModel

@testable import BulkImport

@Suite("Drives of a library, exported to files")
struct DriveExportTests {
  /// Calls a function with a library of drives that start at consecutive days, or have no start.
  private func withDrives(
    _ drives: [(name: String, day: Double?)],
    _ body: (TemporaryFolder, DriveLibrary, [LibraryDrive]) throws -> Void
  ) throws {
    try withFolder { folder in
      let library = try DriveLibrary(path: folder.file("drives.gpkg"), mode: .creating)
      defer { library.close() }
      let places = [(46.5, 7.5), (46.51, 7.52)].map { Coordinate(latitude: $0.0, longitude: $0.1) }
      let added = drives.map { name, day in
        let start = day.flatMap { Instant(secondsSince1970: 86_400 * $0) }
        let end = start?.advanced(bySeconds: 60)
        var segment = Recording.Segment()
        for (place, time) in zip(places, [start, end]) { segment.append(place, time: time) }
        let drive = Drive(
          name: name, startTime: start, endTime: end, duration: 60, distance: 1, coordinates: places)
        return NewLibraryDrive(drive, recording: Recording(segments: [segment]))
      }
      try library.record(
        [(SourceOutcome(path: "a.gpx", contentHash: "a", state: .imported), added)], run: nil)
      try body(folder, library, try library.drives())
    }
  }

  @Test("Names that occur several times get a label; in formats with placemarks all dated ones do")
  func names() throws {
    try withDrives([("Home", 1), ("Home", 2), ("Work", 3), ("", nil)]) { _, _, drives in
      let labels = drives.map { $0.startTime.map { "day \(Int($0.secondsSince1970) / 86_400)" } ?? "none" }
      let names = Dictionary(
        uniqueKeysWithValues: zip(labels, DriveExport.names(drives, labels: labels, in: .track(.gpx))))
      #expect(names == ["day 1": "Home, day 1", "day 2": "Home, day 2", "day 3": "Work", "none": ""])
      let dated = Set(DriveExport.names(drives, labels: labels, in: .track(.kml)))
      #expect(dated == ["Home, day 1", "Home, day 2", "Work, day 3", "none"])
    }
  }

  @Test("File names consist of the start and the valid characters of the name")
  func stems() throws {
    try withDrives([("a/b", 1), ("", nil)]) { _, _, drives in
      let minute = { (start: Instant) in String(start.description.prefix(16)) }
      let stems = drives.map { DriveExport.stem($0, minute: minute) }
      #expect(stems.contains("1970-01-02-0000-a_b"))
      #expect(drives.contains { stems.contains($0.id.uuidString) })
    }
  }

  @Test("Drives become tracks with their recorded times, and a document contains one drive")
  func files() throws {
    try withDrives([("Home", 1), ("Work", 2)]) { folder, library, drives in
      var export = DriveExport(library, OutputFormat.WritingOptions(), minute: \.description)
      let losses = try export.writeTracks(
        drives, names: ["1", "2"], to: .track(.gpx), folder.file("drives.gpx")
      ).losses
      #expect(losses.isEmpty)
      let text = try folder.text("drives.gpx")
      #expect(text.contains("<name>1</name>") && text.contains("<name>2</name>"))
      #expect(text.contains("1970-01-02T00:01:00Z"))
      try export.writeDocument(of: drives[1], to: folder.file("work.drive.json"))
      let drive = try JSONDecoder().decode(Drive.self, from: folder.data("work.drive.json"))
      #expect(drive == (try library.drive(drives[1].id)))
      #expect(try export.writeScript(drives, to: folder.file("drives.sql")).isEmpty)
      #expect(try folder.text("drives.sql").contains("COPY"))
    }
  }

  @Test("The track of a recorded drive states its gear, as the track of its document does")
  func gear() throws {
    try withFolder { folder in
      let library = try DriveLibrary(path: folder.file("drives.gpkg"), mode: .creating)
      defer { library.close() }
      let places = [Coordinate(latitude: 46.5, longitude: 7.5), Coordinate(latitude: 46.51, longitude: 7.52)]
      let start = Instant(secondsSince1970: 86_400)
      var segment = Recording.Segment()
      for (place, second) in zip(places, [0.0, 60]) {
        segment.append(place, time: start?.advanced(bySeconds: second))
      }
      var drive = Drive(
        name: "Home", startTime: start, endTime: start?.advanced(bySeconds: 60), duration: 60, distance: 1,
        coordinates: places)
      drive.gear = "Canyon, red"
      try library.record(
        [
          (
            SourceOutcome(path: "a.gpx", contentHash: "a", state: .imported),
            [NewLibraryDrive(drive, recording: Recording(segments: [segment]))]
          )
        ], run: nil)
      let track = try #require(try LibraryTrack(try library.drives()[0], in: library))
      let document = try #require(track.document)
      #expect(document.tracks.map(\.info.comment) == ["Gear: Canyon, red"])
      var reader = DriveTrackReader(drive)
      var batch = PointBatch()
      var comments: [String?] = []
      while let event = try reader.next(into: &batch) {
        if case .beginTrack(let info) = event { comments.append(info.comment) }
      }
      #expect(comments == ["Gear: Canyon, red"])
    }
  }

  @Test("Each drive is written to a file with an unused name, and a document contains one drive")
  func separateFiles() throws {
    try withDrives([("Home", nil), ("Home", nil), ("Work", 2)]) { folder, library, drives in
      var export = DriveExport(library, OutputFormat.WritingOptions(), minute: \.description)
      var outputs: [String] = []
      let damaged = try export.writeEach(drives, to: .drive, in: folder.file("out")) { _, _ in
      } written: {
        outputs.append($1)
      }
      #expect(damaged.isEmpty)
      #expect(Set(outputs).count == drives.count)
      let error = #expect(throws: TrackError.self) {
        try export.write(drives, to: .drive, folder.file("all.drive.json")) { _ in }
      }
      #expect(error?.suggestion == .writeDocumentPerDrive)
    }
  }
}
