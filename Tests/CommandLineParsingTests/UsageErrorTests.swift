import Testing

@testable import CommandLineParsing

struct UsageErrorTests {
  @Test(
    "An error in a subcommand names all its commands",
    arguments: [
      (["store", "imprt"], "tracks: store: unknown command imprt; did you mean import?"),
      (["store", "zzzz"], "tracks: store: unknown command zzzz; see tracks store --help"),
      (["store", "--hepl"], "tracks: store: unknown option --hepl; did you mean --help?"),
      (
        ["store", "--json", "import"],
        "tracks: store: unknown option --json; options follow one of import, formats or shelf"
      ),
      (["help", "store", "imprt"], "tracks: store: unknown command imprt; did you mean import?"),
      (["help", "store", "formats", "x"], "tracks: unexpected operand 'x'; see tracks --help"),
      (["stroe", "import"], "tracks: unknown command stroe; did you mean store?"),
      (
        ["store", "import", "--jsno"], "tracks: store import: unknown option --jsno; did you mean --json?"
      ),
      (["store", "import"], "tracks: store import: missing operand FILE; see tracks store import --help"),
      (
        ["store", "shelf", "script", "x"],
        "tracks: store shelf script: unexpected operand 'x'; see tracks store shelf script --help"
      ),
    ])
  func nested(arguments: [String], line: String) throws {
    let error = try #require(throws: UsageError.self) { try Sample.nested.action(for: arguments) }
    #expect(error.line(program: "tracks") == line)
  }

  @Test("A usage error thrown by a subcommand names all its commands")
  func nestedBody() throws {
    guard case .run(let body) = try Sample.nested.action(for: ["store", "import", "-jv", "a"]) else {
      Issue.record("not a run")
      return
    }
    let error = try #require(throws: UsageError.self) { try body() }
    #expect(
      error.line(program: "tracks")
        == "tracks: store import: --json and --verbose cannot be used together; see tracks store import --help"
    )
  }

  @Test(
    "Every error is one line with the problem and a hint",
    arguments: [
      (["--bogus"], "tracks: unknown option --bogus; see tracks --help"),
      (["--versoin"], "tracks: unknown option --versoin; did you mean --version?"),
      (["-x"], "tracks: unknown option -x; see tracks --help"),
      (["--version=2"], "tracks: unknown option --version=2; did you mean --version?"),
      (["imprt"], "tracks: unknown command imprt; did you mean import?"),
      (["hlep"], "tracks: unknown command hlep; did you mean help?"),
      (["frobnicate"], "tracks: unknown command frobnicate; see tracks --help"),
      (["help", "imprt"], "tracks: unknown command imprt; did you mean import?"),
      (["help", "import", "x"], "tracks: unexpected operand 'x'; see tracks --help"),
      (
        ["import", "--cadance", "1", "a"],
        "tracks: import: unknown option --cadance; did you mean --cadence?"
      ),
      (
        ["import", "--cadance=1", "a"], "tracks: import: unknown option --cadance; did you mean --cadence?"
      ),
      (["import", "--cad", "1"], "tracks: import: unknown option --cad; did you mean --cadence?"),
      (["import", "--zzzzzz"], "tracks: import: unknown option --zzzzzz; see tracks import --help"),
      (["import", "-x"], "tracks: import: unknown option -x; see tracks import --help"),
      (["import", "-jx"], "tracks: import: unknown option -x in -jx; see tracks import --help"),
      (["import", "-json"], "tracks: import: unknown option -json; did you mean --json?"),
      (["import", "-output", "x"], "tracks: import: unknown option -output; did you mean --output?"),
      (["import", "-output=x"], "tracks: import: unknown option -output; did you mean --output?"),
      (["import", "-help"], "tracks: import: unknown option -help; did you mean --help?"),
      (
        ["import", "-1"],
        "tracks: import: unknown option -1; write -- before operands that begin with a hyphen"
      ),
      (
        ["import", "--output"],
        "tracks: import: option --output needs a value, FILE; see tracks import --help"
      ),
      (["import", "-jo"], "tracks: import: option -o needs a value, FILE; see tracks import --help"),
      (
        ["import", "--output", "--json"],
        "tracks: import: option --output needs a value, FILE, but --json follows; "
          + "write --output=--json if that is the value"
      ),
      (
        ["import", "-o", "-j"],
        "tracks: import: option -o needs a value, FILE, but -j follows; write -o-j if that is the value"
      ),
      (
        ["import", "--output", "--help"],
        "tracks: import: option --output needs a value, FILE, but --help follows; "
          + "write --output=--help if that is the value"
      ),
      (
        ["import", "--output", "--cadence=1", "a"],
        "tracks: import: option --output needs a value, FILE, but --cadence=1 follows; "
          + "write --output=--cadence=1 if that is the value"
      ),
      (
        ["import", "--output", "--", "a"],
        "tracks: import: option --output needs a value, FILE, but -- follows; "
          + "write --output=-- if that is the value"
      ),
      (
        ["import", "--json=yes", "a"],
        "tracks: import: option --json takes no value, but 'yes' was given; see tracks import --help"
      ),
      (
        ["import", "--json=", "a"],
        "tracks: import: option --json takes no value, but '' was given; see tracks import --help"
      ),
      (
        ["import", "--help=me"],
        "tracks: import: option --help takes no value, but 'me' was given; see tracks import --help"
      ),
      (
        ["import", "-j=yes", "a"],
        "tracks: import: option -j takes no value, but 'yes' was given; see tracks import --help"
      ),
      (
        ["import", "--cadence", "fast", "a"],
        "tracks: import: invalid value 'fast' for --cadence: expected a number; see tracks import --help"
      ),
      (
        ["import", "-n", "1.5", "a"],
        "tracks: import: invalid value '1.5' for -n: expected a whole number; see tracks import --help"
      ),
      (
        ["import", "--timing=Moving", "a"],
        "tracks: import: invalid value 'Moving' for --timing: expected elapsed or moving; "
          + "did you mean moving?"
      ),
      (
        ["script", "tcsh"],
        "tracks: script: invalid value 'tcsh' for SHELL: expected bash, zsh or fish; see tracks script --help"
      ),
      (["import"], "tracks: import: missing operand FILE; see tracks import --help"),
      (["script"], "tracks: script: missing operand SHELL; see tracks script --help"),
      (["script", "bash", "a", "b"], "tracks: script: unexpected operand 'b'; see tracks script --help"),
      (["formats", "a"], "tracks: formats: unexpected operand 'a'; see tracks formats --help"),
      (
        ["formats", "a\nb\u{1b}[1m\u{202e}\u{2028}"],
        #"tracks: formats: unexpected operand 'a\u{a}b\u{1b}[1m\u{202e}\u{2028}'; see tracks formats --help"#
      ),
      (["a\r\nb"], #"tracks: unknown command a\u{d}\u{a}b; see tracks --help"#),
    ])
  func lines(arguments: [String], line: String) throws {
    let error = try #require(throws: UsageError.self) { try Sample.program.action(for: arguments) }
    #expect(error.line(program: "tracks") == line)
  }

  @Test("A usage error thrown by a command names the command")
  func ownComplaint() throws {
    guard case .run(let body) = try Sample.program.action(for: ["import", "-jv", "a"]) else {
      Issue.record("nothing to run")
      return
    }
    let error = try #require(throws: UsageError.self) { try body() }
    #expect(
      error.line(program: "tracks")
        == "tracks: import: --json and --verbose cannot be used together; see tracks import --help")
  }

  @Test("A missing operand that needs several values is reported with the numbers needed and given")
  func counted() {
    let error = UsageError(.missingOperand("FILE", minimum: 2, given: 1), command: "compare")
    #expect(error.message == "missing operand FILE: at least 2 needed, 1 given")
  }
}
