import GhostModel
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One run of the import command: its inputs one after the other, each drive written as soon as its name is
/// known.
struct ImportRun {
  private let options: GhostConvert.ImportCommandOptions
  private var rules: ImportOptions
  private var status = ExitStatus.success
  private var names = OutputNames()

  /// What the input at hand has given so far.
  private struct Source {
    let path: String
    let name: String
    var drives = 0
    var failures = 0
    var tracks = 0
    var routes: [Recording] = []
    /// The first drive, held until it is known whether it is the only one.
    var first: ImportedDrive?
  }

  init(_ options: GhostConvert.ImportCommandOptions) {
    self.options = options
    rules = options.rules
  }

  /// Whether one output can hold one drive only.
  private var hasOneOutput: Bool {
    writesToStandardOutput ? options.blob : options.output != nil
  }

  private var writesToStandardOutput: Bool {
    options.output == "-"
      || (options.output == nil && options.outputDirectory == nil && options.inputs == ["-"])
  }

  /// - Returns: the exit status; that of the first failure where there were several.
  mutating func run() -> Int32 {
    if let folder = options.outputDirectory {
      do throws(TrackError) { try ByteSink.makeFolder(folder) } catch {
        fail(error, path: folder)
        return status
      }
    }
    if options.cleaning.merges, options.inputs.count > 1 {
      importAll()
      return status
    }
    for path in options.inputs {
      do throws(TrackError) { try importFile(path) } catch { fail(error, path: path) }
    }
    return status
  }

  private mutating func fail(_ error: TrackError, path: String) {
    let error = error.inFile(Input.name(path))
    Console.report(error)
    if options.json, !writesToStandardOutput {
      Console.print(JSONValue.object([("source", .string(path)), ("error", .error(error))]).text)
    }
    if status == ExitStatus.success { status = ExitStatus.of(error) }
  }

  /// Opens an input with stages, and before them the joining of points where it has no track, which import does by
  /// itself.
  private func open(_ path: String, _ stages: [any TrackStage]) throws(TrackError) -> OpenInput {
    let own = options.cleaning.trackFromPoints ? [] : [TrackFromPointsStage(onlyWithoutTrack: true)]
    return try Input.open(
      path, format: options.from, columns: options.columns, isStrict: options.strict,
      progress: ByteProgress(), stages: own + stages)
  }

  private mutating func importFile(_ path: String) throws(TrackError) {
    let stages = options.cleaning.stages
    var input = try open(path, stages)
    // What nothing is changed about stays the drive that it is.
    rules.keepsDrive = input.format == .drive && stages.isEmpty
    var source = Source(path: path, name: Input.baseName(path))
    try importTracks(of: &input, to: &source)
    if !options.quiet {
      Console.report(input.reader.warnings, file: Input.name(path))
      for summary in input.reader.summaries { Console.complain("\(Input.name(path)): \(summary)") }
    }
    try checkDrives(source)
  }

  /// Imports all inputs as one recording.
  private mutating func importAll() {
    let stages = options.cleaning.stagesOfInputs
    let run = self
    let open = { (path: String) throws(TrackError) -> OpenInput in try run.open(path, stages) }
    let paths = JoinedInputs.inTimeOrder(options.inputs, open: open)
    let path = paths.first { $0 != "-" } ?? "-"
    let outcome = JoinedInputs.Outcome()
    var reader = StagedReader(
      JoinedInputs(paths, outcome, reportsWarnings: !options.quiet, open: open), options.cleaning.stagesOfAll)
    var source = Source(path: path, name: Input.baseName(path))
    do throws(TrackError) {
      try importTracks(of: &reader, to: &source)
      if !options.quiet { for summary in reader.summaries { Console.complain(summary) } }
      if outcome.status == ExitStatus.success { try checkDrives(source) }
    } catch {
      fail(error, path: path)
    }
    if status == ExitStatus.success { status = outcome.status }
  }

  private mutating func importTracks<Reader: TrackReader & ~Copyable>(
    of reader: inout Reader, to source: inout Source
  ) throws(TrackError) {
    var recordings = RecordingGathering()
    var batch = PointBatch()
    do throws(TrackError) {
      while let event = try reader.next(into: &batch) {
        guard let recording = recordings.add(event, batch) else { continue }
        if recording.kind == .route {
          source.routes.append(recording)
        } else {
          try add(recording, to: &source)
        }
      }
    } catch {
      // The tracks before the fault are whole, and stay.
      if let first = source.first { try write(first, number: nil, source) }
      throw error
    }
    // A planned route is a drive only where the user says how long it takes, and only where nothing was recorded.
    if source.tracks == 0, rules.duration != nil || rules.speed != nil {
      for route in source.routes { try add(route, to: &source) }
    }
    if let first = source.first { try write(first, number: nil, source) }
  }

  private func checkDrives(_ source: Source) throws(TrackError) {
    if source.drives == 0, source.failures == 0 {
      throw TrackError(
        .noTracks, "holds no track with points",
        hint: source.routes.isEmpty ? nil : "it holds a route: give --duration 24:30 or --speed 50km/h")
    }
  }

  /// Imports one recording; what cannot be imported is reported and does not stop the others.
  private mutating func add(_ recording: Recording, to source: inout Source) throws(TrackError) {
    guard recording.count > 0 else { return }
    source.tracks += 1
    var name = options.name ?? recording.name ?? source.name
    if options.name != nil || recording.name == nil, source.tracks > 1 { name += " \(source.tracks)" }
    do throws(TrackError) {
      let drives = try DriveImporter.drives(from: recording, options: rules, name: name)
      if hasOneOutput, source.drives + drives.count > 1 {
        // Before anything is written: one of several drives is not what was asked for.
        source.first = nil
        throw TrackError(
          .usage, "more than one drive for the one output \(options.output ?? "-")",
          hint: "use --output-directory")
      }
      for imported in drives {
        if options.strict, let warning = imported.report.warnings.first { throw warning.asError }
        source.drives += 1
        if source.drives == 1 {
          source.first = imported
          continue
        }
        if let first = source.first {
          try write(first, number: 1, source)
          source.first = nil
        }
        try write(imported, number: source.drives, source)
      }
    } catch  where error.code == .unwritable || error.code == .notCreatable || error.code == .usage {
      throw error
    } catch {
      source.failures += 1
      fail(
        TrackError(
          error.code, (source.tracks > 1 ? "track \(source.tracks): " : "") + error.message, file: error.file,
          place: error.place, offendingText: error.offendingText, hint: error.hint), path: source.path)
    }
  }

  // MARK: Output

  private mutating func write(
    _ imported: ImportedDrive, number: Int?, _ source: Source
  ) throws(TrackError) {
    let output = try outputPath(number: number, source)
    var sink = try ByteSink(path: output)
    if options.blob {
      try sink.write(imported.drive.coordinatesData.span)
    } else {
      try DriveDocument.encode(imported.drive) { piece throws(TrackError) in try sink.write(piece) }
    }
    try sink.finish()
    if !options.quiet { Console.report(imported.report.warnings, file: Input.name(source.path)) }
    report(imported, output: output, source)
  }

  private mutating func outputPath(number: Int?, _ source: Source) throws(TrackError) -> String {
    if writesToStandardOutput { return "-" }
    if let output = options.output { return output }
    let folder =
      options.outputDirectory.map { $0.hasSuffix("/") ? $0 : $0 + "/" } ?? Input.folder(source.path)
    let stem = folder + source.name + (number.map { "-\($0)" } ?? "")
    let output = names.unused(stem, ending: options.blob ? "coordinates.json" : "drive.json")
    if options.inputs.contains(where: { ByteSink.areSame(output, $0) }) {
      throw TrackError(
        .usage, "the drive would take the place of its recording", hint: "name another output with --output")
    }
    return output
  }

  private func report(_ imported: ImportedDrive, output: String, _ source: Source) {
    guard !options.quiet || options.json else { return }
    Progress.clear()
    let text = options.json ? json(imported, output: output, source) : line(imported, output: output, source)
    if writesToStandardOutput { Console.write(text + "\n", to: 2) } else { Console.print(text) }
  }

  private func line(_ imported: ImportedDrive, output: String, _ source: Source) -> String {
    let drive = imported.drive
    let report = imported.report
    let points = "\(report.pointsInDrive) points every \(Text.fixed(report.step, 3)) s"
    return
      Diagnostic.singleLine(
        "\(Input.name(source.path)) → \(output == "-" ? "standard output" : output): \(drive.name)") + ", "
      + "\(Text.clock(drive.duration)), \(Text.fixed(drive.distance, 2)) mi, \(points)"
      + (report.resampled ? " (from \(report.pointsUsed))" : "")
      + ", largest time error \(Text.fixed(report.largestTimeError, 3)) s"
      + ", at most \(Text.fixed(report.largestPlaceError, 1)) m from the recording"
  }

  private func json(_ imported: ImportedDrive, output: String, _ source: Source) -> String {
    let drive = imported.drive
    let report = imported.report
    return JSONValue.object([
      ("source", .string(source.path)), ("output", .string(output)), ("id", .string(drive.id.uuidString)),
      ("name", .string(drive.name)), ("start_time", .time(drive.startTime)),
      ("end_time", .time(drive.endTime)),
      ("duration_s", .number(drive.duration)), ("distance_mi", .number(drive.distance)),
      ("distance_m", .number(report.recordedDistance)), ("elapsed_s", .number(report.elapsed)),
      ("moving_s", .number(report.moving)), ("points_read", .integer(report.pointsRead)),
      ("points_used", .integer(report.pointsUsed)), ("points", .integer(report.pointsInDrive)),
      ("step_s", .number(report.step)), ("resampled", .bool(report.resampled)),
      ("largest_time_error_s", .number(report.largestTimeError)),
      ("largest_place_error_m", .number((report.largestPlaceError * 1000).rounded() / 1000)),
      ("warnings", .warnings(report.warnings)),
    ]).text
  }
}
