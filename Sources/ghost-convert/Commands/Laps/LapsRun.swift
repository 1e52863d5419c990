import BulkImport
import CommandLineParsing
import DriveMatching
import GhostExport
import GhostModel
import TrackFormats
import TrackModel

/// Runs the laps command: reads all inputs, times the laps, and prints, compares and writes them.
struct LapsRun {
  private let options: GhostConvert.LapsOptions

  /// The number of laps that are drawn of all laps, in addition to the slowest.
  private static let shown = 10
  /// The number of notes about recordings of one ride that are printed.
  private static let maximumNotes = 20

  init(_ options: GhostConvert.LapsOptions) { self.options = options }

  /// Runs the command and returns its exit status. If several inputs failed, it is the status of the first
  /// failure.
  func run() -> Int32 {
    var traces: [TimedDrive] = []
    var points: [TrackPoints?] = []
    var recorded: [[Lap]] = []
    var gates: [Waypoint] = []
    var status = ExitStatus.success
    var reading = options.reading
    reading.keepsMotion = true
    reading.keepsChannels =
      options.comparison != nil
      && options.outputs.contains { (try? ComparisonOutput.forFile($0)) == .html }
    reading.keepsPoints = options.splits && lapFormat.isTrack
    for path in options.inputs {
      do throws(TrackError) {
        let inputs = try ComparisonInput.all(path, reading)
        let drives = try ComparisonInput.drives(of: inputs, reading)
        traces += drives.map(\.trace)
        points += drives.map { $0.track.points?.timed(by: $0.trace) }
        recorded += LapSession.divide(inputs[0].track.laps, among: drives.map(\.trace))
        if gates.isEmpty { gates = inputs[0].track.gates }
      } catch {
        fail(error.inFile(InputPath.name(path)), path, &status)
      }
    }
    RunProgress.clear()
    guard !traces.isEmpty else { return status }
    let repeated = SessionDrive.repetitions(in: traces)
    let notes = repeated.sorted { $0.key < $1.key }.map { index, kept in
      "\(name(traces[index])) is a recording of the same ride as \(name(traces[kept])); ignored"
    }
    for note in notes.prefix(Self.maximumNotes) { Console.note(note) }
    if notes.count > Self.maximumNotes {
      Console.note(
        "\(Counted.of(notes.count - Self.maximumNotes, "recording")) more of the same rides ignored")
    }
    let kept = traces.indices.filter { repeated[$0] == nil }
    traces = kept.map { traces[$0] }
    points = kept.map { points[$0] }
    recorded = kept.map { recorded[$0] }
    do throws(TrackError) {
      let laps = try laps(traces, recorded, gates)
      if let choice = options.comparison {
        let result = TimeResolution.$current.withValue(.hundredths) {
          Result { () throws(TrackError) in try compare(laps, choice) }
        }
        try result.get()
      } else {
        try show(laps, points)
      }
    } catch {
      fail(error, options.inputs[0], &status)
    }
    return status
  }

  private func name(_ trace: TimedDrive) -> String { InputPath.name(trace.source ?? trace.label) }

  private func fail(_ error: TrackError, _ path: String, _ status: inout Int32) {
    Console.report(error)
    if options.json { Console.print(JSONValue.failure(error, of: path)) }
    if status == ExitStatus.success { status = ExitStatus.of(error) }
  }

  private func laps(
    _ traces: [TimedDrive], _ recorded: [[Lap]], _ gates: [Waypoint]
  ) throws(TrackError) -> LapRanking {
    let counts = LapSession.counts(of: recorded, in: traces)
    if options.source == .recorded {
      for (file, count) in counts where count == 0 {
        throw TrackError(.noTracks, "no laps recorded", file: name(file), suggestion: .provideGate)
      }
      return try LapRanking(recorded: recorded, of: traces)
    }
    for (file, count) in counts where count > 1 {
      Console.note("\(name(file)) contains \(count) recorded laps; show them with --laps recorded")
    }
    let drives = SessionDrive.joined(traces)
    let course = try LapCourse(
      gate: options.gate, finish: options.finish, sectors: options.sectors, waypoints: gates,
      in: drives.map(\.trace)
    ) { Console.note("the gates in \(InputPath.name(options.inputs[0])) were not passed") }
    let laps = try LapRanking(course, of: drives)
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
        "comparing the \(shown - 1) fastest laps and the slowest of \(compared.count); choose others by their numbers"
      )
    }
    document.print(asJSON: options.json, besides: options.outputs)
    try ComparisonOutput.writeEach(options.outputs) { path throws(TrackError) in
      try ComparisonOutput.forFile(path).write(document, to: path)
    }
  }

  /// Prints the laps and writes them to files.
  private func show(_ laps: LapRanking, _ points: [TrackPoints?]) throws(TrackError) {
    Console.print(options.json ? laps.json.text : laps.lines.joined(separator: "\n"))
    if options.splits, let folder = options.outputs.first { try split(laps, points, into: folder) }
  }

  /// The format of the files of laps.
  private var lapFormat: OutputFormat { options.to ?? .track(.gpx) }

  /// Writes each lap to a separate file.
  private func split(_ laps: LapRanking, _ points: [TrackPoints?], into folder: String) throws(TrackError) {
    let folder = FileName.folderPrefix(folder)
    try ByteSink.makeFolder(folder)
    var files = LapFiles(laps, points, format: lapFormat, isStrict: options.reading.isStrict)
    defer { for line in files.warnings.lines { Console.note(line) } }
    // Equal numbers of digits, so that the names sort like the laps.
    let digits = max(2, String(laps.entries.count).count)
    for entry in laps.entries {
      let source = laps.drives[entry.drive].part(at: entry.lap.start).source ?? options.inputs[0]
      let number = String(entry.number).rightAligned(in: digits, filledWith: "0")
      let name = "\(Input.baseName(source))-lap-\(number)"
      let path = "\(folder)\(name).\(lapFormat.fileEnding)"
      do throws(TrackError) {
        try files.write(entry, name: name, to: path)
      } catch {
        throw error.inFile(path)
      }
    }
  }
}

extension OutputFormat {
  /// Whether the format contains tracks rather than a drive.
  fileprivate var isTrack: Bool {
    if case .drive = self { false } else { true }
  }
}
