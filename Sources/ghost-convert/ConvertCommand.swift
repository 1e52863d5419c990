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
    var plainLines = false
    var strict = false
    var columns: CSVColumns?
    var cleaning = CleaningOptions()
  }

  static let convertCommand: Command = Command(
    "convert", summary: "Convert tracks, routes and waypoints from one format to another",
    discussion: """
      Works as a stream: memory stays the same however large the file. What a format does not know in another \
      one's extensions is kept where the output has a place for it; what is lost is said.

      With several inputs and one output they all go into that one; with --output-directory each becomes a file \
      of its own. A bad input does not stop the others: what of it was whole is kept, and the exit status tells.
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
      .flag(
        "--plain-lines", \.plainLines,
        "Follow each track in KML by a plain line, for programs that do not know gx:Track."),
      .flag("--strict", \.strict, "Make every warning an error, and write nothing then."),
    ],
    sections: [.cleaning(importing: false)],
    examples: [
      Example("ghost-convert convert in.gpx -o out.gpx", "converts one file"),
      Example("ghost-convert convert --to gpx - -o - < in.gpx > out.gpx", "as a filter"),
      Example("ghost-convert convert a.gpx b.gpx -o all.gpx", "puts both into one"),
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
    if options.plainLines, !format.hasPlainLines {
      throw UsageError("--plain-lines is for KML and KMZ", hint: "leave it out, or write to a .kml or .kmz")
    }
  }

  /// Writes all inputs into one output. A bad one is reported and does not stop the rest; what of it was whole is
  /// in the output. Nothing is written where all are bad, or with `--strict` any.
  private static func convertAll(
    _ options: ConvertOptions, to format: OutputFormat, output: String
  ) throws(TrackError) -> Int32 {
    var writer = try format.writer(try ByteSink(path: output), addsPlainLines: options.plainLines)
    let name = output == "-" ? "standard output" : output
    var status = ExitStatus.success
    var good = 0
    for path in options.inputs {
      do throws(ConversionFault) {
        try copy(path, options, to: &writer)
        good += 1
      } catch {
        switch error {
        case .output(let error): throw error
        case .input(let error):
          Console.report(error.inFile(Input.name(path)))
          if status == ExitStatus.success { status = ExitStatus.of(error) }
        }
      }
    }
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
    for path in options.inputs {
      let output = names.unused(
        "\(folder)/\(Input.baseName(path))", ending: format.fileEnding)
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

  /// Which side of a conversion failed.
  private enum ConversionFault: Error {
    case input(TrackError)
    case output(TrackError)
  }

  private static func copy(
    _ path: String, _ options: ConvertOptions, to writer: inout any TrackWriter & ~Copyable
  ) throws(ConversionFault) {
    var input: OpenInput
    do throws(TrackError) {
      input = try Input.open(
        path, format: options.from, columns: options.columns, isStrict: options.strict,
        progress: ByteProgress(),
        stages: options.cleaning.stages)
    } catch {
      throw .input(error)
    }
    var batch = PointBatch()
    // What has to be closed where the input breaks off.
    var open: [TrackEvent] = []
    var fault: TrackError?
    while true {
      var event: TrackEvent?
      if fault == nil {
        do throws(TrackError) { event = try input.next(into: &batch) } catch {
          fault = error
          batch.removeAll()
        }
      }
      if fault != nil { event = open.popLast() }
      guard let event else { break }
      switch event {
      case .beginTrack: open.append(.endTrack)
      case .beginRoute: open.append(.endRoute)
      case .beginSegment: open.append(.endSegment)
      case .endTrack, .endRoute, .endSegment: if fault == nil { open.removeLast() }
      default: break
      }
      do throws(TrackError) { try writer.write(event, batch) } catch { throw .output(error) }
    }
    Console.report(input.reader.warnings, file: Input.name(path))
    for summary in input.reader.summaries { Console.complain("\(Input.name(path)): \(summary)") }
    if let fault { throw .input(fault) }
  }
}
