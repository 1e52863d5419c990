import BulkImport
import CommandLineParsing
import DriveLibrary
import GhostModel
import TrackFormats
import TrackModel

/// The destination of a recording: a file, a library, or both.
struct RecordDestination: Sendable {
  var output: String?
  var library: String?
  /// Whether existing files are replaced.
  var replaces = false
  var appExact = false

  static let checkpointEnding = ".checkpoint"
  private static let libraryEnding = ".gpkg"

  /// Creates a destination.
  ///
  /// - Throws: if a drive cannot be written to a file with this name.
  init(output: String?, library: String?, replaces: Bool, appExact: Bool) throws(UsageError) {
    self.output = output
    self.library = library
    self.replaces = replaces
    self.appExact = appExact
    guard output != nil || library != nil else {
      throw UsageError("no output specified", hint: "add -o drive.gpx or --library drives.gpkg")
    }
    if let output { try Self.check(output, appExact: appExact && library == nil) }
  }

  /// Creates the destination from the name of its checkpoint.
  init(ofCheckpoint path: String, replaces: Bool, appExact: Bool) throws(UsageError) {
    guard path.hasSuffix(Self.checkpointEnding) else {
      throw UsageError("no output specified", hint: "use -o drive.gpx")
    }
    let name = String(path.dropLast(Self.checkpointEnding.count))
    let isLibrary = name.lowercased().hasSuffix(Self.libraryEnding)
    try self.init(
      output: isLibrary ? nil : name, library: isLibrary ? name : nil, replaces: replaces, appExact: appExact)
  }

  private static func check(_ output: String, appExact: Bool) throws(UsageError) {
    guard output != "-" else {
      throw UsageError(
        "a recording needs a file, because its checkpoint is next to it", hint: "use -o drive.gpx")
    }
    guard let format = OutputFormat(file: output) else {
      throw UsageError(
        "unknown extension: \(output)", hint: "use a name such as drive.gpx or drive.drive.json"
      )
    }
    switch format {
    case .track(.polyline), .track(.polyline6):
      throw UsageError(
        "\(format.name) has no times, so only the line of the drive would be kept",
        hint: "record to drive.gpx, then use ghost-convert convert")
    case .drive: break
    case .track:
      guard !appExact else {
        throw UsageError(
          "--app-exact applies to drive documents; \(format.name) keeps all times",
          hint: "use -o drive.drive.json")
      }
    }
  }

  /// The path to which the checkpoint's extension is appended.
  var name: String { output ?? library ?? "" }
  var checkpoint: String { name + Self.checkpointEnding }

  /// The command that saves the drive of the checkpoint.
  var recovery: String {
    var words = ["ghost-convert record --recover", checkpoint]
    let isNamed = output == nil && library?.lowercased().hasSuffix(Self.libraryEnding) ?? false
    if let library, !isNamed {
      // The file may have been written already.
      if let output { words += ["-o", output, "--force"] }
      words += ["--library", library]
    }
    if appExact { words.append("--app-exact") }
    return words.joined(separator: " ")
  }

  /// Checks, before the recording starts, whether the drive can be written.
  func check() throws(TrackError) {
    try checkOutput()
    // A new library is created only when a drive is added. An empty file, for example after a full disk, is
    // made a library immediately.
    if let library, try OutputKind(library) != .nothing {
      try DriveLibrary(path: library, mode: .creating).close()
    }
  }

  private func checkOutput() throws(TrackError) {
    if let output {
      try InputProtection().check(output)
      switch try OutputKind(output) {
      case .nothing: break
      case .file:
        guard replaces else {
          throw TrackError(
            .notCreatable, "already exists", file: output,
            suggestion: .text("use a different name, or --force to replace it"))
        }
      case .folder:
        throw TrackError(
          .notCreatable, "is a folder, not a file", file: output,
          suggestion: .text("add a file name"))
      case .other:
        throw TrackError(
          .notCreatable, "is a device or a pipe, where a drive cannot be saved", file: output,
          suggestion: .text("use a file name"))
      }
    }
  }

  /// Writes the drive.
  ///
  /// - Returns: the drive as stored by the app, with the warnings about its times.
  func save(_ recorder: DriveRecorder, name: String?) throws(TrackError) -> ImportedDrive {
    // Another program may have created the file during the recording.
    try checkOutput()
    let imported = try drive(of: recorder, name: name ?? usualName(recorder))
    let drive = imported.drive
    if let output {
      do throws(TrackError) { try RecordedDriveOutput.write(drive, of: recorder, to: output) } catch {
        throw error.inFile(output)
      }
    }
    if let library {
      do throws(TrackError) {
        try RecordedDriveOutput.add(
          drive, of: recorder, to: library, file: output, version: GhostConvert.version)
      } catch {
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

  /// The name of a drive without an output file, derived from its start.
  private func usualName(_ recorder: DriveRecorder) -> String {
    if let output { return Input.baseName(output) }
    return "Drive " + (recorder.startTime.map { LocalTime.minute($0).prefix(16) } ?? "")
  }
}
