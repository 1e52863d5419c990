import BulkImport
import CommandLineParsing
import DriveMatching
import GhostExport
import GhostModel
import TrackFormats
import TrackModel

extension GhostConvert {
  struct SegmentFindOptions: RecordingInputOptions {
    var inputs: [String] = []
    var library: String?
    var start: Coordinate?
    var end: Coordinate?
    var via: [Coordinate] = []
    var line: String?
    var json = false
    var display = DisplayOptions()
    var reading = InputTrack.Options()
  }

  static let segmentFindCommand: Command = Command(
    "find", summary: "Time a stretch of road in recordings, without a library",
    discussion: """
      The stretch runs from --from to --to, along the line of --line FILE, or along the road that most \
      recordings use. Without --from and --to, the whole line is used; if it has times, the first and the last \
      50 m are left out, because drives park in different places.
      """,
    defaults: SegmentFindOptions(),
    parameters: [
      .arguments("FILE", \.inputs, "Recordings to search; - is standard input.", completion: .files),
      .flag("--json", \.json, "Print one JSON object."),
      .quiet, .utc, .units,
    ],
    sections: [
      ParameterSection(
        "Segment",
        [
          .option(
            "--from", \.start, value: "LAT,LON",
            "Set the start of the segment, at most 30 m from the road."),
          .option("--to", \.end, value: "LAT,LON", "Set the end."),
          .repeated(
            "--via", \.via, value: "LAT,LON", "Add a place between start and end. Repeat in driving order."),
          .option(
            "--line", \.line, value: "FILE", default: "the most common road",
            "Use the line of this file, or the part between --from and --to.", completion: .files),
        ]),
      .recordings,
    ],
    examples: [
      Example(
        "ghost-convert segment find --from 46.2,7.1 --to 46.25,7.15 rides/*.gpx",
        "time the most common road between two places"),
      Example(
        "ghost-convert segment find --line climb.gpx rides/*.gpx", "time the road of another file"),
    ]
  ) { (options: SegmentFindOptions) throws(UsageError) -> Int32 in
    var options = options
    if let status = try options.resolveInputs() { return status }
    if options.line == nil, options.start == nil || options.end == nil {
      throw UsageError("no road specified", hint: "add --from LAT,LON --to LAT,LON, or --line FILE")
    }
    if options.line != nil, !options.via.isEmpty {
      throw UsageError("--line and --via cannot be used together")
    }
    return SegmentFindRun(options: options).run()
  }
}
