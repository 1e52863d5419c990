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
    var track: Int?
    var to: OutputFormat?
    var output: String?
    var json = false
    var force = false
    var from: TrackFormat?
    var columns: CSVColumns?
    var quiet = false
    var utc = false
    var units = UnitSystem.metric
    var strict = false
    var rules = ImportOptions()

    /// What the places are written as; nil for text and JSON.
    var format: OutputFormat? { to ?? output.flatMap { OutputFormat(file: $0) } }
  }

  static let ghostCommand: Command = Command(
    "ghost", summary: "Replay an earlier drive: where it was, and how far ahead or behind you are",
    discussion: """
      The ghost moves along the recording as it was driven; between two points it is on the straight line, and \
      a drive without times for its points is spread evenly, as the app does it; so is a line without any times \
      over --duration, or at --speed.

      With --follow, every fix of your own that comes in is matched by place: when was the ghost here, how \
      many seconds are you ahead or behind, how many metres. Both clocks are set to the same time where you \
      first come onto its road, and again for every further lap of a round trip.
      """,
    defaults: GhostOptions(),
    parameters: [
      .argument(
        "FILE", \.input, "The earlier drive: a recording, a drive of the app, or - for standard input.",
        completion: .files, parse: { $0 }),
      .repeated(
        "--at", \.moments, value: "TIME",
        "Where it was so long after its start (12:30, 90s), or at a moment (2024-05-01T07:30:00, local unless --utc or a "
          + "zone is given).",
        parse: { try GhostMoment($0) }),
      .option(
        "--every", \.step, value: "DURATION", "Where it was every so often, from start to end.",
        parse: { .some(try Text.positiveSeconds($0)) }),
      .option(
        "--follow", \.follow, value: "FILE",
        "Follow live fixes, NMEA or what gpspipe -w writes: a line a fix says how far ahead or behind you are. "
          + "- is standard input.", completion: .files),
      .option(
        "--gate", \.gate, value: "LAT,LON[,BEARING]",
        "With --follow: time laps at this gate, and show the gap to the best lap so far.",
        parse: { .some(try GateArgument.gate($0)) }),
      .flag(
        "--play", \.plays,
        "Replay it on the clock: a line a second says where it is, until it has arrived; --speed 4x is four times as fast."
      ),
      .option(
        "--track", \.track, value: "NUMBER", default: "the first with points",
        "Which track of the file, from 1.", parse: { try trackNumber($0) }),
      .option(
        "--to", \.to, value: "FORMAT",
        "Print the places in this format: as points for geojson and geojsonseq, otherwise as a track.",
        completion: .values(OutputFormat.names), parse: { .some(try OutputFormat(argument: $0)) }),
      .option(
        "--output", short: "-o", \.output, value: "FILE",
        "Write the places to this file; its ending names the format, unless --to does.", completion: .files),
      .force(\.force),
      .duration(\.rules.duration, "How long a line without times took, such as 24:30."),
      .option(
        "--speed", \.speed, value: "SPEED",
        "How fast a line without times was, such as 50km/h; with --play how many times as fast as it was driven, such as 4x.",
        parse: { .some(try GhostSpeed($0)) }),
      .flag("--json", \.json, "Print one JSON object a line, for scripts."),
      .quiet(\.quiet), .utc(\.utc), .units(\.units),
      .libraryOfInputs, .maximumAccuracy(\.rules.maximumAccuracy, default: "15"),
      .from(\.from, "Take the file for this format, whatever it looks like."), .columns(\.columns),
      .flag("--strict", \.strict, "Make every warning about the file an error."),
    ],
    examples: [
      Example("ghost-convert ghost yesterday.gpx --at 12:30", "where it was after twelve and a half minutes"),
      Example("ghost-convert ghost yesterday.gpx --every 1s --to geojsonseq", "a point a second"),
      Example("ghost-convert ghost yesterday.gpx --play --speed 4x", "in a quarter of the time it took"),
      Example("gpspipe -r | ghost-convert ghost yesterday.gpx --follow -", "+0:12 ahead, 180 m, on route"),
    ]
  ) { (options: GhostOptions) throws(UsageError) -> Int32 in
    Console.isQuiet = options.quiet
    LocalTime.isUTC = options.utc
    var options = options
    options.rules.speed = options.speed?.pace
    options.input = try LibraryInputs.resolved([options.input], library: options.library)[0]
    let kinds = [!options.moments.isEmpty, options.step != nil, options.follow != nil, options.plays]
      .count { $0 }
    guard kinds == 1 else {
      throw UsageError(
        kinds == 0 ? "nothing asked for" : "--at, --every, --play and --follow exclude each other",
        hint: "give one of --at 12:30, --every 1s, --play or --follow -")
    }
    if options.gate != nil, options.follow == nil { throw UsageError("--gate applies to --follow") }
    if options.speed?.rate != nil, !options.plays {
      throw UsageError("--speed 4x is for --play", hint: "a line without times has a speed such as 50km/h")
    }
    if options.plays, options.to != nil || options.output != nil {
      throw UsageError("--play prints text, or JSON with --json")
    }
    if options.json, options.to != nil { throw UsageError("--json and --to exclude each other") }
    if options.json, options.output != nil { throw UsageError("--json and --output exclude each other") }
    if options.follow != nil, options.to != nil || options.output != nil {
      throw UsageError("--follow prints text, or JSON with --json")
    }
    try options.rules.checkPace()
    if let output = options.output, output != "-", options.format == nil {
      throw UsageError(
        "the name \(output) does not say which format to write", hint: "such as places.gpx, or add --to gpx")
    }
    if let format = options.format, ["fit", "kmz"].contains(format.name), options.output ?? "-" == "-",
      Console.printsToTerminal
    {
      throw UsageError("\(format.name) is nothing to read in a terminal", hint: "give -o FILE")
    }
    if options.follow == "-", options.input == "-" {
      throw UsageError("standard input cannot be both the ghost and what follows it")
    }
    let protection = InputProtection([options.input], isOff: options.force)
    if let status = protection.status(of: [options.output]) { return status }
    return UnitSystem.$current.withValue(options.units) {
      do throws(TrackError) {
        var run = try GhostRun(options)
        try run.run()
        return ExitStatus.success
      } catch {
        Console.report(error)
        if options.json { Console.print(JSONValue.failure(error, of: options.input).text) }
        return ExitStatus.of(error)
      }
    }
  }

  private static func trackNumber(_ text: String) throws(InvalidValue) -> Int? {
    guard let number = Int(text), number >= 1 else { throw InvalidValue("expected a number from 1") }
    return number
  }
}

/// A moment of a replay.
enum GhostMoment: Sendable {
  /// Seconds since the start.
  case elapsed(Double)
  case moment(DateArgument)

  init(_ text: String) throws(InvalidValue) {
    if text.contains("-"), text.contains("T") {
      self = .moment(try DateArgument.moment(text))
    } else {
      guard let seconds = try? Text.seconds(text) else {
        throw InvalidValue(
          "expected a time since the start such as 12:30 or 90s, or a moment such as 2024-05-01T07:30:00Z")
      }
      self = .elapsed(seconds)
    }
  }
}
