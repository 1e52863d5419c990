/// Parses a command's arguments into its options.
package struct ArgumentParser<Options: Sendable>: Sendable {
  let defaults: Options
  let parameters: [Parameter<Options>]
  /// The descriptions without the texts of defaults, which only help needs and which take longer to create
  /// than the rest.
  private let declarations: [ParameterDescription]

  /// One description per element of `parameters`, in the same order.
  var descriptions: [ParameterDescription] {
    zip(parameters, declarations).map { parameter, description in
      var description = description
      description.defaultText = parameter.defaultText(defaults)
      return description
    }
  }

  /// - Precondition: parameter names are unique; see ``Command``.
  package init(
    defaults: Options, parameters: [Parameter<Options>], sections: [ParameterSection<Options>] = []
  ) {
    var all = parameters.map { (parameter: $0, section: String?.none) }
    for section in sections { all += section.parameters.map { ($0, section.heading) } }
    self.defaults = defaults
    self.parameters = all.map(\.parameter)
    declarations = all.map { parameter, section in
      var description = parameter.description
      description.section = section
      return description
    }
    requireSoundness(of: declarations)
  }

  /// Parses `arguments`, without the command's name. Returns `nil` if they ask for help.
  package func parse(_ arguments: [String]) throws(UsageError) -> Options? {
    guard let matches = try ArgumentScanner.scan(arguments, for: declarations) else { return nil }
    var options = defaults
    var given: Set<Int> = []
    for match in matches {
      do {
        try parameters[match.parameter].assign(&options, match.value, given.insert(match.parameter).inserted)
      } catch let error as UsageError {
        throw error
      } catch {
        throw UsageError(
          .invalidValue(parameter: match.spelling, value: match.value, reason: String(describing: error)),
          hint: hint(for: match))
      }
    }
    return options
  }

  /// Returns the most similar of the values that a parameter is completed with, as a question.
  private func hint(for match: ArgumentScanner.Match) -> String? {
    guard case .values(let values) = declarations[match.parameter].completion else { return nil }
    return suggestion(for: match.value, among: values).map { "did you mean \($0)?" }
  }
}

/// Stops the program if the command's declaration is invalid. User input cannot cause this.
private func requireSoundness(of parameters: [ParameterDescription]) {
  var spellings = Set(ParameterDescription.help.spellings)
  var endlessOperands = 0
  for parameter in parameters {
    if parameter.isOperand {
      if parameter.repeats { endlessOperands += 1 }
      precondition(!parameter.name.hasPrefix("-"), "\(parameter.name) is not a valid operand name")
      continue
    }
    precondition(
      parameter.name.hasPrefix("--") && parameter.name.count > 2 && !parameter.name.contains("="),
      "\(parameter.name) is not a long option")
    if let short = parameter.short {
      precondition(
        short.count == 2 && short.hasPrefix("-") && short != "--" && short != "-=",
        "\(short) is not a short option")
    }
    for spelling in parameter.spellings {
      precondition(spellings.insert(spelling).inserted, "\(spelling) is declared twice")
    }
  }
  precondition(endlessOperands <= 1, "only one operand can accept all remaining arguments")
}
