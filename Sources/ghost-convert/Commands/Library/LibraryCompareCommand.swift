import BulkImport
import CommandLineParsing
import DriveLibrary
import GhostExport
import TrackFormats
import TrackModel

extension GhostConvert {
  struct LibraryCompareOptions: LibraryFilterOptions {
    var library: String?
    var selection = DriveSelection()
    var route = ""
    var all = false
    var json = false
    var utc = false
    var quiet = false
    var units = UnitSystem.metric
    var outputs: [String] = []
  }

  static let libraryCompareCommand: Command = Command(
    "compare", summary: "Compare all drives of a route with the fastest, leg by leg",
    discussion: """
      Every drive of the route is timed where all of them were, and compared with the fastest. Drives that began or ended \
      some metres apart are all timed over the way between; one that cannot be timed is named, with the reason. The way is cut into legs: \
      evenly where the drives take the same road; where more than one in ten take another, from where the ways part to \
      where they meet again. Each leg has a winner, whatever the road, and the best of all legs together are a drive that \
      could have been.

      Times are those that the points were recorded at. Where the library does not have them, the duration is spread \
      evenly over the drive, which is marked with ≈; such a drive wins no leg.

      A route is named by the id of any of its drives, or its beginning, as library routes and library list print it. \
      Shown are the ten fastest drives and the newest; the files that --output names draw those, and a page ranks all of \
      them, leg by leg. In JSON time_s is \
      of the way that is compared, moving_s of the whole drive from its first motion to its last.
      """,
    defaults: LibraryCompareOptions(),
    parameters: [
      .argument(
        "ROUTE", \.route, "The route, or one of its drives, by the beginning of its id.",
        parse: { try LibraryPath.identifier($0) }),
      .flag("--all", \.all, "Show all drives, not only the ten fastest and the newest."),
      .flag("--json", \.json, "Print one JSON object for scripts, with all drives."),
      .quiet(\.quiet), .utc(\.utc), .units(\.units),
      .repeated(
        "--output", short: "-o", \.outputs, value: "FILE",
        "Show the comparison in a file, as compare does; its ending says how: \(endings).", completion: .files
      ),
      .library,
    ],
    sections: [.selection],
    examples: [
      Example("ghost-convert library compare 5C2A3E", "all drives of a route against the fastest"),
      Example("ghost-convert library compare 5C2A3E -o commute.html", "shows the best of them in a browser"),
      Example("ghost-convert library compare 5C2A3E --since 2025 --kind driving", "only some of its drives"),
      Example("ghost-convert library compare 5C2A3E --json | jq .theoretical_best_s", "for scripts"),
    ]
  ) { (options: LibraryCompareOptions) throws(UsageError) -> Int32 in
    LocalTime.isUTC = options.utc
    try options.selection.check()
    try checkOutputs(options.outputs)
    return UnitSystem.$current.withValue(options.units) {
      options.withLibrary { library throws(TrackError) in
        try InputProtection().check(options.outputs)
        return try LibraryCompareRun(options, library).run()
      }
    }
  }
}
