import CommandLineParsing
import GhostModel
import TrackFormats
import TrackModel

extension GhostConvert {
  struct ConvertOptions: CleaningCommandOptions {
    var inputs: [String] = []
    var output: String?
    var outputDirectory: String?
    var from: TrackFormat?
    var to: OutputFormat?
    var strict = false
    var columns: CSVColumns?
    var writing = OutputFormat.WritingOptions()
    var cleaning = CleaningOptions()
  }

  static let convertCommand: Command = Command(
    "convert", summary: "Convert tracks, routes and waypoints from one format to another",
    discussion: """
      Works as a stream: memory stays the same however large the file. What a format does not know in another \
      one's extensions is kept where the output has a place for it; what is lost is said.

      With several inputs and one output they all go into that one, as tracks of their own or, with --merge, as \
      one track; with --output-directory each becomes a file of its own. A bad input does not stop the others: what of it was whole is kept, and the exit status tells.
      """,
    defaults: ConvertOptions(),
    parameters: [
      .arguments("FILE", \.inputs, "Files to convert; - is standard input.", completion: .files),
      .option(
        "--output", short: "-o", \.output, value: "FILE",
        "Where to write; - is standard output. Its ending names the format.", completion: .files),
      .option(
        "--output-directory", \.outputDirectory, value: "FOLDER",
        "Write each input to a file of its own in this folder.", completion: .directories),
      .option(
        "--from", \.from, value: "FORMAT", "Take the inputs for this format, whatever they look like.",
        completion: .values(TrackFormat.all.filter(\.canRead).map(\.name)), parse: { try Input.format($0) }),
      .option(
        "--to", \.to, value: "FORMAT", "Write this format, whatever the output is called.",
        completion: .values(OutputFormat.names), parse: { .some(try OutputFormat(argument: $0)) }),
      .option(
        "--columns", \.columns, value: "LIST",
        "Which columns of a table hold what: lat=2,lon=3,time=1, by number or heading.",
        parse: { try Input.columns($0) }),
      .option(
        "--fit-kind", \.writing.fitKind, value: "KIND",
        "Make FIT files a course to follow, or an activity to upload; auto takes tracks with laps for activities.",
        completion: .values(FITWriter.Kind.allCases.map(\.rawValue)), parse: { try OutputFormat.fitKind($0) }),
      .flag(
        "--plain-lines", \.writing.addsPlainLines,
        "Follow each track in KML by a plain line, for programs that do not know gx:Track."),
      .flag("--strict", \.strict, "Make every warning an error, and write nothing then."),
    ],
    sections: [.cleaning(importing: false)],
    examples: [
      Example("ghost-convert convert in.gpx -o out.gpx", "converts one file"),
      Example("ghost-convert convert --to gpx - -o - < in.gpx > out.gpx", "as a filter"),
      Example("ghost-convert convert a.gpx b.gpx -o all.gpx", "puts both into one"),
      Example("ghost-convert convert race.gpx -o course.fit", "makes a course for a Garmin to race against"),
      Example("ghost-convert convert *.gpx --to gpx --output-directory clean/", "converts each"),
    ]
  ) { (options: ConvertOptions) throws(UsageError) -> Int32 in
    if let folder = options.outputDirectory {
      guard options.output == nil else {
        throw UsageError("--output and --output-directory exclude each other")
      }
      guard let format = options.to else {
        throw UsageError("--output-directory needs a format", hint: "say it with --to, for example --to gpx")
      }
      try checkPlainLines(options, format)
      return convertEach(options, to: format, folder: folder)
    }
    guard let output = options.output ?? (options.to == nil ? nil : "-") else {
      throw UsageError("no output", hint: "name it with --output FILE, or - for standard output")
    }
    guard let format = options.to ?? OutputFormat(file: output) ?? (output == "-" ? .track(.gpx) : nil) else {
      throw UsageError(
        "no format has the ending of \(output)", hint: "name the format with --to")
    }
    try checkPlainLines(options, format)
    do throws(TrackError) {
      return try convertAll(options, to: format, output: output)
    } catch {
      Console.report(error.inFile(output == "-" ? "standard output" : output))
      return ExitStatus.of(error)
    }
  }

  private static func checkPlainLines(
    _ options: ConvertOptions, _ format: OutputFormat
  ) throws(UsageError) {
    if options.writing.addsPlainLines, !format.hasPlainLines {
      throw UsageError("--plain-lines is for KML and KMZ", hint: "leave it out, or write to a .kml or .kmz")
    }
  }

  /// Writes all inputs into one output. A bad one is reported and does not stop the rest; what of it was whole is
  /// in the output. Nothing is written where all are bad, or with `--strict` any.
  private static func convertAll(
    _ options: ConvertOptions, to format: OutputFormat, output: String
  ) throws(TrackError) -> Int32 {
    var writer = try format.writer(try ByteSink(path: output), options.writing)
    let name = output == "-" ? "standard output" : output
    let outcome = try copy(options, named: name, to: &writer)
    let status = outcome.status
    let good = outcome.good
    guard good > 0, status == ExitStatus.success || !options.strict else {
      if options.inputs.count > 1 { Console.complain("\(name): not written") }
      return status
    }
    if options.strict, !writer.losses.isEmpty { throw loss(writer.losses, format) }
    try writer.finish()
    if !writer.losses.isEmpty { Console.report(loss(writer.losses, format).inFile(name)) }
    if good < options.inputs.count {
      Console.complain("\(name): written with \(good) of \(options.inputs.count) inputs whole")
    }
    return status
  }

  private static func loss(_ losses: LossReport, _ format: OutputFormat) -> TrackError {
    TrackError(.warning, "not representable in \(format.name.uppercased()): \(losses.text)")
  }

  /// Writes each input to a file of its own.
  private static func convertEach(_ options: ConvertOptions, to format: OutputFormat, folder: String) -> Int32
  {
    var status = ExitStatus.success
    var names = OutputNames()
    do throws(TrackError) { try ByteSink.makeFolder(folder) } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
    let prefix = folder.hasSuffix("/") ? folder : folder + "/"
    for path in options.inputs {
      let output = names.unused(prefix + Input.baseName(path), ending: format.fileEnding)
      var single = options
      single.inputs = [path]
      let result: Int32
      do throws(TrackError) {
        result = try convertAll(single, to: format, output: output)
      } catch {
        Console.report(error.inFile(output))
        result = ExitStatus.of(error)
      }
      if status == ExitStatus.success { status = result }
    }
    return status
  }

  /// Hands what all inputs hold to a writer.
  ///
  /// - Throws: where the output cannot be written; what is wrong with inputs is in the result.
  private static func copy(
    _ options: ConvertOptions, named name: String, to writer: inout any TrackWriter & ~Copyable
  ) throws(TrackError) -> JoinedInputs.Outcome {
    let merges = options.cleaning.merges
    let stages = merges ? options.cleaning.stagesOfInputs : options.cleaning.stages
    let open = { (path: String) throws(TrackError) -> OpenInput in
      try Input.open(
        path, format: options.from, columns: options.columns, isStrict: options.strict,
        progress: ByteProgress(),
        stages: stages, readsAhead: true)
    }
    let paths = merges ? JoinedInputs.inTimeOrder(options.inputs, open: open) : options.inputs
    let outcome = JoinedInputs.Outcome()
    var reader = StagedReader(
      JoinedInputs(paths, outcome, open: open), merges ? options.cleaning.stagesOfAll : [])
    var batch = PointBatch()
    while let event = try reader.next(into: &batch) { try writer.write(event, batch) }
    for summary in reader.summaries { Console.complain("\(name): \(summary)") }
    return outcome
  }
}
