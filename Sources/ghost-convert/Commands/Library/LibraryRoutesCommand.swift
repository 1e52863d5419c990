import CommandLineParsing
import DriveLibrary
import DriveMatching
import GhostExport
import GhostModel
import TrackModel

extension GhostConvert {
  struct LibraryRoutesOptions: LibraryFilterOptions {
    var library: String?
    var selection = DriveSelection()
    var leastDrives = 2
    var asSegments = false
    var json = false
    var display = DisplayOptions()
  }

  static let libraryRoutesCommand: Command = Command(
    "routes", summary: "Find routes that were driven repeatedly",
    discussion: """
      Drives are on the same route if they start and end within 150 m of each other and take the same road \
      in the same direction. Small detours, for example around roadworks, do not matter; another road \
      between the same places is another route, and so is the way back.

      Prints one line per route, most driven first: the number of drives, and the best and median time of \
      whole drives. library compare ROUTE compares times over the common stretch. A ride that several \
      devices recorded counts once.

      A route is identified by the id of its earliest drive, which stays the same when drives are added. The \
      id of any other drive on the route is also accepted.
      """,
    defaults: LibraryRoutesOptions(),
    parameters: [
      .option(
        "--min-drives", \.leastDrives, value: "NUMBER", default: "2",
        "List routes with at least NUMBER drives.",
        parse: { try QuantityArgument.number($0, expected: "a whole number from 1") }),
      .flag(
        "--as-segments", \.asSegments,
        "Add each route to the library as a segment, without the first and last 200 m."),
      .flag("--json", \.json, "Print one JSON object."), .quiet, .utc, .units, .library,
    ],
    sections: [.selection],
    examples: [
      Example("ghost-convert library routes", "find the routes of drives.gpkg"),
      Example("ghost-convert library routes --min-drives 10 --kind driving", "find commutes"),
      Example("ghost-convert library routes --near 52.52,13.40", "find routes that pass near a place"),
    ], operandHint: LibraryPath.operandHint
  ) { (options: LibraryRoutesOptions) throws(UsageError) -> Int32 in
    try options.selection.check()
    return options.withLibrary(options.asSegments ? .writing : .reading) { library throws(TrackError) in
      let drives = try library.routeDrives(options.selection.filter)
      var settings = RouteSettings()
      settings.leastDrives = options.leastDrives
      let table = RouteTable(
        routes: RouteFinder.routes(among: drives, settings: settings), drives: drives.count,
        identifierLength: try library.distinctIdentifierLength())
      var status = ExitStatus.success
      if options.asSegments {
        try library.addSegments(of: table.routes, named: \.title) { added in
          Console.note("added segment \(added.segment.name), \(Counted.of(added.passages, "passage"))")
          if added.reportDamage() != ExitStatus.success { status = ExitStatus.dataError }
        }
      }
      Console.print(
        options.json ? table.routes.json(drives: table.drives).text : table.lines.joined(separator: "\n"))
      return status
    }
  }
}
