import CommandLineParsing
import DriveLibrary
import TrackModel

extension GhostConvert {
  struct LibraryCheckOptions: LibraryCommandOptions {
    var library: String?
    var json = false
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
      .flag("--json", \.json, "Print one JSON object."), .quiet, .library,
    ],
    examples: [Example("ghost-convert library check", "check the whole library")],
    operandHint: LibraryPath.operandHint
  ) { (options: LibraryCheckOptions) in
    ExitStatus.reporting(isJSON: options.json) { () throws(TrackError) in
      do throws(TrackError) {
        return try options.check()
      } catch {
        guard error.suggestion == .checkLibrary else { throw error }
        throw TrackError(
          error.code, error.message, file: error.file, place: error.place,
          suggestion: .text(
            "delete the files beside it with the suffixes -wal and -shm and restore a backup, or import the "
              + "sources to a new library"))
      }
    }
  }
}

extension GhostConvert.LibraryCheckOptions {
  fileprivate func check() throws(TrackError) -> Int32 {
    let library = try DriveLibrary(path: try LibraryPath.path(library), mode: .reading)
    let problems = try library.check()
    if json {
      Console.print(
        JSONValue.object([
          ("drives", .integer(try library.count)), ("problems", .array(problems.map(\.json))),
        ]).text)
    } else {
      for problem in problems { Console.print([problem.text, problem.suggestion?.advice].joinedLine) }
    }
    if problems.isEmpty, !json, !display.quiet {
      Console.print("\(Counted.of(try library.count, "drive")), no problems")
    }
    return problems.isEmpty ? ExitStatus.success : ExitStatus.dataError
  }
}

extension LibraryProblem {
  fileprivate var json: JSONValue {
    .object([
      ("drive", drive.map(JSONValue.string) ?? .null), ("message", .string(text)),
      ("hint", (suggestion?.advice).map(JSONValue.string) ?? .null),
    ])
  }
}
