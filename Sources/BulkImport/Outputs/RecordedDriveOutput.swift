import DriveLibrary
package import GhostModel
import TrackFormats
package import TrackModel

/// Writes the drive of a recorder to a file and to a library, and restores recorders from their files.
package enum RecordedDriveOutput {
  /// Writes a drive in the format of the file name's extension: as a drive of the app, or as a track with the
  /// times of the fixes.
  package static func write(
    _ drive: Drive, of recorder: DriveRecorder, to path: String
  ) throws(TrackError) {
    guard let format = OutputFormat(file: path) else {
      throw TrackError(
        .usage, "unknown extension", suggestion: .text("use a name such as drive.gpx"))
    }
    guard case .track = format else { return try DriveExport.writeDocument(drive, to: path) }
    var writer = try format.writer(ByteSink(path: path))
    var reader = TrackDocumentReader(recorder.document(name: drive.name))
    var batch = PointBatch()
    while let event = try reader.next(into: &batch) { try writer.write(event, batch) }
    try writer.finish()
  }

  /// Adds a drive with the exact times of its points to a library.
  ///
  /// - Parameters:
  ///   - path: the library, which is created if it does not exist.
  ///   - file: the file to which the drive was written, or nil. A later import of that file is recognised as
  ///     the same drive.
  ///   - version: the version of the program, which the library keeps.
  package static func add(
    _ drive: Drive, of recorder: DriveRecorder, to path: String, file: String?, version: String
  ) throws(TrackError) {
    let library = try DriveLibrary(path: path, mode: .creating)
    let run = try library.beginRun(version: version, command: "record")
    var hasher = ContentHasher()
    if let file {
      var input = try ByteInput(path: file)
      while try input.fill() {
        hasher.update(input.available)
        input.consumeAll()
      }
    } else {
      hasher.update(DriveDocument.encode(drive).span)
    }
    let source = SourceOutcome(
      path: file ?? "record", contentHash: hasher.result.description, size: hasher.count,
      format: file.flatMap { OutputFormat(file: $0)?.name }, state: .imported)
    try library.record([(source, [NewLibraryDrive(drive, recording: recorder.recording)])], run: run)
    try library.endRun(run, outcome: "1 recorded")
    try library.checkpoint()
    library.close()
  }

  /// Reads the recorder of a checkpoint.
  ///
  /// - Throws: `malformed` if the file is not a checkpoint, `truncated` if it is empty.
  package static func recorder(
    ofCheckpoint path: String, _ settings: RecorderSettings = RecorderSettings()
  ) throws(TrackError) -> RecorderJournal.Recovery {
    var input = try ByteInput(path: path)
    var bytes: [UInt8] = []
    while try input.fill() {
      bytes += input.available.array
      input.consumeAll()
    }
    do throws(TrackError) {
      return try RecorderJournal.recover(from: bytes, settings: settings)
    } catch {
      throw error.inFile(path)
    }
  }
}
