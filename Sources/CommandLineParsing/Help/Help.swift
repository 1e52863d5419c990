extension Program {
  /// Returns the help of a command or of the program: usage, summary, examples, discussion, operands and
  /// options in two columns. The help of the program also contains the exit statuses.
  ///
  /// - Parameters:
  ///   - width: the line width in columns.
  ///   - styled: whether headings are bold (ECMA-48 escape sequences).
  package func helpText(for command: Command? = nil, width: Int = 80, styled: Bool = false) -> String {
    var layout = TextLayout(width: width, styled: styled)
    if let command {
      layout.headed("Usage", "\(name) \(command.synopsis)")
      layout.introduce(command.summary, command.examples, command.discussion)
      if command.isGroup { layout.commands(command.commands) }
      if !command.operands.isEmpty {
        layout.heading("Operands")
        layout.columns(command.operands.map { ($0.name, $0.fullHelp) })
      }
      for section in command.optionSections {
        layout.heading(section.heading)
        layout.columns(section.options.map { ($0.label, $0.fullHelp) })
      }
      if command.isGroup { layout.paragraphs("\(name) \(command.path) COMMAND --help explains one command.") }
    } else {
      layout.headed("Usage", "\(name) COMMAND [OPTION]... [OPERAND]...")
      layout.introduce(summary, examples, discussion)
      layout.commands(commands)
      layout.heading("Options")
      layout.columns(options.map { ($0.label, $0.fullHelp) })
      layout.paragraphs("\(name) COMMAND --help explains one command.")
      if !exitStatuses.isEmpty {
        layout.heading("Exit status")
        let widest = exitStatuses.map { String($0.status).count }.max() ?? 0
        layout.columns(
          exitStatuses.map { status, meaning in
            let digits = String(status)
            return (String(repeating: " ", count: widest - digits.count) + digits, meaning)
          })
      }
    }
    return layout.text
  }

  /// Returns the text that is shown if the program or a command group is run without arguments: the usage
  /// and the list of commands, or the first steps of the program with one line for each.
  package func shortHelpText(for command: Command? = nil, width: Int = 80) -> String {
    if command == nil, !firstSteps.isEmpty {
      let column = (firstSteps.map(\.line.count).max() ?? 0) + 2
      return firstSteps.map { step in
        step.line + String(repeating: " ", count: column - step.line.count) + step.explanation + "\n"
      }.joined()
    }
    var layout = TextLayout(width: width, styled: false)
    let line = command.map { "\(name) \($0.path)" } ?? name
    layout.headed("Usage", "\(line) COMMAND [OPTION]... [OPERAND]...")
    layout.commands(command?.commands ?? commands)
    layout.paragraphs("\(line) --help shows examples; \(line) COMMAND --help explains one command.")
    return layout.text
  }
}

extension TextLayout {
  fileprivate mutating func introduce(_ summary: String, _ examples: [Example], _ discussion: String) {
    paragraphs(summary)
    if !examples.isEmpty {
      heading("Examples")
      self.examples(examples)
    }
    paragraphs(discussion)
  }

  fileprivate mutating func commands(_ commands: [Command]) {
    heading("Commands")
    columns(commands.map { ($0.name, $0.summary) })
  }
}

extension ParameterDescription {
  /// The label of an option, such as `-o, --output FILE`. Options without a short name are indented by its
  /// width.
  fileprivate var label: String {
    (short.map { $0 + ", " } ?? "    ") + name + (valueName.isEmpty ? "" : " " + valueName)
  }
}
