import BulkImport
import TrackArchives
import TrackFormats
import TrackModel

/// Runs the import command as a filter that reads paths and prints records.
struct FilterRun {
  let options: GhostConvert.ImportCommandOptions

  /// Runs the filter and returns the exit status. Only failures to read the list or to write standard output
  /// affect the status; failed inputs do not.
  func run() -> Int32 {
    var settings = FilterImport.Settings()
    settings.keepsDuplicates = options.keepsDuplicates
    settings.hint = { $0.suggestion?.advice }
    let stop = WorkStop()
    var sink = FilterImport(options.importExtraction(), settings, stop: stop) { Console.printLine($0) }
    let walk = EnumerationOptions(options.listing, options.extraction.opening)
    var inputs = InputRun<FilterImport.Product>(options.inputs, jobs: options.jobs, walk: walk)
    inputs.stop = stop
    inputs.run(into: &sink)
    // Threads may still be processing inputs or waiting for the list.
    if sink.isOutputLost { Interruption.end(Console.status(ExitStatus.success)) }
    guard let fault = sink.fault else { return ExitStatus.success }
    Console.report(fault)
    return ExitStatus.of(fault)
  }
}
