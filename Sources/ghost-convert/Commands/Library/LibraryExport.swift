import BulkImport
import DriveLibrary
import GhostModel
import TrackFormats
import TrackModel

/// Runs the library export command.
struct LibraryExport {
  enum Target: Sendable {
    case file(String, LibraryExportFormat)
    case folder(String, OutputFormat)

    var format: LibraryExportFormat {
      switch self {
      case .file(_, let format): format
      case .folder(_, let format): .files(format)
      }
    }
  }

  private let library: DriveLibrary
  private let options: GhostConvert.LibraryExportOptions
  private let target: Target

  init(_ library: DriveLibrary, _ options: GhostConvert.LibraryExportOptions, _ target: Target) {
    self.library = library
    self.options = options
    self.target = target
  }

  /// Runs the command and returns its exit status.
  func run() throws(TrackError) -> Int32 {
    let drives =
      options.identifiers.isEmpty
      ? try library.drives(options.selection.filter)
      : try library.drives(withPrefixes: options.identifiers)
    guard !drives.isEmpty else {
      throw TrackError(
        .noTracks, try library.count == 0 ? "the library is empty" : "no drive of the library matches",
        suggestion: .text("list the drives with ghost-convert library list"))
    }
    switch target {
    case .folder(let folder, let format): try write(drives, to: format, in: folder)
    case .file(let output, let format):
      try InputProtection().check([output])
      switch format {
      case .postGIS: try DriveExport(library, options.writing).writeScript(drives, to: output)
      case .files(let format): try write(drives, to: format, output)
      }
      if output != "-", !options.display.quiet {
        Console.print("\(Counted.of(drives.count, "drive")) → \(output)")
      }
    }
    return ExitStatus.success
  }

  private func write(
    _ drives: [LibraryDrive], to format: OutputFormat, _ output: String
  ) throws(TrackError) {
    let export = DriveExport(library, options.writing)
    if case .drive = format {
      guard drives.count == 1 else {
        throw TrackError(
          .usage, "\(drives.count) drives, but a drive document contains one", file: output,
          suggestion: .text("use --output-directory, which writes a document per drive"))
      }
      return try export.writeDocument(of: drives[0], to: output)
    }
    let name = output == "-" ? "standard output" : output
    do throws(TrackError) {
      // A single drive needs no identifier to be distinct.
      let labels = RouteLabels.labels(
        drives.map { ($0.id, $0.startTime) },
        identifierLength: drives.count > 1
          ? try library.distinctIdentifierLength() : DriveLibrary.leastIdentifierLength)
      let losses = try export.write(
        drives, names: DriveExport.names(drives, labels: labels, in: format), to: format, output)
      guard !losses.isEmpty else { return }
      Console.note("\(name): warning: not representable in \(format.name.uppercased()): \(losses.text)")
    } catch {
      throw error.inFile(name)
    }
  }

  /// Writes each drive to a separate file.
  private func write(
    _ drives: [LibraryDrive], to format: OutputFormat, in folder: String
  ) throws(TrackError) {
    try ByteSink.makeFolder(folder)
    var names = OutputNames()
    for drive in drives {
      let output = names.unused(
        FileName.folderPrefix(folder) + DriveExport.stem(drive, minute: LocalTime.minute),
        ending: format.fileEnding)
      try write([drive], to: format, output)
      if !options.display.quiet { Console.print(Diagnostic.singleLine("\(drive.name) → \(output)")) }
    }
  }
}
