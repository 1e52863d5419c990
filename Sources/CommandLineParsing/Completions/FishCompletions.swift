extension Program {
  /// A completion script for fish 3.0 or later. The command is the longest prefix of the words before the
  /// cursor.
  var fishCompletions: String {
    let (at, behind) = ("_\(functionName)_at", "_\(functionName)_behind")
    var script = """
      # fish completion for \(name)

      # Whether the words before the cursor are these and no more.
      function \(at)
          set -l words (commandline -opc)
          set -e words[1]
          test "$words" = "$argv"
      end

      # Whether the words before the cursor begin with these.
      function \(behind)
          set -l words (commandline -opc)
          set -e words[1]
          set -l count (count $argv)
          test (count $words) -ge $count; and test "$words[1..$count]" = "$argv"
      end

      complete -c \(name) -f

      """
    for option in options { script += fishOption(option, "-n \(at)") }
    for command in commands { script += fishLine("-n \(at) -a \(command.name)", command.summary) }
    script += fishLine("-n \(at) -a help", "Show help")
    script += fishLine("-n '\(at) help' -a \(fishNames(commands))", "")
    for command in allCommands {
      if command.isGroup {
        let here = "-n '\(at) \(command.path)'"
        for each in command.commands { script += fishLine("\(here) -a \(each.name)", each.summary) }
        for option in command.options { script += fishOption(option, here) }
        script += fishLine("-n '\(at) help \(command.path)' -a \(fishNames(command.commands))", "")
        continue
      }
      let here = "-n '\(behind) \(command.path)'"
      for option in command.options { script += fishOption(option, here) }
      for operand in command.operands where operand.completion != .none {
        script += fishLine("\(here) \(fishAction(operand.completion))", operand.help)
      }
    }
    return script
  }

  private func fishNames(_ commands: [Command]) -> String {
    fishQuoted(commands.map(\.name).joined(separator: " "))
  }

  private func fishOption(_ option: ParameterDescription, _ condition: String) -> String {
    let short = option.short.map { " -s \(fishQuoted(String($0.dropFirst())))" } ?? ""
    var words = "\(condition)\(short) -l \(option.name.dropFirst(2))"
    if option.takesValue { words += " -r \(fishAction(option.completion))" }
    return fishLine(words, option.help)
  }

  private func fishLine(_ words: String, _ description: String) -> String {
    "complete -c \(name) \(words)" + (description.isEmpty ? "\n" : " -d \(fishQuoted(description))\n")
  }
}

private func fishAction(_ completion: Completion) -> String {
  switch completion {
  case .none: "-f"
  case .files: "-F"
  case .directories: "-f -a '(__fish_complete_directories (commandline -ct))'"
  case .values(let values): "-f -a \(fishQuoted(values.joined(separator: " ")))"
  }
}

/// Returns `text` in fish's single quotes, in which only the quote and the backslash are special.
private func fishQuoted(_ text: String) -> String {
  "'" + text.reduce(into: "") { $0 += "'\\".contains($1) ? "\\\($1)" : String($1) } + "'"
}
