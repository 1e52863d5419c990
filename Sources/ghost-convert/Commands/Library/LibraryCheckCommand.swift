import CommandLineParsing
import DriveLibrary
import TrackModel

extension GhostConvert {
  struct LibraryCheckOptions: LibraryCommandOptions {
    var library: String?
    var quiet = false
  }

  static let libraryCheckCommand: Command = Command(
    "check", summary: "Look whether a library is sound",
    discussion: """
      SQLite's own check, the spatial index against the lines, the lines against the coordinates, every recorded \
      point. Each problem is a line; the exit status is 65 where there is one.
      """,
    defaults: LibraryCheckOptions(),
    parameters: [
      .quiet(\.quiet), .library,
    ],
    examples: [Example("ghost-convert library check", "reads all of it")],
    operandHint: LibraryPath.operandHint
  ) { (options: LibraryCheckOptions) in
    options.withLibrary { library throws(TrackError) in
      let problems = try library.check()
      for problem in problems { Console.print([problem.text, problem.suggestion?.advice].joinedLine) }
      if problems.isEmpty, !options.quiet {
        Console.print("\(Counted.of(try library.count, "drive")), all sound")
      }
      return problems.isEmpty ? ExitStatus.success : ExitStatus.dataError
    }
  }
}
