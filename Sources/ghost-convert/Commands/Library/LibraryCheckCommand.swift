import CommandLineParsing
import DriveLibrary
import TrackModel

extension GhostConvert {
  struct LibraryCheckOptions: LibraryCommandOptions {
    var library: String?
    var display = DisplayOptions()
  }

  static let libraryCheckCommand: Command = Command(
    "check", summary: "Check a library for damage",
    discussion: """
      Runs SQLite's integrity check, and compares the spatial index with the lines, the lines with the \
      coordinates, and the number of recorded points. Prints one line per problem. The exit status is 65 if \
      there are any.
      """,
    defaults: LibraryCheckOptions(),
    parameters: [
      .quiet, .library,
    ],
    examples: [Example("ghost-convert library check", "check the whole library")],
    operandHint: LibraryPath.operandHint
  ) { (options: LibraryCheckOptions) in
    options.withLibrary { library throws(TrackError) in
      let problems = try library.check()
      for problem in problems { Console.print([problem.text, problem.suggestion?.advice].joinedLine) }
      if problems.isEmpty, !options.display.quiet {
        Console.print("\(Counted.of(try library.count, "drive")), no problems")
      }
      return problems.isEmpty ? ExitStatus.success : ExitStatus.dataError
    }
  }
}
