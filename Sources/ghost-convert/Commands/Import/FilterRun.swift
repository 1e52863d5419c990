import BulkImport
import TrackArchives
import TrackFormats
import TrackModel

/// Import as a filter: a path in, a record out.
struct FilterRun {
  private let filter: PathFilter
  private let list: StandardInput

  init(_ options: GhostConvert.ImportCommandOptions, _ list: StandardInput) {
    self.list = list
    var walk = WalkOptions()
    walk.format = options.from
    var filter = PathFilter(
      ImportRun.extraction(options), walk, jobs: options.jobs ?? Processors.count)
    filter.keepsDuplicates = options.keepsDuplicates
    filter.hint = { $0.suggestion?.advice }
    filter.tooLarge = { isContainer in
      TrackError(
        .limitExceeded, "the drives take more than \(PathFilter.largestRecord >> 20) MiB in one record",
        suggestion: .text(
          isContainer
            ? "unpack it and list the files in it" : "import it by itself, without --stdin-paths --json"))
    }
    self.filter = filter
  }

  /// - Returns: the exit status: a failure is that of the list or of standard output, never that of an input.
  func run() -> Int32 {
    do throws(TrackError) {
      try filter.run(list) { Console.printLine($0) }
      return ExitStatus.success
    } catch {
      Console.report(error)
      return ExitStatus.of(error)
    }
  }
}
