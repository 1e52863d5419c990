import BulkImport
import CommandLineParsing
import DriveLibrary
import GhostModel
import TrackFormats
import TrackModel

/// Where a recording goes: into a file, into a library, or both.
struct RecordDestination: Sendable {
  var output: String?
  var library: String?
  /// Whether a file that is there already is replaced.
  var replaces = false
  var appExact = false

  static let checkpointEnding = ".checkpoint"
  private static let libraryEnding = ".gpkg"

  /// - Throws: for names that no drive can be written to.
  init(output: String?, library: String?, replaces: Bool, appExact: Bool) throws(UsageError) {
    self.output = output
    self.library = library
    self.replaces = replaces
    self.appExact = appExact
    guard output != nil || library != nil else {
      throw UsageError("no output given", hint: "such as -o drive.gpx or --library drives.gpkg")
    }
    if let output { try Self.check(output, appExact: appExact && library == nil) }
  }

  /// The destination that a checkpoint is named for.
  init(ofCheckpoint path: String, replaces: Bool, appExact: Bool) throws(UsageError) {
    guard path.hasSuffix(Self.checkpointEnding) else {
      throw UsageError("no output given", hint: "such as -o drive.gpx")
    }
    let name = String(path.dropLast(Self.checkpointEnding.count))
    let isLibrary = name.lowercased().hasSuffix(Self.libraryEnding)
    try self.init(
      output: isLibrary ? nil : name, library: isLibrary ? name : nil, replaces: replaces, appExact: appExact)
  }

  private static func check(_ output: String, appExact: Bool) throws(UsageError) {
    guard output != "-" else {
      throw UsageError(
        "a recording needs a file, for the checkpoint next to it", hint: "such as -o drive.gpx")
    }
    guard let format = OutputFormat(file: output) else {
      throw UsageError(
        "the name \(output) does not say which format to write", hint: "such as drive.gpx or drive.drive.json"
      )
    }
    switch format {
    case .track(.polyline), .track(.polyline6):
      throw UsageError(
        "\(format.name) has no times, so only the line of the drive would be left",
        hint: "record into drive.gpx; ghost-convert convert makes a polyline of it")
    case .drive: break
    case .track:
      guard !appExact else {
        throw UsageError(
          "--app-exact is for drives of the app, and \(format.name) keeps every time as it was",
          hint: "such as -o drive.drive.json")
      }
    }
  }

  /// What the checkpoint stands beside.
  var name: String { output ?? library ?? "" }
  var checkpoint: String { name + Self.checkpointEnding }

  /// The command that saves what the checkpoint has.
  var recovery: String {
    var words = ["ghost-convert record --recover", checkpoint]
    let isNamed = output == nil && library?.lowercased().hasSuffix(Self.libraryEnding) ?? false
    if let library, !isNamed {
      // The file may be written already.
      if let output { words += ["-o", output, "--force"] }
      words += ["--library", library]
    }
    if appExact { words.append("--app-exact") }
    return words.joined(separator: " ")
  }

  /// Looks whether the drive could be written, before anything is spent on it.
  func check() throws(TrackError) {
    if let output {
      try InputProtection().check(output)
      switch try OutputPlace(output) {
      case .nothing: break
      case .file:
        guard replaces else {
          throw TrackError(
            .notCreatable, "is there already", file: output,
            suggestion: .text("give another name with -o, or --force to replace it"))
        }
      case .folder:
        throw TrackError(
          .notCreatable, "is a folder, not a file", file: output,
          suggestion: .text("give the name of a file in it"))
      case .other:
        throw TrackError(
          .notCreatable, "is a device or a pipe, and a drive that is saved must stay", file: output,
          suggestion: .text("give the name of a file"))
      }
    }
    // A new library is made when there is something to go into it. Of an empty file, such as a full disk
    // leaves behind, it is made at once.
    if let library, try OutputPlace(library) != .nothing {
      try DriveLibrary(path: library, mode: .creating).close()
    }
  }

  /// Writes the drive.
  ///
  /// - Returns: the drive as the app has it.
  func save(_ recorder: DriveRecorder, name: String?) throws(TrackError) -> Drive {
    let drive = try recorder.drive(name: name ?? usualName(recorder), appExact: appExact).drive
    if let output {
      do throws(TrackError) { try RecordedOutput.write(recorder, drive, to: output) } catch {
        throw error.inFile(output)
      }
    }
    if let library {
      do throws(TrackError) { try add(drive, recorder.recording, to: library) } catch {
        throw error.inFile(library)
      }
    }
    return drive
  }

  /// A drive that has no file of its own is called by its start.
  private func usualName(_ recorder: DriveRecorder) -> String {
    if let output { return Input.baseName(output) }
    let start = recorder.startTime.map { ISO8601.text($0, decimals: 0) } ?? ""
    return "Drive " + start.replacing("T", with: " ").prefix(16)
  }

  /// Adds the drive with the exact times of its points. Where it also went into a file, importing that file
  /// later finds it there.
  private func add(_ drive: Drive, _ recording: Recording, to path: String) throws(TrackError) {
    let library = try DriveLibrary(path: path, mode: .creating)
    let run = try library.beginRun(version: GhostConvert.version, command: "record")
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
    try library.record([(source, [NewLibraryDrive(drive, recording: recording)])], run: run)
    try library.endRun(run, outcome: "1 recorded")
    try library.checkpoint()
    library.close()
  }
}
