import BulkImport
import TrackArchives
import DriveLibrary
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One run of the import command into a library.
///
/// Threads read, resample and encode; this one alone writes, in transactions of many inputs. An input is in the library
/// with all of its drives and the note of what became of it, or not at all; only then is it spoken of.
struct LibraryImportRun {
  private let options: GhostConvert.ImportCommandOptions
  private let path: String
  private let report: InputReport
  private let reporting: LibraryReporting
  private let stop = WorkStop()
  private let policy: LibraryImportPolicy
  /// How the inputs are read, where that is not as it comes.
  private let signature: String
  private var library: DriveLibrary
  private let run: Int64
  private var pending: [Pending] = []
  private var pendingCost = 0
  private var pendingSince = ContinuousClock.now
  private var origin: InputOrigin?
  private var tally = OutcomeTally()
  private var status = ExitStatus.success
  private var warnings = FoldedWarnings()
  private var failures = FoldedFailures()
  private var withOtherOptions = 0
  private var withOtherNames = 0
  /// Why the run cannot go on.
  private var fault: TrackError?

  /// An input that is not yet in the library.
  private enum Pending {
    case input(LibraryInput, InputOrigin, ExtractedInput)
    /// One that was not read to its end, or not at all.
    case other(LibraryInput, InputRecord, InputOutcome)
  }

  /// When a transaction is worth it.
  private static let batchCount = 256
  private static let batchCost = 8 << 20
  private static let batchTime = Duration.seconds(1)
  /// Inputs that may be worked on during a transaction.
  private static let slack = 128

  /// Runs the command.
  static func run(_ options: GhostConvert.ImportCommandOptions, library path: String) -> Int32 {
    var walk = WalkOptions()
    walk.format = options.from
    walk.takesEmptyFolders = true
    walk.excludedFiles = ["", "-wal", "-shm"].map { path + $0 }
    if let report = options.report { walk.excludedFiles += InputReport.files(report) }
    do throws(TrackError) {
      guard
        !options.cleaning.joinsInputs
          || options.inputs.count == 1
            && !InputWalk.isContainer(options.inputs[0], options: walk)
      else {
        throw TrackError(
          .usage, "a library keeps each input by itself, and --merge and --fuse make one drive of all",
          suggestion: .text("import into a file with -o first, and then that into the library"))
      }
      var run = try LibraryImportRun(options, path)
      return run.run(walk)
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
  }

  private init(_ options: GhostConvert.ImportCommandOptions, _ path: String) throws(TrackError) {
    self.options = options
    self.path = path
    var policy = LibraryImportPolicy()
    policy.keepsDuplicates = options.keepsDuplicates
    policy.isAgain = options.again
    self.policy = policy
    signature = options.signature
    reporting = LibraryReporting(
      isJSON: options.json, isQuiet: options.quiet, library: path,
      isStandardOutputTaken: options.report == "-")
    report = try InputReport(options.report)
    Interruption.intercept(limit: 10) { [stop] in stop.request() }
    library = try DriveLibrary(path: path, mode: .creating)
    run = try library.beginRun(
      version: GhostConvert.version,
      command: GhostConvert.commandLine, folder: FileManager.default.currentDirectoryPath)
  }

  private mutating func run(_ walk: WalkOptions) -> Int32 {
    let extraction: LibraryExtraction
    do throws(TrackError) {
      extraction = LibraryExtraction(
        ImportRun.extraction(options, forLibrary: true), known: try library.knownContents(policy))
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
    var inputs = InputRun<ExtractedInput>(paths: options.inputs, jobs: options.jobs)
    inputs.walk = walk
    inputs.walk.standardInput = options.listing.standardInput
    inputs.stop = stop
    inputs.slack = Self.slack
    inputs.holdsInputs = true
    inputs.cost = { $0.cost }
    inputs.runTapped(
      { [stop] input, content, _, progress, emit in
        _ = emit(
          extraction.run(input, content) {
            progress.update()
            return !stop.isRequested
          })
      },
      { take($0) })
    if fault == nil { flush() }
    return end()
  }

  // MARK: Events

  private mutating func take(_ event: InputEvent<ExtractedInput>) -> Bool {
    switch event {
    case .begin(let origin): self.origin = origin
    case .result(let input): take(input)
    case .passed(.container(let container)): reporting.opened(container)
    case .passed(.skipped(_, let label, let reason)):
      add(InputRecord(label.path, skipped: reason), .skipped(reason), .skipped(reason: reason.code))
    case .passed(.failed(_, let label, let error)):
      add(Input.name(label.path), failed: error)
    case .idle: if !pending.isEmpty { flush() }
    case .passed(.input): break
    }
    return fault == nil
  }

  private mutating func take(_ input: ExtractedInput) {
    guard let origin else { return }
    let path = Input.name(origin.label.path)
    let fault = input.faults(isInContainer: origin.isInContainer).last
    guard let identity = input.identity else {
      return add(path, failed: fault ?? TrackError(.unreadable, "cannot be read to its end"))
    }
    let content: LibraryInput.Content
    if input.isKnown {
      content = .unread
    } else if fault == nil, input.drives.isEmpty {
      content = .skipped(reason: input.skipReason.code)
    } else {
      content = .drives(input.drives.map(\.drive), failure: fault?.message)
    }
    var libraryInput = LibraryInput(
      path: path, identity: identity, format: input.ending.format?.name, options: signature, content: content)
    if options.name == nil { libraryInput.name = input.exportName }
    add(.input(libraryInput, origin, input), cost: input.cost)
  }

  private mutating func add(_ path: String, failed error: TrackError) {
    add(
      InputRecord(path, failed: error.inFile(path)), .failed(error), .failed(reason: error.message))
  }

  /// Adds what has no content to be known by.
  private mutating func add(
    _ record: InputRecord, _ outcome: InputOutcome, _ content: LibraryInput.Content
  ) {
    let input = LibraryInput(
      path: record.source, identity: nil, format: nil, options: signature, content: content)
    add(.other(input, record, outcome), cost: 0)
  }

  private mutating func add(_ input: Pending, cost: Int) {
    if pending.isEmpty { pendingSince = .now }
    pending.append(input)
    pendingCost += cost
    if pending.count >= Self.batchCount || pendingCost >= Self.batchCost
      || ContinuousClock.now - pendingSince >= Self.batchTime
    {
      flush()
    }
  }

  // MARK: Transactions

  /// Brings what is pending into the library, and then says so.
  private mutating func flush() {
    let batch = pending
    pending = []
    pendingCost = 0
    let inputs = batch.map { pending in
      switch pending {
      case .input(let input, _, _), .other(let input, _, _): input
      }
    }
    let results: [LibraryResult]
    do throws(TrackError) { results = try library.add(inputs, policy, run: run) } catch {
      fault = error
      stop.request()
      return
    }
    var records: [InputRecord] = []
    for (input, result) in zip(batch, results) {
      switch input {
      case .other(_, let record, let outcome): add(record, outcome, drives: 0, &records)
      case .input(let input, let origin, let extracted):
        reporting.messages(of: extracted, result, path: input.path, &warnings)
        let faults = extracted.faults(isInContainer: origin.isInContainer).map { $0.inFile(input.path) }
        for fault in faults { fail(fault, isInContainer: origin.isInContainer) }
        let outcome = LibraryOutcome(input, extracted, result, fault: faults.last)
        add(outcome.record, outcome.outcome, drives: result.drives.count, &records)
        if result.hasOtherOptions { withOtherOptions += 1 }
        if result.hasOtherName { withOtherNames += 1 }
      }
    }
    report.add(records)
    if reporting.isJSON { reporting.say(records) }
  }

  private mutating func add(
    _ record: InputRecord, _ outcome: InputOutcome, drives: Int, _ records: inout [InputRecord]
  ) {
    records.append(record)
    tally.add(outcome, drives: drives)
    switch outcome {
    case .failed(let error):
      // Failures of tracks are said one by one.
      if record.identity == nil { fail(record.error ?? error, isInContainer: true) }
    case .skipped(let reason): reporting.skipped(record.source, reason)
    case .imported, .alreadyThere, .duplicate: break
    }
  }

  private mutating func fail(_ error: TrackError, isInContainer: Bool) {
    if failures.add(error) || options.quiet {
      Console.report(isInContainer ? error.withoutFormats : error)
    }
    if status == ExitStatus.success { status = ExitStatus.of(error) }
  }

  // MARK: The end

  private mutating func end() -> Int32 {
    let signal = Interruption.signal
    if fault == nil {
      do throws(TrackError) {
        try library.endRun(run, outcome: signal == nil ? tally.summary : "stopped: \(tally.summary)")
        // What was taken out may have been at the edge.
        if policy.isAgain, signal == nil { try library.finish() } else { try library.checkpoint() }
      } catch {
        fault = error
      }
    }
    report.finish()
    for line in warnings.lines { Console.note(line) }
    if let fault {
      Console.report(fault)
      status = ExitStatus.of(fault)
    }
    if let signal {
      Console.complain(
        "stopped: \(Counted.of(tally.inputs, "input")) done, and in \(path) whole; the same command goes on from there"
      )
      status = Interruption.status(signal)
    } else if fault == nil {
      reporting.summarize(tally, withOtherOptions: withOtherOptions, withOtherNames: withOtherNames)
    }
    if tally.inputs > 10 || failures.hasRepetitions
      || options.inputs.contains(where: { InputWalk.mayHoldSeveral($0) })
    {
      for line in failures.lines { Console.note(line) }
    }
    if status == ExitStatus.success { status = report.status }
    if fault != nil || signal != nil {
      // Threads may still be reading.
      library.close()
      Interruption.end(status)
    }
    return status
  }
}
