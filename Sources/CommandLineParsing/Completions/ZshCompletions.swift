extension Program {
  /// A completion script for zsh that can be autoloaded or sourced.
  var zshCompletions: String {
    let function = functionName
    let groups = allCommands.filter(\.isGroup)
    return """
      #compdef \(name)
      \(groups.map { zshGroup(functionName(of: $0), $0.commands, $0.options) }.joined())\
      \(groups.map { zshHelp(helpFunctionName(of: $0), $0.commands) }.joined())\
      \(zshHelp(helpFunctionName(of: nil), commands))\
      \(zshGroup(function, commands, options, help: helpFunctionName(of: nil)))
      if [[ $funcstack[1] == \(function) ]]; then
        \(function) "$@"
      else
        compdef \(function) \(name)
      fi

      """
  }

  private func functionName(of command: Command) -> String {
    functionName + "_" + identifier(command.path)
  }

  private func helpFunctionName(of command: Command?) -> String {
    functionName + "__help" + (command.map { "_" + identifier($0.path) } ?? "")
  }

  /// The function of a command group or of the program.
  private func zshGroup(
    _ function: String, _ commands: [Command], _ options: [ParameterDescription], help: String? = nil
  ) -> String {
    var names = commands.map { shellQuoted("\(zshEscaped($0.name)):\(zshEscaped($0.summary))") }
    if help != nil { names.append(shellQuoted("help:Show help")) }
    return """
      \(function)() {
        local context state state_descr line
        local -a commands
        typeset -A opt_args
        commands=(
      \(names.map { "    \($0)\n" }.joined())  )
        _arguments -C \(options.map { zshOption($0) }.joined(separator: " ")) \\
          '1:command:->command' '*::argument:->argument'
        case $state in
          command) _describe command commands ;;
          argument)
            case $words[1] in
      \(help.map { "        help) \($0) ;;\n" } ?? "")\(commands.map(zshCase).joined())      esac
            ;;
        esac
      }

      """
  }

  /// The function that completes the commands after `help`.
  private func zshHelp(_ function: String, _ commands: [Command]) -> String {
    let deeper = commands.filter(\.isGroup).map { "        \($0.name)) \(helpFunctionName(of: $0)) ;;\n" }
    return """
      \(function)() {
        local context state state_descr line
        typeset -A opt_args
        _arguments -C '1:command:(\(commands.map(\.name).joined(separator: " ")))' '*::argument:->argument'
        case $state in
          argument)
            case $words[1] in
      \(deeper.joined())      esac
            ;;
        esac
      }

      """
  }

  private func zshCase(_ command: Command) -> String {
    guard !command.isGroup else { return "        \(command.name)) \(functionName(of: command)) ;;\n" }
    let specifications = command.options.map { zshOption($0) } + command.operands.map(zshOperand)
    let lines = specifications.map { " \\\n            \($0)" }.joined()
    return "        \(command.name))\n          _arguments -s -S\(lines)\n          ;;\n"
  }
}

/// An argument specification such as `'(-o --output)'{-o+,--output=}'[Where to write.]:FILE:_files'`.
private func zshOption(_ option: ParameterDescription) -> String {
  var spellings = option.spellings
  if option.takesValue { spellings = spellings.map { $0.hasPrefix("--") ? $0 + "=" : $0 + "+" } }
  let names = spellings.count > 1 ? "{\(spellings.joined(separator: ","))}" : spellings.joined()
  let isLast = ["--help", "--version"].contains(option.name)
  let others = isLast ? "- *" : option.spellings.joined(separator: " ")
  let before = shellQuoted(option.repeats ? "*" : "(\(others))")
  var after = "[\(zshEscaped(option.help))]"
  if option.takesValue { after += ":\(zshEscaped(option.valueName)):\(zshAction(option.completion))" }
  return before + names + shellQuoted(after)
}

private func zshOperand(_ operand: ParameterDescription) -> String {
  let isOptional = if case .operand(minimum: 0, _) = operand.kind { true } else { false }
  let place = operand.repeats ? "*:" : isOptional ? "::" : ":"
  return shellQuoted("\(place)\(zshEscaped(operand.name)):\(zshAction(operand.completion))")
}

private func zshAction(_ completion: Completion) -> String {
  switch completion {
  case .none: " "
  case .files: "_files"
  case .directories: "_files -/"
  case .values(let values): "(\(values.map { zshEscaped($0) }.joined(separator: " ")))"
  }
}

/// Escapes the characters that are syntax for `_arguments` and `_describe`.
private func zshEscaped(_ text: String) -> String {
  text.reduce(into: "") { result, character in
    if #"\:[]()"#.contains(character) { result.append("\\") }
    result.append(character)
  }
}
