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

  /// Runs the command and returns its exit status. Damaged drives are reported, and the others are written.
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
    var damaged: [TrackError] = []
    switch target {
    case .folder(let folder, let format): damaged = try write(drives, to: format, in: folder)
    case .file(let output, let format):
      try InputProtection().check([output])
      switch format {
      case .postGIS: damaged = try DriveExport(library, options.writing).writeScript(drives, to: output)
      case .files(let format): damaged = try write(drives, to: format, output)
      }
      if output != "-", !options.display.quiet {
        Console.print("\(Counted.of(drives.count - damaged.count, "drive")) → \(output)")
      }
    }
    for error in damaged { Console.report(error) }
    return damaged.first.map(ExitStatus.of) ?? ExitStatus.success
  }

  /// - Returns: an error for each damaged drive.
  private func write(
    _ drives: [LibraryDrive], to format: OutputFormat, _ output: String
  ) throws(TrackError) -> [TrackError] {
    let export = DriveExport(library, options.writing)
    if case .drive = format {
      guard drives.count == 1 else {
        throw TrackError(
          .usage, "\(drives.count) drives, but a drive document contains one", file: output,
          suggestion: .text("use --output-directory, which writes a document per drive"))
      }
      try export.writeDocument(of: drives[0], to: output)
      return []
    }
    let name = output == "-" ? "standard output" : output
    do throws(TrackError) {
      // A single drive needs no identifier to be distinct.
      let labels = RouteLabels.labels(
        drives.map { ($0.id, $0.startTime) },
        identifierLength: drives.count > 1
          ? try library.distinctIdentifierLength() : DriveLibrary.leastIdentifierLength)
      let (losses, damaged) = try export.write(
        drives, names: DriveExport.names(drives, labels: labels, in: format), to: format, output)
      if !losses.isEmpty {
        Console.note("\(name): warning: not representable in \(format.name.uppercased()): \(losses.text)")
      }
      return damaged
    } catch {
      throw error.inFile(name)
    }
  }

  /// Writes each drive to a separate file.
  ///
  /// - Returns: an error for each damaged drive.
  private func write(
    _ drives: [LibraryDrive], to format: OutputFormat, in folder: String
  ) throws(TrackError) -> [TrackError] {
    try ByteSink.makeFolder(folder)
    var names = OutputNames()
    var damaged: [TrackError] = []
    for drive in drives {
      let output = names.unused(
        FileName.folderPrefix(folder) + DriveExport.stem(drive, minute: LocalTime.minute),
        ending: format.fileEnding)
      do throws(TrackError) {
        _ = try write([drive], to: format, output)
      } catch {
        guard error.code == .invalidValue else { throw error }
        damaged.append(error)
        continue
      }
      if !options.display.quiet { Console.print(Diagnostic.singleLine("\(drive.name) → \(output)")) }
    }
    return damaged
  }
}
