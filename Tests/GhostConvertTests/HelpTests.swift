import Foundation
import TestSupport
import Testing

/// The help texts, which equal the files in `Golden`.
///
/// `UPDATE_GOLDEN=1 swift test --filter HelpTests` writes the files again; check the difference before you
/// commit it.
@Suite(.waiting) struct HelpTests {
  static let commands = [
    "import", "info", "convert", "compare", "laps", "record", "ghost", "library", "segment", "formats",
    "demo", "doctor", "completions", "manual",
  ]
  /// Commands with two words.
  static let subcommands =
    ["list", "show", "routes", "compare", "export", "set", "fuse", "remove", "check"].map {
      "library \($0)"
    } + ["add", "list", "show", "remove", "export", "find"].map { "segment \($0)" }

  @Test(
    "The help of the program and of each command equals its golden file",
    arguments: [""] + commands + subcommands)
  func help(command: String) throws {
    try withFixtures { (folder) throws in
      let words = command.split(separator: " ").map(String.init)
      let arguments = words + ["--help"]
      let outcome = try GhostConvertProgram.run(arguments, in: folder.url)
      #expect(outcome.status == 0)
      #expect(outcome.errors.isEmpty)
      let golden = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("Golden/\((["help"] + words).joined(separator: "-")).txt")
      if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] != nil { try outcome.output.write(to: golden) }
      #expect(outcome.text == String(decoding: try Data(contentsOf: golden), as: UTF8.self))
    }
  }

  @Test("The help of the program names every command, and each command's help has an example")
  func completeness() throws {
    try withFixtures { (folder) throws in
      let program = try folder.run("--help").text
      for command in Self.commands {
        #expect(program.contains("\n  \(command) "))
        let help = try folder.run("help", command).text
        #expect(help.contains("\nExamples:\n"))
        #expect(help.contains("ghost-convert \(command)"))
        #expect(try folder.run(command, "-h").text == help)
        #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
      }
    }
  }

  @Test(
    "The help of a command lists its subcommands, and the help of each has an example",
    arguments: subcommands)
  func nested(command: String) throws {
    try withFixtures { (folder) throws in
      let words = command.split(separator: " ").map(String.init)
      #expect(try folder.run(words[0], "--help").text.contains("\n  \(words[1]) "))
      let help = try folder.run("help", words[0], words[1]).text
      #expect(help.contains("\nExamples:\n"))
      #expect(help.contains("ghost-convert \(command)"))
      #expect(try folder.run(words[0], words[1], "-h").text == help)
      #expect(help.split(separator: "\n").allSatisfy { $0.count <= 80 })
    }
  }

  @Test("Without arguments, five lines on standard error show what to do next")
  func nothing() throws {
    try withFixtures { (folder) throws in
      let outcome = try GhostConvertProgram.run([], in: folder.url)
      #expect(outcome.status == 64)
      #expect(outcome.output.isEmpty)
      let lines = outcome.errors.split(separator: "\n")
      #expect(lines.count == 5)
      #expect(lines.allSatisfy { $0.hasPrefix("ghost-convert ") && $0.count <= 80 })
      #expect(lines[0].hasPrefix("ghost-convert demo "))
    }
  }

  @Test("The version is one line")
  func version() throws {
    try withFixtures { (folder) throws in
      let outcome = try folder.run("--version")
      #expect(outcome.status == 0)
      #expect(outcome.text.wholeMatch(of: /ghost-convert [0-9]+\.[0-9]+\.[0-9]+\n/) != nil)
    }
  }
}
