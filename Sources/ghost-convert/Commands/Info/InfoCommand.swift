import CommandLineParsing
import GhostExport
import GhostModel
import TrackFormats

extension GhostConvert {
  struct InfoOptions: ListedInputs, LibraryInputOptions {
    var inputs: [String] = []
    var library: String?
    var listing = PathListing()
    var json = false
    var quiet = false
    var utc = false
    var units = UnitSystem.metric
    var format: TrackFormat?
    var strict = false
    var columns: CSVColumns?
    var jobs: Int?
    /// Metres; nil keeps all points.
    var maximumAccuracy = ImportOptions().maximumAccuracy
  }

  static let infoCommand: Command = Command(
    "info", summary: "Say what is in a file",
    discussion: """
      Counts tracks, segments, trackpoints, waypoints and routes, and says how long and how far the drives \
      would be that an import makes of the file.

      Of a folder or an archive it says what all files in it hold together, in which formats, from when to when, \
      and what an import would pass over and why.
      """,
    defaults: InfoOptions(),
    parameters: [
      .arguments(
        "FILE", \.inputs, minimum: 0, "Files, folders or archives to look into; - is standard input.",
        completion: .files),
      .flag(
        "--json", \.json, "Print one JSON object per file for scripts, also for those that cannot be read."),
      .quiet(\.quiet), .utc(\.utc), .units(\.units),
      .from(\.format),
      .columns(\.columns),
      .libraryOfInputs,
      .flag("--strict", \.strict, "Make every warning an error."),
      .jobs(\.jobs),
      .maximumAccuracy(\.maximumAccuracy, default: "15"),
    ],
    sections: [.listing],
    examples: [
      Example("ghost-convert info ride.gpx", "prints a summary"),
      Example(
        "ghost-convert info export_123.zip", "says what is in an export, and what import would make of it"),
      Example("ghost-convert info --json *.gpx | jq .distance_m", "one JSON object a line"),
    ]
  ) { (options: InfoOptions) throws(UsageError) -> Int32 in
    Console.isQuiet = options.quiet
    LocalTime.isUTC = options.utc
    var options = try options.resolvingInputs()
    options.inputs = try LibraryInputs.resolved(options.inputs, library: options.library)
    let run = InfoRun(options)
    return UnitSystem.$current.withValue(options.units) { run.run() }
  }
}
