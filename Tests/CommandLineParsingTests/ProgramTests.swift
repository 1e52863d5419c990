import Testing

@testable import CommandLineParsing

struct ProgramTests {
  /// Returns a short description of an action.
  private func word(_ action: Program.Action) -> String {
    switch action {
    case .run: "run"
    case .help(let command): "help \(command?.path ?? "")"
    case .version: "version"
    case .nothing(let command): "nothing \(command?.path ?? "")"
    }
  }

  @Test(
    "Arguments request a command, help or the version",
    arguments: [
      ([], "nothing "), (["--help"], "help "), (["-h"], "help "), (["help"], "help "),
      (["help", "-h"], "help "),
      (["help", "import"], "help import"), (["import", "--help"], "help import"), (["--version"], "version"),
      (["-V"], "version"),
      (["version"], "version"),
      (["import", "a"], "run"), (["formats"], "run"),
    ])
  func actions(arguments: [String], expected: String) throws {
    #expect(word(try Sample.program.action(for: arguments)) == expected)
  }

  @Test(
    "Subcommands are found by the names of all their commands",
    arguments: [
      (["store"], "nothing store"), (["store", "--help"], "help store"), (["store", "-h"], "help store"),
      (["help", "store"], "help store"), (["store", "help"], "help store"),
      (["store", "formats"], "run"), (["store", "formats", "--help"], "help store formats"),
      (["help", "store", "formats"], "help store formats"),
      (["store", "help", "formats"], "help store formats"),
      (["store", "shelf"], "nothing store shelf"), (["store", "shelf", "script"], "run"),
      (["help", "store", "shelf", "script"], "help store shelf script"),
      (["store", "import", "a"], "run"), (["import", "store"], "run"),
    ])
  func nested(arguments: [String], expected: String) throws {
    #expect(word(try Sample.nested.action(for: arguments)) == expected)
  }

  @Test("The exit status of a subcommand is the program's exit status")
  func nestedStatus() {
    #expect(run(Sample.nested, "store", "import", "bad.gpx").status == 65)
    #expect(run(Sample.nested, "store", "formats").status == 0)
  }

  @Test("The exit status of a command is the program's exit status")
  func status() {
    #expect(run(Sample.program, "import", "a.gpx").status == 0)
    #expect(run(Sample.program, "import", "bad.gpx").status == 65)
  }

  /// Runs a program and returns its exit status and what it prints.
  private func run(
    _ program: Program, _ arguments: String..., width: Int = 80
  ) -> (status: Int32, output: String, error: String) {
    var printed = ["", ""]
    let status = program.run(
      ["tracks"] + arguments,
      on: ProgramOutput(width: width) { text, stream in
        printed[stream == .output ? 0 : 1] += text
        return true
      })
    return (status, printed[0], printed[1])
  }

  @Test("The version is printed to standard output only")
  func version() {
    #expect(run(Sample.program, "--version") == (0, "tracks 1.2.3\n", ""))
  }

  @Test("Help is printed to standard output only, in the given width", arguments: [40, 80])
  func help(width: Int) {
    let expected = Sample.program.helpText(for: Sample.formatsCommand, width: width)
    #expect(run(Sample.program, "help", "formats", width: width) == (0, expected, ""))
  }

  @Test("A usage error is one line on standard error, with exit status 64")
  func usageError() {
    let line = "tracks: import: unknown option --jsno; did you mean --json?\n"
    #expect(run(Sample.program, "import", "--jsno") == (64, "", line))
  }

  @Test(
    "An option of one letter in the wrong case is corrected",
    arguments: [
      (["-v"], "tracks: unknown option -v; did you mean -V?"),
      (["import", "-J", "a"], "tracks: import: unknown option -J; did you mean -j?"),
    ])
  func letterCase(arguments: [String], line: String) {
    var printed = ""
    _ = Sample.program.run(
      ["tracks"] + arguments,
      on: ProgramOutput { text, _ in
        printed += text
        return true
      })
    #expect(printed == line + "\n")
  }

  @Test("An unknown command that resembles no other has the hint of the program")
  func unknownCommand() {
    let program = Program(
      name: "tracks", version: "1", summary: "", commands: [Sample.formatsCommand],
      hintForUnknownCommand: { $0.contains(".") ? "that is a file" : nil })
    #expect(run(program, "a.gpx").error == "tracks: unknown command a.gpx; that is a file\n")
    #expect(run(program, "format").error == "tracks: unknown command format; did you mean formats?\n")
    #expect(run(program, "xyz").error == "tracks: unknown command xyz; see tracks --help\n")
  }

  @Test("A usage error thrown by the command itself is one line, too")
  func bodyError() {
    let line = "tracks: import: --json and --verbose cannot be used together; see tracks import --help\n"
    #expect(run(Sample.program, "import", "-jv", "a") == (64, "", line))
  }

  @Test("Without arguments the short help is printed to standard error")
  func nothing() {
    #expect(run(Sample.program) == (64, "", Sample.program.shortHelpText(width: 80)))
  }

  @Test("A failed write of the help is an output error")
  func closedOutput() {
    #expect(Sample.program.run(["tracks", "--help"], on: ProgramOutput { _, _ in false }) == 74)
  }
}
