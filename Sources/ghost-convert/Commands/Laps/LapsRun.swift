import BulkImport
import CommandLineParsing
import DriveMatching
import GhostExport
import GhostModel
import TrackFormats
import TrackModel

/// Runs the laps command: reads all inputs, times the laps, and prints, compares and writes them.
struct LapsRun {
  let options: GhostConvert.LapsOptions

  /// The number of laps that are drawn of all laps, in addition to the slowest.
  private static let shown = 10
  /// The number of notes about recordings of one ride that are printed.
  private static let maximumNotes = 20

  /// Runs the command and returns its exit status. If several inputs failed, it is the status of the first
  /// failure.
  func run() -> Int32 {
    var recordings = LapRecordings()
    var failures = FailureReport(isJSON: options.json)
    var reading = options.reading
    reading.keepsMotion = true
    reading.isOneOfSeveral = options.inputs.count > 1
    reading.keepsChannels =
      options.comparison != nil
      && options.outputs.contains { (try? ComparisonOutput.forFile($0)) == .html }
    if case .track = lapFormat { reading.keepsPoints = options.splits }
    for path in options.inputs {
      failures.attempt(path) { () throws(TrackError) in
        recordings.add(try InputDrives.read(path, reading))
      }
    }
    RunProgress.clear()
    guard !recordings.traces.isEmpty else { return failures.status }
    let repetitions = recordings.removeRepetitions()
    for (removed, kept) in repetitions.prefix(Self.maximumNotes) {
      Console.note("\(name(removed)) is a recording of the same ride as \(name(kept)); ignored")
    }
    let others = repetitions.count - Self.maximumNotes
    if others > 0 { Console.note("\(Counted.of(others, "recording")) more of the same rides ignored") }
    do throws(TrackError) {
      let laps = try laps(recordings)
      if let choice = options.comparison {
        let result = TimeResolution.$current.withValue(.hundredths) {
          Result { () throws(TrackError) in try compare(laps, choice) }
        }
        try result.get()
      } else {
        let text = LapText(laps) { "--gate \(Text.gate($0))" }
        if options.json {
          Console.print(laps.json.text)
        } else if Console.printsText(besides: options.outputs) {
          Console.print(text.lines.joined(separator: "\n"))
        }
        if !options.splits {
          for output in options.outputs {
            try laps.writeTable(to: output, quotesFormulas: options.quotesFormulas)
          }
        } else if let folder = options.outputs.first {
          var files = recordings.files(of: laps, format: lapFormat, isStrict: options.reading.isStrict)
          defer { for line in files.warnings.lines { Console.note(line) } }
          try files.writeAll(to: folder)
        }
      }
    } catch {
      failures.add(error, options.inputs[0])
    }
    return failures.status
  }

  private func name(_ trace: TimedDrive) -> String { InputPath.name(trace.source ?? trace.label) }

  private func laps(_ recordings: LapRecordings) throws(TrackError) -> LapRanking {
    if options.source == .recorded { return try recordings.recordedLaps() }
    for (file, count) in recordings.recordedCounts where count > 1 {
      Console.note("\(name(file)) contains \(count) recorded laps; show them with --laps recorded")
    }
    let laps = try recordings.laps(gate: options.gate, finish: options.finish, sectors: options.sectors) {
      Console.note("the gates in \(InputPath.name(options.inputs[0])) were not passed")
    }
    if laps.missesSectors { Console.note("no lap passes all sectors, so there are no sector times") }
    if laps.drivesBothDirections {
      Console.note(
        "the laps drive most of their road in both directions; time a hill climb with --gate and --finish")
    }
    return laps
  }

  /// Compares laps, prints the comparison and writes the outputs.
  private func compare(_ laps: LapRanking, _ choice: LapRanking.Choice) throws(TrackError) {
    let compared = try laps.entries(of: choice)
    // Numbers choose what is drawn, and scripts want all laps.
    let limit = if case .all = choice, !options.json { Self.shown } else { Int.max }
    let document = try PartComparison.document(
      "Laps", try laps.traces(of: compared), uncertainties: compared.map(\.lap.uncertainty),
      laps: compared.map(\.lap), shown: limit)
    let shown = document.comparison.drives.count
    if shown < compared.count {
      Console.note(
        "comparing the \(shown - 1) fastest laps and the slowest of \(compared.count); "
          + "choose others by their numbers"
      )
    }
    document.print(asJSON: options.json, besides: options.outputs)
    try ComparisonOutput.writeEach(options.outputs) { path throws(TrackError) in
      try ComparisonOutput.forFile(path).write(
        document, to: path, options: ExportOptions(quotesFormulas: options.quotesFormulas))
    }
  }

  /// The format of the files of laps.
  private var lapFormat: OutputFormat { options.to ?? .track(.gpx) }
}
