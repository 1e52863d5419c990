extension Parameter {
  /// `--json`: sets a property to `true`.
  package static func flag(
    _ name: String, short: String? = nil, _ property: Property<Bool>, _ help: String
  ) -> Parameter {
    flag(name, short: short, property, sets: true, help)
  }

  /// `--keep-points`: sets a property to a given value. If several flags set one property, the last one wins.
  package static func flag<Value: Sendable>(
    _ name: String, short: String? = nil, _ property: Property<Value>, sets value: Value, _ help: String
  ) -> Parameter {
    Parameter(
      description: ParameterDescription(kind: .flag, name: name, short: short, help: help),
      defaultText: { _ in nil },
      assign: { options, _, _ in options[keyPath: property] = value })
  }

  /// `--cadence SECONDS`: an option with a value, parsed by `parse`. If repeated, the last value wins.
  ///
  /// - Parameters:
  ///   - value: the placeholder of the value in the help.
  ///   - default: the default as shown in the help. If `nil`, the description of the property's default, if
  ///     any.
  ///   - parse: parses the value. The description of its error becomes part of the error line.
  package static func option<Value>(
    _ name: String, short: String? = nil, _ property: Property<Value>, value valueName: String,
    default defaultText: String? = nil, _ help: String, completion: Completion = .none,
    parse: @escaping @Sendable (String) throws -> Value
  ) -> Parameter {
    Parameter(
      description: ParameterDescription(
        kind: .option(repeats: false), name: name, short: short, valueName: valueName, help: help,
        completion: completion),
      defaultText: { defaultText ?? ($0[keyPath: property] as? any CustomStringConvertible)?.description },
      assign: { options, text, _ in options[keyPath: property] = try parse(text) })
  }

  /// `--name NAME`: an option whose value is an ``ArgumentValue``. If repeated, the last value wins.
  package static func option<Value: ArgumentValue>(
    _ name: String, short: String? = nil, _ property: Property<Value>, value valueName: String,
    default defaultText: String? = nil, _ help: String, completion: Completion? = nil
  ) -> Parameter {
    Parameter(
      description: ParameterDescription(
        kind: .option(repeats: false), name: name, short: short, valueName: valueName, help: help,
        choices: Value.argumentChoices, completion: completion ?? Value.argumentCompletion),
      defaultText: { defaultText ?? $0[keyPath: property].argumentText },
      assign: { options, text, _ in
        // Empty if a shell variable is not set.
        if text.isEmpty, completion == .files || completion == .directories {
          throw InvalidValue("expected the name of a \(completion == .files ? "file" : "folder")")
        }
        options[keyPath: property] = try Value(argument: text)
      })
  }

  /// `--output FILE`: the only output of a command. A second one is an error, because the first would not be
  /// written.
  package static func output<Value: ArgumentValue>(
    _ property: Property<Value>, default defaultText: String? = nil, _ help: String
  ) -> Parameter {
    let option = option(
      "--output", short: "-o", property, value: "FILE", default: defaultText, help, completion: .files)
    return Parameter(
      description: option.description, defaultText: option.defaultText,
      assign: { options, text, isFirst in
        guard isFirst else {
          throw UsageError("--output is given twice", hint: "this command writes one output")
        }
        try option.assign(&options, text, isFirst)
      })
  }

  /// `--tag TAG`: an option that may be repeated. The property holds the values in order; the first one
  /// replaces the default.
  package static func repeated<Value>(
    _ name: String, short: String? = nil, _ property: Property<[Value]>, value valueName: String,
    default defaultText: String? = nil, _ help: String, completion: Completion = .none,
    parse: @escaping @Sendable (String) throws -> Value
  ) -> Parameter {
    Parameter(
      description: ParameterDescription(
        kind: .option(repeats: true), name: name, short: short, valueName: valueName, help: help,
        completion: completion),
      defaultText: { _ in defaultText },
      assign: appending(to: property, parse))
  }

  /// `--tag TAG`: an option that may be repeated and whose values are an ``ArgumentValue``.
  package static func repeated<Value: ArgumentValue>(
    _ name: String, short: String? = nil, _ property: Property<[Value]>, value valueName: String,
    default defaultText: String? = nil, _ help: String, completion: Completion? = nil
  ) -> Parameter {
    Parameter(
      description: ParameterDescription(
        kind: .option(repeats: true), name: name, short: short, valueName: valueName, help: help,
        choices: Value.argumentChoices, completion: completion ?? Value.argumentCompletion),
      defaultText: { defaultText ?? list($0[keyPath: property]) },
      assign: appending(to: property) { try Value(argument: $0) })
  }

  /// `SHELL`: an operand, parsed by `parse`.
  ///
  /// - Parameter required: if false, the operand may be omitted and the property keeps its default.
  package static func argument<Value>(
    _ name: String, _ property: Property<Value>, required: Bool = true, _ help: String,
    completion: Completion = .none, parse: @escaping @Sendable (String) throws -> Value
  ) -> Parameter {
    Parameter(
      description: ParameterDescription(
        kind: .operand(minimum: required ? 1 : 0, maximum: 1), name: name, help: help, completion: completion),
      defaultText: { required ? nil : ($0[keyPath: property] as? any CustomStringConvertible)?.description },
      assign: { options, text, _ in options[keyPath: property] = try parse(text) })
  }

  /// `SHELL`: an operand that is an ``ArgumentValue``.
  package static func argument<Value: ArgumentValue>(
    _ name: String, _ property: Property<Value>, required: Bool = true, _ help: String,
    completion: Completion? = nil
  ) -> Parameter {
    Parameter(
      description: ParameterDescription(
        kind: .operand(minimum: required ? 1 : 0, maximum: 1), name: name, help: help,
        choices: Value.argumentChoices, completion: completion ?? Value.argumentCompletion),
      defaultText: { required ? nil : $0[keyPath: property].argumentText },
      assign: { options, text, _ in options[keyPath: property] = try Value(argument: text) })
  }

  /// `FILE...`: `minimum` or more operands, parsed by `parse`.
  ///
  /// The command's other operands are assigned first. A command can have at most one such parameter.
  package static func arguments<Value>(
    _ name: String, _ property: Property<[Value]>, minimum: Int = 1, _ help: String,
    completion: Completion = .none, parse: @escaping @Sendable (String) throws -> Value
  ) -> Parameter {
    Parameter(
      description: ParameterDescription(
        kind: .operand(minimum: minimum, maximum: nil), name: name, help: help, completion: completion),
      defaultText: { _ in nil },
      assign: appending(to: property, parse))
  }

  /// `FILE...`: `minimum` or more operands that are an ``ArgumentValue``.
  package static func arguments<Value: ArgumentValue>(
    _ name: String, _ property: Property<[Value]>, minimum: Int = 1, _ help: String,
    completion: Completion? = nil
  ) -> Parameter {
    Parameter(
      description: ParameterDescription(
        kind: .operand(minimum: minimum, maximum: nil), name: name, help: help,
        choices: Value.argumentChoices, completion: completion ?? Value.argumentCompletion),
      defaultText: { minimum > 0 ? nil : list($0[keyPath: property]) },
      assign: appending(to: property) { try Value(argument: $0) })
  }

  private static func appending<Value>(
    to property: Property<[Value]>, _ parse: @escaping @Sendable (String) throws -> Value
  ) -> @Sendable (inout Options, String, Bool) throws -> Void {
    { options, text, isFirst in
      let value = try parse(text)
      if isFirst { options[keyPath: property].removeAll() }
      options[keyPath: property].append(value)
    }
  }
}

/// Returns a default of several values as text, or `nil` if it is empty.
private func list<Value: ArgumentValue>(_ values: [Value]) -> String? {
  values.isEmpty ? nil : values.compactMap(\.argumentText).joined(separator: ", ")
}
