import CommandLineParsing
import GhostModel
import TrackFormats
import TrackModel

extension GhostConvert {
  struct InfoOptions: Sendable {
    var inputs: [String] = []
    var json = false
    var format: TrackFormat?
    var strict = false
    var columns: CSVColumns?
  }

  static let infoCommand: Command = Command(
    "info", summary: "Say what is in a file",
    discussion: """
      Counts tracks, segments, trackpoints, waypoints and routes, and says how long and how far the drives \
      would be that an import makes of the file.
      """,
    defaults: InfoOptions(),
    parameters: [
      .arguments("FILE", \.inputs, "Files to look into; - is standard input.", completion: .files),
      .flag("--json", \.json, "Print one JSON object per file for scripts."),
      .option(
        "--from", \.format, value: "FORMAT", "Take the input for this format, whatever it looks like.",
        completion: .values(TrackFormat.all.filter(\.canRead).map(\.name)), parse: { try Input.format($0) }),
      .option(
        "--columns", \.columns, value: "LIST",
        "Which columns of a table hold what: lat=2,lon=3,time=1, by number or heading.",
        parse: { try Input.columns($0) }),
      .flag("--strict", \.strict, "Make every warning an error."),
    ],
    examples: [
      Example("ghost-convert info ride.gpx", "prints a summary"),
      Example("ghost-convert info --json *.gpx | jq .distance_m", "one JSON object a line"),
    ]
  ) { (options: InfoOptions) -> Int32 in
    var status = ExitStatus.success
    for path in options.inputs {
      do throws(TrackError) {
        let (summary, warnings) = try summarize(path, options)
        Console.report(warnings, file: Input.name(path))
        Progress.clear()
        Console.print(options.json ? summary.json.text : summary.text)
      } catch {
        Console.report(error.inFile(Input.name(path)))
        if status == ExitStatus.success { status = ExitStatus.of(error) }
      }
    }
    return status
  }

  private static func summarize(
    _ path: String, _ options: InfoOptions
  ) throws(TrackError) -> (FileSummary, [TrackWarning]) {
    var input = try Input.open(
      path, format: options.format, columns: options.columns, isStrict: options.strict,
      progress: ByteProgress())
    var summary = FileSummary(file: Input.name(path), format: input.format.name)
    var batch = PointBatch()
    while let event = try input.next(into: &batch) { summary.add(event, batch) }
    let warnings = input.reader.warnings
    if options.strict, let first = warnings.first { throw first.asError }
    summary.warnings = warnings
    return (summary, warnings)
  }
}
