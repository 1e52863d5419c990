import BulkImport
import DriveLibrary
import TrackArchives
import TrackFormats
import TrackModel

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Runs the import command with a library as output.
struct LibraryImportRun {
  private let options: GhostConvert.ImportCommandOptions
  private let path: String
  private let report: InputReport
  private let reporting: LibraryReporting
  private let stop = WorkStop()
  private let library: DriveLibrary
  private var sink: LibraryImport

  /// Runs the command.
  static func run(_ options: GhostConvert.ImportCommandOptions, library path: String) -> Int32 {
    var walk = EnumerationOptions(
      options.listing, options.extraction.opening, joinsClips: !options.separatesClips,
      report: options.report)
    walk.takesEmptyFolders = true
    walk.excludedFiles += ["", "-wal", "-shm"].map { path + $0 }
    if let status = statusOfMissingInputs(options, path) { return status }
    return ExitStatus.reporting { () throws(TrackError) in
      guard
        !options.cleaning.changes.joinsInputs
          || options.inputs.count == 1
            && !InputEnumerator.isContainer(options.inputs[0], options: walk)
      else {
        throw TrackError(
          .usage, "--merge and --fuse combine inputs, but a library keeps each input separately",
          suggestion: .text(
            options.cleaning.changes.fuses
              ? "import them, and combine the drives with ghost-convert library fuse ID ID"
              : "import into a file with -o first, then import that file into the library"))
      }
      // A new library is not created if another one cannot be read.
      let (libraries, files) = try inputs(of: options)
      var run = try LibraryImportRun(options, path)
      return try run.run(walk, libraries, files)
    }
  }

  /// Returns the inputs that are libraries, and the others.
  private static func inputs(
    of options: GhostConvert.ImportCommandOptions
  ) throws(TrackError) -> (libraries: [DriveLibrary], files: [String]) {
    var libraries: [DriveLibrary] = []
    var files: [String] = []
    for input in options.inputs {
      do throws(TrackError) {
        if LibraryFileKind.isLibrary(input) {
          libraries.append(try DriveLibrary(path: input, mode: .reading))
        } else {
          files.append(input)
        }
      } catch {
        // Another database fails like any other file that cannot be read.
        guard error.code == .unknownFormat else { throw error }
        files.append(input)
      }
    }
    let signature = OptionSignature(options.extraction, options.cleaning.cleaning, isUTC: false)
    guard libraries.isEmpty || signature.text.isEmpty else {
      throw TrackError(
        .usage, "the drives of a library are added as they are, and cannot be changed by options",
        suggestion: .text("import the library without other options"))
    }
    return (libraries, files)
  }

  /// Reports the inputs if none of them exists, before a library is created, which later commands would use.
  /// A report file also lists missing inputs, and is written by an import.
  private static func statusOfMissingInputs(
    _ options: GhostConvert.ImportCommandOptions, _ path: String
  ) -> Int32? {
    guard options.report == nil, !InputEnumerator.exists(path),
      !options.inputs.contains(where: { $0 == "-" || InputEnumerator.exists($0) })
    else { return nil }
    var failures = FailureReport(isJSON: options.json)
    for input in options.inputs {
      failures.attempt(input) { () throws(TrackError) in _ = try ByteInput(path: input) }
    }
    return failures.status == ExitStatus.success ? nil : failures.status
  }

  private init(_ options: GhostConvert.ImportCommandOptions, _ path: String) throws(TrackError) {
    self.options = options
    self.path = path
    reporting = LibraryReporting(
      ImportOutput(isJSON: options.json, isStandardOutputTaken: options.report == "-"), library: path)
    report = try InputReport.begin(options.report)
    Interruption.intercept(limit: 10) { [stop] in stop.request() }
    library = try DriveLibrary(path: path, mode: .creating)
    let run = try library.beginRun(
      version: GhostConvert.version,
      command: GhostConvert.commandLine, folder: FileManager.default.currentDirectoryPath)
    var settings = LibraryImport.Settings()
    settings.policy.keepsDuplicates = options.keepsDuplicates
    settings.policy.isAgain = options.again
    settings.signature =
      OptionSignature(
        options.extraction, options.cleaning.cleaning, isUTC: options.display.utc
      ).text
    settings.takesExportNames = options.extraction.name == nil
    settings.wording.removed = .removed
    settings.wording.advice = { $0.advice }
    settings.wording.otherOptions = "already imported with other options; use --again to import it again"
    settings.wording.otherName =
      "already imported under a different name than in the export; "
      + "use --again to rename it, which also restores removed drives"
    sink = try LibraryImport(
      options.importExtraction(forLibrary: true), to: library, run: run, settings, report: report,
      stop: stop
    ) { [reporting] in reporting.present($0) }
  }

  private mutating func run(
    _ walk: EnumerationOptions, _ libraries: [DriveLibrary], _ files: [String]
  ) throws(TrackError) -> Int32 {
    for other in libraries { try sink.take(other) }
    if !files.isEmpty || options.listing.isOn {
      var inputs = InputRun<ExtractedInput>(files, jobs: options.jobs, walk: walk)
      inputs.stop = stop
      inputs.run(into: &sink)
    }
    return end()
  }

  private mutating func end() -> Int32 {
    let signal = Interruption.signal
    sink.finish(isStopped: signal != nil) { tally in
      signal == nil ? tally.summary : "stopped: \(tally.summary)"
    }
    reporting.printWarnings()
    var status = sink.firstFault.map(ExitStatus.of) ?? ExitStatus.success
    let fault = sink.fault
    let tally = sink.tally
    if let fault {
      Console.report(fault)
      status = ExitStatus.of(fault)
    }
    if let signal {
      Console.complain(
        "stopped: \(Counted.of(tally.inputs, "input")) completed in \(path); "
          + "run the same command to continue"
      )
      status = Interruption.status(signal)
    } else if fault == nil {
      reporting.summarize(
        tally, withOtherOptions: sink.withOtherOptions, withOtherNames: sink.withOtherNames)
      if let emptiness = tally.emptiness {
        Console.report(emptiness)
        status = ExitStatus.of(emptiness)
      }
    }
    if tally.inputs > 10 || sink.failures.hasRepetitions
      || options.inputs.contains(where: { InputEnumerator.mayHoldSeveral($0) })
    {
      for line in sink.failures.lines { Console.note(line) }
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
