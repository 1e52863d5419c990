import BulkImport
import CommandLineParsing
import DriveMatching
import GhostExport
import GhostModel
import TrackFormats
import TrackModel

extension GhostConvert {
  struct GhostOptions: LibraryInputOptions {
    var input = ""
    var library: String?
    var moments: [GhostMoment] = []
    var step: Double?
    var follow: String?
    var gate: Gate?
    var plays = false
    var speed: GhostSpeed?
    var to: OutputFormat?
    var output: String?
    var json = false
    var force = false
    var display = DisplayOptions()
    var reading = InputTrack.Options()

    /// The output format of positions, or nil for text and JSON.
    var format: OutputFormat? { to ?? output.flatMap { OutputFormat(file: $0) } }
  }

  static let ghostCommand: Command = Command(
    "ghost", summary: "Replay an earlier drive and show how far ahead or behind you are",
    discussion: """
      The ghost follows the recorded times, with linear interpolation between points. Drives without times \
      per point are spread evenly, as in the app. Lines without any times need --duration or --speed.

      With --follow, each of your fixes is matched with the ghost's road, and the time and distance ahead or \
      behind are printed. Timing starts where you first reach the road, and restarts with each lap if the \
      ghost is one lap of a circuit.
      """,
    defaults: GhostOptions(),
    parameters: [
      .argument(
        "FILE", \.input, "The earlier drive: a recording or a drive document; - is standard input.",
        completion: .files),
      .quiet, .utc, .units,
    ],
    sections: [
      ParameterSection(
        "Replay",
        [
          .repeated(
            "--at", \.moments, value: "TIME",
            "Print the ghost's position after a time since the start (12:30, 90s), "
              + "at a time of day (T07:30:00), or at an ISO 8601 time, "
              + "in local time unless --utc or a zone is given.",
            parse: GhostMoment.init),
          .option(
            "--every", \.step, value: "DURATION",
            "Print the ghost's position at regular intervals, from start to end.",
            parse: QuantityArgument.positiveSeconds
          ),
          .flag(
            "--play", \.plays,
            "Replay the drive in real time, printing the ghost's position every second. "
              + "--speed 4x plays four times as fast."
          ),
          .option(
            "--follow", \.follow, value: "FILE",
            "Read live fixes as NMEA or gpsd reports, and print how far ahead or behind you are, "
              + "one line per fix. - is standard input.", completion: .files),
          .option(
            "--gate", \.gate, value: "LAT,LON[,BEARING]",
            "With --follow: time laps at this gate, and show the gap to the best lap so far."),
        ]),
      ParameterSection(
        "Input",
        [
          .option(
            "--track", \.reading.track, value: "NUMBER", default: "the first with points",
            "Use this track of the file, counted from 1.", parse: { try QuantityArgument.number($0) }),
          .duration(\.reading.rules.duration, "Set the duration of a line without times, for example 24:30."),
          .option(
            "--speed", \.speed, value: "SPEED",
            "Set the speed of a line without times, for example 50km/h, or of --play, for example 4x.",
            parse: GhostSpeed.init),
          .libraryOfInputs,
          .maximumAccuracy(\.reading.rules.maximumAccuracy, default: "15"),
          .from(\.reading.format, "Treat the file as FORMAT instead of detecting it."),
          .columns(\.reading.columns),
          .strict(\.reading.isStrict),
        ]),
      ParameterSection(
        "Output",
        [
          .output(
            \.output, "Write the positions to FILE. The extension selects the format unless --to is given."),
          .option(
            "--to", \.to, value: "FORMAT",
            "Print the positions in FORMAT: as points for geojson and geojsonseq, otherwise as a track."),
          .flag(
            "--json", \.json,
            "Print one JSON object per line. The phase is before, during or after the drive."),
          .force(\.force),
        ]),
    ],
    examples: [
      Example("ghost-convert ghost yesterday.gpx --at 12:30", "print its position after 12½ minutes"),
      Example("ghost-convert ghost yesterday.gpx --every 1s --to geojsonseq", "print a point per second"),
      Example("ghost-convert ghost yesterday.gpx --play --speed 4x", "replay it four times as fast"),
      Example(
        "gpspipe -r | ghost-convert ghost yesterday.gpx --follow -",
        "print how far ahead you are, such as +0:12 ahead, 180 m"),
    ]
  ) { (options: GhostOptions) throws(UsageError) -> Int32 in
    var options = options
    options.reading.rules.speed = options.speed?.pace
    let kinds = [!options.moments.isEmpty, options.step != nil, options.follow != nil, options.plays]
      .count { $0 }
    guard kinds == 1 else {
      throw UsageError(
        kinds == 0 ? "nothing to do" : "--at, --every, --play and --follow cannot be used together",
        hint: kinds == 0 ? "add --at 12:30, --every 1s, --play or --follow -" : "use one of them")
    }
    if options.gate != nil, options.follow == nil { throw UsageError("--gate requires --follow") }
    if options.speed?.rate != nil, !options.plays {
      throw UsageError(
        "--speed 4x requires --play", hint: "for a line without times use a speed such as 50km/h")
    }
    if options.plays, options.to != nil || options.output != nil {
      throw UsageError("--play prints text, or JSON with --json")
    }
    if options.json, options.to != nil { throw UsageError("--json and --to cannot be used together") }
    if options.json, options.output != nil { throw UsageError("--json and --output cannot be used together") }
    if options.follow != nil, options.to != nil || options.output != nil {
      throw UsageError("--follow prints text, or JSON with --json")
    }
    try options.reading.rules.checkPace()
    if let output = options.output, output != "-", options.format == nil {
      throw UsageError(
        "unknown extension: \(output)",
        hint: OutputFormat.hint(forFile: output) ?? "use a name such as places.gpx, or add --to gpx")
    }
    if let format = options.format, ["fit", "kmz"].contains(format.name), options.output ?? "-" == "-",
      Console.printsToTerminal
    {
      throw UsageError("\(format.name) cannot be displayed in a terminal", hint: "add -o FILE")
    }
    if options.follow == "-", options.input == "-" {
      throw UsageError("standard input cannot be both the ghost and the live fixes")
    }
    var inputs = [options.input]
    if let status = LibraryInputs.resolve(&inputs, library: options.library) { return status }
    options.input = inputs[0]
    let protection = InputProtection(inputs, isOff: options.force)
    if let status = protection.status(of: [options.output]) { return status }
    var failures = FailureReport(isJSON: options.json)
    do throws(TrackError) { try GhostRun(options).run() } catch { failures.add(error, options.input) }
    return failures.status
  }
}
