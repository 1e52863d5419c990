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
    var display = DisplayOptions()
    var separatesClips = false
    var jobs: Int?
    var keepsDuplicates = false
    var library: String?
    var again = false
    var flat = false
    var force = false
    var report: String?
    var extraction = DriveExtraction()
    var cadence: Cadence?
    var keepsPoints = false
    var cleaning = CleaningOptions()

    /// Returns the settings for converting inputs to drives.
    ///
    /// - Parameter forLibrary: whether drives include their recordings instead of their positions over time.
    func importExtraction(forLibrary: Bool = false) -> DriveExtraction {
      var extraction = extraction
      extraction.apply(cleaning.cleaning, forLibrary: forLibrary)
      extraction.takesFingerprints =
        !forLibrary && !keepsDuplicates
        && inputs.contains { $0 == "-" || InputEnumerator.mayHoldSeveral($0) }
      return extraction
    }
  }

  static let importCommand: Command = Command(
    "import", summary: "Convert recordings to Ghost Car drives",
    discussion: """
      The app spreads a drive's duration evenly over the intervals between its coordinates. If a recording \
      is not evenly spaced in time, the import resamples it along the recorded line and reports the largest \
      remaining timing error.

      Each track becomes a drive, written next to its input as NAME.drive.json. Several drives of one file \
      are numbered. --merge makes one drive from all inputs. --fuse combines the recordings of one ride \
      by several devices.

      Folders and archives (ZIP, tar, 7z; gzip, xz, zstd, bzip2) are searched without unpacking them. \
      Activities in exports of Strava and Garmin keep their names. A drive that occurs twice in one run is \
      imported once, with the name from the first input; list the Strava export before the Garmin export, \
      whose names are less specific. A ride recorded by another device is kept and reported.

      With --library, drives are added to a GeoPackage. Its sources table contains the outcome of each \
      input: imported, duplicate, skipped or failed, with the reason. Known inputs are not imported again, and \
      removed drives stay removed, unless --again is given. The drives of another library can be imported, too.

      With --stdin-paths --json and no output, the command is a filter: it prints one JSON record per path, \
      in order, with the drives and their lines (wkb is a LINESTRING in longitude and latitude) or the \
      errors. A folder or an archive produces one record. The exit status is 0 if every path has a record.
      """,
    defaults: ImportCommandOptions(),
    parameters: [
      .arguments(
        "FILE", \.inputs, minimum: 0, "Recordings, folders or archives; - is standard input.",
        completion: .files),
      .quiet, .units, .jobs(\.jobs),
    ],
    sections: [
      .input(
        [
          .from(\.extraction.opening.format), .columns(\.extraction.opening.columns),
          .separateClips(\.separatesClips),
        ], [.strict(\.extraction.opening.isStrict)]),
      ParameterSection(
        "Output",
        [
          .output(\.output, "Write the drive to FILE (- for standard output)."),
          .option(
            "--output-directory", \.outputDirectory, value: "FOLDER", "Write the drives to this folder.",
            completion: .directories),
          .option(
            "--library", \.library, value: "[FILE]",
            "Add the drives to this library (a GeoPackage), created if it does not exist. "
              + "Without FILE: $GHOST_LIBRARY or drives.gpkg.",
            completion: .files, parse: { $0 == missingArgumentValue ? "" : try LibraryPath.argument($0) }),
          .option(
            "--name", \.extraction.name, value: "NAME",
            "Set the drive's name (default: the name in the file)."),
          .flag("--blob", \.blob, "Write only the bytes of the drive's coordinatesData."),
          .flag("--json", \.json, "Print one JSON object per drive, or per input with --library."),
          .report(\.report),
          .flag(
            "--again", \.again,
            "With --library: import known inputs again, replacing their drives, and restore removed drives."),
          .flag(
            "--keep-duplicates", \.keepsDuplicates,
            "Also import duplicate drives in folders and archives. In a library, each gets a separate id."
          ),
          .flat(\.flat),
          .force(\.force),
        ]),
      ParameterSection(
        "Timing",
        [
          .option(
            "--timing", \.extraction.rules.timing, value: "KIND",
            "Set the duration. elapsed: measure from the first to the last time. "
              + "moving: exclude pauses between segments."
          ),
          .option(
            "--cadence", \.cadence, value: "SECONDS", default: "auto",
            "Set the time between points. auto keeps evenly spaced points, "
              + "and otherwise uses the step nearest to 1 s.", completion: .values(["auto"]), parse: cadence),
          .flag(
            "--keep-points", \.keepsPoints,
            "Keep the recorded points without resampling, and report the timing error."),
          .option(
            "--split-gap", \.extraction.rules.splitGap, value: "TIME",
            "Start a new drive at gaps longer than TIME, for example 20m.",
            parse: QuantityArgument.positiveSeconds),
          .duration(\.extraction.rules.duration),
          .speed(\.extraction.rules.speed),
        ]),
      ParameterSection("Cleaning", [.maximumAccuracy(\.extraction.rules.maximumAccuracy, default: "15")]),
      .cleaning(importing: true),
    ],
    examples: [
      Example("ghost-convert import ride.gpx", "write ride.drive.json next to it"),
      Example("ghost-convert import *.gpx --output-directory drives/", "write all drives to a folder"),
      Example("ghost-convert import plan.gpx --duration 24:30", "import a line without times"),
      Example(
        "ghost-convert import export_123.zip --output-directory drives/", "import a Strava export"),
      Example("ghost-convert import week.gpx --split-gap 20m", "make one drive per trip"),
      Example(
        "ghost-convert import --stdin-paths --json < list.txt > records.ndjson",
        "print a record for each path"),
    ]
  ) { (options: ImportCommandOptions) throws(UsageError) -> Int32 in
    var options = try options.resolvingInputs()
    try LibraryInputs.checkOutput(options.output)
    if options.library == "" { options.library = LibraryPath.newPath }
    if options.output != nil, options.outputDirectory != nil {
      throw UsageError("--output and --output-directory cannot be used together")
    }
    try options.extraction.rules.checkPace()
    if options.keepsPoints, options.cadence != nil {
      throw UsageError("--keep-points and --cadence cannot be used together")
    }
    let isOneOutput = options.output.map { $0 != "-" || options.blob } ?? false
    if isOneOutput, options.inputs.count > 1 || options.listing.isOn, !options.cleaning.changes.joinsInputs {
      throw UsageError(
        "several inputs for one output", hint: "use --output-directory, or --merge for a single drive")
    }
    if let output = options.output { try checkName(output, isBlob: options.blob) }
    if options.library != nil, options.output != nil || options.outputDirectory != nil || options.blob {
      throw UsageError(
        "--library excludes --output, --output-directory and --blob",
        hint: "use ghost-convert library export to write files")
    }
    if options.report == "-", options.output == "-" {
      throw UsageError("standard output can take the output or the report, not both")
    }
    if options.report == "-", options.json, options.library == nil {
      throw UsageError("standard output can take --json or the report, not both")
    }
    if options.json, options.output == "-" {
      throw UsageError("standard output can take --json or -o -, not both")
    }
    if options.inputs.contains(where: { LibraryReference($0) != nil }) {
      throw UsageError(
        "drives of a library cannot be imported",
        hint: "use ghost-convert library export --to drive, or convert for other formats")
    }
    try InputReport.check(
      options.report, inputs: options.inputs, outputs: [options.output, options.library])
    if options.again, options.library == nil { throw UsageError("--again needs --library") }
    options.cleaning.changes.reportsUnusedPace = false
    options.cleaning.changes.pace = SpreadTimesStage.Pace(
      duration: options.extraction.rules.duration, speed: options.extraction.rules.speed)
    options.extraction.rules.cadence = options.keepsPoints ? .keepPoints : options.cadence ?? .auto
    let protection = InputProtection(options.inputs, isOff: options.force)
    if let status = protection.status(of: [options.output]) { return status }
    // A library in an input folder is not read.
    let files = InputProtection(
      options.inputs.filter { FileIdentity(path: $0) != nil }, isOff: options.force)
    if let status = files.status(of: [], library: options.library) { return status }
    if let library = options.library { return LibraryImportRun.run(options, library: library) }
    if options.json, options.report == nil, options.output == nil, options.outputDirectory == nil,
      options.listing.isOn
    {
      guard !options.cleaning.changes.joinsInputs else {
        throw UsageError(
          "--merge and --fuse combine all inputs, but --stdin-paths --json writes a record per path")
      }
      guard !options.blob else {
        throw UsageError("--blob writes files, but --stdin-paths --json writes only records")
      }
      return FilterRun(options: options).run()
    }
    return ExitStatus.reporting { () throws(TrackError) in
      var run = try ImportRun(options)
      return run.run()
    }
  }

  /// Rejects output names that suggest a format other than a drive or the bytes of its coordinates.
  private static func checkName(_ output: String, isBlob: Bool) throws(UsageError) {
    guard let ending = FileName.fileExtension(output).map({ "." + $0.lowercased() }), ending != ".json" else {
      return
    }
    let format = FormatRegistry.withArchives.forFile(output)
    let writable = format.flatMap { $0.canWrite ? $0.name : nil }
    let hint =
      "use ghost-convert convert to write \(writable ?? "other formats"), or name the drive NAME.drive.json"
    if let name = format?.name ?? (try? ComparisonOutput.forFile(output))?.name {
      throw UsageError("\(output) has the extension of a \(name) file, but import writes drives", hint: hint)
    }
    // There is no common extension for the bytes.
    guard isBlob, ending != ".txt" else {
      throw UsageError("\(output) has no extension of a drive", hint: hint)
    }
  }

  private static func cadence(_ text: String) throws(InvalidValue) -> Cadence {
    if text == "auto" { return .auto }
    guard let seconds = try? QuantityArgument.seconds(text), seconds > 0 else {
      throw InvalidValue("expected auto or a time above zero such as 0.5")
    }
    return .seconds(seconds)
  }
}

extension ImportOptions.Timing: ArgumentValue { package static var argumentChoices: [String] { [] } }
