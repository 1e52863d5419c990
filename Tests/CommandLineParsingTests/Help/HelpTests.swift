import Testing

@testable import CommandLineParsing

struct HelpTests {
  @Test("A command's help has examples and aligned options")
  func commandHelp() {
    #expect(
      Sample.program.helpText(for: Sample.importCommand) == """
        Usage: tracks import [OPTION]... FILE...

        Turn recordings into drives

        Examples:
          tracks import ride.gpx
              writes ride.drive.json next to it

        A recording becomes a drive when its points have times. Points that the file
        says are worse than the limit are left out.

          ride.gpx  ->  ride.drive.json

        The rest is kept.

        Operands:
          FILE  Recordings to read; - is standard input.

        Timing:
              --cadence SECONDS  Seconds between points; auto keeps even steps and
                                 otherwise takes about one second. (default: auto)
              --timing RULE      How long a drive took. (one of elapsed, moving;
                                 default: elapsed)
              --shift TIME       Move every time.
              --maximum-accuracy METRES
                                 Leave out points that are less accurate. (default: 15)
          -n, --rounds COUNT     How many rounds.

        General:
          -j, --json         Print JSON for scripts.
          -v, --verbose      Say more.
          -o, --output FILE  Where to write; - is standard output.
              --tag TAG      A word to file it under. (may be repeated)
          -h, --help         Show this help.

        """)
  }

  @Test("The program's help lists its commands")
  func programHelp() {
    #expect(
      Sample.program.helpText() == """
        Usage: tracks COMMAND [OPTION]... [OPERAND]...

        Turn GPS tracks into drives

        Examples:
          tracks import ride.gpx
              makes a drive
          tracks formats
              lists the formats

        It reads a recorder's files.

        Commands:
          import   Turn recordings into drives
          script   Print completions
          formats  List the formats

        Options:
          -h, --help     Show this help.
          -V, --version  Print the version.

        tracks COMMAND --help explains one command.

        Exit status:
           0  All went well.
          64  The arguments were wrong.

        """)
  }

  @Test("Without arguments only the usage and the commands are shown")
  func shortHelp() {
    #expect(
      Sample.program.shortHelpText() == """
        Usage: tracks COMMAND [OPTION]... [OPERAND]...

        Commands:
          import   Turn recordings into drives
          script   Print completions
          formats  List the formats

        tracks --help shows examples; tracks COMMAND --help explains one command.

        """)
  }

  @Test("A program with first steps shows them without arguments, one on each line")
  func firstSteps() {
    let program = Program(
      name: "tracks", version: "1.0", summary: "Tracks",
      firstSteps: [Example("tracks demo", "try it"), Example("tracks --help", "list all commands")],
      commands: Sample.program.commands)
    #expect(
      program.shortHelpText() == """
        tracks demo    try it
        tracks --help  list all commands

        """)
  }

  @Test("The help of a command with subcommands lists them")
  func groupHelp() {
    #expect(
      Sample.nested.helpText(for: Sample.storeCommand) == """
        Usage: tracks store COMMAND [OPTION]... [OPERAND]...

        Keep drives

        Examples:
          tracks store import ride.gpx
              keeps a drive

        They lie in one file.

        Commands:
          import   Turn recordings into drives
          formats  List the formats
          shelf    Sort them

        Options:
          -h, --help  Show this help.

        tracks store COMMAND --help explains one command.

        """)
    #expect(
      Sample.nested.shortHelpText(for: Sample.storeCommand) == """
        Usage: tracks store COMMAND [OPTION]... [OPERAND]...

        Commands:
          import   Turn recordings into drives
          formats  List the formats
          shelf    Sort them

        tracks store --help shows examples; tracks store COMMAND --help explains one
        command.

        """)
    #expect(
      Sample.nested.helpText(for: Sample.nested.commands[1].commands[0])
        .hasPrefix("Usage: tracks store import [OPTION]... FILE...\n"))
    #expect(
      Sample.nested.helpText(for: Sample.nested.commands[1].commands[2].commands[0])
        .hasPrefix("Usage: tracks store shelf script\n"))
  }

  @Test("Optional operands are in brackets, and their descriptions contain the default and the choices")
  func operands() {
    let lines = Sample.program.helpText(for: Sample.scriptCommand).split(separator: "\n")
    #expect(lines.first == "Usage: tracks script SHELL [FOLDER]")
    #expect(lines.contains("  SHELL   The shell that reads them. (one of bash, zsh, fish)"))
    #expect(lines.contains("  FOLDER  Where they shall lie. (default: .)"))
    #expect(
      Sample.program.helpText(for: Sample.formatsCommand).hasPrefix("Usage: tracks formats\n"),
      "a command that has no option but --help shows none in its usage")
  }

  @Test(
    "The usage shows how many operands are required",
    arguments: [(0, "[F...]"), (1, "F..."), (3, "F F F...")])
  func manyOperands(minimum: Int, synopsis: String) {
    let parameter = Parameter<Sample.ImportOptions>.arguments("F", \.inputs, minimum: minimum, "Files.")
    #expect(parameter.description.synopsis == synopsis)
  }

  @Test("Headings are bold when styled, and the other text is the same")
  func styled() {
    let plain = Sample.program.helpText(for: Sample.importCommand)
    let styled = Sample.program.helpText(for: Sample.importCommand, styled: true)
    #expect(styled.hasPrefix("\u{1b}[1mUsage:\u{1b}[0m tracks import"))
    #expect(styled.contains("\n\u{1b}[1mTiming:\u{1b}[0m\n"))
    let unstyled = styled.split(separator: "\u{1b}[1m").joined().split(separator: "\u{1b}[0m").joined()
    #expect(unstyled == plain)
  }

  @Test("Text is wrapped to the width", arguments: [40, 60, 80, 120])
  func widths(width: Int) {
    let text = Sample.program.helpText(for: Sample.importCommand, width: width)
    #expect(text.split(separator: "\n").allSatisfy { $0.count <= width })
    let words = text.split(whereSeparator: \.isWhitespace)
    let usual = Sample.program.helpText(for: Sample.importCommand).split(whereSeparator: \.isWhitespace)
    #expect(words == usual)
  }
}
