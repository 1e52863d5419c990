extension Program {
  /// Needs fish 3.0.
  var fishCompletions: String {
    var script = """
      # fish completion for \(name)
      complete -c \(name) -f

      """
    let none = "-n __fish_use_subcommand"
    for option in options { script += fishOption(option, none) }
    for command in commands { script += fishLine("\(none) -a \(command.name)", command.summary) }
    script += fishLine("\(none) -a help", "Show help")
    let names = commands.map(\.name).joined(separator: " ")
    script += fishLine("-n '__fish_seen_subcommand_from help' -a \(fishQuoted(names))", "")
    for command in commands {
      let seen = "-n '__fish_seen_subcommand_from \(command.name); and not __fish_seen_subcommand_from help'"
      for option in command.options { script += fishOption(option, seen) }
      for operand in command.operands where operand.completion != .none {
        script += fishLine("\(seen) \(fishAction(operand.completion))", operand.help)
      }
    }
    return script
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

/// In fish's single quotes only the quote and the backslash are special.
private func fishQuoted(_ text: String) -> String {
  "'" + text.reduce(into: "") { $0 += "'\\".contains($1) ? "\\\($1)" : String($1) } + "'"
}
