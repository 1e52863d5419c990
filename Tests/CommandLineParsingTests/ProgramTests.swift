import Testing

@testable import CommandLineParsing

#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

struct ProgramTests {
  /// What an action is, in a word.
  private func word(_ action: Program.Action) -> String {
    switch action {
    case .run: "run"
    case .help(let command): "help \(command?.path ?? "")"
    case .version: "version"
    case .nothing(let command): "nothing \(command?.path ?? "")"
    }
  }

  @Test(
    "Arguments ask for a command, for help or for the version",
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
    "Commands below a command are found by its name and theirs",
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

  @Test("The status of a command below another is the program's")
  func nestedStatus() {
    #expect(Sample.nested.run(["tracks", "store", "import", "bad.gpx"]) == 65)
    #expect(Sample.nested.run(["tracks", "store", "formats"]) == 0)
  }

  @Test("The status of a command is the program's")
  func status() {
    #expect(Sample.program.run(["tracks", "import", "a.gpx"]) == 0)
    #expect(Sample.program.run(["tracks", "import", "bad.gpx"]) == 65)
  }

  // The bodies below return instead of calling `exit`: after that, Swift Testing leaves its own mark in a
  // stream that nothing was written to.

  @Test("The version goes to standard output, alone")
  func version() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      #expect(Sample.program.run(["tracks", "--version"]) == 0)
    }
    let outcome = try #require(result)
    #expect(String(decoding: outcome.standardOutputContent, as: UTF8.self) == "tracks 1.2.3\n")
    #expect(outcome.standardErrorContent == [])
  }

  @Test("Help goes to standard output, alone")
  func help() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      #expect(Sample.program.run(["tracks", "help", "formats"]) == 0)
    }
    let outcome = try #require(result)
    let expected = Sample.program.helpText(for: Sample.formatsCommand, width: Terminal.width)
    #expect(String(decoding: outcome.standardOutputContent, as: UTF8.self) == expected)
    #expect(outcome.standardErrorContent == [])
  }

  @Test("A usage error is one line on standard error, and 64")
  func usageError() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      #expect(Sample.program.run(["tracks", "import", "--jsno"]) == 64)
    }
    let outcome = try #require(result)
    let line = "tracks: import: unknown option --jsno; did you mean --json?\n"
    #expect(String(decoding: outcome.standardErrorContent, as: UTF8.self) == line)
    #expect(outcome.standardOutputContent == [])
  }

  @Test("A complaint of the command itself is one line too")
  func bodyError() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      #expect(Sample.program.run(["tracks", "import", "-jv", "a"]) == 64)
    }
    #expect(
      String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        == "tracks: import: --json and --verbose exclude each other; see tracks import --help\n")
  }

  @Test("No arguments at all show the short help on standard error")
  func nothing() async throws {
    let result = await #expect(
      processExitsWith: .success, observing: [\.standardOutputContent, \.standardErrorContent]
    ) {
      #expect(Sample.program.run(["tracks"]) == 64)
    }
    let outcome = try #require(result)
    let text = String(decoding: outcome.standardErrorContent, as: UTF8.self)
    #expect(text == Sample.program.shortHelpText(width: Terminal.width))
    #expect(outcome.standardOutputContent == [])
  }

  @Test("Help that cannot be written is an output error")
  func closedOutput() async {
    await #expect(processExitsWith: .exitCode(74)) {
      close(1)
      exit(Sample.program.run(["tracks", "--help"]))
    }
  }
}
