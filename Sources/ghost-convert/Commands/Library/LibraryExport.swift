import BulkImport
import DriveLibrary
import GhostExport
import GhostModel
import TrackFormats
import TrackModel
import TrackTransforms

/// Runs the library export command.
struct LibraryExport {
  enum Target: Sendable {
    case file(String, LibraryExportFormat)
    case folder(String, OutputFormat)

    /// The name of the output in messages.
    var name: String {
      switch self {
      case .file(let output, _): output == "-" ? "standard output" : output
      case .folder(let folder, _): folder
      }
    }

    var format: LibraryExportFormat {
      switch self {
      case .file(_, let format): format
      case .folder(_, let format): .files(format)
      }
    }
  }

  let library: DriveLibrary
  let options: GhostConvert.LibraryExportOptions
  let target: Target

  /// Runs the command and returns its exit status. Damaged drives are reported, and the others are written.
  func run() throws(TrackError) -> Int32 {
    let drives =
      options.identifiers.isEmpty
      ? try library.drives(options.selection.filter)
      : try library.drives(withPrefixes: options.identifiers)
    guard !drives.isEmpty else {
      throw TrackError(
        .noTracks, try library.count == 0 ? "the library is empty" : "no drive of the library matches",
        suggestion: .listDrives)
    }
    func report(_ losses: LossReport, _ format: OutputFormat, _ output: String) {
      let name = output == "-" ? "standard output" : output
      Console.note("\(name): \(LossReport.description(in: format.name)): \(losses.text)")
    }
    let isQuiet = options.display.quiet
    var export = DriveExport(library, options.writing, minute: LocalTime.minute)
    var damaged: [TrackError] = []
    switch target {
    case .folder(let folder, let format):
      damaged = try export.writeEach(drives, to: format, in: folder) {
        report($0, format, $1)
      } written: { drive, output in
        if !isQuiet { Console.print(Diagnostic.singleLine("\(Text.name(drive.name)) → \(output)")) }
      }
    case .file(let output, let format):
      try InputProtection().check([output])
      switch format {
      case .postGIS: damaged = try export.writeScript(drives, to: output)
      case .files(let format):
        damaged = try export.write(drives, to: format, output) { report($0, format, output) }
      }
      if output != "-", !isQuiet {
        Console.print("\(Counted.of(drives.count - damaged.count, "drive")) → \(output)")
      }
    }
    if let privacy = export.privacy {
      if let summary = privacy.summary { Console.note(summary) }
      Console.report(privacy.warnings, file: target.name)
    }
    for error in damaged { Console.report(error) }
    return damaged.first.map(ExitStatus.of) ?? ExitStatus.success
  }
}
