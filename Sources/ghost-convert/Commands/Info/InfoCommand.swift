import BulkImport
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
    var display = DisplayOptions()
    var opening = TrackOpening()
    var jobs: Int?
    /// In metres; nil keeps all points.
    var maximumAccuracy = ImportOptions().maximumAccuracy
  }

  static let infoCommand: Command = Command(
    "info", summary: "Show the contents of files",
    discussion: """
      Prints the numbers of tracks, segments, trackpoints, waypoints and routes, and the duration and \
      distance of the drives that an import would create.

      For a folder or an archive, prints totals, formats and the time range, and which files an import would \
      skip and why.
      """,
    defaults: InfoOptions(),
    parameters: [
      .arguments(
        "FILE", \.inputs, minimum: 0, "Files, folders or archives; - is standard input.",
        completion: .files),
      .flag("--json", \.json, "Print one JSON object per file, including unreadable files."),
      .quiet, .utc, .units, .jobs(\.jobs),
    ],
    sections: [
      .input(
        [.from(\.opening.format), .columns(\.opening.columns), .libraryOfInputs],
        [.maximumAccuracy(\.maximumAccuracy, default: "15"), .strict(\.opening.isStrict)])
    ],
    examples: [
      Example("ghost-convert info ride.gpx", "print a summary"),
      Example(
        "ghost-convert info export_123.zip", "preview the import of an export"),
      Example("ghost-convert info --json *.gpx | jq .distance_m", "print JSON lines"),
    ]
  ) { (options: InfoOptions) throws(UsageError) -> Int32 in
    var options = try options.resolvingInputs()
    if let status = LibraryInputs.resolve(&options.inputs, library: options.library) { return status }
    return InfoRun(options: options).run()
  }
}
