import DriveLibrary
import Foundation
import GhostModel
import TestSupport
import Testing
import TrackFormats
import TrackModel

@testable import BulkImport

@Suite("Destination of a recording")
struct RecordingDestinationTests {
  private static let start = Instant(microseconds: 1_000_000_000_000_000)

  private static func time(_ second: Int) -> Instant {
    Instant(microseconds: start.microseconds + Int64(second) * 1_000_000)
  }

  /// Returns a recorder of half a minute with its checkpoints.
  private static func recording() -> (recorder: DriveRecorder, checkpoints: [UInt8]) {
    var recorder = DriveRecorder()
    var journal = RecorderJournal()
    recorder.start(at: start)
    var bytes: [UInt8] = []
    for second in 0..<30 {
      let place = Coordinate(latitude: 46.5, longitude: 7.5 + 0.0002 * Double(second))
      let fix = LocationFix(coordinate: place, time: time(second), horizontalAccuracy: 5)
      recorder.add(fix, at: time(second))
      bytes += journal.checkpoint(of: recorder) ?? []
    }
    recorder.stop(at: time(30))
    return (recorder, bytes)
  }

  private static func code(_ body: () throws -> Void) -> TrackError? {
    #expect(throws: TrackError.self) { try body() }
  }

  @Test("A drive is written to a file and a library, and restored from a checkpoint")
  func saving() throws {
    try withFolder { folder in
      let (recorder, checkpoints) = Self.recording()
      let (file, library) = (folder.file("a.gpx"), folder.file("drives.gpkg"))
      let destination = RecordingDestination(output: file, library: library)
      #expect(destination.checkpoint == file + ".checkpoint")
      #expect(!destination.isNamedByCheckpoint)
      try destination.check()
      let drive = try destination.save(recorder, minute: \.description, version: "1").drive
      #expect(drive.name == "a")
      #expect(try folder.text("a.gpx").contains("<trkpt"))
      let reading = try DriveLibrary(path: library, mode: .reading)
      #expect(try reading.drive(drive.id) == drive)
      reading.close()
      try folder.write(checkpoints, to: "b.gpx.checkpoint")
      let restored = try RecordingDestination.restored(folder.file("b.gpx.checkpoint")).recorder
      #expect(restored.route.count > 10)
      #expect(restored.state == .stopped)
      #expect(Self.code { _ = try RecordingDestination.restored(file) }?.file == file)
    }
  }

  @Test("An existing file, a folder and an interrupted recording are not replaced")
  func refusals() throws {
    try withFolder { folder in
      let file = folder.file("a.gpx")
      let destination = RecordingDestination(output: file, library: nil)
      try folder.write("", to: "a.gpx")
      #expect(Self.code { try destination.check() }?.suggestion == .renameOrReplace)
      try RecordingDestination(output: file, library: nil, replaces: true).check()
      let inFolder = RecordingDestination(output: folder.path, library: nil)
      #expect(Self.code { try inFolder.check() }?.code == .notCreatable)
      try folder.write(Self.recording().checkpoints, to: "a.gpx.checkpoint")
      let path = file + ".checkpoint"
      #expect(
        Self.code { _ = try destination.newCheckpoint() }?.suggestion == .restoreRecording(checkpoint: path))
      // An empty checkpoint has nothing to restore.
      try folder.write("", to: "a.gpx.checkpoint")
      let checkpoint = try destination.newCheckpoint()
      #expect(Self.code { _ = try destination.newCheckpoint() }?.suggestion == .renameOrStopRecording)
      checkpoint.remove()
    }
  }

  @Test("The name of a checkpoint determines the destination")
  func names() {
    let file = RecordingDestination(ofCheckpoint: "a.gpx.checkpoint")
    #expect(file?.output == "a.gpx")
    #expect(file?.library == nil)
    let library = RecordingDestination(ofCheckpoint: "a.GPKG.checkpoint")
    #expect(library?.library == "a.GPKG")
    #expect(library?.isNamedByCheckpoint == true)
    #expect(RecordingDestination(ofCheckpoint: "a.gpx") == nil)
  }
}
