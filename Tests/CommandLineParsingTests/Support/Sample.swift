@testable import CommandLineParsing

/// A small program with every kind of parameter.
enum Sample {
  enum Timing: String, CaseIterable, ArgumentValue { case elapsed, moving }

  enum Cadence: Equatable, Sendable, CustomStringConvertible {
    case auto
    case step(Double)

    init(argument: String) throws {
      if argument == "auto" { self = .auto } else { self = .step(try Double(argument: argument)) }
    }

    var description: String {
      switch self {
      case .auto: "auto"
      case .step(let seconds): "\(seconds)"
      }
    }
  }

  struct ImportOptions: CommandOptions, Equatable {
    var inputs: [String] = []
    var json = false
    var verbose = false
    var output: String?
    var tags: [String] = []
    var cadence = Cadence.auto
    var timing = Timing.elapsed
    var shift: String?
    var accuracy = 15.0
    var rounds: Int?
  }

  static let importParameters: [Parameter<ImportOptions>] = [
    .arguments("FILE", \.inputs, "Recordings to read; - is standard input.", completion: .files),
    .flag("--json", short: "-j", \.json, "Print JSON for scripts."),
    .flag("--verbose", short: "-v", \.verbose, "Say more."),
    .output(\.output, "Where to write; - is standard output."),
    .repeated("--tag", \.tags, value: "TAG", "A word to file it under."),
  ]

  static let importSections: [ParameterSection<ImportOptions>] = [
    ParameterSection(
      "Timing",
      [
        .option(
          "--cadence", \.cadence, value: "SECONDS",
          "Seconds between points; auto keeps even steps and otherwise takes about one second.",
          parse: { try Cadence(argument: $0) }),
        .option("--timing", \.timing, value: "RULE", "How long a drive took."),
        .option("--shift", \.shift, value: "TIME", "Move every time."),
        .option(
          "--maximum-accuracy", \.accuracy, value: "METRES",
          "Leave out points that are less accurate."),
        .option("--rounds", short: "-n", \.rounds, value: "COUNT", "How many rounds."),
      ])
  ]

  static let importParser = ArgumentParser(
    defaults: ImportOptions(), parameters: importParameters, sections: importSections)

  static let importCommand = Command(
    "import", summary: "Turn recordings into drives",
    discussion: """
      A recording becomes a drive when its points have times. Points that the file says are
      worse than the limit are left out.

        ride.gpx  ->  ride.drive.json

      The rest is kept.
      """,
    defaults: ImportOptions(), parameters: importParameters, sections: importSections,
    examples: [Example("tracks import ride.gpx", "writes ride.drive.json next to it")]
  ) { (options: ImportOptions) throws(UsageError) -> Int32 in
    if options.json && options.verbose { throw UsageError("--json and --verbose cannot be used together") }
    return options.inputs == ["bad.gpx"] ? 65 : 0
  }

  struct ScriptOptions: CommandOptions {
    var shell = Shell.bash
    var folder = "."
  }

  static let scriptCommand = Command(
    "script", summary: "Print completions", defaults: ScriptOptions(),
    parameters: [
      .argument("SHELL", \.shell, "The shell that reads them."),
      .argument(
        "FOLDER", \.folder, required: false, "Where they shall lie.", completion: .directories),
    ]
  ) { _ in 0 }

  struct NoOptions: CommandOptions {}

  static let formatsCommand = Command(
    "formats", summary: "List the formats", defaults: NoOptions()
  ) { _ in 0 }

  static let program = Program(
    name: "tracks", version: "1.2.3", summary: "Turn GPS tracks into drives",
    discussion: "It reads a recorder's files.",
    examples: [
      Example("tracks import ride.gpx", "makes a drive"), Example("tracks formats", "lists the formats"),
    ],
    commands: [importCommand, scriptCommand, formatsCommand],
    exitStatuses: [(0, "All went well."), (64, "The arguments were wrong.")])

  /// A program with two and three levels of commands, and with the same names on different levels.
  static let nested = Program(
    name: "tracks", version: "1.2.3", summary: "Turn GPS tracks into drives",
    commands: [importCommand, storeCommand])

  static let storeCommand = Command(
    "store", summary: "Keep drives", discussion: "They lie in one file.", details: "Each is a row of bytes.",
    examples: [Example("tracks store import ride.gpx", "keeps a drive")],
    commands: [
      importCommand, formatsCommand,
      Command(
        "shelf", summary: "Sort them",
        commands: [Command("script", summary: "Print a shelf", defaults: NoOptions()) { _ in 0 }]),
    ])
}
