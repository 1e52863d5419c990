import BulkImport
import CommandLineParsing
import TrackArchives
import TrackFormats
import TrackModel
import TrackTransforms

extension GhostConvert {
  struct ConvertOptions: CleaningCommandOptions, ListedInputs, LibraryInputOptions {
    var inputs: [String] = []
    var library: String?
    var listing = PathListing()
    var output: String?
    var outputDirectory: String?
    var from: TrackFormat?
    var to: OutputFormat?
    var strict = false
    var quiet = false
    var columns: CSVColumns?
    var writing = OutputFormat.WritingOptions()
    var cleaning = CleaningOptions()
    var jobs: Int?
    var resume = false
    var flat = false
    var force = false
    var report: String?

    /// The run with these options.
    fileprivate func run(to format: OutputFormat) -> ConvertRun {
      var options = self
      var changes = cleaning.changes
      // Tracks without times get them if the format needs them.
      if changes.pace != SpreadTimesStage.Pace() || cleaning.start != nil { changes.spreadTimes = true }
      changes.timesDrives = format.needsTimes
      if case .drive = format {
        changes.isForDrives = true
        options.writing.privacyZones = changes.privacy
      }
      options.cleaning.changes = changes
      var conversion = TrackConversion(to: format)
      conversion.writing = options.writing
      conversion.cleaning = options.cleaning.cleaning
      conversion.opening.format = from
      conversion.opening.columns = columns
      conversion.opening.isStrict = strict
      // With an output for each input, several inputs are read at the same time already.
      conversion.opening.readsAhead = outputDirectory == nil
      return ConvertRun(options, conversion)
    }

    /// The options and the version that decide how outputs look.
    func signature(_ format: OutputFormat) -> String {
      var signature = OptionSignature()
      signature.program = GhostConvert.version
      signature.output = format.name
      signature.isStrict = strict ? true : nil
      if writing.fitKind != .automatic { signature.fitKind = writing.fitKind.rawValue }
      signature.plainLines = writing.addsPlainLines ? true : nil
      signature.add(cleaning.cleaning, isUTC: cleaning.utc)
      signature.from = from?.name
      signature.columns = columns?.text
      return signature.text
    }
  }

  static let convertCommand: Command = Command(
    "convert", summary: "Convert tracks, routes and waypoints from one format to another",
    discussion: """
      Works as a stream: memory stays the same however large the file. What a format does not know in another \
      one's extensions is kept where the output has a place for it; what is lost is said.

      With several inputs and one output they all go into that one, as tracks of their own or, with --merge, as \
      one track, or with --fuse as one recording of each ride; with --output-directory each becomes a file of its own. A bad input does not stop the others: what of it was whole is kept, and the exit status tells. Where all are bad, nothing is written.

      A folder or an archive (ZIP, tar, 7z; gzip, xz, zstd, bzip2) stands for all that is in it, and is not unpacked.

      Cleaning has a fixed order, whatever that of the options: kind, track-from-points, spread-times, shift, crop, \
      max-accuracy, drop-spikes, privacy (after merge if both are given), fuse, split-gap, merge, reverse, \
      resample, simplify. So crop counts in shifted times.

      With --output-directory each output that is whole is noted in .ghost-convert-state.ndjson in that folder, with \
      the size and time of its input (of an entry of an archive: its content) and the options. After a run that was \
      cut off, the same command with --resume leaves those alone and makes the others. The note of runs with --resume \
      stays, so that inputs keep the names of their outputs in later runs; otherwise it is removed at the end.
      """,
    defaults: ConvertOptions(),
    parameters: [
      .arguments(
        "FILE", \.inputs, minimum: 0, "Files, folders or archives to convert; - is standard input.",
        completion: .files),
      .option(
        "--output", short: "-o", \.output, value: "FILE",
        "Where to write; - is standard output. Its ending names the format.", completion: .files),
      .option(
        "--output-directory", \.outputDirectory, value: "FOLDER",
        "Write each input to a file of its own in this folder.", completion: .directories),
      .from(\.from),
      .option(
        "--to", \.to, value: "FORMAT", "Write this format, whatever the output is called.",
        completion: .values(OutputFormat.names), parse: { .some(try OutputFormat(argument: $0)) }),
      .columns(\.columns),
      .libraryOfInputs,
      .fitKind(\.writing.fitKind),
      .plainLines(\.writing.addsPlainLines),
      .flag("--strict", \.strict, "Make every warning an error, and write nothing then."),
      .quiet(\.quiet),
      .jobs(\.jobs, "How many inputs to work on at the same time, each to a file of its own."),
      .flag(
        "--resume", \.resume,
        "With --output-directory: go on where an earlier run was cut off; what is there whole is not made again."
      ),
      .flat(\.flat),
      .force(\.force),
      .report(\.report),
    ],
    sections: [
      .listing,
      ParameterSection(
        "Tracks without times",
        [
          .duration(
            \.cleaning.changes.pace.duration,
            "How long a track without times took, such as 24:30; at a constant speed, or evenly for a drive."),
          .speed(\.cleaning.changes.pace.speed, "How fast a track without times was, such as 50km/h."),
          .option(
            "--start", \.cleaning.start, value: "TIME",
            "When a track without times began, such as 2024-05-17T08:12, local unless --utc or a zone is given.",
            parse: { .some(try DateArgument.moment($0)) }),
        ]), .cleaning(importing: false),
    ],
    examples: [
      Example("ghost-convert convert in.gpx -o out.gpx", "converts one file"),
      Example("ghost-convert convert --to gpx - -o - < in.gpx > out.gpx", "as a filter"),
      Example("ghost-convert convert a.gpx b.gpx -o all.gpx", "puts both into one"),
      Example(
        "ghost-convert convert blob.json --duration 24:30 -o drive.gpx",
        "a drive's coordinates, even in time"),
      Example("ghost-convert convert race.gpx -o course.fit", "makes a course for a Garmin to race against"),
      Example("ghost-convert convert *.gpx --to gpx --output-directory clean/", "converts each"),
      Example(
        "ghost-convert convert export.zip --to gpx --output-directory out/", "converts all in an archive"),
    ]
  ) { (options: ConvertOptions) throws(UsageError) -> Int32 in
    Console.isQuiet = options.quiet
    var options = try options.resolvingInputs()
    LocalTime.isUTC = options.cleaning.utc
    if options.cleaning.changes.pace.duration != nil, options.cleaning.changes.pace.speed != nil {
      throw UsageError("--duration and --speed exclude each other", hint: "one follows from the other")
    }
    try LibraryInputs.checkOutput(options.output)
    options.inputs = try LibraryInputs.resolved(options.inputs, library: options.library)
    try InputReport.check(options.report, inputs: options.inputs, outputs: [options.output])
    if let folder = options.outputDirectory {
      guard options.output == nil else {
        throw UsageError("--output and --output-directory exclude each other")
      }
      guard let format = options.to else {
        throw UsageError("--output-directory needs a format", hint: "say it with --to, for example --to gpx")
      }
      try options.writing.check(hasPlainLines: format.hasPlainLines)
      if options.inputs.contains(where: { LibraryReference($0) != nil }) {
        throw UsageError(
          "--output-directory takes no drives of a library",
          hint: "ghost-convert library export --output-directory writes a file for each")
      }
      return ConvertRun.status { () throws(TrackError) in
        try options.run(to: format).run(folder: folder)
      }
    }
    if options.resume { throw UsageError("--resume needs --output-directory") }
    guard let output = options.output ?? (options.to == nil ? nil : "-") else {
      throw UsageError("no output", hint: "name it with --output FILE, or - for standard output")
    }
    guard let format = options.to ?? OutputFormat(file: output) ?? (output == "-" ? .track(.gpx) : nil) else {
      throw UsageError(
        "no format has the ending of \(output)", hint: "name the format with --to")
    }
    try options.writing.check(hasPlainLines: format.hasPlainLines)
    if options.report == "-", output == "-" {
      throw UsageError("standard output can take the output or the report, not both")
    }
    return ConvertRun.status(named: output == "-" ? "standard output" : output) { () throws(TrackError) in
      try options.run(to: format).run(output: output)
    }
  }
}
