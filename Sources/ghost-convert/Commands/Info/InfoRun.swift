import BulkImport
import TrackArchives
import TrackFormats
import TrackModel

/// Runs the info command, which prints a summary of each argument in order.
struct InfoRun {
  let options: GhostConvert.InfoOptions

  /// Runs the command and returns its exit status. If several inputs failed, it is the status of the first
  /// failure.
  func run() -> Int32 {
    var walk = EnumerationOptions(options.listing, options.opening)
    var sink = InputSummaries(
      options.opening, maximumAccuracy: options.maximumAccuracy, describe: { $0.text }
    ) {
      present($0)
    }
    for part in InputPart.parts(options.inputs) {
      switch part {
      case .tracks(let path, let open): sink.add(path: path, format: "gpkg", open)
      case .files(let paths):
        // Like an import of the folder. Files have a summary each.
        walk.joinsClips = paths.count == 1
        InputRun<InputSummaries.Product>(paths, jobs: options.jobs, walk: walk).run(into: &sink)
      }
    }
    sink.finish()
    return sink.firstFault.map(ExitStatus.of) ?? ExitStatus.success
  }

  private func present(_ message: InputSummaries.Message) {
    switch message {
    case .file(let summary):
      Console.report(summary.warnings, file: summary.file)
      Console.print(options.json ? summary.json.text : summary.text)
    case .container(let summary):
      for line in summary.foldedWarnings.lines { Console.note(line) }
      if options.json {
        Console.print(summary.json(hint: { $0.advice }))
      } else {
        summary.printText { Console.print($0) }
      }
    case .failure(let error, let path, let hasSummary):
      Console.report(error)
      // Archives and folders have a separate record.
      guard options.json, options.listing.isOn || !hasSummary else { return }
      Console.print(JSONValue.failure(error, of: path))
    }
  }
}
