extension Program {
  /// Returns the manual page (section 1) with every command, in troff with the man(7) macros.
  ///
  /// - Parameter date: the release date, such as `2025-01-31`. Passing it in makes the output reproducible.
  package func manualPage(date: String) -> String {
    var page = ManualPage()
    page.macro(".TH", name.uppercased(), "1", date, "\(name) \(version)", "User Commands")
    page.macro(".SH", "NAME")
    page.line(troff(name) + " \\- " + troff(summary))
    page.macro(".SH", "SYNOPSIS")
    page.macro(".B", name)
    page.line("\\fICOMMAND\\fR [\\fIOPTION\\fR]... [\\fIOPERAND\\fR]...")
    page.macro(".SH", "DESCRIPTION")
    page.paragraphs(discussion.isEmpty ? summary + "." : discussion)
    if !examples.isEmpty {
      page.macro(".SH", "EXAMPLES")
      page.examples(examples)
    }
    page.macro(".SH", "OPTIONS")
    for option in options { page.item(option) }
    page.macro(".SH", "COMMANDS")
    for command in allCommands { page.command(command, of: name) }
    if !exitStatuses.isEmpty {
      page.macro(".SH", "EXIT STATUS")
      for (status, meaning) in exitStatuses { page.item("\\fB\(status)\\fR", meaning) }
    }
    return page.text
  }
}

private struct ManualPage {
  private(set) var text = ""

  /// Appends a line of troff source.
  mutating func line(_ line: String) { text += line + "\n" }

  mutating func macro(_ name: String, _ arguments: String...) {
    line(([name] + arguments.map { "\"\(troff($0))\"" }).joined(separator: " "))
  }

  mutating func paragraphs(_ prose: String) {
    for paragraph in splitParagraphs(prose) {
      line(".PP")
      if paragraph.first?.first == " " {
        line(".EX")
        for each in paragraph { line(troff(each)) }
        line(".EE")
      } else {
        line(troff(paragraph.joined(separator: " ")))
      }
    }
  }

  mutating func examples(_ examples: [Example]) {
    for example in examples { item("\\fB\(troff(example.line))\\fR", example.explanation) }
  }

  /// Appends a labelled item. `label` is troff source, `help` is plain text.
  mutating func item(_ label: String, _ help: String) {
    line(".TP")
    line(label)
    line(help.isEmpty ? "\\&" : troff(help))
  }

  mutating func item(_ parameter: ParameterDescription) {
    if parameter.isOperand {
      item("\\fI\(troff(parameter.name))\\fR", parameter.fullHelp)
    } else {
      let names = parameter.spellings.map { "\\fB\(troff($0))\\fR" }.joined(separator: ", ")
      let value = parameter.valueName.isEmpty ? "" : " \\fI\(troff(parameter.valueName))\\fR"
      item(names + value, parameter.fullHelp)
    }
  }

  mutating func command(_ command: Command, of program: String) {
    macro(".SS", command.path)
    line(".PP")
    line("\\fB\(troff(program))\\fR " + troff(command.synopsis))
    paragraphs(command.summary + ".")
    paragraphs(command.discussion)
    paragraphs(command.details)
    for operand in command.operands { item(operand) }
    for section in command.optionSections {
      if command.optionSections.count > 1 { paragraphs(section.heading + ":") }
      for option in section.options { item(option) }
    }
    if !command.examples.isEmpty {
      paragraphs("Examples:")
      examples(command.examples)
    }
  }
}

/// Escapes `text` so that troff prints it literally: no requests or escapes, hyphens that can be copied, and
/// non-ASCII characters by code point.
private func troff(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\\": result += "\\e"
    case "-": result += "\\-"
    case "\"": result += "\\(dq"
    case "'": result += "\\(aq"
    case "`": result += "\\(ga"
    case "^": result += "\\(ha"
    case "~": result += "\\(ti"
    case "\n": result += " "
    case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
    default:
      let digits = String(scalar.value, radix: 16, uppercase: true)
      result += "\\[u" + String(repeating: "0", count: max(0, 4 - digits.count)) + digits + "]"
    }
  }
  return result.first == "." ? "\\&" + result : result
}
