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
    var to: OutputFormat?
    var display = DisplayOptions()
    var opening = TrackOpening()
    var separatesClips = false
    var writing = OutputFormat.WritingOptions()
    var cleaning = CleaningOptions()
    var jobs: Int?
    var resume = false
    var flat = false
    var force = false
    var report: String?

    /// The advice if there is no output. The last of several inputs may be meant as the output.
    fileprivate var outputHint: String {
      if inputs.count > 1, let last = inputs.last, FileDescriptor.kind(at: last) == nil,
        OutputFormat(file: last) != nil
      {
        return "write -o before the output: -o \(last)"
      }
      return "add --output FILE, or --output - for standard output"
    }

    /// Creates the run with these options.
    fileprivate func run(to format: OutputFormat) -> ConvertRun {
      var opening = opening
      // With one output per input, several inputs are already read in parallel.
      opening.readsAhead = outputDirectory == nil
      return ConvertRun(
        options: self,
        conversion: TrackConversion(
          to: format, opening: opening, writing: writing, cleaning: cleaning.cleaning))
    }
  }

  static let convertCommand: Command = Command(
    "convert", summary: "Convert tracks, routes and waypoints between formats",
    discussion: """
      Files are converted as a stream, so memory use does not grow with their size. Extensions are kept if the \
      output format can represent them. Data that is lost is reported.

      Several inputs with one output become separate tracks in that file, or one track with --merge, or one \
      recording per ride with --fuse. With --output-directory, each input becomes a separate file. An input \
      that cannot be read does not stop the others; the exit status is then not 0. A file that is cut off is \
      converted up to the cut, and broken lines and records are skipped, both with a warning. XML that is \
      damaged elsewhere is not converted.

      Folders and archives (ZIP, tar, 7z; gzip, xz, zstd, bzip2) are searched without unpacking them.

      Cleaning runs in a fixed order: kind, track-from-points, spread-times, shift, crop, max-accuracy, \
      drop-spikes, privacy (after merge if both are given), fuse, split-gap, split-stops, merge, reverse, resample, \
      simplify. For example, crop applies to shifted times.

      With --output-directory, completed outputs are recorded in .ghost-convert-state.ndjson in that folder. \
      After an interruption, the same command with --resume skips them. Runs with --resume keep the file, so \
      that later runs use the same output names.
      """,
    defaults: ConvertOptions(),
    parameters: [
      .arguments(
        "FILE", \.inputs, minimum: 0, "Files, folders or archives; - is standard input.",
        completion: .files),
      .quiet,
      .jobs(\.jobs, "With --output-directory: convert N inputs in parallel."),
    ],
    sections: [
      .input(
        [
          .from(\.opening.format), .columns(\.opening.columns), .separateClips(\.separatesClips),
          .libraryOfInputs,
        ],
        [.strict(\.opening.isStrict, "Treat warnings as errors, and write no output for that input.")]),
      ParameterSection(
        "Output",
        [
          .output(\.output, "Write to FILE (- for standard output). The extension selects the format."),
          .option(
            "--output-directory", \.outputDirectory, value: "FOLDER",
            "Write each input to a separate file in this folder.", completion: .directories),
          .option(
            "--to", \.to, value: "FORMAT", "Write FORMAT, regardless of the output's extension."),
          .fitKind(\.writing.fitKind),
          .plainLines(\.writing.addsPlainLines),
          .quoteFormulas(\.writing.quotesFormulas),
          .report(\.report),
          .flag(
            "--resume", \.resume,
            "With --output-directory: continue an interrupted run, skipping completed outputs."
          ),
          .flat(\.flat),
          .force(\.force),
        ]),
      ParameterSection(
        "Tracks without times",
        [
          .duration(
            \.cleaning.changes.pace.duration,
            "Set the duration of tracks without times, for example 24:30. "
              + "Drives are spread evenly, other tracks at constant speed."
          ),
          .speed(\.cleaning.changes.pace.speed, "Set the speed of tracks without times, for example 50km/h."),
          .option(
            "--start", \.cleaning.start, value: "TIME",
            "Set the start of tracks without times or with times since an unknown start, "
              + "for example 2024-05-17T08:12, in local time unless --utc or a zone is given.",
            parse: DateArgument.moment),
        ]),
      .cleaning(importing: false),
    ],
    examples: [
      Example("ghost-convert convert in.gpx -o out.gpx", "convert a file"),
      Example("ghost-convert convert --to gpx - -o - < in.gpx > out.gpx", "convert in a pipe"),
      Example("ghost-convert convert a.gpx b.gpx -o all.gpx", "combine two files"),
      Example(
        "ghost-convert convert blob.json --duration 24:30 -o drive.gpx",
        "convert the coordinates of a drive"),
      Example("ghost-convert convert *.gpx --to gpx --output-directory clean/", "convert each file"),
      Example(
        "ghost-convert convert export.zip --to gpx --output-directory out/", "convert an archive"),
    ]
  ) { (options: ConvertOptions) throws(UsageError) -> Int32 in
    var options = try options.resolvingInputs()
    let pace = options.cleaning.changes.pace
    try UsageError.checkPace(pace.duration, pace.speed)
    try LibraryInputs.checkOutput(options.output)
    if let status = LibraryInputs.resolve(&options.inputs, library: options.library) { return status }
    try InputReport.check(options.report, inputs: options.inputs, outputs: [options.output])
    if let folder = options.outputDirectory {
      guard options.output == nil else {
        throw UsageError("--output and --output-directory cannot be used together")
      }
      guard let format = options.to else {
        throw UsageError("--output-directory needs a format", hint: "add a format, for example --to gpx")
      }
      try options.writing.check(format)
      if options.inputs.contains(where: { LibraryReference($0) != nil }) {
        throw UsageError(
          "--output-directory cannot be used with drives of a library",
          hint: "use ghost-convert library export --output-directory, which writes one file per drive")
      }
      return ExitStatus.reporting { () throws(TrackError) in
        try options.run(to: format).run(folder: folder)
      }
    }
    if options.resume { throw UsageError("--resume needs --output-directory") }
    guard let output = options.output ?? (options.to == nil ? nil : "-") else {
      throw UsageError("no output", hint: options.outputHint)
    }
    guard let format = options.to ?? OutputFormat(file: output) ?? (output == "-" ? .track(.gpx) : nil) else {
      if output.hasSuffix("/") || FileDescriptor.kind(at: output) == .folder {
        throw UsageError(
          "is a folder, not a file: \(output)", hint: "use --output-directory, or add a file name")
      }
      throw UsageError(
        "unknown extension: \(output)",
        hint: OutputFormat.hint(forFile: output) ?? "select a format with --to")
    }
    try options.writing.check(format)
    if options.report == "-", output == "-" {
      throw UsageError("standard output can take the output or the report, not both")
    }
    return ExitStatus.reporting(in: output == "-" ? "standard output" : output) { () throws(TrackError) in
      try options.run(to: format).run(output: output)
    }
  }
}
