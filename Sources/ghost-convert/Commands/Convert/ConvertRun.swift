import BulkImport
import TrackArchives
import TrackFormats
import TrackModel

/// Runs the convert command.
struct ConvertRun {
  let options: GhostConvert.ConvertOptions
  let conversion: TrackConversion

  private var walk: EnumerationOptions {
    EnumerationOptions(
      options.listing, options.opening, joinsClips: !options.separatesClips,
      outputDirectory: options.outputDirectory, report: options.report)
  }

  // MARK: One output

  /// Converts all inputs to one output and returns the exit status.
  func run(output: String) throws(TrackError) -> Int32 {
    var messages = ConversionMessages()
    defer { messages.print() }
    let protection = InputProtection(options.inputs, isOff: options.force)
    try protection.check([output])
    let report = try InputReport.begin(options.report)
    var walk = walk
    walk.inspectStandardInput(options.inputs)
    let isListed = walk.standardInput?.list != nil
    let inputs = ConversionInput.sequence(
      InputPart.parts(options.inputs), walk, taps: report.isWanted, reportsSkipped: report.isWanted,
      progress: { RunProgress($0, isListed: isListed) },
      refusal: { input throws(TrackError) in try protection.check(output, input: input.file) })
    var records: [InputRecord] = []
    var firstFault: TrackError?
    var fault: TrackError?
    do throws(TrackError) {
      firstFault = try conversion.run(inputs, output: output, &messages, &records)
    } catch {
      fault =
        error.code == .noTracks && records.allSatisfy { $0.state == .skipped }
        ? error.inFile(InputPath.name(options.inputs[0])) : error
    }
    report.add(records)
    report.finish()
    if let fault { throw fault }
    return firstFault.map(ExitStatus.of) ?? report.status
  }

  // MARK: An output for each input

  /// Converts each input to a separate file in a folder and returns the exit status.
  func run(folder: String) throws(TrackError) -> Int32 {
    try ByteSink.makeFolder(folder)
    let report = try InputReport.begin(options.report)
    let path = FileName.folderPrefix(folder)
    let isLong =
      options.listing.isOn || options.inputs.count > 1
      || options.inputs.contains { InputEnumerator.mayHoldSeveral($0) }
    let journal = try openJournal(inFolder: path, isLong: isLong)
    var settings = FileConversion.Settings()
    settings.isFlat = options.flat
    settings.replacesFiles = options.force
    let stop = WorkStop()
    var sink = FileConversion(
      conversion, into: path, settings,
      protection: InputProtection(options.inputs, outputFolder: path, isOff: options.force),
      report: report, journal: journal, stop: stop
    ) { message in
      let isRepeated = isLong && !Console.isQuiet && message.isRepeated
      if !isRepeated { message.messages.printLines() }
      if !isRepeated, let fault = message.fault { Console.report(fault) }
    }
    var inputs = InputRun<FileConversion.Product>(options.inputs, jobs: options.jobs, walk: walk)
    // With a single input, there is no finished work to keep when it is interrupted.
    if journal != nil {
      inputs.stop = stop
      Interruption.intercept(limit: 10) { stop.request() }
    }
    inputs.run(into: &sink)
    sink.finish()
    for line in sink.warnings.lines { Console.note(line) }
    if journal != nil {
      if let signal = Interruption.signal { stopped(sink, path, isLong, Interruption.status(signal)) }
      if sink.isFull { stopped(sink, path, isLong, ExitStatus.inputOutputError) }
    }
    Interruption.release()
    if sink.replaced > 0 {
      let files = sink.replaced == 1 ? "an existing file" : "existing files"
      Console.note("\(path): \(Counted.of(sink.replaced, "output")) replaced \(files)")
    }
    if isLong || options.resume { for line in sink.summary(path) { Console.note(line) } }
    if let orphans = journal?.orphans(ending: conversion.format.fileEnding), let first = orphans.first {
      let outputs = Counted.of(orphans.count, "output")
      Console.note("\(path): \(outputs) of removed inputs kept, the first: \(first)")
    }
    if isLong { for line in sink.failures.lines { Console.note(line) } }
    journal?.complete()
    let emptiness = sink.emptiness
    if let emptiness { Console.report(emptiness) }
    return (sink.firstFault ?? emptiness).map(ExitStatus.of) ?? report.status
  }

  /// Opens the journal of a folder, or returns `nil` if it needs none. A resumed run first removes the
  /// incomplete files of the earlier one.
  private func openJournal(inFolder path: String, isLong: Bool) throws(TrackError) -> ConversionJournal? {
    if options.resume {
      for folder in InputEnumerator.folders(below: path) { TemporaryFiles.removeStale(inFolder: folder) }
    }
    guard options.resume || isLong || ConversionJournal.exists(inFolder: path) else { return nil }
    let signature = OptionSignature(
      conversion, program: GhostConvert.version, isUTC: options.display.utc)
    let journal = try ConversionJournal(
      folder: path, options: signature.text, isResuming: options.resume)
    if !options.resume, journal.wasCutOff {
      Console.note("\(path): an earlier run was interrupted; use --resume to continue it")
    }
    return journal
  }

  /// Ends the program after a signal or a full disk has stopped the run.
  private func stopped(_ sink: FileConversion, _ path: String, _ isLong: Bool, _ status: Int32) -> Never {
    if isLong { for line in sink.failures.lines { Console.note(line) } }
    let count = Counted.of(sink.counts[.converted] ?? 0, "output")
    Console.complain(
      "stopped: \(count) in \(path) completed; run the same command with --resume to continue")
    // Threads may still be processing inputs.
    Interruption.end(status)
  }
}

extension FileConversion {
  /// Returns the number of inputs in each state, with the reasons for skipped inputs.
  fileprivate func summary(_ path: String) -> [String] {
    let counts = { (state: InputRecord.State) in self.counts[state] ?? 0 }
    return [
      "\(path): \(Counted.of(counts(.converted), "input")) converted, "
        + "\(counts(.alreadyThere)) already converted, \(counts(.skipped)) skipped, \(counts(.failed)) failed"
    ] + reasons.map { "  skipped \($0.count): \($0.reason)" }
  }
}

extension ConversionMessages {
  /// Prints all messages except for warnings.
  func printLines() {
    for line in lines {
      switch line {
      case .note(let text): Console.note(text)
      case .failure(let error) where error.code == .warning: Console.note(error.text)
      case .failure(let error): Console.report(error)
      }
    }
  }

  /// The number of lines above which failures are printed by cause.
  private static let maximumLines = 50

  func print() {
    for line in warnings.lines { Console.note(line) }
    guard lines.count > Self.maximumLines else { return printLines() }
    var failures = FoldedFailures()
    for line in lines {
      switch line {
      case .failure(let error) where error.code != .warning: if failures.add(error) { Console.report(error) }
      case .failure(let error): Console.note(error.text)
      case .note(let text): Console.note(text)
      }
    }
    for line in failures.lines { Console.note(line) }
  }
}
