import BulkImport
import CommandLineParsing
import DriveLibrary
import TrackModel

extension GhostConvert {
  struct LibraryFuseOptions: LibraryChangeOptions {
    var library: String?
    var identifiers: [String] = []
    var json = false
    var display = DisplayOptions()
  }

  static let libraryFuseCommand: Command = Command(
    "fuse", summary: "Combine recordings of one ride by several devices",
    discussion: """
      Combines the drives like convert --fuse, adds the combined drive and removes the others. The name, the \
      kind and the gear are those of the first drive that has any. The drives must have recorded times.

      To undo it, remove the combined drive, and import the recordings with --again. Other imports skip them.
      """,
    defaults: LibraryFuseOptions(),
    parameters: [
      .arguments(
        "ID", \.identifiers, minimum: 2, "Drives, by prefixes of their ids.", parse: LibraryPath.identifier),
      .flag("--json", \.json, "Print the combined drive as a JSON object."),
      .quiet, .utc, .units, .library,
    ],
    examples: [Example("ghost-convert library fuse 5C2A3E 9B610E", "combine two recordings of a ride")]
  ) { (options: LibraryFuseOptions) in
    return options.withLibrary(.writing) { library throws(TrackError) in
      let drives = try library.drives(withPrefixes: options.identifiers)
      guard drives.count > 1 else {
        throw TrackError(.usage, "the ids are of one drive", suggestion: .listIdentifiers)
      }
      let length = try library.distinctIdentifierLength()
      let fused = try LibraryFusion.fuse(drives, in: library)
      if let drive = try library.summary(fused) {
        options.report("combined", drive, identifierLength: length)
      }
      if !options.json {
        for drive in drives where drive.id != fused {
          options.report("removed ", drive, identifierLength: length)
        }
      }
      return ExitStatus.success
    }
  }
}
