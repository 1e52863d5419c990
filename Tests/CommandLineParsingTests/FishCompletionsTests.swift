import Testing

@testable import CommandLineParsing

struct FishCompletionsTests {
  let script = Sample.program.completions(for: .fish)

  @Test("Commands and options are lines of complete")
  func lines() {
    let lines = Set(script.split(separator: "\n"))
    let imports = "-n '__fish_seen_subcommand_from import; and not __fish_seen_subcommand_from help'"
    for line in [
      "complete -c tracks -f",
      "complete -c tracks -n __fish_use_subcommand -l version -d 'Print the version.'",
      "complete -c tracks -n __fish_use_subcommand -a import -d 'Turn recordings into drives'",
      "complete -c tracks -n '__fish_seen_subcommand_from help' -a 'import script formats'",
      "complete -c tracks \(imports) -s 'j' -l json -d 'Print JSON for scripts.'",
      "complete -c tracks \(imports) -l timing -r -f -a 'elapsed moving' -d 'How long a drive took.'",
      "complete -c tracks \(imports) -s 'o' -l output -r -F -d 'Where to write; - is standard output.'",
      "complete -c tracks \(imports) -F -d 'Recordings to read; - is standard input.'",
    ] {
      #expect(lines.contains(Substring(line)), "\(line)")
    }
  }

  @Test("Quotes and backslashes are escaped")
  func escapes() {
    let program = Program(
      name: "odd", version: "1", summary: "Odd",
      commands: [
        Command("odd", summary: #"It's a \."#, defaults: Sample.NoOptions()) { _ in 0 }
      ])
    #expect(program.completions(for: .fish).contains(#"-a odd -d 'It\'s a \\.'"#))
  }

  @Test("The script is fish", .enabled(if: Tool.exists("fish"), "needs fish"))
  func syntax() throws {
    let fish = try #require(Tool("fish"))
    let outcome = try fish.run(["--no-execute"], input: script)
    #expect(outcome == Tool.Outcome(status: 0, output: "", errors: ""))
  }
}
