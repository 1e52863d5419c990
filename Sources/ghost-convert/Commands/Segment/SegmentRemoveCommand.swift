import CommandLineParsing
import DriveLibrary
import TrackModel

extension GhostConvert {
  struct SegmentRemoveOptions: LibraryCommandOptions {
    var library: String?
    var names: [String] = []
    var display = DisplayOptions()
  }

  static let segmentRemoveCommand: Command = Command(
    "remove", summary: "Remove segments, but not their drives, from a library",
    defaults: SegmentRemoveOptions(),
    parameters: [
      .arguments("NAME", \.names, "Segments to remove.", parse: SegmentName.read),
      .quiet, .library,
    ],
    examples: [Example("ghost-convert segment remove climb", "remove a segment and its passages")]
  ) { (options: SegmentRemoveOptions) throws(UsageError) -> Int32 in
    for (index, name) in options.names.enumerated() where options.names[..<index].contains(name) {
      throw UsageError("\(name) is given twice")
    }
    return options.withLibrary(.writing) { library throws(TrackError) in
      for name in options.names { _ = try library.existingSegment(name) }
      for name in options.names {
        try library.removeSegment(named: name)
        if !options.display.quiet { Console.print("removed  \(name)") }
      }
      return ExitStatus.success
    }
  }
}
