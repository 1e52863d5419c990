import DriveLibrary
package import GhostModel
package import TrackFormats
package import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The destination of a recording: a file, a library, or both, with a checkpoint next to it.
package struct RecordingDestination: Sendable {
  package let output: String?
  package let library: String?
  /// Whether an existing file is replaced.
  private let replaces: Bool
  /// Whether a drive document has the coordinates as the app stores them, without resampling.
  private let appExact: Bool

  private static let checkpointEnding = ".checkpoint"
  private static let libraryEnding = ".gpkg"

  /// Creates a destination.
  ///
  /// - Parameters:
  ///   - output: a drive document or a track, by its extension.
  ///   - library: the library, which is created if it does not exist. Without an output, it is required.
  ///   - replaces: whether an existing file is replaced.
  ///   - appExact: whether a drive document has the coordinates as the app stores them.
  package init(output: String?, library: String?, replaces: Bool = false, appExact: Bool = false) {
    self.output = output
    self.library = library
    self.replaces = replaces
    self.appExact = appExact
  }

  /// Creates the destination from the name of its checkpoint, or returns nil for other names.
  package init?(ofCheckpoint path: String, replaces: Bool = false, appExact: Bool = false) {
    guard path.hasSuffix(Self.checkpointEnding) else { return nil }
    let name = String(path.dropLast(Self.checkpointEnding.count))
    let isLibrary = Self.isLibrary(name)
    self.init(
      output: isLibrary ? nil : name, library: isLibrary ? name : nil, replaces: replaces, appExact: appExact)
  }

  private static func isLibrary(_ path: String) -> Bool { path.lowercased().hasSuffix(libraryEnding) }

  /// The path to which the checkpoint's extension is appended.
  package var name: String { output ?? library ?? "" }
  /// The path of the checkpoint.
  package var checkpoint: String { name + Self.checkpointEnding }
  /// Whether the name of the checkpoint determines the destination, as in
  /// ``init(ofCheckpoint:replaces:appExact:)``.
  package var isNamedByCheckpoint: Bool { library.map { output == nil && Self.isLibrary($0) } ?? true }

  // MARK: Before the recording

  /// Checks, before the recording starts, whether the drive can be written.
  package func check() throws(TrackError) {
    try checkOutput()
    guard let library else { return }
    // A new library is created only when a drive is added. An empty file, for example after a full disk, is
    // made a library immediately.
    if try OutputKind(library) == .nothing {
      try checkFolder(of: library)
    } else {
      try DriveLibrary(path: library, mode: .creating).close()
    }
  }

  /// Checks that a file can be created. The checkpoint does not show it, because a link leads to a file in
  /// another folder.
  private func checkFolder(of path: String) throws(TrackError) { _ = try ByteSink(path: path).offset }

  private func checkOutput() throws(TrackError) {
    guard let output else { return }
    try InputProtection().check(output)
    func refusal(_ problem: String, _ suggestion: Suggestion) -> TrackError {
      TrackError(.notCreatable, problem, file: output, suggestion: suggestion)
    }
    switch try OutputKind(output) {
    case .nothing: break
    case .file: if !replaces { throw refusal("already exists", .renameOrReplace) }
    case .folder: throw refusal("is a folder, not a file", .text("add a file name"))
    case .other:
      throw refusal("is a device or a pipe, where a drive cannot be saved", .text("use a file name"))
    }
    try checkFolder(of: output)
  }

  /// Creates the checkpoint. An existing one without positions is replaced.
  ///
  /// - Throws: `notCreatable` if there is a checkpoint with a recording, or another file.
  package func newCheckpoint() throws(TrackError) -> AppendedFile {
    let path = checkpoint
    func refusal(_ problem: String, file: String, _ suggestion: Suggestion) -> TrackError {
      TrackError(.notCreatable, problem, file: file, suggestion: suggestion)
    }
    let otherFile = Suggestion.text("move it away, or record into another file")
    guard AppendedFile.exists(path) else { return try AppendedFile(new: path) }
    guard AppendedFile.isFile(path) else { throw refusal("is not a regular file", file: path, otherFile) }
    guard !AppendedFile.isInUse(path) else {
      throw refusal("another recording is writing to this file", file: name, .renameOrStopRecording)
    }
    do throws(TrackError) {
      let recovery = try Self.recovery(of: path, RecorderSettings())
      guard recovery.recorder.route.isEmpty, recovery.warnings.isEmpty else {
        throw refusal(
          "an interrupted recording of \(name) exists", file: path, .restoreRecording(checkpoint: path))
      }
    } catch  where error.code == .truncated {
      // The recording ended before anything was written.
    } catch  where error.code == .malformed {
      throw refusal("exists and is not a checkpoint", file: path, otherFile)
    }
    AppendedFile.remove(path)
    return try AppendedFile(new: path)
  }

  /// Creates a checkpoint in the folder for temporary files, for a recording that cannot be saved at the
  /// destination.
  ///
  /// - Returns: nil if that is not possible either.
  package func temporaryCheckpoint() -> AppendedFile? {
    let name = "\(TemporaryFiles.folder)/\(FileName.last(name))"
    let paths = (1...99).lazy.map { name + ($0 > 1 ? "-\($0)" : "") + Self.checkpointEnding }
    return paths.first { !AppendedFile.exists($0) }.flatMap { try? AppendedFile(new: $0) }
  }

  // MARK: Recovery

  /// Restores the stopped recorder of an interrupted recording.
  ///
  /// - Parameters:
  ///   - path: the checkpoint.
  ///   - settings: the settings of the recorder.
  /// - Throws: `notCreatable` if the recording is running, `malformed` for other files, `tooFewPoints` if
  ///   there is no position.
  package static func restored(
    _ path: String, _ settings: RecorderSettings = RecorderSettings()
  ) throws(TrackError) -> RecorderJournal.Recovery {
    guard !AppendedFile.isInUse(path) else {
      throw TrackError(
        .notCreatable, "belongs to a running recording", file: path, suggestion: .stopRecording)
    }
    var recovery = try recovery(of: path, settings)
    guard !recovery.recorder.route.isEmpty else {
      guard recovery.warnings.isEmpty else {
        throw TrackError(.malformed, "the checkpoint is damaged: no position can be read", file: path)
      }
      throw TrackError(
        .tooFewPoints, "the recording was interrupted before its first position", file: path,
        suggestion: .text("record again; the file is replaced"))
    }
    let last = recovery.recorder.stretches.last
    if let end = last?.end ?? last?.start { recovery.recorder.stop(at: end) }
    return recovery
  }

  private static func recovery(
    of path: String, _ settings: RecorderSettings
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

  // MARK: The drive

  /// Writes the drive.
  ///
  /// - Parameters:
  ///   - recorder: the stopped recorder.
  ///   - name: the name of the drive. If nil, it is derived from the file or the start.
  ///   - minute: formats the start as `2025-01-31 07:30`, with text after it that is ignored.
  ///   - version: the version of the program, which the library keeps.
  /// - Returns: the drive as stored by the app, with the warnings about its times.
  package func save(
    _ recorder: DriveRecorder, name: String? = nil, minute: (Instant) -> String, version: String
  ) throws(TrackError) -> ImportedDrive {
    // Another program may have created the file during the recording.
    try checkOutput()
    let usualName =
      output.map(InputPath.stem) ?? "Drive " + (recorder.startTime.map { minute($0).prefix(16) } ?? "")
    let imported = try drive(of: recorder, name: name ?? usualName)
    if let output {
      do throws(TrackError) { try write(imported.drive, of: recorder, to: output) } catch {
        throw error.inFile(output)
      }
    }
    if let library {
      do throws(TrackError) { try add(imported.drive, of: recorder, to: library, version: version) } catch {
        throw error.inFile(library)
      }
    }
    return imported
  }

  private func drive(of recorder: DriveRecorder, name: String) throws(TrackError) -> ImportedDrive {
    do throws(TrackError) {
      return try recorder.drive(name: name, appExact: appExact)
    } catch {
      // A track has the times of the fixes instead of evenly spaced points.
      guard error.code == .limitExceeded, library == nil, let output,
        case .track = OutputFormat(file: output)
      else { throw error }
      return try recorder.drive(name: name, appExact: true)
    }
  }

  /// Writes a drive document, or a track with the times of the fixes.
  private func write(_ drive: Drive, of recorder: DriveRecorder, to path: String) throws(TrackError) {
    guard let format = OutputFormat(file: path) else {
      throw TrackError(.usage, "unknown extension", suggestion: .text("use a name such as drive.gpx"))
    }
    guard case .track = format else { return try DriveExport.writeDocument(drive, to: path) }
    try format.write(recorder.document(name: drive.name), to: path)
  }

  /// Adds a drive with the exact times of its points to a library. A later import of the file is recognised
  /// as the same drive.
  private func add(
    _ drive: Drive, of recorder: DriveRecorder, to path: String, version: String
  ) throws(TrackError) {
    let library = try DriveLibrary(path: path, mode: .creating)
    let run = try library.beginRun(version: version, command: "record")
    var hasher = ContentHasher()
    if let output {
      var input = try ByteInput(path: output)
      while try input.fill() {
        hasher.update(input.available)
        input.consumeAll()
      }
    } else {
      hasher.update(DriveDocument.encode(drive).span)
    }
    let source = SourceOutcome(
      path: output ?? "record", contentHash: hasher.result.description, size: hasher.count,
      format: output.flatMap { OutputFormat(file: $0)?.name }, state: .imported)
    try library.record([(source, [NewLibraryDrive(drive, recording: recorder.recording)])], run: run)
    try library.endRun(run, outcome: "1 recorded")
    try library.checkpoint()
    library.close()
  }

  /// Returns a saved drive as a JSON object, with names that scripts rely on. The duration, the distance and
  /// the number of points are those of the drive; the other values are those of the recorder, such as the
  /// number of coordinates that passed the distance filter.
  package func json(_ drive: Drive, of recorder: DriveRecorder) -> JSONValue {
    .object([
      ("output", .optional(output)), ("library", .optional(library)),
      ("id", .string(drive.id.uuidString)), ("name", .string(drive.name)),
      ("start_time", .time(drive.startTime)), ("end_time", .time(drive.endTime)),
      ("duration_s", .number(drive.duration)),
      ("distance_m", .rounded(drive.distanceInMeters, 1e3)),
      ("points", .integer(drive.count)),
      ("coordinates", .integer(recorder.route.count)), ("filtered", .integer(recorder.filteredCount)),
      ("average_mph", .rounded(recorder.averageSpeed, 1e3)),
      ("maximum_mph", .rounded(recorder.maximumSpeed, 1e3)),
      (
        "refused", .object(FixRefusal.allCases.map { ($0.rawValue, .integer(recorder.refusals[$0] ?? 0)) })
      ),
    ])
  }
}
