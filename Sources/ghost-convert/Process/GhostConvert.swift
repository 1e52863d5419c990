import CommandLineParsing

/// The program: its commands, and what its help says about all of them.
enum GhostConvert {
  static let version = "0.1.0"
  /// When that version was made, for the manual page.
  static let releaseDate = "2026-11-21"

  /// The command line as it can be given to a shell again.
  static var commandLine: String {
    (["ghost-convert"] + CommandLine.arguments.dropFirst()).map { word in
      let isPlain = word.utf8.allSatisfy { byte in
        (0x61...0x7A).contains(byte | 0x20) || (0x2B...0x3A).contains(byte)
          || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "=") || byte == UInt8(ascii: "@")
      }
      return isPlain && !word.isEmpty ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }.joined(separator: " ")
  }

  static let program: Program = Program(
    name: "ghost-convert", version: version,
    summary: "Turn GPS recordings into Ghost Car drives, and one track format into another.",
    discussion: """
      A drive stores a duration and a list of coordinates, and no time per point: the app spreads the duration \
      evenly over the gaps between the points. An import makes that true.

      Inputs are recognised by their content, not by their name; - is standard input or standard output. \
      Several inputs are each tried, and one that is bad does not stop the rest.
      """,
    examples: [
      Example("ghost-convert import ride.gpx", "writes ride.drive.json beside it"),
      Example("ghost-convert info ride.gpx", "says what is in a file"),
      Example("ghost-convert convert in.gpx -o out.gpx", "converts as a stream, whatever the size"),
      Example("ghost-convert compare tuesday.gpx thursday.gpx", "says which drive was faster, and where"),
      Example("ghost-convert import --help", "explains one command, with examples"),
    ],
    commands: [
      importCommand, infoCommand, convertCommand, compareCommand, lapsCommand, recordCommand, ghostCommand,
      libraryCommand, segmentCommand, formatsCommand, completionsCommand, manualCommand,
    ],
    exitStatuses: [
      (0, "all went well; there may be warnings"),
      (64, "the command line is wrong"),
      (65, "an input is damaged, or cannot become what was asked for"),
      (66, "an input is missing or cannot be read"),
      (73, "an output cannot be made"),
      (74, "reading or writing failed on the way"),
      (130, "Ctrl-C stopped an import of several inputs or a conversion into a folder; what is done stays"),
    ])
}
