import BulkImport
import CommandLineParsing
import DriveLibrary
import DriveMatching
import GhostExport
import GhostModel
import TrackFormats
import TrackModel

extension GhostConvert {
  struct SegmentShowOptions: LibraryCommandOptions {
    var library: String?
    var name = ""
    var selection = DriveSelection()
    var all = false
    var json = false
    var display = DisplayOptions()
    var outputs: [String] = []
    var quotesFormulas = false
  }

  static let segmentShowCommand: Command = Command(
    "show", summary: "List the passages of a segment, the fastest first",
    discussion: """
      Shows the ten fastest passages, the latest passage, the best of each month, and the trend. With \
      --output, writes a race of the ten fastest passages and the latest, with a ranking of all passages, in \
      the formats of compare. A CSV file lists all passages.
      """,
    defaults: SegmentShowOptions(),
    parameters: [
      .argument("NAME", \.name, "The segment.", parse: SegmentName.read),
      .option(
        "--since", \.selection.since, value: "DATE",
        "Include only passages at DATE or later, for example 2025-01."),
      .option("--until", \.selection.until, value: "DATE", "Include only passages at DATE or earlier."),
      .option(
        "--kind", \.selection.kind, value: "KIND", "Include only drives of this kind.",
        completion: KindGroups.completion),
      .flag("--all", \.all, "Show all passages."),
      .flag("--json", \.json, "Print one JSON object with all passages."),
      .repeated(
        "--output", short: "-o", \.outputs, value: "FILE",
        "Write a race of the fastest passages and the latest to FILE, "
          + "or a table of all passages to a CSV file.",
        completion: .files),
      .quoteFormulas(\.quotesFormulas, in: "CSV"),
      .quiet, .utc, .units, .library,
    ],
    examples: [
      Example("ghost-convert segment show climb", "list the fastest passages and the trend"),
      Example(
        "ghost-convert segment show climb --since 2025 -o climb.html",
        "see the passages since 2025 as a race in a browser"),
    ]
  ) { (options: SegmentShowOptions) throws(UsageError) -> Int32 in
    try checkOutputs(options.outputs, quotesFormulas: options.quotesFormulas)
    return options.withLibrary { library throws(TrackError) in
      let segment = try library.existingSegment(options.name)
      let ranking = PassageRanking(
        try library.passages(of: options.name, options.selection.filter), of: segment,
        isFiltered: options.selection.isGiven)
      try InputProtection().check(options.outputs)
      if options.json {
        Console.print(ranking.json)
      } else if Console.printsText(besides: options.outputs) {
        Console.print(ranking.lines(all: options.all).joined(separator: "\n"))
      }
      try ComparisonOutput.writeEach(options.outputs) { path throws(TrackError) in
        try ranking.write(to: path, library, quotesFormulas: options.quotesFormulas)
      }
      return ExitStatus.success
    }
  }
}
