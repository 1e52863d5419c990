import CommandLineParsing
import DriveLibrary
import DriveMatching
import GhostExport
import TrackModel

extension GhostConvert {
  struct SegmentListOptions: LibraryCommandOptions {
    var library: String?
    var json = false
    var display = DisplayOptions()
  }

  static let segmentListCommand: Command = Command(
    "list", summary: "List the segments of a library", defaults: SegmentListOptions(),
    parameters: [
      .flag("--json", \.json, "Print one JSON object per segment."),
      .quiet, .units, .library,
    ],
    examples: [Example("ghost-convert segment list", "list segments with their best times")],
    operandHint: LibraryPath.operandHint
  ) { (options: SegmentListOptions) in
    options.withLibrary { library throws(TrackError) in
      let segments = try library.segments()
      if options.json {
        for segment in segments { Console.print(segment.json) }
        return ExitStatus.success
      }
      guard !segments.isEmpty else {
        Console.print("0 segments")
        return ExitStatus.success
      }
      var table = TextTable([
        ("segment", .left), ("length", .right), ("passages", .right), ("best", .right),
      ])
      for entry in segments {
        table.add([
          entry.segment.name.shortened(to: 60), Text.distance(entry.segment.length), String(entry.passages),
          entry.best.map(Text.lapTime) ?? "",
        ])
      }
      Console.print(table.lines.joined(separator: "\n"))
      return ExitStatus.success
    }
  }
}
