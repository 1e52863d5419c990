import CommandLineParsing
import DriveLibrary
import TrackModel

extension GhostConvert {
  struct LibraryRemoveOptions: LibraryCommandOptions {
    var library: String?
    var identifiers: [String] = []
    var json = false
    var quiet = false
    var utc = false
  }

  static let libraryRemoveCommand: Command = Command(
    "remove", summary: "Take drives out of a library",
    discussion: """
      All of them are removed or, where one is not there, none. Their ids, times and lengths stay known, so that no import \
      brings them back, whichever file they come in; import --again does. A drive that another program deletes counts as \
      removed too.
      """,
    defaults: LibraryRemoveOptions(),
    parameters: [
      .arguments(
        "ID", \.identifiers, "Drives, by the beginnings of their ids.",
        parse: { try LibraryPath.identifier($0) }),
      .flag("--json", \.json, "Print one JSON object per drive about what was removed, for scripts."),
      .quiet(\.quiet), .utc(\.utc), .library,
    ],
    examples: [Example("ghost-convert library remove 5C2A3E 9B610E", "removes two drives")]
  ) { (options: LibraryRemoveOptions) in
    LocalTime.isUTC = options.utc
    return options.withLibrary(.writing) { library throws(TrackError) in
      let drives = try DriveIdentifiers.drives(options.identifiers, in: library)
      let length = try library.distinctIdentifierLength()
      try library.remove(drives.map(\.id))
      for drive in drives {
        if options.json {
          Console.print(drive.json.text)
        } else if !options.quiet {
          Console.print("removed  " + DriveLine.text(drive, identifierLength: length))
        }
      }
      return ExitStatus.success
    }
  }
}
