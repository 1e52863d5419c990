import BulkImport
import GhostModel
import TrackArchives
import TrackFormats
import TrackModel

/// A run of the convert command that writes each input to a file of its own in a folder.
struct ConvertEachRun: InputSink {
  private let options: GhostConvert.ConvertOptions
  private let format: OutputFormat
  /// With the slash behind it.
  private let folder: String
  private let report: InputReport
  /// What is done, for a run that goes on where this one stops; nil for a single input.
  private let journal: ConversionJournal?
  /// Whether there may be many inputs.
  private let isLong: Bool
  private let names: SharedOutputNames
  private var status = ExitStatus.success
  private var counts: [InputRecord.State: Int] = [:]
  /// Inputs that were skipped, by the reason for people, in the order of first occurrence.
  private var reasons: [(reason: String, count: Int)] = []
  private var warnings = FoldedWarnings()
  private var failures = FoldedFailures()
  /// Outputs that took the place of a file that no earlier run is known to have made of the same input.
  private var replaced = 0
  private var isDiskFull = false
  private var batch = OutputBatch<ConversionResult>()
  private let stop = WorkStop()

  /// Runs the command.
  static func run(_ options: GhostConvert.ConvertOptions, to format: OutputFormat, folder: String) -> Int32 {
    do throws(TrackError) {
      var run = try ConvertEachRun(options, format, folder)
      return run.run()
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
  }

  private init(
    _ options: GhostConvert.ConvertOptions, _ format: OutputFormat, _ folder: String
  ) throws(TrackError) {
    self.options = options
    self.format = format
    self.folder = folder.hasSuffix("/") ? folder : folder + "/"
    try ByteSink.makeFolder(folder)
    report = try InputReport.begin(options.report)
    isLong =
      options.listing.isOn || options.inputs.count > 1
      || options.inputs.contains { InputWalk.mayHoldSeveral($0) }
    if options.resume {
      for folder in InputWalk.folders(below: folder) { TemporaryFiles.removeStale(inFolder: folder) }
    }
    journal =
      options.resume || isLong || ConversionJournal.exists(inFolder: self.folder)
      ? try ConversionJournal(
        folder: self.folder, options: options.signature(format), isResuming: options.resume) : nil
    if !options.resume, journal?.wasCutOff == true {
      Console.note("\(folder): an earlier run was cut off here; --resume would go on where it stopped")
    }
    names = SharedOutputNames(reserved: journal?.outputs ?? [])
  }

  private mutating func run() -> Int32 {
    var inputs = InputRun<ConversionResult>(
      options.inputs, jobs: options.jobs, walk: GhostConvert.walkOptions(options))
    inputs.slack = OutputBatch<ConversionResult>.countLimit
    // A single input has nothing to be kept when it is stopped.
    if journal != nil {
      inputs.stop = stop
      Interruption.intercept(limit: 10) { [stop] in stop.request() }
    }
    inputs.run(into: &self)
    flush()
    report.finish()
    for line in warnings.lines { Console.note(line) }
    if journal != nil {
      if let signal = Interruption.signal { stopped(Interruption.status(signal)) }
      if isDiskFull { stopped(ExitStatus.inputOutputError) }
    }
    Interruption.release()
    if replaced > 0 {
      Console.note(
        "\(folder): \(Counted.of(replaced, "output")) took the place of \(replaced == 1 ? "a file that was" : "files that were") there"
      )
    }
    if isLong || options.resume { for line in summary { Console.note(line) } }
    if let orphans = journal?.orphans(ending: format.fileEnding), let first = orphans.first {
      Console.note(
        "\(folder): \(Counted.of(orphans.count, "output")) of inputs that no longer exist left in place, the first: \(first)"
      )
    }
    if isLong { for line in failures.lines { Console.note(line) } }
    journal?.complete()
    return status == ExitStatus.success ? report.status : status
  }

  /// How many inputs ended in which state.
  private var summary: [String] {
    let counts = { (state: InputRecord.State) in self.counts[state] ?? 0 }
    return [
      "\(folder): \(Counted.of(counts(.converted), "input")) converted, "
        + "\(counts(.alreadyThere)) already there, \(counts(.skipped)) skipped, \(counts(.failed)) failed"
    ] + reasons.map { "  skipped \($0.count): \($0.reason)" }
  }

  /// Ends the program where a signal or a full disk has stopped the run.
  private func stopped(_ status: Int32) -> Never {
    if isLong { for line in failures.lines { Console.note(line) } }
    let count = Counted.of(counts[.converted] ?? 0, "output")
    Console.complain(
      "stopped: \(count) in \(folder) whole; the same command with --resume goes on from there")
    // Threads may still be at their inputs.
    Interruption.end(status)
  }

  /// Converts an input, on any thread.
  var work: InputRun<ConversionResult>.Work {
    let convert = convert
    return { input, content, turn, progress, emit in
      withoutActuallyEscaping(content) { content in
        _ = emit(convert(input, content, turn, progress))
      }
    }
  }

  private typealias Conversion =
    @Sendable (
      WalkedInput, @escaping InputRun<ConversionResult>.TapContent, InputRun<ConversionResult>.Turn,
      any InputProgress
    ) -> ConversionResult

  private var convert: Conversion {
    let protection = InputProtection(options.inputs, outputFolder: folder, isOff: options.force)
    return { [options, format, folder, report, journal, names] input, content, turn, progress in
      let source = input.label.path
      let subfolder = InputWalk.subfolder(of: input.label, in: input.file, below: input.rootPath)
      let place = folder + (options.flat ? "" : subfolder)
      let stem = place + (input.isInContainer ? input.label.stem : Input.baseName(source))
      let (known, output) = turn.take {
        let known = journal?.claim(source, in: place, ending: format.fileEnding)
        return (known, known?.path ?? names.unused(stem, ending: format.fileEnding))
      }
      let fingerprint = journal == nil ? nil : ConvertEachRun.fingerprint(input, input.rootPath)
      var messages = ConversionMessages()
      if let known, let journal, journal.isWhole(known, fingerprint: fingerprint) {
        var record = InputRecord(InputPath.name(source), .alreadyThere)
        record.outputs = [output]
        return ConversionResult(status: ExitStatus.success, messages: messages, record: record)
      }
      func failed(_ error: TrackError) -> ConversionResult {
        messages.report(error)
        return ConversionResult(
          status: ExitStatus.of(error), messages: messages,
          record: InputRecord(InputPath.name(source), failed: error))
      }
      if let error = GhostConvert.refusal(of: output, for: input, isOwn: known != nil, options, protection) {
        return failed(error)
      }
      // What comes from a list replaces nothing but its own.
      if input.isListed, known == nil { journal?.begin(output, source: source) }
      let tap = report.isWanted ? ContentTap() : nil
      var next: ConversionInput? = ConversionInput(
        path: source, content: .input(input, { () throws(TrackError) in try content(tap) }),
        progress: progress, tap: tap)
      var records: [InputRecord] = []
      do throws(TrackError) {
        if place != folder { try ByteSink.makeFolder(place) }
        let held = HeldOutput(waitsAlone: false)
        let status = try GhostConvert.convertAll(
          { next.take() }, options, to: format, output: output, held: held, &messages, &records)
        let record = records.first ?? InputRecord(InputPath.name(source), .converted)
        return ConversionResult(
          status: status, messages: messages, record: record, held: record.outputs.isEmpty ? nil : held,
          fingerprint: fingerprint, source: source,
          replaces: known == nil && journal != nil && InputWalk.exists(output))
      } catch {
        // As in an import, an input of many that the options leave nothing of is no failure.
        if error.code == .noTracks, input.isInContainer {
          return ConversionResult(
            status: ExitStatus.success, messages: messages,
            record: InputRecord(InputPath.name(source), skipped: .nothingLeft))
        }
        return failed(error.inFile(output))
      }
    }
  }

  /// What an input looks like, with what its export says about it.
  private static func fingerprint(_ input: WalkedInput, _ root: String) -> String? {
    guard let stamp = input.fingerprint(inside: root) else { return nil }
    guard !input.notes.needsStart, let notes = input.notes.notes(start: nil) else { return stamp }
    return "\(stamp) \(ContentHash(Array("\(notes)".utf8).span))"
  }

  mutating func take(_ event: InputEvent<ConversionResult>) -> Bool {
    switch event {
    case .result(let result): add(result)
    case .passed(.failed(_, let label, let error)):
      let error = error.inFile(InputPath.name(label.path))
      var messages = ConversionMessages()
      messages.report(error)
      add(
        ConversionResult(
          status: ExitStatus.of(error), messages: messages,
          record: InputRecord(InputPath.name(label.path), failed: error)))
    case .passed(.skipped(_, let label, let reason)):
      add(
        ConversionResult(
          status: ExitStatus.success, messages: ConversionMessages(),
          record: InputRecord(label.path, skipped: reason)))
    case .idle: flush()
    case .begin, .passed: break
    }
    return true
  }

  /// Lets the outputs take their places, and then says so.
  private mutating func flush() {
    for (result, held) in batch.steps where result.status == ExitStatus.success {
      guard let held, let output = result.record.outputs.first else { continue }
      journal?.note(held, at: output, source: result.source, fingerprint: result.fingerprint)
    }
    var records: [InputRecord] = []
    for (result, fault) in batch.keep() {
      if (fault ?? result.record.error)?.code == .noSpace {
        // There is no room for the others either. It is said once; they are made when the run goes on.
        guard !isDiskFull else { continue }
        isDiskFull = true
        stop.request()
      }
      // That the disk is full is said once and not listed at the end.
      let isFirst = (fault ?? result.record.error).flatMap { error in
        error.code == .noSpace ? nil : failures.add(error.inFile(InputPath.name(result.record.source)))
      }
      let isRepeated = isLong && !Console.isQuiet && isFirst == false
      if !isRepeated { result.messages.printLines() }
      warnings.add(result.messages.warnings)
      var result = result
      if let fault {
        if !isRepeated { Console.report(fault) }
        result.status = ExitStatus.of(fault)
        result.record = InputRecord(result.record.source, failed: fault)
      }
      if result.replaces, fault == nil { replaced += 1 }
      if status == ExitStatus.success { status = result.status }
      counts[result.record.state, default: 0] += 1
      if result.record.state == .skipped, let reason = result.record.message {
        if let index = reasons.firstIndex(where: { $0.reason == reason }) {
          reasons[index].count += 1
        } else {
          reasons.append((reason, 1))
        }
      }
      records.append(result.record)
    }
    report.add(records)
  }

  private mutating func add(_ result: ConversionResult) {
    batch.add(result, held: result.held)
    if batch.isDue || result.record.error?.code == .noSpace { flush() }
  }
}
