/// A flag, an option with a value, or an operand, bound to the stored property of `Options` that receives it.
///
/// Create parameters with ``flag(_:short:_:_:)``, ``option(_:short:_:value:default:_:completion:)`` and
/// related functions.
package struct Parameter<Options: Sendable>: Sendable {
  /// A stored property of the options.
  package typealias Property<Value> = any WritableKeyPath<Options, Value> & Sendable

  /// The untyped part: names, help and completion, without the default.
  let description: ParameterDescription
  /// Returns the default as text, given the default options.
  let defaultText: @Sendable (Options) -> String?
  /// Stores a value, which is empty for a flag. `isFirst` is true for the parameter's first value.
  let assign: @Sendable (_ options: inout Options, _ value: String, _ isFirst: Bool) throws -> Void
}

/// A group of options with its own heading in the help and the manual page.
package struct ParameterSection<Options: Sendable>: Sendable {
  let heading: String
  let parameters: [Parameter<Options>]

  package init(_ heading: String, _ parameters: [Parameter<Options>]) {
    self.heading = heading
    self.parameters = parameters
  }
}

/// The value of an option given without its optional value. No argument can contain it.
package let missingArgumentValue = "\0"

/// A parameter without its property, as used by the scanner, the help, the manual page and the completions.
struct ParameterDescription: Sendable {
  enum Kind: Sendable, Equatable {
    case flag
    case option(repeats: Bool)
    /// An operand. `maximum` is `nil` if there is no limit.
    case operand(minimum: Int, maximum: Int?)
  }

  var kind: Kind
  /// `--output`, or the operand's name, `FILE`.
  var name: String
  /// `-o`
  var short: String?
  /// The placeholder of the value in the help, such as `FILE`. Empty for flags.
  var valueName = ""
  var help: String
  /// All accepted values if the type has only a few.
  var choices: [String] = []
  var defaultText: String?
  var completion = Completion.none
  /// The heading of its group, or `nil` for the default group.
  var section: String?

  static let help = ParameterDescription(
    kind: .flag, name: "--help", short: "-h", help: "Show this help.")

  var isOperand: Bool {
    if case .operand = kind { true } else { false }
  }

  var takesValue: Bool { kind != .flag }

  /// Whether the option's value is optional (`[FILE]`). A missing value is ``missingArgumentValue``.
  var isValueOptional: Bool { valueName.hasPrefix("[") }

  var repeats: Bool {
    switch kind {
    case .flag: false
    case .option(let repeats): repeats
    case .operand(_, let maximum): maximum != 1
    }
  }

  /// All spellings of the option, the short one first.
  var spellings: [String] { [short, name].compactMap(\.self) }

  /// The operand in a usage line: `SHELL`, `[SHELL]`, `FILE...` or `[FILE...]`.
  var synopsis: String {
    guard case .operand(let minimum, let maximum) = kind else { return name }
    let one = maximum == 1 ? name : name + "..."
    guard minimum > 0 else { return "[\(one)]" }
    return String(repeating: name + " ", count: minimum - 1) + one
  }

  /// The help followed by the choices, the default, and whether the option may be repeated.
  var fullHelp: String {
    var notes: [String] = []
    if !choices.isEmpty { notes.append("one of " + choices.joined(separator: ", ")) }
    if let defaultText { notes.append("default: " + defaultText) }
    if kind == .option(repeats: true) { notes.append("may be repeated") }
    return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
  }
}
