import BulkImport
import DriveMatching
import GhostModel
import TrackArchives
import TrackFormats
import TrackModel

/// Runs the import command with files as output.
struct ImportRun {
  private let options: GhostConvert.ImportCommandOptions
  private let report: InputReport
  private let destination: DriveDestination
  private let reporting: ImportReporting
  private let stop = WorkStop()

  /// Creates the run.
  ///
  /// - Throws: if the report or the output folder cannot be created.
  init(_ options: GhostConvert.ImportCommandOptions) throws(TrackError) {
    self.options = options
    // The report may be in this folder.
    if let folder = options.outputDirectory {
      try ByteSink.makeFolder(folder)
      TemporaryFiles.removeStale(inFolder: folder)
    }
    report = try InputReport.begin(options.report)
    let protection = InputProtection(
      options.inputs.filter { !InputEnumerator.mayHoldSeveral($0) }, isOff: options.force)
    destination = DriveDestination(options.destination, isBlob: options.blob) {
      (output, input) throws(TrackError) in try protection.check(output, input: input)
    }
    reporting = ImportReporting(
      ImportOutput(
        isJSON: options.json,
        isStandardOutputTaken: destination.kind == .standardOutput || options.report == "-"),
      isLong: options.hasManyInputs, isResampled: options.cleaning.changes.resample != nil)
  }

  /// Runs the import and returns the exit status. If several inputs failed, it is the status of the first
  /// failure.
  mutating func run() -> Int32 {
    var settings = FileImport.Settings()
    settings.keepsDuplicates = options.keepsDuplicates
    let extraction = options.importExtraction()
    settings.looksForDuplicates = extraction.takesFingerprints
    var sink = FileImport(extraction, to: destination, settings, report: report, stop: stop) {
      [reporting] in reporting.present($0)
    }
    importAll(into: &sink)
    sink.finish()
    reporting.printWarnings()
    reporting.summarize(sink.tally, hasContainers: sink.hasContainers)
    if sink.hasContainers || sink.tally.inputs > 10 || sink.failures.hasRepetitions {
      reporting.printFailures(sink.failures)
    }
    let emptiness = sink.tally.emptiness
    if let emptiness { Console.report(emptiness) }
    return (sink.firstFault ?? emptiness).map(ExitStatus.of) ?? report.status
  }

  private mutating func importAll(into sink: inout FileImport) {
    let walk = EnumerationOptions(
      options.listing, options.extraction.opening, joinsClips: !options.separatesClips,
      outputDirectory: options.outputDirectory, report: options.report)
    if options.cleaning.changes.joinsInputs,
      options.inputs.count > 1
        || options.inputs.contains(where: { InputEnumerator.isContainer($0, options: walk) })
    {
      return importJoined(into: &sink, walk)
    }
    if destination.lacksFolder {
      let several = options.inputs.filter { InputEnumerator.holdsSeveral($0, options: walk) }
      for path in several { sink.refuseAll(in: path) }
      guard several.isEmpty else { return }
    }
    var inputs = InputRun<DriveStep>(options.inputs, jobs: options.jobs, walk: walk)
    // With a single input, there is no finished work to keep when it is interrupted.
    if options.hasManyInputs {
      inputs.stop = stop
      Interruption.intercept(limit: 10) { [stop] in stop.request() }
    }
    inputs.run(into: &sink)
    if let signal = Interruption.signal { stopped(sink, Interruption.status(signal)) }
    if inputs.stop != nil, sink.isFull { stopped(sink, ExitStatus.inputOutputError) }
    Interruption.release()
  }

  /// Ends the program after a signal or a full disk has stopped the run.
  private func stopped(_ import: FileImport, _ status: Int32) -> Never {
    var sink = `import`
    sink.finish()
    reporting.printWarnings()
    reporting.printFailures(sink.failures)
    Console.complain(
      "stopped: \(Counted.of(sink.written, "drive")) completed; run the same command again for the others"
    )
    // Threads may still be processing inputs.
    Interruption.end(status)
  }

  /// Imports all inputs as one recording.
  private mutating func importJoined(into sink: inout FileImport, _ walk: EnumerationOptions) {
    let protection = InputProtection(options.inputs, isOff: options.force)
    var walk = walk
    walk.inspectStandardInput(options.inputs)
    let isListed = walk.standardInput?.list != nil
    let inputs = ConversionInput.sequence(
      [.files(options.inputs)], walk, progress: { RunProgress($0, isListed: isListed) },
      refusal: { [options] input throws(TrackError) in
        if let output = options.output { try protection.check(output, input: input.file) }
      })
    // The drive is written next to the archive or folder and named after it, not after its first file.
    let container = options.inputs.first.flatMap { InputEnumerator.isContainer($0, options: walk) ? $0 : nil }
    sink.takeJoined(inputs, options.cleaning.cleaning, container: container).print()
  }
}

extension GhostConvert.ImportCommandOptions {
  /// The destination of drives without a library.
  fileprivate var destination: DriveDestination.Kind {
    if let output { return output == "-" ? .standardOutput : .file(output) }
    if let outputDirectory { return .folder(outputDirectory, isFlat: flat) }
    return inputs == ["-"] && !listing.isOn ? .standardOutput : .besideInputs
  }

  /// Whether there may be many inputs.
  fileprivate var hasManyInputs: Bool {
    listing.isOn || inputs.count > 1 || inputs.contains { InputEnumerator.mayHoldSeveral($0) }
  }
}
