import BulkImport
import TrackArchives
import GhostModel
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What becomes of the inputs of an import. It is said when it is sure: drives wait for the disk together, and what comes
/// behind them waits for them.
struct ImportOutcomes {
  /// The first failure's, where there was one.
  private(set) var status = ExitStatus.success
  /// Whether anything was an archive or a folder.
  private(set) var hasContainers = false
  /// Whether there was no room for an output.
  private(set) var isFull = false
  private let report: ImportReporting
  /// Whether there may be many inputs, so that warnings wait for the end.
  private let isLong: Bool
  private var warnings = FoldedWarnings()
  private var failures = FoldedFailures()
  /// What became of each input, for `--report`.
  private let records: InputReport
  private var tally = OutcomeTally()
  private var written = 0
  private var batch = OutputBatch<Step>()
  /// Of the input at hand, what is in its place.
  private var drives: [String] = []
  private var outputs: [String] = []
  /// Why an output of the input at hand is not in its place.
  private var fault: TrackError?

  enum Step {
    case drive(ImportedDrive, output: String, source: String)
    case duplicate(ImportedDrive, of: String, source: String)
    case `extension`(ImportedDrive, of: String, source: String)
    case simultaneous(ImportedDrive, with: String, source: String)
    case complaints([String])
    case warnings([TrackWarning], source: String)
    case failure(TrackError, source: String, isInContainer: Bool)
    case skipped(SkipReason, source: String)
    case opened(WalkedContainer)
    case end(InputRecord, InputOutcome, leftOut: Int)
    /// Of what was not begun as an input.
    case record(InputRecord, InputOutcome?)
  }

  init(_ report: ImportReporting, _ records: InputReport, isLong: Bool) {
    self.report = report
    self.isLong = isLong
    self.records = records
  }

  /// Ends the report and says the sums.
  ///
  /// - Returns: the exit status.
  mutating func finish() -> Int32 {
    flush()
    printWarnings()
    report.summarize(tally, hasContainers: hasContainers)
    if hasContainers || tally.inputs > 10 || failures.hasRepetitions { printFailures() }
    records.finish()
    return status == ExitStatus.success ? records.status : status
  }

  /// Ends the report where the run was stopped.
  ///
  /// - Returns: how many drives are in their places.
  mutating func stop() -> Int {
    flush()
    printWarnings()
    printFailures()
    records.finish()
    return written
  }

  // MARK: Steps

  /// A drive that is written, and has yet to take its place.
  mutating func wrote(_ imported: ImportedDrive, to output: String, _ held: HeldOutput, source: String) {
    add(
      .drive(imported, output: output, source: source), held: held,
      size: imported.drive.cost)
  }

  mutating func found(_ imported: ImportedDrive, duplicateOf known: String, source: String) {
    add(.duplicate(imported, of: known, source: source), size: imported.drive.cost)
  }

  mutating func found(_ imported: ImportedDrive, extending known: String, source: String) {
    add(.extension(imported, of: known, source: source))
  }

  mutating func found(_ imported: ImportedDrive, simultaneousWith known: String, source: String) {
    add(.simultaneous(imported, with: known, source: source))
  }

  mutating func complain(_ messages: [String]) {
    if !messages.isEmpty { add(.complaints(messages)) }
  }

  mutating func warn(_ warnings: [TrackWarning], source: String) {
    if !warnings.isEmpty { add(.warnings(warnings, source: source)) }
  }

  private mutating func printWarnings() {
    for line in warnings.lines { Console.note(line) }
    warnings = FoldedWarnings()
  }

  /// With `--quiet` each was printed when it occurred.
  private func printFailures() {
    if isLong, !report.isQuiet { for line in failures.lines { Console.complain(line) } }
  }

  /// - Parameter source: with what fails; the error is told to be in it.
  mutating func fail(_ error: TrackError, source: String) {
    if error.code == .noSpace { isFull = true }
    add(.failure(error.inFile(Input.name(source)), source: source, isInContainer: hasContainers))
  }

  mutating func opened(_ container: WalkedContainer) {
    hasContainers = true
    add(.opened(container))
  }

  /// An input that was begun has ended; each in exactly one state.
  ///
  /// - Parameter leftOut: how many of its drives were duplicates.
  mutating func end(_ record: InputRecord, _ outcome: InputOutcome, source: String, leftOut: Int = 0) {
    add(.end(record, outcome, leftOut: leftOut))
    if case .skipped(let reason) = outcome { add(.skipped(reason, source: source)) }
  }

  /// Something that is not read.
  mutating func skip(_ path: String, _ reason: SkipReason) {
    add(.skipped(reason, source: path))
    add(.record(InputRecord(path, skipped: reason), .skipped(reason)))
  }

  /// Something that cannot be read.
  mutating func refuse(_ path: String, _ error: TrackError) {
    fail(error, source: path)
    add(.record(InputRecord(Input.name(path), failed: error), .failed(error)))
  }

  /// An archive or a folder that is not gone into, whose inputs are not known.
  mutating func refuseAll(in path: String, _ error: TrackError) {
    fail(error, source: path)
    add(.record(InputRecord(Input.name(path), failed: error), nil))
  }

  /// Says what all inputs together have to say.
  mutating func add(_ messages: ConversionMessages, status: Int32) {
    flush()
    messages.print()
    if self.status == ExitStatus.success { self.status = status }
  }

  private mutating func add(_ step: Step, held: HeldOutput? = nil, size: Int = 0) {
    batch.add(step, held: held, size: size)
    if batch.isDue { flush() }
  }

  // MARK: Effects

  /// Lets drives take their places, and says what has become of them and of all behind them.
  mutating func flush() {
    var ended: [InputRecord] = []
    for (step, fault) in batch.keep() {
      switch step {
      case .drive(let imported, let output, let source):
        if let fault {
          self.fault = self.fault ?? fault
          failed(fault.inFile(Input.name(source)), source, isInContainer: hasContainers)
        } else {
          written += 1
          drives.append(imported.drive.id.uuidString)
          outputs.append(output)
          report.imported(imported, output: output, path: source)
        }
      case .duplicate(let imported, let known, let source):
        report.duplicate(imported, of: known, path: source)
      case .extension(let imported, let known, let source):
        report.extends(imported, known, path: source)
      case .simultaneous(let imported, let known, let source):
        report.simultaneous(imported, with: known, path: source)
      case .complaints(let messages): for message in messages { Console.note(message) }
      case .warnings(let warnings, let source):
        self.warnings.add(warnings, file: Input.name(source))
        if !isLong { printWarnings() }
      case .failure(let error, let source, let isInContainer):
        failed(error, source, isInContainer: isInContainer)
      case .skipped(let reason, let source): report.skipped(source, reason)
      case .opened(let container): report.opened(container)
      case .record(let record, let outcome):
        if let outcome { tally.add(outcome) }
        ended.append(record)
      case .end(let record, let outcome, let leftOut): ended.append(end(of: record, outcome, leftOut))
      }
    }
    records.add(ended)
  }

  private mutating func failed(_ error: TrackError, _ source: String, isInContainer: Bool) {
    let isFirst = failures.add(error)
    report.failure(
      error, path: source, isInContainer: isInContainer, isRepeated: isLong && !report.isQuiet && !isFirst)
    if status == ExitStatus.success { status = ExitStatus.of(error) }
    if error.code == .noSpace { isFull = true }
  }

  private mutating func end(of record: InputRecord, _ outcome: InputOutcome, _ leftOut: Int) -> InputRecord {
    var record = record
    var outcome = outcome
    if let fault {
      // What had failed before keeps its own reason.
      if record.error == nil { record.fail(fault) }
      if case .failed = outcome {} else { outcome = .failed(fault) }
    }
    record.drives = drives
    record.outputs = outputs
    tally.add(outcome, drives: outputs.count, leftOut: leftOut)
    drives = []
    outputs = []
    fault = nil
    return record
  }
}
