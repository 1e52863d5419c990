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

  init(_ options: GhostConvert.ImportCommandOptions) { self.options = options }

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

  /// What was asked for, and the joining of points where a file has no track, which import does by itself.
  private var stages: [any TrackStage] {
    let asked = options.cleaning.stages
    return options.cleaning.trackFromPoints ? asked : [TrackFromPointsStage(onlyWithoutTrack: true)] + asked
  }

  private mutating func importFile(_ path: String) throws(TrackError) {
    var input = try Input.open(
      path, format: options.from, columns: options.columns, isStrict: options.strict,
      progress: ByteProgress(), stages: stages)
    var source = Source(path: path, name: Input.baseName(path))
    var recordings = RecordingGathering()
    var batch = PointBatch()
    do throws(TrackError) {
      while let event = try input.next(into: &batch) {
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
    if source.tracks == 0, options.rules.duration != nil || options.rules.speed != nil {
      for route in source.routes { try add(route, to: &source) }
    }
    if let first = source.first { try write(first, number: nil, source) }
    if !options.quiet {
      Console.report(input.reader.warnings, file: Input.name(path))
      for summary in input.reader.summaries { Console.complain("\(Input.name(path)): \(summary)") }
    }
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
      let drives = try DriveImporter.drives(from: recording, options: options.rules, name: name)
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
    if ByteSink.areSame(output, source.path) {
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
