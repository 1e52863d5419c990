import Foundation
import TestSupport
import Testing

@testable import CommandLineParsing

@Suite(.waiting) struct BashCompletionsTests {
  static let hasBash = OtherProgram("bash").isInstalled

  /// Returns the completions of bash for the last of the words. Readline splits words at equals signs.
  private func offers(_ words: [String], in folder: URL? = nil, of program: Program = Sample.program) throws
    -> [String]
  {
    let bash = OtherProgram("bash")
    let list = words.map(shellQuoted).joined(separator: " ")
    let script = """
      \(program.completions(for: .bash))
      COMP_WORDS=(\(program.name) \(list))
      COMP_CWORD=\(words.count)
      \(program.functionName)
      printf '%s\\n' "${COMPREPLY[@]}"
      """
    let outcome = try bash.run(["--norc"], script: script, in: folder)
    #expect(outcome.errors == "")
    return outcome.text.split(separator: "\n").map(String.init)
  }

  @Test("The script is valid bash", .enabled(if: hasBash, "needs bash"))
  func syntax() throws {
    let bash = OtherProgram("bash")
    let outcome = try bash.run(["-n"], script: Sample.program.completions(for: .bash))
    #expect(outcome.isSilentSuccess)
  }

  @Test(
    "Commands, options and values are completed according to the preceding words",
    .enabled(if: hasBash, "needs bash"),
    arguments: [
      ([""], ["import", "script", "formats", "help"]),
      (["f"], ["formats"]),
      (["--"], ["--help", "--version"]),
      (["help", ""], ["import", "script", "formats"]),
      (["help", "import", ""], []),
      (["import", "--t"], ["--tag", "--timing"]),
      (
        ["import", "-"],
        [
          "-j", "--json", "-v", "--verbose", "-o", "--output", "--tag", "--cadence", "--timing", "--shift",
          "--maximum-accuracy", "-n", "--rounds", "-h", "--help",
        ]
      ),
      (["import", "--timing", ""], ["elapsed", "moving"]),
      (["import", "--timing", "m"], ["moving"]),
      (["import", "--timing", "="], ["elapsed", "moving"]),
      (["import", "--timing", "=", "e"], ["elapsed"]),
      (["import", "--tag", "--timing", "--ti"], ["--timing"]),
      (["import", "--shift", ""], []),
      (["script", ""], ["bash", "zsh", "fish"]),
      (["script", "--help", "z"], ["zsh"]),
      (["script", "--", "f"], ["fish"]),
      (["formats", ""], []),
    ])
  func offered(words: [String], expected: [String]) throws {
    #expect(try offers(words) == expected)
  }

  @Test(
    "Subcommands are completed after their command",
    .enabled(if: hasBash, "needs bash"),
    arguments: [
      ([""], ["import", "store", "help"]),
      (["store", ""], ["import", "formats", "shelf"]),
      (["store", "s"], ["shelf"]),
      (["store", "-"], ["-h", "--help"]),
      (["store", "import", "--t"], ["--tag", "--timing"]),
      (["store", "import", "--timing", ""], ["elapsed", "moving"]),
      (["store", "shelf", ""], ["script"]),
      (["store", "shelf", "script", "-"], ["-h", "--help"]),
      (["store", "shelf", "script", ""], []),
      (["help", ""], ["import", "store"]),
      (["help", "store", ""], ["import", "formats", "shelf"]),
      (["help", "store", "shelf", ""], ["script"]),
      (["help", "store", "import", ""], []),
      (["import", "store", "--j"], ["--json"]),
    ])
  func nested(words: [String], expected: [String]) throws {
    #expect(try offers(words, of: Sample.nested) == expected)
  }

  @Test(
    "Files are completed with files and folders, folders with folders", .enabled(if: hasBash, "needs bash")
  )
  func files() throws {
    let temporary = try TemporaryFolder()
    let folder = temporary.url
    for name in ["ride one.gpx", "ride'2.gpx", "other"] {
      try Data().write(to: folder.appendingPathComponent(name))
    }
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("rides"), withIntermediateDirectories: false)
    let all = Set(["ride one.gpx", "ride'2.gpx", "rides"])
    #expect(Set(try offers(["import", "ri"], in: folder)) == all)
    #expect(Set(try offers(["import", "other", "ri"], in: folder)) == all)
    #expect(Set(try offers(["import", "--output", "ri"], in: folder)) == all)
    #expect(Set(try offers(["import", "-o", "ri"], in: folder)) == all)
    #expect(try offers(["import", "--output", "=", "o"], in: folder) == ["other"])
    #expect(try offers(["script", "bash", "ri"], in: folder) == ["rides"])
  }

  @Test("Names and values with quotes and hyphens are quoted", .enabled(if: hasBash, "needs bash"))
  func quoting() throws {
    let program = Program(
      name: "two-words", version: "1", summary: "Odd",
      commands: [
        Command(
          "odd", summary: "It's odd", defaults: Sample.ImportOptions(),
          parameters: [
            .option("--it", \.output, value: "IT", "It's.", completion: .values(["don't", "$(exit 3)", "*"]))
          ]
        ) { _ in 0 }
      ])
    #expect(try offers(["odd", "--it", ""], of: program) == ["don't", "$(exit 3)", "*"])
  }
}
