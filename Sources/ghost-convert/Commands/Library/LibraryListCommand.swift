import CommandLineParsing
import DriveLibrary
import GhostExport
import TrackModel

extension GhostConvert {
  struct LibraryListOptions: LibraryFilterOptions {
    var library: String?
    var selection = DriveSelection()
    var json = false
    var display = DisplayOptions()
  }

  static let libraryListCommand: Command = Command(
    "list", summary: "List the drives of a library",
    discussion: """
      Prints one line per drive, ordered by start: the shortest unique prefix of its id, its start in local \
      time, duration, distance and name.
      """,
    defaults: LibraryListOptions(),
    parameters: [
      .flag("--json", \.json, "Print one JSON object per line."), .quiet, .utc, .units, .library,
    ],
    sections: [.selection],
    examples: [
      Example("ghost-convert library list", "list all drives of drives.gpkg"),
      Example(
        "ghost-convert library list --since 2025-01 --until 2025-03", "list the drives of three months"),
      Example(
        "ghost-convert library list --near 52.52,13.40 --radius 1km",
        "list the drives that passed near a place"),
      Example("ghost-convert library list --json | jq -r .id", "print the full ids"),
    ], operandHint: LibraryPath.operandHint
  ) { (options: LibraryListOptions) throws(UsageError) -> Int32 in
    try options.selection.check()
    return options.withLibrary { library throws(TrackError) in
      let length = try options.json ? 0 : library.distinctIdentifierLength()
      var count = 0
      try library.forEachDrive(options.selection.filter) { drive in
        if options.json {
          Console.print(drive.json)
        } else {
          if count == 0 { Console.print(DriveLine.heading(identifierLength: length)) }
          Console.print(DriveLine.text(drive, identifierLength: length))
        }
        count += 1
      }
      if count == 0, !options.json {
        let all = try library.count
        Console.print(
          all == 0 ? "the library is empty" : "none of the library's \(Counted.of(all, "drive")) matches")
      }
      return ExitStatus.success
    }
  }
}
