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
    for (index, kept) in repeated.sorted(by: { $0.key < $1.key }) {
      Console.note("\(name(traces[index])) is a recording of the same ride as \(name(traces[kept])); ignored")
    }
    let kept = traces.indices.filter { repeated[$0] == nil }
    traces = kept.map { traces[$0] }
    points = kept.map { points[$0] }
    recorded = kept.map { recorded[$0] }
    do throws(TrackError) {
      let report = try report(traces, recorded, gates)
      if let choice = options.comparison {
        let result = TimeResolution.$current.withValue(.hundredths) {
          Result { () throws(TrackError) in try compare(report, choice) }
        }
        try result.get()
      } else {
        try show(report, points)
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

  private func report(
    _ traces: [TimedDrive], _ recorded: [[Lap]], _ gates: [Waypoint]
  ) throws(TrackError) -> LapReport {
    let files = traces.indices.filter { index in
      !traces[..<index].contains { $0.source == traces[index].source }
    }
    let counts = Dictionary(zip(traces.map(\.source), recorded.map(\.count)), uniquingKeysWith: +)
    if options.source == .recorded {
      for file in files where counts[traces[file].source] == 0 {
        throw TrackError(.noTracks, "no laps recorded", file: name(traces[file]), suggestion: .provideGate)
      }
      let sessions = zip(recorded, traces).map { LapSession($0, of: $1) }
      let check = RecordedLapCheck(sessions, of: traces)
      var report = LapReport(
        course: nil, drives: traces.enumerated().map { SessionDrive($1, index: $0) },
        sessions: check.reviewed(sessions))
      report.check = check
      if report.entries.isEmpty { throw TrackError(.noTracks, "no lap was recorded during the drive") }
      return report
    }
    for file in files {
      guard let count = counts[traces[file].source], count > 1 else { continue }
      Console.note("\(name(traces[file])) contains \(count) recorded laps; show them with --laps recorded")
    }
    let drives = SessionDrive.joined(traces)
    let traces = drives.map(\.trace)
    let course = try course(of: traces, gates)
    var report = LapReport(course: course, drives: drives, sessions: course.sessions(of: traces))
    if report.entries.isEmpty {
      throw TrackError(
        .noTracks, "the gate was passed less than twice in the direction of its bearing",
        suggestion: .text("omit the bearing of the gate, or set another gate"))
    }
    if !course.sectors.isEmpty, report.entries.allSatisfy({ $0.lap.sectors.isEmpty }) {
      Console.note("no lap passes all sectors, so there are no sector times")
    }
    if course.confidence != nil {
      if course.drivesBothDirections(report.sessions, of: traces) {
        Console.note(
          "the laps drive most of their road in both directions; time a hill climb with --gate and --finish")
      }
      report.otherCircuits = course.otherCircuits(of: traces, besides: report.sessions)
    }
    return report
  }

  /// Returns the course between the gates of the options, otherwise of the file, otherwise of a circuit that
  /// is found.
  private func course(of traces: [TimedDrive], _ gates: [Waypoint]) throws(TrackError) -> LapCourse {
    func recorded(_ type: String) -> [Gate] {
      gates.filter { $0.details.type?.lowercased() == type }.map { Gate($0.coordinate) }
    }
    if options.gate == nil, let gate = recorded("start").first {
      do throws(TrackError) {
        return try LapCourse(
          gate: gate, finish: recorded("finish").first,
          sectors: options.sectors.isEmpty ? recorded("split") : options.sectors, in: traces)
      } catch {
        // The gates are those of another circuit.
        guard error.code == .noTracks else { throw error }
        Console.note("the gates in \(InputPath.name(options.inputs[0])) were not passed")
      }
    }
    return try LapCourse(gate: options.gate, finish: options.finish, sectors: options.sectors, in: traces)
  }

  /// Compares laps, prints the comparison and writes the outputs.
  private func compare(_ report: LapReport, _ choice: LapChoice) throws(TrackError) {
    let compared = try report.entries(of: choice)
    // Numbers choose what is drawn, and scripts want all laps.
    let limit = if case .all = choice, !options.json { Self.shown } else { Int.max }
    let document = try PartComparison.document(
      "Laps", try report.traces(of: compared), uncertainties: compared.map(\.lap.uncertainty),
      laps: compared.map(\.lap), shown: limit)
    let shown = document.comparison.drives.count
    if shown < compared.count {
      Console.note(
        "comparing the \(shown - 1) fastest laps and the slowest of \(compared.count); choose others by their numbers"
      )
    }
    if options.json {
      Console.print(document.comparison.json)
    } else if !options.outputs.contains("-") {
      let text = ComparisonText(
        document, width: Terminal.width(orElse: 60), style: Terminal.isUTF8 ? .blocks : .ascii)
      Console.print(text.lines.joined(separator: "\n"))
    }
    for path in options.outputs {
      do throws(TrackError) {
        try ComparisonOutput.forFile(path).write(document, to: path)
      } catch {
        throw error.inFile(path)
      }
    }
  }

  /// Prints the laps and writes them to files.
  private func show(_ report: LapReport, _ points: [TrackPoints?]) throws(TrackError) {
    Console.print(options.json ? report.json.text : report.lines.joined(separator: "\n"))
    if options.splits, let folder = options.outputs.first { try split(report, points, into: folder) }
  }

  /// The format of the files of laps.
  private var lapFormat: OutputFormat { options.to ?? .track(.gpx) }

  /// Writes each lap to a separate file.
  private func split(_ report: LapReport, _ points: [TrackPoints?], into folder: String) throws(TrackError) {
    let folder = folder.hasSuffix("/") ? folder : folder + "/"
    try ByteSink.makeFolder(folder)
    var files = LapFiles(report, points, format: lapFormat, isStrict: options.reading.isStrict)
    defer { for line in files.warnings.lines { Console.note(line) } }
    // Equal numbers of digits, so that the names sort like the laps.
    let digits = max(2, String(report.entries.count).count)
    for entry in report.entries {
      let source = report.drives[entry.drive].part(at: entry.lap.start).source ?? options.inputs[0]
      let number = String(entry.number)
      let zeros = String(repeating: "0", count: digits - number.count)
      let name = "\(Input.baseName(source))-lap-\(zeros)\(number)"
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
