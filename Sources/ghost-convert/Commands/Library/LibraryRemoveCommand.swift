import CommandLineParsing
import DriveLibrary
import TrackModel

extension GhostConvert {
  struct LibraryRemoveOptions: LibraryChangeOptions {
    var library: String?
    var identifiers: [String] = []
    var json = false
    var display = DisplayOptions()
  }

  static let libraryRemoveCommand: Command = Command(
    "remove", summary: "Remove drives from a library",
    discussion: """
      Removes all given drives, or none if one does not exist. Their ids, times and lengths are remembered, \
      so that later imports skip them unless --again is given. The same applies to drives deleted by other \
      programs.
      """,
    defaults: LibraryRemoveOptions(),
    parameters: [
      .arguments(
        "ID", \.identifiers, "Drives, by prefixes of their ids.", parse: LibraryPath.identifier),
      .flag("--json", \.json, "Print one JSON object per removed drive."),
      .quiet, .utc, .library,
    ],
    examples: [Example("ghost-convert library remove 5C2A3E 9B610E", "remove two drives")]
  ) { (options: LibraryRemoveOptions) in
    return options.withLibrary(.writing) { library throws(TrackError) in
      let drives = try library.drives(withPrefixes: options.identifiers)
      let length = try library.distinctIdentifierLength()
      try library.remove(drives.map(\.id))
      for drive in drives { options.report("removed", drive, identifierLength: length) }
      return ExitStatus.success
    }
  }
}
