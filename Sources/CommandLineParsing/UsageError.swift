import TrackModel

/// An error in the arguments of a command, with a hint.
package struct UsageError: Error, Sendable, Equatable {
  /// The kind of error.
  package enum Fault: Sendable, Equatable {
    /// An unknown option. `option` is its spelling (`--cadance`, `-x`), `argument` the whole argument
    /// (`-jx`).
    case unknownOption(String, argument: String)
    case unknownCommand(String)
    /// An option without its value. `follower` is the option or `--` found in its place.
    case missingValue(option: String, valueName: String, follower: String?)
    /// A flag with a value.
    case unexpectedValue(option: String, value: String)
    /// An invalid value or operand. `parameter` is an option (`--cadence`) or an operand's name (`SHELL`).
    case invalidValue(parameter: String, value: String, reason: String)
    case missingOperand(String, minimum: Int, given: Int)
    case unexpectedOperand(String)
    /// An error that the command itself reports, such as options that exclude each other.
    case other(String)
  }

  package var fault: Fault
  /// A short hint without a full stop, or `nil` to refer to the help.
  package var hint: String?
  /// The command with the invalid arguments, or `nil` if no command was recognised.
  package var command: String?

  package init(_ fault: Fault, hint: String? = nil, command: String? = nil) {
    self.fault = fault
    self.hint = hint
    self.command = command
  }

  /// Creates an error that a command reports itself: `UsageError("--blob and --json exclude each other")`.
  package init(_ message: String, hint: String? = nil) {
    self.init(.other(message), hint: hint)
  }

  /// Returns the error with `command` as its command.
  func attributed(to command: String) -> UsageError {
    UsageError(fault, hint: hint, command: command)
  }

  /// The message without the command and the hint.
  package var message: String {
    switch fault {
    case .unknownOption(let option, let argument) where option == argument:
      "unknown option \(option)"
    case .unknownOption(let option, let argument):
      "unknown option \(option) in \(argument)"
    case .unknownCommand(let name):
      "unknown command \(name)"
    case .missingValue(let option, let valueName, nil):
      "option \(option) needs a value, \(valueName)"
    case .missingValue(let option, let valueName, let follower?):
      "option \(option) needs a value, \(valueName), but \(follower) follows"
    case .unexpectedValue(let option, let value):
      "option \(option) takes no value, but '\(value)' was given"
    case .invalidValue(let parameter, let value, let reason):
      "invalid value '\(value)' for \(parameter): \(reason)"
    case .missingOperand(let name, minimum: 1, _):
      "missing operand \(name)"
    case .missingOperand(let name, let minimum, let given):
      "missing operand \(name): at least \(minimum) needed, \(given) given"
    case .unexpectedOperand(let operand):
      "unexpected operand '\(operand)'"
    case .other(let message):
      message
    }
  }

  /// Returns the error as one line without a line break:
  /// `ghost-convert: import: unknown option --cadance; did you mean --cadence?`.
  ///
  /// Control characters in the arguments are escaped as `\u{…}`.
  package func line(program: String) -> String {
    let place = command.map { "\(program): \($0): " } ?? "\(program): "
    let help = command.map { "\(program) \($0) --help" } ?? "\(program) --help"
    return printable("\(place)\(message); \(hint ?? "see \(help)")")
  }
}

/// Escapes the characters of `text` that could end the line or control a terminal.
private func printable(_ text: String) -> String {
  text.unicodeScalars.reduce(into: "") { result, scalar in
    if scalar.isUnprintable {
      result += "\\u{\(String(scalar.value, radix: 16))}"
    } else {
      result.unicodeScalars.append(scalar)
    }
  }
}
