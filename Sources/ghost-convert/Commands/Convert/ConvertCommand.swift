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

    /// The options with what gives times to tracks without any, where the format needs it.
    fileprivate func pacing(_ format: OutputFormat) -> ConvertOptions {
      var options = self
      if cleaning.pace != SpreadTimesStage.Pace() || cleaning.start != nil {
        options.cleaning.spreadTimes = true
      }
      options.cleaning.timesDrives = format.needsTimes
      if case .drive = format {
        options.cleaning.isForDrives = true
        options.writing.privacyZones = cleaning.privacy
      }
      return options
    }

    /// The options and the version that decide how outputs look.
    func signature(_ format: OutputFormat) -> String {
      var signature = OptionSignature()
      signature.program = GhostConvert.version
      signature.output = format.name
      signature.isStrict = strict ? true : nil
      if writing.fitKind != .automatic { signature.fitKind = writing.fitKind.rawValue }
      signature.plainLines = writing.addsPlainLines ? true : nil
      signature.quotesFormulas = writing.quotesFormulas ? true : nil
      signature.add(cleaning)
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
      .quoteFormulas(\.writing.quotesFormulas),
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
            \.cleaning.pace.duration,
            "How long a track without times took, such as 24:30; at a constant speed, or evenly for a drive."),
          .speed(\.cleaning.pace.speed, "How fast a track without times was, such as 50km/h."),
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
    if options.cleaning.pace.duration != nil, options.cleaning.pace.speed != nil {
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
      try options.writing.check(format)
      if options.inputs.contains(where: { LibraryReference($0) != nil }) {
        throw UsageError(
          "--output-directory takes no drives of a library",
          hint: "ghost-convert library export --output-directory writes a file for each")
      }
      return ConvertEachRun.run(options.pacing(format), to: format, folder: folder)
    }
    if options.resume { throw UsageError("--resume needs --output-directory") }
    guard let output = options.output ?? (options.to == nil ? nil : "-") else {
      throw UsageError("no output", hint: "name it with --output FILE, or - for standard output")
    }
    guard let format = options.to ?? OutputFormat(file: output) ?? (output == "-" ? .track(.gpx) : nil) else {
      throw UsageError(
        "no format has the ending of \(output)", hint: "name the format with --to")
    }
    try options.writing.check(format)
    options = options.pacing(format)
    if options.report == "-", output == "-" {
      throw UsageError("standard output can take the output or the report, not both")
    }
    do throws(TrackError) {
      var messages = ConversionMessages()
      defer { messages.print() }
      let protection = InputProtection(options.inputs, isOff: options.force)
      try protection.check([output])
      let report = try InputReport.begin(options.report)
      var records: [InputRecord] = []
      let inputs = walkedInputs(
        options.inputs, walkOptions(options), taps: report.isWanted, tellsSkipped: report.isWanted,
        refusal: { input throws(TrackError) in try protection.check(output, input: input.file) })
      var status = ExitStatus.success
      var fault: TrackError?
      do throws(TrackError) {
        status = try convertAll(inputs, options, to: format, output: output, &messages, &records)
      } catch {
        fault = error
      }
      report.add(records)
      report.finish()
      if let fault { throw fault }
      return status == ExitStatus.success ? report.status : status
    } catch {
      Console.report(error.inFile(output == "-" ? "standard output" : output))
      return ExitStatus.of(error)
    }
  }

  /// Writes all inputs into one output. A bad one is reported and does not stop the rest; what of it was
  /// whole is in the output. Nothing is written where all are bad, or with `--strict` any.
  ///
  /// - Parameters:
  ///   - next: gives the inputs one after the other.
  ///   - held: gets the output, for the caller to keep; without it, it takes its place by itself.
  ///   - records: gets what became of each.
  static func convertAll(
    _ next: @escaping () -> ConversionInput?, _ options: ConvertOptions, to format: OutputFormat,
    output: String, held: HeldOutput? = nil, _ messages: inout ConversionMessages,
    _ records: inout [InputRecord]
  ) throws(TrackError) -> Int32 {
    // What is lost is known when all is written.
    let own = held == nil && options.strict ? HeldOutput() : nil
    var writer = try format.writer(try ByteSink(path: output, held: held ?? own), options.writing)
    let name = output == "-" ? "standard output" : output
    let outcome = JoinedInputs.Outcome()
    var isWritten = false
    defer {
      messages.add(outcome.messages)
      records += outcome.records.map { $0.written(isWritten ? output : nil) }
    }
    let hasContent = try copy(next, options, named: name, to: &writer, outcome)
    guard outcome.good > 0, outcome.status == ExitStatus.success || !options.strict else {
      if outcome.count > 1 { outcome.messages.complain("\(name): not written") }
      return outcome.status
    }
    guard hasContent || !outcome.isChanged else {
      let error = TrackError(.noTracks, "not written, as nothing is left of the input")
      for index in outcome.records.indices where outcome.records[index].state == .converted {
        outcome.records[index].fail(error)
      }
      throw error
    }
    try writer.finish()
    if options.strict, !writer.losses.isEmpty { throw loss(writer.losses, format) }
    if options.strict, !outcome.unread.isEmpty { throw unread(outcome.unread) }
    try own?.keep()
    if !outcome.unread.isEmpty { outcome.messages.add(outcome.unread, "not taken over", file: name) }
    isWritten = true
    if !writer.losses.isEmpty {
      outcome.messages.add(writer.losses, "not representable in \(format.name.uppercased())", file: name)
    }
    if outcome.good < outcome.count {
      outcome.messages.complain("\(name): written with \(outcome.good) of \(outcome.count) inputs whole")
    }
    return outcome.status
  }

  private static func loss(_ losses: LossReport, _ format: OutputFormat) -> TrackError {
    TrackError(.warning, "not representable in \(format.name.uppercased()): \(losses.text)")
  }

  private static func unread(_ losses: LossReport) -> TrackError {
    TrackError(.warning, "not taken over: \(losses.text)")
  }

  /// Hands what all inputs hold to a writer.
  ///
  /// - Returns: whether there was a point.
  /// - Throws: where the output cannot be written; what is wrong with inputs is in the outcome.
  private static func copy(
    _ next: @escaping () -> ConversionInput?, _ options: ConvertOptions, named name: String,
    to writer: inout any TrackWriter & ~Copyable, _ outcome: JoinedInputs.Outcome
  ) throws(TrackError) -> Bool {
    let isJoined = options.cleaning.joinsInputs
    var opening = TrackOpening()
    opening.format = options.from
    opening.columns = options.columns
    opening.isStrict = options.strict
    // With an output for each input, they are worked on side by side already.
    opening.readsAhead = options.outputDirectory == nil
    opening.stages = { [cleaning = options.cleaning] in isJoined ? cleaning.stagesOfInputs : cleaning.stages }
    var sorting = opening
    sorting.readsAhead = false
    let open = { [opening] (input: ConversionInput) throws(TrackError) -> OpenTracks in
      try input.open(opening)
    }
    var inputs = next
    if isJoined {
      inputs =
        JoinedInputs.inTimeOrder(next) { [sorting] input throws(TrackError) in
          try input.open(sorting)
        }.next
    }
    var reader = StagedReader(
      JoinedInputs(inputs, outcome, isDriveWritten: options.cleaning.isForDrives, open: open),
      isJoined ? options.cleaning.stagesOfAll : [])
    var batch = PointBatch()
    var hasContent = false
    while let event = try reader.next(into: &batch) {
      switch event {
      case .points, .waypoint: hasContent = true
      default: break
      }
      try writer.write(event, batch)
    }
    outcome.messages.report(reader.warnings, file: name)
    if !reader.summaries.isEmpty { outcome.isChanged = true }
    for summary in reader.summaries { outcome.messages.complain("\(name): \(summary)") }
    return hasContent
  }
}
