extension Program {
  /// Needs bash 3.2 and nothing else. The script walks over the words before the cursor, as the parser does,
  /// to know the command, whether an option waits for its value, and how many operands there are.
  var bashCompletions: String {
    let function = functionName
    let commandNames = shellWords(commands.map(\.name) + ["help"])
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

      # The options of a command.
      \(function)_options() {
        case $1 in
          '') \(function)_offer \(shellWords(options.flatMap(\.spellings))) ;;
      \(commands.map { bashOptions($0, function) }.joined())    esac
      }

      # Whether an option of a command takes a value.
      \(function)_takes_value() {
        case "$1 $2" in
      \(commands.map(bashOptionsWithValue).joined())    *) return 1 ;;
        esac
      }

      # The values of an option of a command.
      \(function)_values() {
        case "$1 $2" in
      \(commands.map { bashValues($0, function) }.joined())    *) ;;
        esac
      }

      # The operands of a command, by their number from 0.
      \(function)_operands() {
        case "$1 $2" in
          'help 0') \(function)_offer \(shellWords(commands.map(\.name))) ;;
      \(commands.map { bashOperands($0, function) }.joined())    *) ;;
        esac
      }

      \(function)() {
        local cur=${COMP_WORDS[COMP_CWORD]} command= option= ended= operands=0 i word
        COMPREPLY=()
        for ((i = 1; i < COMP_CWORD; i++)); do
          word=${COMP_WORDS[i]}
          if [[ $option ]]; then
            # Readline makes three words of --name=value.
            if [[ $word != = ]]; then option=; fi
          elif [[ -z $ended && $word == -- ]]; then
            ended=1
          elif [[ -z $ended && $word == -?* ]]; then
            if \(function)_takes_value "$command" "$word"; then option=$word; fi
          elif [[ -z $command ]]; then
            command=$word
          else
            operands=$((operands + 1))
          fi
        done
        if [[ $option ]]; then
          if [[ $cur == = ]]; then cur=; fi
          \(function)_values "$command" "$option"
        elif [[ -z $ended && $cur == -* ]]; then
          \(function)_options "$command"
        elif [[ -z $command ]]; then
          \(function)_offer \(commandNames)
        else
          \(function)_operands "$command" "$operands"
        fi
      }

      complete -F \(function) \(name)

      """
  }
}

private func bashOptions(_ command: Command, _ function: String) -> String {
  "    \(command.name)) \(function)_offer \(shellWords(command.options.flatMap(\.spellings))) ;;\n"
}

private func bashOptionsWithValue(_ command: Command) -> String {
  let spellings = command.options.filter(\.takesValue).flatMap(\.spellings)
  guard !spellings.isEmpty else { return "" }
  return "    \(spellings.map { shellQuoted("\(command.name) \($0)") }.joined(separator: "|"))) ;;\n"
}

private func bashValues(_ command: Command, _ function: String) -> String {
  command.options.filter { $0.completion != .none }.map { option in
    let patterns = option.spellings.map { shellQuoted("\(command.name) \($0)") }.joined(separator: "|")
    return "    \(patterns)) \(bashAction(option.completion, function)) ;;\n"
  }.joined()
}

private func bashOperands(_ command: Command, _ function: String) -> String {
  command.operands.enumerated().map { place, operand in
    let pattern = shellQuoted("\(command.name) ") + (operand.repeats ? "*" : "\(place)")
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
