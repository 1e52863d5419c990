import TestSupport
import Testing

@testable import CommandLineParsing

@Suite(.waiting) struct ZshCompletionsTests {
  let script = Sample.program.completions(for: .zsh)

  @Test("Options are specifications for _arguments")
  func options() {
    #expect(script.hasPrefix("#compdef tracks\n"))
    for specification in [
      "'(-j --json)'{-j,--json}'[Print JSON for scripts.]'",
      "'(-o --output)'{-o+,--output=}'[Where to write; - is standard output.]:FILE:_files'",
      "'*'--tag='[A word to file it under.]:TAG: '",
      "'(--timing)'--timing='[How long a drive took.]:RULE:(elapsed moving)'",
      "'(- *)'{-h,--help}'[Show this help.]'",
      "'*:FILE:_files'",
      "':SHELL:(bash zsh fish)'",
      "'::FOLDER:_files -/'",
      "'import:Turn recordings into drives'",
    ] {
      #expect(script.contains(specification), "\(specification)")
    }
  }

  @Test("Each command with subcommands has a separate function")
  func nested() {
    let lines = Set(Sample.nested.completions(for: .zsh).split(separator: "\n"))
    for line in [
      "_tracks_store() {", "_tracks_store_shelf() {", "        store) _tracks_store ;;",
      "        shelf) _tracks_store_shelf ;;", "        help) _tracks__help ;;",
      "        store) _tracks__help_store ;;", "        shelf) _tracks__help_store_shelf ;;",
      "  _arguments -C '1:command:(import formats shelf)' '*::argument:->argument'",
      "    'shelf:Sort them'",
    ] {
      #expect(lines.contains(Substring(line)), "\(line)")
    }
  }

  @Test("Characters with a meaning for zsh are escaped")
  func escapes() {
    let program = Program(
      name: "odd", version: "1", summary: "Odd",
      commands: [
        Command(
          "odd", summary: "a: b", defaults: Sample.ImportOptions(),
          parameters: [.flag("--x", \.json, "It's [now]: \\.")]
        ) { _ in 0 }
      ])
    let script = program.completions(for: .zsh)
    #expect(script.contains(#"'odd:a\: b'"#))
    #expect(script.contains(#"'[It'\''s \[now\]\: \\.]'"#))
  }

  @Test("The script is valid zsh", .enabled(if: OtherProgram("zsh").isInstalled, "needs zsh"))
  func syntax() throws {
    let zsh = OtherProgram("zsh")
    for script in [script, Sample.nested.completions(for: .zsh)] {
      #expect(try zsh.run(["-n"], script: script).isSilentSuccess)
    }
  }
}
