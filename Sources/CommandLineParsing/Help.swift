extension Program {
  /// The help of a command, or of the program: usage, summary, examples, discussion, operands and options in
  /// two columns, exit statuses.
  ///
  /// - Parameters:
  ///   - width: columns to wrap to.
  ///   - styled: whether headings are bold, by the escape sequences of ECMA-48.
  public func helpText(for command: Command? = nil, width: Int = 80, styled: Bool = false) -> String {
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
    }
    if !exitStatuses.isEmpty {
      layout.heading("Exit status")
      let widest = exitStatuses.map { String($0.status).count }.max() ?? 0
      layout.columns(
        exitStatuses.map { status, meaning in
          let digits = String(status)
          return (String(repeating: " ", count: widest - digits.count) + digits, meaning)
        })
    }
    return layout.text
  }

  /// What is shown when there are no arguments behind the program's name, or that of a command that stands
  /// for several: the usage and the commands.
  public func shortHelpText(for command: Command? = nil, width: Int = 80) -> String {
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
  /// `-o, --output FILE`, with room for the short option where there is none.
  fileprivate var label: String {
    (short.map { $0 + ", " } ?? "    ") + name + (valueName.isEmpty ? "" : " " + valueName)
  }
}
