import CommandLineParsing
import TrackFormats

/// The program: its commands and the general parts of the help.
enum GhostConvert {
  static let version = "0.2.0"
  /// The release date of the version, for the manual page.
  static let releaseDate = "2026-11-23"

  /// The command line, quoted for a shell.
  static var commandLine: String { commandLine(Array(CommandLine.arguments.dropFirst())) }

  /// Returns a command line of the program, quoted for a shell.
  static func commandLine(_ arguments: [String]) -> String {
    (["ghost-convert"] + arguments).map { word in
      let isPlain = word.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x2B...0x3A).contains(byte)
          || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "@")
      }
      return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }.joined(separator: " ")
  }

  static let program: Program = Program(
    name: "ghost-convert", version: version,
    summary: "Convert GPS recordings between formats, and compare drives over the same road.",
    discussion: """
      A drive of the app Ghost Car stores a duration and a list of coordinates without times. The app spreads \
      the duration evenly over the intervals between the coordinates. An import therefore resamples a \
      recording to points that are evenly spaced in time.

      Input formats are detected from the content. - means standard input or standard output. If one of \
      several inputs fails, the others are still processed.
      """,
    examples: [
      Example("ghost-convert info ride.gpx", "show a file's contents"),
      Example("ghost-convert convert ride.fit -o ride.gpx", "convert a file of any size"),
      Example("ghost-convert compare tuesday.gpx thursday.gpx", "show which drive was faster, and where"),
      Example("ghost-convert import ride.gpx", "write ride.drive.json next to it, a drive for the app"),
      Example("ghost-convert import --help", "explain a command, with examples"),
    ],
    firstSteps: [
      Example("ghost-convert demo", "compare two example drives"),
      Example("ghost-convert info ride.gpx", "show a file's contents"),
      Example("ghost-convert compare a.gpx b.gpx -o race.html", "show which was faster"),
      Example("ghost-convert import export.zip --library", "collect drives"),
      Example("ghost-convert --help", "list all commands"),
    ],
    commands: [
      importCommand, infoCommand, convertCommand, compareCommand, lapsCommand, recordCommand, ghostCommand,
      libraryCommand, segmentCommand, formatsCommand, demoCommand, doctorCommand, completionsCommand,
      manualCommand,
    ],
    exitStatuses: [
      (0, "success, possibly with warnings, for example about a file that is cut off"),
      (64, "usage error"),
      (65, "an input is invalid or cannot be converted, or causes a warning with --strict"),
      (66, "an input is missing or cannot be read"),
      (73, "an output cannot be created"),
      (74, "reading or writing failed"),
      (130, "interrupted with Ctrl-C; completed outputs are kept"),
    ],
    hintForUnknownCommand: { name in
      let isPath = name.contains(".") || name.contains("/") || FileDescriptor.kind(at: name) != nil
      return isPath ? "to show the contents of a file, run \(commandLine(["info", name]))" : nil
    })
}
