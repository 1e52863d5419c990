/// Arguments that a command cannot be run with: what was wrong, and what to do instead.
///
/// Two errors are equal when fault, command and hint are.
public struct UsageError: Error, Sendable, Equatable {
  /// What was wrong.
  public enum Fault: Sendable, Equatable {
    /// `option` is what was taken for an option (`--cadance`, `-x`), `argument` the whole word (`-jx`).
    case unknownOption(String, argument: String)
    case unknownCommand(String)
    /// The value of an option is missing; `follower` is the option or `--` found in its place.
    case missingValue(option: String, valueName: String, follower: String?)
    /// A flag was given a value.
    case unexpectedValue(option: String, value: String)
    /// A value or operand that cannot be read; `parameter` is `--cadence` or `SHELL`.
    case invalidValue(parameter: String, value: String, reason: String)
    case missingOperand(String, minimum: Int, given: Int)
    case unexpectedOperand(String)
    /// What a command found out itself: options that exclude each other.
    case other(String)
  }

  public var fault: Fault
  /// What to do, in a few words without a full stop; `nil` points to the help.
  public var hint: String?
  /// The command whose arguments are meant; `nil` before a command is known.
  public var command: String?

  public init(_ fault: Fault, hint: String? = nil, command: String? = nil) {
    self.fault = fault
    self.hint = hint
    self.command = command
  }

  /// An error that a command finds itself: `UsageError("--blob and --json exclude each other")`.
  public init(_ message: String, hint: String? = nil) {
    self.init(.other(message), hint: hint)
  }

  /// The same error, found in the arguments of `command`.
  func attributed(to command: String) -> UsageError {
    UsageError(fault, hint: hint, command: command)
  }

  /// What was wrong, without the command and the hint.
  public var message: String {
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

  /// The error as exactly one line, without the line's end:
  /// `ghost-convert: import: unknown option --cadance; did you mean --cadence?`.
  ///
  /// Control characters that came with the arguments are written as `\u{…}`.
  public func line(program: String) -> String {
    let place = command.map { "\(program): \($0): " } ?? "\(program): "
    let help = command.map { "\(program) \($0) --help" } ?? "\(program) --help"
    return printable("\(place)\(message); \(hint ?? "see \(help)")")
  }
}

/// `text` with everything that could end a line or steer a terminal written as an escape.
private func printable(_ text: String) -> String {
  var result = ""
  for scalar in text.unicodeScalars {
    switch scalar.properties.generalCategory {
    case .control, .lineSeparator, .paragraphSeparator, .format:
      result += "\\u{\(String(scalar.value, radix: 16))}"
    default:
      result.unicodeScalars.append(scalar)
    }
  }
  return result
}
