/// Splits a command's arguments into options and operands, following the POSIX and GNU conventions.
///
/// Accepts `--name value`, `--name=value`, `-n value`, `-nvalue` and grouped flags (`-jv`). Options may
/// follow operands, `--` ends the options, and `-` alone is an operand. An option with a required value
/// consumes the next argument even if it starts with a hyphen (`--shift -1h`), unless that argument is `--`
/// or one of the command's options. An option with an optional value takes only `--name=value` or `-nvalue`
/// in that case. Long names cannot be abbreviated. One deviation: if `--output` exists, `-output` is an error
/// instead of `-o` with the value `utput`.
struct ArgumentScanner {
  /// A parameter and the value given for it.
  struct Match: Equatable {
    /// Index of the parameter.
    var parameter: Int
    /// The spelling on the command line, such as `-o`, or the operand's name.
    var spelling: String
    /// Empty for flags.
    var value: String
  }

  private let parameters: [ParameterDescription]
  private let arguments: [String]
  private var position = 0
  private var matches: [Match] = []
  private var operands: [String] = []

  private init(_ parameters: [ParameterDescription], _ arguments: [String]) {
    self.parameters = parameters
    self.arguments = arguments
  }

  /// The matches: options in command-line order, then operands in parameter order. `nil` if help was
  /// requested before the first error.
  static func scan(
    _ arguments: [String], for parameters: [ParameterDescription]
  ) throws(UsageError) -> [Match]? {
    var scanner = ArgumentScanner(parameters, arguments)
    guard try scanner.readOptions() else { return nil }
    try scanner.distributeOperands()
    return scanner.matches
  }

  /// Returns false if help is requested.
  private mutating func readOptions() throws(UsageError) -> Bool {
    while let argument = nextArgument() {
      if argument == "--" {
        operands += arguments[position...]
        return true
      } else if ParameterDescription.help.spellings.contains(argument) {
        return false
      } else if argument.hasPrefix("--") {
        try readLong(argument)
      } else if argument.hasPrefix("-"), argument != "-" {
        guard try readShort(argument) else { return false }
      } else {
        operands.append(argument)
      }
    }
    return true
  }

  private mutating func nextArgument() -> String? {
    guard position < arguments.count else { return nil }
    defer { position += 1 }
    return arguments[position]
  }

  private mutating func readLong(_ argument: String) throws(UsageError) {
    let (name, value) = Self.split(argument)
    guard let index = parameter(spelled: name) else {
      if name == ParameterDescription.help.name { throw .unexpectedValue(name, value ?? "") }
      throw unknown(name, in: name)
    }
    if parameters[index].takesValue {
      let text = if let value { value } else { try followingValue(of: index, name) }
      matches.append(Match(parameter: index, spelling: name, value: text))
    } else if let value {
      throw .unexpectedValue(name, value)
    } else {
      matches.append(Match(parameter: index, spelling: name, value: ""))
    }
  }

  /// Returns false if help is requested.
  private mutating func readShort(_ argument: String) throws(UsageError) -> Bool {
    let long = "-" + Self.split(argument).name
    if argument.count > 2, parameter(spelled: long) != nil || long == ParameterDescription.help.name {
      throw UsageError(
        .unknownOption(String(long.dropFirst()), argument: String(long.dropFirst())),
        hint: "did you mean \(long)?")
    }
    var rest = argument.dropFirst()
    while let letter = rest.popFirst() {
      let name = "-\(letter)"
      if name == ParameterDescription.help.short { return false }
      guard let index = parameter(spelled: name) else { throw unknown(name, in: argument) }
      if parameters[index].takesValue {
        let value = rest.isEmpty ? try followingValue(of: index, name) : String(rest)
        matches.append(Match(parameter: index, spelling: name, value: value))
        return true
      }
      if rest.first == "=" { throw .unexpectedValue(name, String(rest.dropFirst())) }
      matches.append(Match(parameter: index, spelling: name, value: ""))
    }
    return true
  }

  /// Consumes the next argument as the value of an option.
  private mutating func followingValue(of index: Int, _ spelling: String) throws(UsageError) -> String {
    let valueName = parameters[index].valueName
    if parameters[index].isValueOptional {
      guard position < arguments.count, !isOption(arguments[position]) else { return missingArgumentValue }
    }
    guard let value = nextArgument() else {
      throw UsageError(.missingValue(option: spelling, valueName: valueName, follower: nil))
    }
    guard !isOption(value) else {
      let joined = spelling.hasPrefix("--") ? "\(spelling)=\(value)" : "\(spelling)\(value)"
      throw UsageError(
        .missingValue(option: spelling, valueName: valueName, follower: value),
        hint: "write \(joined) if that is the value")
    }
    return value
  }

  /// Whether `argument` is one of the command's options or `--`.
  private func isOption(_ argument: String) -> Bool {
    let name = Self.split(argument).name
    return argument == "--" || parameter(spelled: name) != nil
      || ParameterDescription.help.spellings.contains(name)
  }

  /// Assigns each operand parameter its minimum number of arguments, and the rest to the first repeating one.
  private mutating func distributeOperands() throws(UsageError) {
    var rest = operands[...]
    let wanted = parameters.indices.filter { parameters[$0].isOperand }
    for (place, index) in wanted.enumerated() {
      guard case .operand(let minimum, let maximum) = parameters[index].kind else { continue }
      var neededLater = 0
      for later in wanted[(place + 1)...] {
        if case .operand(let minimum, _) = parameters[later].kind { neededLater += minimum }
      }
      // With too few operands the first parameters are filled, so the error names the missing one.
      let count = max(min(minimum, rest.count), min(rest.count - neededLater, maximum ?? .max))
      guard count >= minimum else {
        throw UsageError(.missingOperand(parameters[index].name, minimum: minimum, given: count))
      }
      for value in rest.prefix(count) {
        matches.append(Match(parameter: index, spelling: parameters[index].name, value: value))
      }
      rest = rest.dropFirst(count)
    }
    if let extra = rest.first { throw UsageError(.unexpectedOperand(extra)) }
  }

  private func parameter(spelled spelling: String) -> Int? {
    parameters.firstIndex { !$0.isOperand && $0.spellings.contains(spelling) }
  }

  private func unknown(_ option: String, in argument: String) -> UsageError {
    var hint = optionHint(for: argument, among: parameters.filter { !$0.isOperand } + [.help])
    // Numbers, and files such as -dash.gpx.
    if hint == nil, option.dropFirst().first?.isNumber == true || argument.contains(".") {
      hint = "write -- before operands that begin with a hyphen"
    }
    return UsageError(.unknownOption(option, argument: argument), hint: hint)
  }

  /// Splits `--name=value` at the first equals sign.
  private static func split(_ argument: String) -> (name: String, value: String?) {
    guard argument.hasPrefix("-"), let sign = argument.firstIndex(of: "=") else { return (argument, nil) }
    return (String(argument[..<sign]), String(argument[argument.index(after: sign)...]))
  }
}

extension UsageError {
  fileprivate static func unexpectedValue(_ option: String, _ value: String) -> UsageError {
    UsageError(.unexpectedValue(option: option, value: value))
  }
}
