extension Program {
  /// A completion script for bash 3.2 or later, without other dependencies. Like the parser, the script scans
  /// the words before the cursor to find the command, an option that still needs its value, and the number
  /// of operands.
  var bashCompletions: String {
    let function = functionName
    let leaves = allCommands.filter { !$0.isGroup }
    return """
      # bash completion for \(name)
      \(function)_offer() {
        local word
        for word in "$@"; do
          if [[ $word == "$cur"* ]]; then COMPREPLY+=("$word"); fi
        done
      }

      \(function)_names() {
        local name
        compopt -o filenames 2>/dev/null
        while IFS= read -r name; do COMPREPLY+=("$name"); done < <(compgen "$1" -- "$cur")
      }

      # Offers the commands below a command, if it has any.
      \(function)_commands() {
        case $1 in
      \(bashGroups(function))    *) return 1 ;;
        esac
      }

      # The options of a command.
      \(function)_options() {
        case $1 in
          '') \(function)_offer \(shellWords(options.flatMap(\.spellings))) ;;
      \(allCommands.map { bashOptions($0, function) }.joined())    esac
      }

      # Whether an option of a command takes a value.
      \(function)_takes_value() {
        case "$1 $2" in
      \(leaves.map(bashOptionsWithValue).joined())    *) return 1 ;;
        esac
      }

      # The values of an option of a command.
      \(function)_values() {
        case "$1 $2" in
      \(leaves.map { bashValues($0, function) }.joined())    *) ;;
        esac
      }

      # The operands of a command, by their number from 0.
      \(function)_operands() {
        case "$1 $2" in
      \(leaves.map { bashOperands($0, function) }.joined())    *) ;;
        esac
      }

      \(function)() {
        local cur=${COMP_WORDS[COMP_CWORD]} command= option= ended= operands=0 i word
        for ((i = 1; i < COMP_CWORD; i++)); do
          word=${COMP_WORDS[i]}
          if [[ $option ]]; then
            # Readline makes three words of --name=value.
            if [[ $word != = ]]; then option=; fi
          elif [[ -z $ended && $word == -- ]]; then
            ended=1
          elif [[ -z $ended && $word == -?* ]]; then
            if \(function)_takes_value "$command" "$word"; then option=$word; fi
          elif \(function)_commands "$command"; then
            command=${command:+$command }$word
          else
            operands=$((operands + 1))
          fi
        done
        COMPREPLY=()
        if [[ $option ]]; then
          if [[ $cur == = ]]; then cur=; fi
          \(function)_values "$command" "$option"
        elif [[ -z $ended && $cur == -* ]]; then
          \(function)_options "$command"
        elif ! \(function)_commands "$command"; then
          \(function)_operands "$command" "$operands"
        fi
      }

      complete -F \(function) \(name)

      """
  }

  /// The cases of a command group: one for the group itself and one for the group after `help`.
  private func bashGroups(_ function: String) -> String {
    let groups = [("", commands)] + allCommands.filter(\.isGroup).map { ($0.path, $0.commands) }
    return groups.map { path, commands in
      let names = commands.map(\.name)
      let help = path.isEmpty ? "help" : "help " + path
      let offered = path.isEmpty ? names + ["help"] : names
      return "    \(shellQuoted(path))) \(function)_offer \(shellWords(offered)) ;;\n"
        + "    \(shellQuoted(help))) \(function)_offer \(shellWords(names)) ;;\n"
    }.joined()
  }
}

private func bashOptions(_ command: Command, _ function: String) -> String {
  "    \(shellQuoted(command.path))) \(function)_offer \(shellWords(command.options.flatMap(\.spellings))) ;;\n"
}

private func bashOptionsWithValue(_ command: Command) -> String {
  let spellings = command.options.filter(\.takesValue).flatMap(\.spellings)
  guard !spellings.isEmpty else { return "" }
  return "    \(spellings.map { shellQuoted("\(command.path) \($0)") }.joined(separator: "|"))) ;;\n"
}

private func bashValues(_ command: Command, _ function: String) -> String {
  command.options.filter { $0.completion != .none }.map { option in
    let patterns = option.spellings.map { shellQuoted("\(command.path) \($0)") }.joined(separator: "|")
    return "    \(patterns)) \(bashAction(option.completion, function)) ;;\n"
  }.joined()
}

private func bashOperands(_ command: Command, _ function: String) -> String {
  command.operands.enumerated().map { place, operand in
    let pattern = shellQuoted("\(command.path) ") + (operand.repeats ? "*" : "\(place)")
    return "    \(pattern)) \(bashAction(operand.completion, function)) ;;\n"
  }.joined()
}

private func bashAction(_ completion: Completion, _ function: String) -> String {
  switch completion {
  case .none: ":"
  case .files: "\(function)_names -f"
  case .directories: "\(function)_names -d"
  case .values(let values): "\(function)_offer \(shellWords(values))"
  }
}

private func shellWords(_ words: [String]) -> String {
  words.map(shellQuoted).joined(separator: " ")
}
