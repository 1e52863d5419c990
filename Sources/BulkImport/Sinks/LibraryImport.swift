public import DriveLibrary
import GhostModel
public import TrackArchives
import TrackFormats
public import TrackModel

/// Imports inputs into a library.
///
/// Threads read, resample and encode. Only the consumer writes, in transactions of many inputs. An input is
/// in the library either with all of its drives and the record of its outcome, or not at all. Messages about
/// it follow after the transaction.
public struct LibraryImport: InputSink {
  /// The options of an import into a library.
  public struct Settings: Sendable {
    /// The handling of inputs and drives that the library already contains.
    public var policy = LibraryImportPolicy()
    /// The options for reading inputs; empty for the defaults.
    public var signature = ""
    /// Whether drives are named as in their exports.
    public var takesExportNames = true
    /// The texts of outcomes in records.
    public var wording = LibraryOutcome.Wording()

    /// Creates settings with the defaults.
    public init() {}
  }

  /// A message, delivered in the order of the inputs.
  public enum Message {
    /// An archive or a folder was opened. Its inputs follow.
    case opened(DiscoveredContainer)
    /// The transaction with an input is complete. The path is the name of the input in messages.
    case stored(ExtractedInput, LibraryResult, path: String)
    /// A track or an input failed. The error contains the name of the input.
    ///
    /// - Parameter isFirst: whether it is the first failure with its cause.
    case failure(TrackError, isInContainer: Bool, isFirst: Bool)
    /// An entry that is not an input.
    case skipped(SkipReason, source: String)
    /// The records of a transaction.
    case records([InputRecord])
  }

  /// An input that is not yet in the library.
  private enum Pending {
    case input(LibraryInput, InputDecision, isInContainer: Bool, ExtractedInput)
    /// An input that was not read completely.
    case other(LibraryInput, InputRecord, InputOutcome)
  }

  /// The number of inputs in a transaction.
  private static let batchCount = 256
  private static let batchCost = 8 << 20
  private static let batchTime = Duration.seconds(1)
  private let extraction: LibraryExtraction
  private let settings: Settings
  private let library: DriveLibrary
  private let run: Int64
  private let report: InputReport
  private let stop: WorkStop
  private let present: (Message) -> Void
  private var pending: [Pending] = []
  private var pendingCost = 0
  private var pendingSince = ContinuousClock.now
  private var origin: InputOrigin?

  /// The outcomes of all inputs whose transactions are complete.
  public private(set) var tally = OutcomeTally()
  /// The failures of all inputs so far.
  public private(set) var failures = FoldedFailures()
  /// The first failure of an input.
  public private(set) var firstFault: TrackError?
  /// The number of inputs that are in the library with other options.
  public private(set) var withOtherOptions = 0
  /// The number of inputs that are in the library under a different name than in the export.
  public private(set) var withOtherNames = 0
  /// The reason why the import cannot continue.
  public private(set) var fault: TrackError?

  /// Creates an import, and reads from the library which contents it already knows.
  ///
  /// - Parameters:
  ///   - extraction: the options for creating drives.
  ///   - library: a library that is open for writing.
  ///   - run: the identifier of the run in the library.
  ///   - settings: the handling of known inputs, and texts.
  ///   - report: receives one record for each input.
  ///   - stop: requested when the library fails.
  ///   - present: receives the messages.
  /// - Throws: `TrackError` if the library cannot be read.
  public init(
    _ extraction: DriveExtraction, to library: DriveLibrary, run: Int64, _ settings: Settings,
    report: InputReport, stop: WorkStop, present: @escaping (Message) -> Void
  ) throws(TrackError) {
    var extraction = extraction
    extraction.rules.keepsRecording = true
    self.extraction = LibraryExtraction(extraction, known: try library.knownContents(settings.policy))
    self.library = library
    self.run = run
    self.settings = settings
    self.report = report
    self.stop = stop
    self.present = present
  }

  public static func prepare(_ run: inout InputRun<ExtractedInput>) {
    run.cost = { $0.cost }
    run.holdsInputs = true
    run.slack = 128
  }

  public var work: InputRun<ExtractedInput>.Work {
    { [extraction, stop] input, content, _, progress, emit in
      _ = emit(
        extraction.run(input, content) {
          progress.update()
          return !stop.isRequested
        })
    }
  }

  // MARK: Events

  public mutating func take(_ event: InputEvent<ExtractedInput>) -> Bool {
    switch event {
    case .begin(let origin): self.origin = origin
    case .result(let input): take(input)
    case .passed(.container(let container)): present(.opened(container))
    case .passed(.skipped(_, let label, let reason)):
      add(InputRecord(label.path, skipped: reason), .skipped(reason), .skipped(reason: reason.code))
    case .passed(.failed(_, let label, let error)):
      add(InputPath.name(label.path), failed: error)
    case .idle: if !pending.isEmpty { flush() }
    case .passed(.input), .passed(.left): break
    }
    return fault == nil
  }

  /// Adds the drives of another library as they are stored there, with the inputs that they came from. Names,
  /// kinds and gear that were set in the other library stay set.
  ///
  /// - Throws: errors of the other library.
  public mutating func take(_ other: DriveLibrary) throws(TrackError) {
    try library.copySetValues(from: other)
    try other.forEachInput { (input, faults) throws(TrackError) in
      var extracted = ExtractedInput()
      extracted.identity = input.identity
      extracted.trackFailures = faults
      if case .drives(let drives, _) = input.content {
        extracted.drives = drives.map { ExtractedInput.ExtractedDrive(drive: $0, report: ImportReport()) }
      }
      let decision = extracted.decision(isInContainer: false)
      add(.input(input, decision, isInContainer: false, extracted), cost: extracted.cost)
      return fault == nil && !stop.isRequested
    }
  }

  private mutating func take(_ input: ExtractedInput) {
    guard let origin else { return }
    let path = InputPath.name(origin.isInContainer ? origin.label.path : origin.file)
    let decision = input.decision(isInContainer: origin.isInContainer)
    let fault = decision.faults.last
    guard let identity = input.identity else {
      return add(path, failed: fault ?? TrackError(.unreadable, "cannot be read completely"))
    }
    let content: LibraryInput.Content
    if input.isKnown {
      content = .known
    } else if fault == nil, input.drives.isEmpty {
      content = .skipped(reason: decision.skipReason.code)
    } else {
      content = .drives(input.drives.map(\.drive), failure: fault?.message)
    }
    var libraryInput = LibraryInput(
      path: path, identity: identity, format: input.ending.format?.name, options: settings.signature,
      content: content)
    if settings.takesExportNames { libraryInput.name = input.exportName }
    add(.input(libraryInput, decision, isInContainer: origin.isInContainer, input), cost: input.cost)
  }

  private mutating func add(_ path: String, failed error: TrackError) {
    add(
      InputRecord(path, failed: error.inFile(path)), .failed(error), .failed(reason: error.message))
  }

  /// Adds an input without an identity.
  private mutating func add(
    _ record: InputRecord, _ outcome: InputOutcome, _ content: LibraryInput.Content
  ) {
    let input = LibraryInput(
      path: record.source, identity: nil, format: nil, options: settings.signature, content: content)
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

  /// Writes the pending inputs into the library, and presents the outcomes.
  private mutating func flush() {
    let batch = pending
    pending = []
    pendingCost = 0
    let inputs = batch.map { pending in
      switch pending {
      case .input(let input, _, _, _), .other(let input, _, _): input
      }
    }
    let results: [LibraryResult]
    do throws(TrackError) { results = try library.add(inputs, settings.policy, run: run) } catch {
      fault = error
      stop.request()
      return
    }
    var records: [InputRecord] = []
    for (input, result) in zip(batch, results) {
      switch input {
      case .other(_, let record, let outcome):
        if case .failed(let error) = outcome { fail(record.error ?? error, isInContainer: true) }
        add(record, outcome, drives: 0, &records)
      case .input(let input, let decision, let isInContainer, let extracted):
        present(.stored(extracted, result, path: input.path))
        let faults = decision.faults.map { $0.inFile(input.path) }
        for fault in faults { fail(fault, isInContainer: isInContainer) }
        let outcome = LibraryOutcome(
          input, extracted, result, skipReason: decision.skipReason, fault: faults.last, settings.wording)
        add(outcome.record, outcome.outcome, drives: result.drives.count, &records)
        if result.state == .alreadyThere {
          if result.hasOtherOptions { withOtherOptions += 1 }
          if result.hasOtherName { withOtherNames += 1 }
        }
      }
    }
    report.add(records)
    present(.records(records))
  }

  private mutating func add(
    _ record: InputRecord, _ outcome: InputOutcome, drives: Int, _ records: inout [InputRecord]
  ) {
    records.append(record)
    tally.add(outcome, drives: drives)
    if case .skipped(let reason) = outcome { present(.skipped(reason, source: record.source)) }
  }

  private mutating func fail(_ error: TrackError, isInContainer: Bool) {
    firstFault = firstFault ?? error
    present(.failure(error, isInContainer: isInContainer, isFirst: failures.add(error)))
  }

  /// Writes the pending inputs and the outcome of the run.
  ///
  /// - Parameters:
  ///   - isStopped: whether inputs are left.
  ///   - outcome: returns the text for the library from the final tally.
  public mutating func finish(isStopped: Bool, outcome: (OutcomeTally) -> String) {
    if fault == nil { flush() }
    if fault == nil {
      do throws(TrackError) {
        try library.endRun(run, outcome: outcome(tally))
        // Removed drives may have been at the edge of the extent.
        if settings.policy.isAgain, !isStopped { try library.finish() } else { try library.checkpoint() }
      } catch {
        fault = error
      }
    }
    report.finish()
  }
}
