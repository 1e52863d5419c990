import BulkImport
import CommandLineParsing
import GhostExport
import GhostModel
import TrackArchives
import TrackFormats
import TrackModel
import TrackTransforms

extension GhostConvert {
  struct ImportCommandOptions: CleaningCommandOptions, ListedInputs {
    var inputs: [String] = []
    var listing = PathListing()
    var output: String?
    var outputDirectory: String?
    var blob = false
    var json = false
    var quiet = false
    var units = UnitSystem.metric
    var name: String?
    var from: TrackFormat?
    var strict = false
    var columns: CSVColumns?
    var jobs: Int?
    var keepsDuplicates = false
    var library: String?
    var again = false
    var flat = false
    var force = false
    var report: String?
    var rules = ImportOptions()
    var cadence: Cadence?
    var keepsPoints = false
    var cleaning = CleaningOptions()

    /// The options that decide which drives come out; empty for the defaults.
    var signature: String {
      var signature = OptionSignature()
      signature.add(rules)
      signature.add(cleaning.cleaning, isUTC: cleaning.utc)
      signature.name = name
      signature.from = from?.name
      signature.columns = columns?.text
      return signature.text
    }
  }

  static let importCommand: Command = Command(
    "import", summary: "Turn recordings into Ghost Car drives",
    discussion: """
      A drive has a duration and coordinates, and the app spreads the duration evenly over the gaps between \
      them. Where the recorded steps are uneven, the import therefore places points anew, evenly in time, on \
      the recorded line; it always says by how many seconds the even spread is still wrong at its worst point.

      Each track becomes a drive; with --merge all inputs together become one, \
      with --fuse those of one ride by several devices. Without --output it is written beside its input as NAME.drive.json; several \
      drives of one file are numbered.

      A folder or an archive (ZIP, tar, 7z; gzip, xz, zstd, bzip2) stands for all that is in it, and is not \
      unpacked. In the exports of Strava and Garmin the activities are found, and named as they are there. A \
      drive that comes twice in one run is imported once, with the name that the first of the archives gives it: \
      name the export of Strava before that of Garmin, which knows fewer names. A ride that another device has recorded too \
      is kept, and said; with --fuse both become one recording. Only a library knows the drives of \
      earlier runs. Every entry is accounted for at the end.

      With --library every input has a row in the table sources, which says what became of it: imported, duplicate (the \
      same file or the same drive is there from another input, which is named), skipped or failed, with the reason; \
      also what was passed over in folders and archives. An input that is a row already is already there. A drive that \
      was taken out of the library, by library remove or another program, stays out, whichever file it comes in: one with \
      its id, or that began and ended with it and is as long; --again brings it back, and takes new names and options. \
      The folder and the command stand in the table runs, as paths are kept as they were given.

      With --stdin-paths --json and no output it is a filter that writes no file: for each path that comes in, one \
      line of JSON goes out as soon as it is done, in the same order, with the drives and their lines (wkb is a \
      LINESTRING of longitudes and latitudes) or the errors. An archive or a folder is one record with all its \
      drives. The exit status is 0 then where every path has its record, whatever became of it.
      """,
    defaults: ImportCommandOptions(),
    parameters: [
      .arguments(
        "FILE", \.inputs, minimum: 0, "Recordings, folders or archives to import; - is standard input.",
        completion: .files),
      .option(
        "--output", short: "-o", \.output, value: "FILE", "Where to write; - is standard output.",
        completion: .files),
      .option(
        "--output-directory", \.outputDirectory, value: "FOLDER", "Write the drives into this folder.",
        completion: .directories),
      .option(
        "--library", \.library, value: "[FILE]",
        "Bring the drives into this library, a GeoPackage, which is made where there is none; without FILE into the one that GHOST_LIBRARY names, or drives.gpkg in this folder.",
        completion: .files, parse: { $0 == missingArgumentValue ? "" : try LibraryPath.argument($0) }),
      .flag(
        "--again", \.again,
        "With --library: import also what is there already or was removed, in place of what is there of it."),
      .flat(\.flat),
      .force(\.force),
      .report(\.report),
      .flag("--blob", \.blob, "Write nothing but the bytes of the drive's coordinatesData."),
      .option("--name", \.name, value: "NAME", "Call the drive so, instead of what the file says."),
      .flag("--json", \.json, "Print one JSON object per drive about what was done, for scripts."),
      .quiet(\.quiet), .units(\.units),
      .from(\.from),
      .columns(\.columns),
      .flag("--strict", \.strict, "Make every warning about the input an error."),
      .flag(
        "--keep-duplicates", \.keepsDuplicates,
        "Import drives of folders and archives also where they are there already; in a library each gets an id of its own."
      ),
      .jobs(\.jobs),
    ],
    sections: [
      .listing,
      ParameterSection(
        "Time",
        [
          .option(
            "--timing", \.rules.timing, value: "KIND", default: "elapsed",
            "elapsed: from the first time to the last; moving: without the pauses between segments.",
            completion: .values(["elapsed", "moving"]), parse: { try timing($0) }),
          .option(
            "--cadence", \.cadence, value: "SECONDS", default: "auto",
            "The time between points. auto keeps points that are even already, and otherwise takes the step "
              + "nearest to 1 s.", completion: .values(["auto"]), parse: { .some(try cadence($0)) }),
          .flag(
            "--keep-points", \.keepsPoints,
            "Keep the recorded points, however uneven, and say how wrong the even spread is."),
          .option(
            "--split-gap", \.rules.splitGap, value: "TIME",
            "Begin a new drive where nothing was recorded for longer than this, such as 20m.",
            parse: { .some(try Text.positiveSeconds($0)) }),
          .duration(\.rules.duration),
          .speed(\.rules.speed),
        ]),
      ParameterSection("Points", [.maximumAccuracy(\.rules.maximumAccuracy, default: "15")]),
      .cleaning(importing: true),
    ],
    examples: [
      Example("ghost-convert import ride.gpx", "writes ride.drive.json beside it"),
      Example("ghost-convert import *.gpx --output-directory drives/", "writes them all into a folder"),
      Example("ghost-convert import ride.gpx --blob -o -", "prints the bytes of Drive.coordinatesData"),
      Example("ghost-convert import plan.gpx --duration 24:30", "for a line without times"),
      Example(
        "ghost-convert import export_123.zip --output-directory drives/", "all activities of a Strava export"),
      Example("ghost-convert import week.gpx --split-gap 20m", "a drive for each trip"),
      Example(
        "find . -name '*.fit' -print0 | ghost-convert import --stdin-paths -0",
        "whatever find finds, while it searches"),
      Example(
        "ghost-convert import --stdin-paths --json < list.txt > records.ndjson",
        "a filter: a path in, a record out"),
      Example(
        "parallel --pipe ghost-convert import --stdin-paths --json < list.txt",
        "the same by many processes, each with a part of the list"),
    ]
  ) { (options: ImportCommandOptions) throws(UsageError) -> Int32 in
    var options = try options.resolvingInputs()
    Console.isQuiet = options.quiet
    LocalTime.isUTC = options.cleaning.utc
    try LibraryInputs.checkOutput(options.output)
    if options.library == "" { options.library = LibraryPath.newPath }
    if options.output != nil, options.outputDirectory != nil {
      throw UsageError("--output and --output-directory exclude each other")
    }
    try options.rules.checkPace()
    if options.keepsPoints, options.cadence != nil {
      throw UsageError("--keep-points and --cadence exclude each other")
    }
    let isOneOutput = options.output.map { $0 != "-" || options.blob } ?? false
    if isOneOutput, options.inputs.count > 1 || options.listing.isOn, !options.cleaning.changes.joinsInputs {
      throw UsageError(
        "several inputs for one output", hint: "use --output-directory, or --merge for one drive of all")
    }
    if let output = options.output { try checkName(output, isBlob: options.blob) }
    if options.library != nil, options.output != nil || options.outputDirectory != nil || options.blob {
      throw UsageError(
        "--library is the one output, and excludes --output, --output-directory and --blob",
        hint: "ghost-convert library export takes drives out again")
    }
    if options.report == "-", options.output == "-" {
      throw UsageError("standard output can take the output or the report, not both")
    }
    if options.json, options.output == "-" {
      throw UsageError("standard output can take --json or -o -, not both")
    }
    if options.inputs.contains(where: { LibraryReference($0) != nil }) {
      throw UsageError(
        "import takes no drives of a library",
        hint: "ghost-convert library export --to drive writes a drive of the app, convert any other format")
    }
    try InputReport.check(
      options.report, inputs: options.inputs, outputs: [options.output, options.library])
    if options.again, options.library == nil { throw UsageError("--again needs --library") }
    options.cleaning.changes.pace = SpreadTimesStage.Pace(
      duration: options.rules.duration, speed: options.rules.speed)
    options.rules.cadence = options.keepsPoints ? .keepPoints : options.cadence ?? .auto
    let protection = InputProtection(options.inputs, isOff: options.force)
    if let status = protection.status(of: [options.output]) { return status }
    // A library in an input folder is not read.
    let files = InputProtection(
      options.inputs.filter { FileIdentity(path: $0) != nil }, isOff: options.force)
    if let status = files.status(of: [], library: options.library) { return status }
    let units = options.units
    if let library = options.library {
      return UnitSystem.$current.withValue(units) { LibraryImportRun.run(options, library: library) }
    }
    if options.json, options.report == nil, options.output == nil, options.outputDirectory == nil,
      let list = options.listing.standardInput
    {
      guard !options.cleaning.changes.joinsInputs else {
        throw UsageError(
          "--merge and --fuse make one drive of all, and --stdin-paths --json a record of each path")
      }
      guard !options.blob else {
        throw UsageError("--blob writes files, and --stdin-paths --json writes none")
      }
      return FilterRun(options, list).run()
    }
    do throws(TrackError) {
      var run = try ImportRun(options)
      return UnitSystem.$current.withValue(units) { run.run() }
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
  }

  /// Refuses names that promise something else than what is written: a drive, or the bytes of its
  /// coordinates.
  private static func checkName(_ output: String, isBlob: Bool) throws(UsageError) {
    let name = output.split(separator: "/").last ?? ""
    guard let dot = name.lastIndex(of: "."), case let ending = name[dot...].lowercased(), ending != ".json"
    else {
      return
    }
    let format = FormatRegistry.withArchives.forFile(output)
    let writable = format.flatMap { $0.canWrite ? $0.name : nil }
    let hint = "ghost-convert convert writes \(writable ?? "other formats"); a drive is NAME.drive.json"
    if let name = format?.name ?? (try? ComparisonOutput.forFile(output))?.name {
      throw UsageError("\(output) is the name of a \(name) file, and import writes drives", hint: hint)
    }
    // Bytes have no ending of their own.
    guard isBlob, ending != ".txt" else {
      throw UsageError("\(output) is no name of a drive", hint: hint)
    }
  }

  private static func timing(_ text: String) throws(InvalidValue) -> ImportOptions.Timing {
    switch text {
    case "elapsed": return .elapsed
    case "moving": return .moving
    default: throw InvalidValue("expected elapsed or moving")
    }
  }

  private static func cadence(_ text: String) throws(InvalidValue) -> Cadence {
    if text == "auto" { return .auto }
    guard let seconds = try? Text.seconds(text), seconds > 0 else {
      throw InvalidValue("expected auto or a time above zero such as 0.5")
    }
    return .seconds(seconds)
  }
}
