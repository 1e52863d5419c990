import BulkImport
import CommandLineParsing
import DriveLibrary
import GhostExport
import TrackFormats
import TrackModel
import TrackTransforms

extension GhostConvert {
  struct LibraryCompareOptions: LibraryFilterOptions {
    var library: String?
    var selection = DriveSelection()
    var route = ""
    var all = false
    var json = false
    var display = DisplayOptions()
    var privacyZones: [PrivacyStage.Circle] = []
    var outputs: [String] = []
    var quotesFormulas = false
  }

  static let libraryCompareCommand: Command = Command(
    "compare", summary: "Compare all drives of a route, leg by leg",
    discussion: """
      All drives of the route are timed over their common stretch and compared with the fastest. Drives that \
      cannot be timed are listed with the reason. The stretch is divided into legs: equal legs where the \
      drives share the road, and one leg from divergence to convergence where more than one in ten drives \
      take another road. Each leg has a winner, and the sum of the best legs is the theoretical best time.

      Times are those of the recorded points. If the library has no times for a drive's points, the \
      duration is spread evenly; such drives are marked with ≈ and win no legs.

      ROUTE is a prefix of the id of any drive on the route, as printed by library routes and library list. \
      The ten fastest drives and the newest are shown and drawn; an HTML page ranks all drives. In JSON, \
      time_s is the time over the compared stretch, and moving_s the time of the whole drive between its \
      first and last motion.
      """,
    defaults: LibraryCompareOptions(),
    parameters: [
      .argument(
        "ROUTE", \.route, "The id, or a prefix of the id, of any drive on the route.",
        parse: LibraryPath.identifier),
      .flag("--all", \.all, "Show all drives instead of the ten fastest and the newest."),
      .flag("--json", \.json, "Print one JSON object with all drives."),
      .quiet, .utc, .units,
      .repeated(
        "--output", short: "-o", \.outputs, value: "FILE",
        "Write the comparison to FILE, like the compare command. "
          + "The extension selects the format: \(endings).",
        completion: .files
      ),
      .privacy(
        \.privacyZones,
        "Hide a place, such as home: compare only the points that are not within the radius of it."),
      .quoteFormulas(\.quotesFormulas, in: "CSV"), .library,
    ],
    sections: [.selection],
    examples: [
      Example("ghost-convert library compare 5C2A3E", "compare all drives of a route"),
      Example("ghost-convert library compare 5C2A3E -o commute.html", "write a page for a browser"),
      Example(
        "ghost-convert library compare 5C2A3E --privacy 46.5,7.5,300m -o commute.html",
        "write one that does not show where you live"),
      Example(
        "ghost-convert library compare 5C2A3E --since 2025 --kind driving", "compare some of its drives"),
      Example(
        "ghost-convert library compare 5C2A3E --json | jq .theoretical_best_s",
        "print one value from the JSON"),
    ]
  ) { (options: LibraryCompareOptions) throws(UsageError) -> Int32 in
    try options.selection.check()
    try checkOutputs(options.outputs, quotesFormulas: options.quotesFormulas)
    return options.withLibrary { library throws(TrackError) in
      try InputProtection().check(options.outputs)
      return try LibraryCompareRun(options: options, library: library).run()
    }
  }
}
