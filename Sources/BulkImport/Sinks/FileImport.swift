import DriveMatching
public import GhostModel
public import TrackArchives
import TrackFormats
public import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Imports inputs into files: writes their drives in the order of the inputs, and reports the outcome of
/// each.
///
/// Outputs are synchronized with the disk in batches. Messages about them are delayed until they have their
/// final names.
public struct FileImport: InputSink {
  /// The options of an import into files.
  public struct Settings: Sendable {
    /// Whether duplicates of existing drives are written.
    public var keepsDuplicates = false
    /// Whether drives are compared with those of other inputs.
    public var looksForDuplicates = false
    /// Creates settings with the defaults.
    public init() {}
  }

  /// A message, delivered in the order of the inputs. The drives have no coordinates.
  public enum Message: Sendable {
    /// A drive was written and has its final name.
    case imported(ImportedDrive, output: String, source: String)
    /// A drive was removed. The label is that of the input with the original.
    case duplicate(ImportedDrive, of: String, source: String)
    /// A drive was kept. The input with the label contains a part of the same recording.
    case extending(ImportedDrive, String, source: String)
    /// A drive was kept. The input with the label is a recording of the same ride by another device.
    case simultaneous(ImportedDrive, with: String, source: String)
    /// A different file has the name intended for the drive.
    case nameTaken(String, output: String)
    /// The changes that the stages made to an input, one sentence per stage.
    case summaries([String], source: String)
    /// The warnings of an input and of its drives.
    case warnings([TrackWarning], source: String)
    /// A track, an input or an output failed.
    ///
    /// - Parameter isFirst: whether it is the first failure with its cause.
    case failure(TrackError, source: String, isInContainer: Bool, isFirst: Bool)
    /// An input without drives and failures, or an entry that is not an input.
    case skipped(SkipReason, source: String)
    /// An archive or a folder was opened. Its inputs follow.
    case opened(DiscoveredContainer)
  }

  /// Not private: the compiler (6.3.1) crashes when another module copies a generic structure of a private
  /// type.
  package enum Step {
    case message(Message)
    case failure(TrackError, source: String, isInContainer: Bool)
    case end(InputRecord, InputOutcome, leftOut: Int)
    /// The record of an entry that is not an input.
    case record(InputRecord, InputOutcome?)
  }

  /// The state of the current input.
  private struct Source {
    let origin: InputOrigin
    var decision: InputDecision
    /// The warnings of its drives.
    var warnings: [TrackWarning] = []
    /// Whether its further results are ignored.
    var isRefused = false
    /// The first drive, held until it is known whether it is the only one.
    var first: ImportedDrive?

    var path: String { origin.label.path }
  }

  let extraction: DriveExtraction
  private let settings: Settings
  private var destination: DriveDestination
  private let report: InputReport
  private let stop: WorkStop
  private let present: (Message) -> Void
  private var duplicates: DriveDuplicates?
  private var source: Source
  /// The indices of arguments that are rejected entirely.
  private var refused: Set<Int> = []
  private var batch = OutputBatch<Step>()
  /// The drives and outputs of the current input that have their final names.
  private var drives: [String] = []
  private var outputs: [String] = []
  /// The reason why an output of the current input did not get its final name.
  private var outputFault: TrackError?

  /// The first failure.
  public private(set) var firstFault: TrackError?
  /// The failures of all inputs and outputs so far.
  public private(set) var failures = FoldedFailures()
  /// The outcomes of all inputs whose outputs have their final names.
  public private(set) var tally = OutcomeTally()
  /// Whether an input was an archive or a folder.
  public private(set) var hasContainers = false
  /// Whether the disk had no space for an output.
  public private(set) var isFull = false
  /// The number of drives with their final names.
  public private(set) var written = 0

  /// Creates an import into files. Nothing is written before the first drive.
  ///
  /// - Parameters:
  ///   - extraction: the options for creating drives.
  ///   - destination: the place for the drives.
  ///   - settings: the handling of duplicates.
  ///   - report: receives one record for each input.
  ///   - stop: requested when the disk is full.
  ///   - present: receives the messages.
  public init(
    _ extraction: DriveExtraction, to destination: DriveDestination, _ settings: Settings,
    report: InputReport,
    stop: WorkStop, present: @escaping (Message) -> Void
  ) {
    self.extraction = extraction
    self.destination = destination
    self.settings = settings
    self.report = report
    self.stop = stop
    self.present = present
    duplicates = settings.looksForDuplicates ? DriveDuplicates() : nil
    source = Source(origin: InputOrigin(path: ""), decision: InputDecision())
  }

  // MARK: Work

  public static func prepare(_ run: inout InputRun<DriveStep>) {
    run.cost = { if case .drive(let imported, _) = $0 { imported.drive.cost } else { 0 } }
    run.holdsInputs = true
    // Other inputs are read while drives are written to disk.
    run.slack = OutputBatch<Step>.countLimit
  }

  public var work: InputRun<DriveStep>.Work {
    { [extraction, isReported = report.isWanted] input, content, _, progress, emit in
      var extraction = extraction
      // Files of a list are not compared, so that memory does not grow with their number.
      if input.isListed, !input.isInContainer { extraction.takesFingerprints = false }
      let tap = isReported ? HashingInput() : nil
      extraction.run(input, { () throws(TrackError) in try content(tap) }, { progress.update() }) { step in
        guard case .end(var ending) = step, let tap else { return emit(step) }
        ending.identity = (try? tap.finish()) ?? nil
        return emit(.end(ending))
      }
    }
  }

  // MARK: Events

  public mutating func take(_ event: InputEvent<DriveStep>) -> Bool {
    switch event {
    case .passed(let step): passed(step)
    case .idle: flush()
    case .begin(let origin): begin(origin)
    case .result(let step):
      guard !source.isRefused else { return false }
      do throws(TrackError) { try take(step) } catch {
        fail(error, source: source.path)
        end(InputRecord(InputPath.name(source.path), failed: error), .failed(error))
        source.isRefused = true
        // Its drives were not written, so other drives cannot be duplicates of them.
        duplicates?.forget(source.path)
      }
    }
    // There is no space for the other outputs either.
    if isFull { stop.request() }
    return !source.isRefused
  }

  private mutating func begin(_ origin: InputOrigin) {
    source = Source(origin: origin, decision: InputDecision(keepsDuplicates: settings.keepsDuplicates))
    source.isRefused = refused.contains(origin.root)
    if origin.isListed, destination.holdsOne, destination.kind != .standardOutput {
      source.isRefused = true
      refuse(
        source.path,
        TrackError(.usage, "one output for a list of inputs", suggestion: .writeToFolder))
    }
  }

  private mutating func passed(_ step: EnumerationStep) {
    switch step {
    case .input, .left: break
    case .container(let container):
      let isPipe = container.rootPath == "-" || container.isListed
      if container.depth == 0, isPipe, container.fileCount > 1, destination.lacksFolder {
        refused.insert(container.root)
        refuseAll(in: container.label.path)
      } else {
        hasContainers = true
        say(.opened(container))
      }
    case .skipped(let root, let label, let reason):
      guard !refused.contains(root) else { return }
      say(.skipped(reason, source: label.path))
      add(.record(InputRecord(label.path, skipped: reason), .skipped(reason)))
    case .failed(let root, let label, let error):
      guard !refused.contains(root) else { return }
      refuse(label.path, error)
    }
  }

  /// Adds an entry that cannot be read.
  private mutating func refuse(_ path: String, _ error: TrackError) {
    fail(error, source: path)
    add(.record(InputRecord(InputPath.name(path), failed: error), .failed(error)))
  }

  /// Rejects an archive or a folder because no folder is given for its drives. Its inputs are not enumerated.
  public mutating func refuseAll(in path: String) {
    let error = TrackError(
      .usage, "contains several files, whose drives need a folder", suggestion: .writeToFolder)
    fail(error, source: path)
    add(.record(InputRecord(InputPath.name(path), failed: error), nil))
  }

  private mutating func take(_ step: DriveStep) throws(TrackError) {
    switch step {
    case .drive(let imported, let fingerprint): try take(imported, fingerprint)
    case .trackFailure(let error):
      if source.decision.add(error, isInContainer: source.origin.isInContainer) {
        fail(error, source: source.path)
      }
    case .end(let ending): try end(ending)
    }
  }

  private mutating func take(_ imported: ImportedDrive, _ fingerprint: RideFingerprint?) throws(TrackError) {
    let origin = source.origin
    var none: DriveDuplicates?
    let verdict =
      origin.isListed && !origin.isInContainer
      ? source.decision.take(
        imported.drive, fingerprint, label: source.path, isInContainer: false, among: &none)
      : source.decision.take(
        imported.drive, fingerprint, label: source.path, isInContainer: origin.isInContainer,
        among: &duplicates)
    switch verdict {
    case .new: break
    case .duplicate(let known):
      return say(.duplicate(imported.withoutCoordinates, of: known, source: source.path))
    case .extending(let known): say(.extending(imported.withoutCoordinates, known, source: source.path))
    case .simultaneous(let known):
      say(.simultaneous(imported.withoutCoordinates, with: known, source: source.path))
    }
    let number = source.decision.drives
    if destination.holdsOne, number > 1 {
      // Checked before anything is written: one of several drives is not what was requested.
      source.first = nil
      throw TrackError(
        .usage, "several drives for one output\(destination.file.map { " \($0)" } ?? "")",
        suggestion: .writeToFolder)
    }
    if number == 1 {
      source.first = imported
      return
    }
    if let first = source.first.take() { try write(first, number: 1) }
    try write(imported, number: number)
  }

  /// Keeps the drives before a fault, which are complete.
  private mutating func end(_ ending: DriveEnding) throws(TrackError) {
    if let first = source.first.take() { try write(first, number: nil) }
    if ending.skip == nil, !ending.warnings.isEmpty {
      // They may also explain a fault.
      say(.warnings(ending.warnings, source: source.path))
    }
    if ending.fault == nil, ending.skip == nil, !ending.summaries.isEmpty {
      say(.summaries(ending.summaries, source: source.path))
    }
    if let fault = ending.fault { fail(fault, source: source.path) }
    // Another copy may contain more.
    if ending.isDamaged { duplicates?.forget(source.path) }
    source.decision.end(ending)
    let outcome = source.decision.outcome
    var record = InputRecord(InputPath.name(source.path), outcome: outcome)
    record.identity = ending.identity
    record.format = ending.format?.name
    record.warnings = ending.warnings + source.warnings
    end(record, outcome)
  }

  private mutating func end(_ record: InputRecord, _ outcome: InputOutcome) {
    add(.end(record, outcome, leftOut: source.decision.leftOut))
    if case .skipped(let reason) = outcome { say(.skipped(reason, source: source.path)) }
  }

  private mutating func write(_ imported: ImportedDrive, number: Int?) throws(TrackError) {
    var kept: String?
    let held = StagedFile()
    let output = try destination.write(
      imported.drive, number: number, from: source.origin, to: held, kept: &kept)
    if let kept { say(.nameTaken(kept, output: output)) }
    let warnings = imported.report.warnings
    source.warnings += warnings
    if !warnings.isEmpty { say(.warnings(warnings, source: source.path)) }
    say(.imported(imported.withoutCoordinates, output: output, source: source.path), held: held)
  }

  // MARK: Steps

  private mutating func fail(_ error: TrackError, source: String) {
    if error.code == .noSpace { isFull = true }
    add(
      .failure(error.inFile(InputPath.name(source)), source: source, isInContainer: hasContainers))
  }

  private mutating func say(_ message: Message, held: StagedFile? = nil) {
    add(.message(message), held: held)
  }

  private mutating func add(_ step: Step, held: StagedFile? = nil) {
    batch.add(step, held: held)
    if batch.isDue { flush() }
  }

  /// Gives the outputs their final names, and presents the messages about them and about later inputs.
  public mutating func flush() {
    var ended: [InputRecord] = []
    // A single drive is soon imported again.
    for (step, fault) in batch.keep(waitsForNew: written + batch.outputCount > 1) {
      switch step {
      case .message(.imported(_, _, let source)) where fault != nil:
        guard let fault else { break }
        outputFault = outputFault ?? fault
        failed(fault.inFile(InputPath.name(source)), source, isInContainer: hasContainers)
      case .message(let message):
        if case .imported(let imported, let output, _) = message {
          written += 1
          drives.append(imported.drive.id.uuidString)
          outputs.append(output)
        }
        present(message)
      case .failure(let error, let source, let isInContainer):
        failed(error, source, isInContainer: isInContainer)
      case .record(let record, let outcome):
        if let outcome { tally.add(outcome) }
        ended.append(record)
      case .end(let record, let outcome, let leftOut): ended.append(end(of: record, outcome, leftOut))
      }
    }
    report.add(ended)
  }

  private mutating func failed(_ error: TrackError, _ source: String, isInContainer: Bool) {
    let isFirst = failures.add(error)
    firstFault = firstFault ?? error
    if error.code == .noSpace { isFull = true }
    present(.failure(error, source: source, isInContainer: isInContainer, isFirst: isFirst))
  }

  private mutating func end(of record: InputRecord, _ outcome: InputOutcome, _ leftOut: Int) -> InputRecord {
    var record = record
    var outcome = outcome
    if let outputFault {
      // An earlier failure keeps its reason.
      if record.error == nil { record.fail(outputFault) }
      if case .failed = outcome {} else { outcome = .failed(outputFault) }
    }
    record.drives = drives
    record.outputs = outputs
    tally.add(outcome, drives: outputs.count, leftOut: leftOut)
    drives = []
    outputs = []
    outputFault = nil
    return record
  }

  /// Ends the import and its report.
  public mutating func finish() {
    flush()
    report.finish()
  }
}

extension ImportedDrive {
  /// The drive without coordinates, for messages that are delayed until drives are synchronized with the
  /// disk.
  fileprivate var withoutCoordinates: ImportedDrive {
    var result = self
    result.drive.removeCoordinates()
    return result
  }
}
