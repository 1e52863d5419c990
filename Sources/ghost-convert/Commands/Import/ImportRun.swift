import BulkImport
import DriveMatching
import TrackArchives
import TrackTransforms
import GhostModel
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// One run of the import command: it decides which drives are wanted and how their files are called, and writes them, in
/// the order of the inputs.
struct ImportRun {
  private let options: GhostConvert.ImportCommandOptions
  private var destination: ImportDestination
  private let stop = WorkStop()
  private var duplicates = DriveDuplicates()
  private var source = Source(InputOrigin(path: ""))
  private var outcomes: ImportOutcomes
  private let isReported: Bool
  private let looksForDuplicates: Bool
  /// Arguments that are refused as a whole.
  private var refused: Set<Int> = []

  /// What the input at hand has given so far.
  private struct Source {
    let origin: InputOrigin
    var drives = 0
    /// The identifiers of the drives that it has had.
    var ids: Set<UUID> = []
    var duplicateOf: String?
    /// Drives that were duplicates.
    var leftOut = 0
    var faults: [TrackError] = []
    /// Those of its drives.
    var warnings: [TrackWarning] = []
    /// Tracks of an entry that are too short to be drives.
    var shortTracks = 0
    /// Whether nothing more of it is wanted.
    var isRefused = false
    /// The first drive, held until it is known whether it is the only one.
    var first: ImportedDrive?

    init(_ origin: InputOrigin) { self.origin = origin }

    var path: String { origin.label.path }
    var isInContainer: Bool { origin.isInContainer }
  }

  /// - Throws: where the report cannot be made.
  init(_ options: GhostConvert.ImportCommandOptions) throws(TrackError) {
    self.options = options
    destination = ImportDestination(options)
    looksForDuplicates = ImportRun.extraction(options).sketchesRides
    // A report may lie in it.
    if let folder = options.outputDirectory { try ByteSink.makeFolder(folder) }
    let records = try InputReport(options.report)
    isReported = records.isWanted
    outcomes = ImportOutcomes(
      ImportReporting(
        isJSON: options.json, isQuiet: options.quiet, isResampled: options.cleaning.resample != nil,
        isStandardOutputTaken: destination.isStandardOutput || options.report == "-"),
      records,
      isLong: options.listing.isOn || options.inputs.count > 1
        || options.inputs.contains { InputWalk.mayHoldSeveral($0) })
  }

  /// - Returns: the exit status; that of the first failure where there were several.
  mutating func run() -> Int32 {
    importAll()
    return outcomes.finish()
  }

  private mutating func importAll() {
    let extraction = ImportRun.extraction(options)
    var inputs = InputRun<DriveStep>(paths: options.inputs, jobs: options.jobs)
    inputs.walk.excludedFolder = options.outputDirectory
    if let report = options.report { inputs.walk.excludedFiles += InputReport.files(report) }
    inputs.walk.format = options.from
    inputs.walk.standardInput = options.listing.standardInput
    inputs.cost = { if case .drive(let imported, _) = $0 { imported.drive.cost } else { 0 } }
    inputs.holdsInputs = true
    // Others are read while drives wait for the disk.
    inputs.slack = OutputBatch<ImportOutcomes.Step>.countLimit
    let walk = inputs.walk
    if options.cleaning.joinsInputs,
      options.inputs.count > 1 || options.inputs.contains(where: { InputWalk.isContainer($0, options: walk) })
    {
      return importJoined(extraction, walk)
    }
    if destination.lacksFolder {
      let several = options.inputs.filter { InputWalk.holdsSeveral($0, options: walk) }
      for path in several { outcomes.refuseAll(in: path, ImportRun.noFolder) }
      guard several.isEmpty else { return }
    }
    // A single input has nothing to be kept when it is stopped.
    if options.listing.isOn || options.inputs.count > 1
      || options.inputs.contains(where: { InputWalk.mayHoldSeveral($0) })
    {
      inputs.stop = stop
      Interruption.intercept(limit: 10) { [stop] in stop.request() }
    }
    inputs.runTapped(
      { [extraction, isReported] input, content, _, progress, emit in
        var extraction = extraction
        // Files of a list are not looked at for duplicates, so that nothing grows with their number.
        if input.isListed, !input.isInContainer { extraction.sketchesRides = false }
        let tap = isReported ? ContentTap() : nil
        extraction.run(input, { () throws(TrackError) in try content(tap) }, { progress.update() }) { step in
          guard case .end(var ending) = step, let tap else { return emit(step) }
          ending.identity = (try? tap.finish()) ?? nil
          return emit(.end(ending))
        }
      },
      { take($0) })
    if let signal = Interruption.signal { stopped(Interruption.status(signal)) }
    if inputs.stop != nil, outcomes.isFull { stopped(ExitStatus.inputOutputError) }
    TemporaryFiles.interceptTermination(nil)
  }

  /// Ends the program where a signal or a full disk has stopped the run.
  private mutating func stopped(_ status: Int32) -> Never {
    let drives = outcomes.stop()
    Console.complain(
      "stopped: \(Counted.of(drives, "drive")) written and whole; the same command again writes the others too"
    )
    // Threads may still be at their inputs.
    Interruption.end(status)
  }

  private static let noOneOutput = TrackError(
    .usage, "a list of inputs for one output", suggestion: .text("use --output-directory"))

  private static let noFolder = TrackError(
    .usage, "holds several files, whose drives need a folder",
    suggestion: .text("name it with --output-directory"))

  /// How inputs become drives.
  ///
  /// - Parameter forLibrary: whether drives come with what they were recorded as, and not with where they were when.
  static func extraction(
    _ options: GhostConvert.ImportCommandOptions, forLibrary: Bool = false
  ) -> DriveExtraction {
    var extraction = DriveExtraction()
    extraction.opening.format = options.from
    extraction.opening.columns = options.columns
    extraction.opening.isStrict = options.strict
    extraction.opening.stages = { stages(options) }
    extraction.rules = options.rules
    extraction.rules.keepsRecording = forLibrary
    extraction.rules.privacyZones = options.cleaning.privacy
    extraction.takesDrives = forLibrary
    extraction.keepsDrives = options.cleaning.stages.isEmpty
    extraction.name = options.name
    extraction.placeTolerance = options.cleaning.simplify ?? 0
    extraction.sketchesRides =
      !forLibrary && !options.keepsDuplicates
      && options.inputs.contains { $0 == "-" || InputWalk.mayHoldSeveral($0) }
    return extraction
  }

  /// What was asked for, and the joining of points where a file has no track, which import does by itself.
  private static func stages(
    _ options: GhostConvert.ImportCommandOptions, isJoined: Bool = false
  ) -> [any TrackStage] {
    var cleaning = options.cleaning
    cleaning.isForDrives = true
    let asked = isJoined ? cleaning.stagesOfInputs : cleaning.stages
    return options.cleaning.trackFromPoints ? asked : [TrackFromPointsStage(onlyWithoutTrack: true)] + asked
  }

  /// Imports all inputs as one recording, in the order of their first times.
  private mutating func importJoined(_ extraction: DriveExtraction, _ walk: WalkOptions) {
    var opening = extraction.opening
    opening.stages = { [options] in ImportRun.stages(options, isJoined: true) }
    let open = { [opening] (input: ConversionInput) throws(TrackError) -> OpenTracks in
      try input.open(opening)
    }
    let outcome = JoinedInputs.Outcome()
    let protection = InputProtection(options.inputs, isOff: options.force)
    let inputs = JoinedInputs.inTimeOrder(
      GhostConvert.walkedInputs(options.inputs, walk) { [options] input throws(TrackError) in
        if let output = options.output { try protection.check(output, input: input.file) }
      }, open: open)
    let joined = JoinedInputs(
      inputs.next, outcome, isForDrives: true, open: open)
    // Beside an archive or a folder, and called like it, not like what in it comes first.
    let first = options.inputs.first ?? "-"
    let isContainer = InputWalk.isContainer(first, options: walk)
    var path = isContainer ? first : inputs.first?.path ?? "-"
    while path.count > 1, path.hasSuffix("/") { path.removeLast() }
    source = Source(InputOrigin(path: path))
    extraction.run(
      OpenTracks(reader: StagedReader(joined, options.cleaning.stagesOfAll), format: .gpx),
      name: Input.baseName(path)
    ) { take(.result($0)) }
    outcomes.add(outcome.messages, status: outcome.status)
  }

  // MARK: Events

  private mutating func take(_ event: InputEvent<DriveStep>) -> Bool {
    switch event {
    case .passed(let step): passed(step)
    case .idle: outcomes.flush()
    case .begin(let origin):
      source = Source(origin)
      source.isRefused = refused.contains(origin.root)
      if origin.isListed, destination.holdsOne, !destination.isStandardOutput {
        source.isRefused = true
        outcomes.refuse(source.path, ImportRun.noOneOutput)
      }
    case .result(let step):
      guard !source.isRefused else { return false }
      do throws(TrackError) { try take(step) } catch {
        outcomes.fail(error, source: source.path)
        outcomes.end(InputRecord(Input.name(source.path), failed: error), .failed(error), source: source.path)
        source.isRefused = true
        // Its drives are not there for others to be duplicates of.
        duplicates.forget(source.path)
      }
    }
    // There is no room for the others either.
    if outcomes.isFull { stop.request() }
    return !source.isRefused
  }

  private mutating func passed(_ step: WalkStep) {
    switch step {
    case .input: break
    case .container(let container):
      let isPipe = container.rootPath == "-" || container.isListed
      if container.depth == 0, isPipe, container.fileCount > 1, destination.lacksFolder {
        refused.insert(container.root)
        outcomes.refuseAll(in: container.label.path, ImportRun.noFolder)
      } else {
        outcomes.opened(container)
      }
    case .skipped(let root, let label, let reason):
      guard !refused.contains(root) else { return }
      outcomes.skip(label.path, reason)
    case .failed(let root, let label, let error):
      guard !refused.contains(root) else { return }
      outcomes.refuse(label.path, error)
    }
  }

  private mutating func take(_ step: DriveStep) throws(TrackError) {
    switch step {
    case .drive(let imported, let sketch): try take(imported, sketch)
    case .trackFailure(let error):
      if source.isInContainer, error.code == .tooFewPoints {
        source.shortTracks += 1
      } else {
        source.faults.append(error)
        outcomes.fail(error, source: source.path)
      }
    case .end(let ending): try end(ending)
    }
  }

  private mutating func take(_ imported: ImportedDrive, _ sketch: RideSketch?) throws(TrackError) {
    guard source.ids.insert(imported.drive.id).inserted || options.keepsDuplicates else {
      source.leftOut += 1
      outcomes.found(imported, duplicateOf: source.path, source: source.path)
      return
    }
    if looksForDuplicates, source.isInContainer || !source.origin.isListed {
      let finding = duplicates.add(imported.drive, sketch, label: source.path)
      if case .duplicate(let known) = finding, source.isInContainer {
        source.duplicateOf = known
        source.leftOut += 1
        outcomes.found(imported, duplicateOf: known, source: source.path)
        return
      }
      switch finding {
      case .extension(let known): outcomes.found(imported, extending: known, source: source.path)
      case .simultaneous(let known): outcomes.found(imported, simultaneousWith: known, source: source.path)
      case .new, .duplicate, .companion: break
      }
    }
    source.drives += 1
    if destination.holdsOne, source.drives > 1 {
      // Before anything is written: one of several drives is not what was asked for.
      source.first = nil
      throw TrackError(
        .usage, "more than one drive for the one output \(options.output ?? "-")",
        suggestion: .text("use --output-directory"))
    }
    if source.drives == 1 {
      source.first = imported
      return
    }
    if let first = source.first.take() { try write(first, number: 1) }
    try write(imported, number: source.drives)
  }

  /// The drives before a fault are whole, and stay.
  private mutating func end(_ ending: DriveEnding) throws(TrackError) {
    if let first = source.first.take() { try write(first, number: nil) }
    let name = Input.name(source.path)
    if ending.fault == nil, ending.skip == nil {
      outcomes.warn(ending.warnings, source: source.path)
      outcomes.complain(ending.summaries.map { "\(name): \($0)" })
    }
    if let fault = ending.fault { outcomes.fail(fault, source: source.path) }
    // Another copy may have more.
    if ending.isDamaged { duplicates.forget(source.path) }
    let outcome = self.outcome(ending)
    var record = InputRecord(name, outcome: outcome)
    record.identity = ending.identity
    record.format = ending.format?.name
    record.warnings = ending.warnings + source.warnings
    outcomes.end(record, outcome, source: source.path, leftOut: source.leftOut)
  }

  private func outcome(_ ending: DriveEnding) -> InputOutcome {
    if let fault = ending.fault ?? source.faults.first { return .failed(fault) }
    if source.drives > 0 { return .imported(drives: source.drives) }
    if let known = source.duplicateOf { return .duplicate(of: known) }
    return .skipped(ending.skip ?? (source.shortTracks > 0 ? .tooFewPoints : .noTrack))
  }

  // MARK: Output

  private mutating func write(_ imported: ImportedDrive, number: Int?) throws(TrackError) {
    var kept: String?
    let output = try destination.path(of: imported.drive, number: number, from: source.origin, kept: &kept)
    if let kept {
      outcomes.complain(["\(kept) is there and is not this drive, which is written to \(output)"])
    }
    if options.outputDirectory != nil { try ByteSink.makeFolder(Input.folder(output)) }
    let held = HeldOutput(waitsAlone: false)
    var sink = try ByteSink(path: output, held: held)
    if options.blob {
      try sink.write(imported.drive.coordinatesData.span)
    } else {
      try DriveDocument.encode(imported.drive) { piece throws(TrackError) in try sink.write(piece) }
    }
    try sink.finish()
    source.warnings += imported.report.warnings
    outcomes.warn(imported.report.warnings, source: source.path)
    outcomes.wrote(imported, to: output, held, source: source.path)
  }
}
