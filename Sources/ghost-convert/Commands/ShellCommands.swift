import CommandLineParsing

extension GhostConvert {
  struct CompletionsOptions: CommandOptions {
    var shell = Shell.bash
  }

  static let completionsCommand: Command = Command(
    "completions", summary: "Print the completion script for a shell",
    defaults: CompletionsOptions(),
    parameters: [.argument("SHELL", \.shell, "The shell: bash, zsh or fish.")],
    examples: [
      Example("source <(ghost-convert completions bash)", "enable completions in this shell")
    ]
  ) { (options: CompletionsOptions) -> Int32 in
    Console.print(program.completions(for: options.shell))
    return ExitStatus.success
  }

  struct ManualOptions: CommandOptions {}

  static let manualCommand: Command = Command(
    "manual", summary: "Print the manual page",
    defaults: ManualOptions(), parameters: [],
    examples: [Example("ghost-convert manual | man -l -", "show it")]
  ) { (_: ManualOptions) -> Int32 in
    Console.print(program.manualPage(date: releaseDate))
    return ExitStatus.success
  }
}
