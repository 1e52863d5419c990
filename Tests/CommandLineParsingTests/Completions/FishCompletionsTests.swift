import TestSupport
import Testing

@testable import CommandLineParsing

@Suite(.waiting) struct FishCompletionsTests {
  let script = Sample.program.completions(for: .fish)

  @Test("Commands and options are lines with complete")
  func lines() {
    let lines = Set(script.split(separator: "\n"))
    let imports = "-n '__tracks_behind import'"
    for line in [
      "complete -c tracks -f",
      "complete -c tracks -n __tracks_at -s 'V' -l version -d 'Print the version.'",
      "complete -c tracks -n __tracks_at -a import -d 'Turn recordings into drives'",
      "complete -c tracks -n '__tracks_at help' -a 'import script formats'",
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

  @Test(
    "Fish completes commands, options and values according to the preceding words",
    .enabled(if: OtherProgram("fish").isInstalled, "needs fish"),
    arguments: [
      ("tracks ", ["help", "import", "store"]),
      ("tracks store ", ["formats", "import", "shelf"]),
      ("tracks store s", ["shelf"]),
      ("tracks store --", ["--help"]),
      ("tracks store import --t", ["--tag", "--timing"]),
      ("tracks store import --timing ", ["elapsed", "moving"]),
      ("tracks store shelf ", ["script"]),
      ("tracks store shelf script --", ["--help"]),
      ("tracks help ", ["import", "store"]),
      ("tracks help store ", ["formats", "import", "shelf"]),
      ("tracks help store shelf ", ["script"]),
      ("tracks import store --j", ["--json"]),
      ("tracks --v", ["--version"]),
    ])
  func offered(line: String, expected: [String]) throws {
    let fish = OtherProgram("fish")
    let script = Sample.nested.completions(for: .fish) + "complete -C '\(line)'\n"
    let outcome = try fish.run(["--no-config"], script: script)
    #expect(outcome.errors == "")
    // Each line is a completion, a tab and its description.
    let offers = outcome.text.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
    #expect(Set(offers) == Set(expected))
  }

  @Test("The script is valid fish", .enabled(if: OtherProgram("fish").isInstalled, "needs fish"))
  func syntax() throws {
    let fish = OtherProgram("fish")
    let outcome = try fish.run(["--no-execute"], script: script)
    #expect(outcome.isSilentSuccess)
  }
}
