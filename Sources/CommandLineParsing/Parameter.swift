/// One thing a user can write after a command's name (a flag, an option with a value, or an operand), bound
/// to the stored property of `Options` that receives it.
///
/// Make one with ``flag(_:short:_:_:)``, ``option(_:short:_:value:default:_:completion:)`` and their
/// siblings.
public struct Parameter<Options: Sendable>: Sendable {
  /// A stored property of the options.
  public typealias Property<Value> = any WritableKeyPath<Options, Value> & Sendable

  /// What everyone but the parser needs to know, the default excepted.
  let description: ParameterDescription
  /// How the default is shown, given the default options.
  let defaultText: @Sendable (Options) -> String?
  /// Stores a value (a flag's is empty). `isFirst` says that it is the first one given for this parameter.
  let assign: @Sendable (_ options: inout Options, _ value: String, _ isFirst: Bool) throws -> Void
}

/// Options that belong together, under a heading of their own in the help and the manual page.
public struct ParameterSection<Options: Sendable>: Sendable {
  let heading: String
  let parameters: [Parameter<Options>]

  public init(_ heading: String, _ parameters: [Parameter<Options>]) {
    self.heading = heading
    self.parameters = parameters
  }
}

/// The value of an option that stands without one, where it may: no argument can have it.
public let missingArgumentValue = "\0"

/// A parameter without its property: what the scanner, the help, the manual page and the completions read.
struct ParameterDescription: Sendable {
  enum Kind: Sendable, Equatable {
    case flag
    case option(repeats: Bool)
    /// `maximum` is `nil` where there is no limit.
    case operand(minimum: Int, maximum: Int?)
  }

  var kind: Kind
  /// `--output`, or the operand's name, `FILE`.
  var name: String
  /// `-o`
  var short: String?
  /// What stands for the value in the help: `FILE`. Empty for flags.
  var valueName = ""
  var help: String
  /// Every value that is accepted, where the type has only a few.
  var choices: [String] = []
  var defaultText: String?
  var completion = Completion.none
  /// The heading it stands under; `nil` for the ordinary one.
  var section: String?

  static let help = ParameterDescription(
    kind: .flag, name: "--help", short: "-h", help: "Show this help.")

  var isOperand: Bool {
    if case .operand = kind { true } else { false }
  }

  var takesValue: Bool { kind != .flag }

  /// Whether an option may stand without a value, which is ``missingArgumentValue`` then: `[FILE]`.
  var isValueOptional: Bool { valueName.hasPrefix("[") }

  var repeats: Bool {
    switch kind {
    case .flag: false
    case .option(let repeats): repeats
    case .operand(_, let maximum): maximum != 1
    }
  }

  /// All its spellings as an option, the short one first.
  var spellings: [String] { [short, name].compactMap(\.self) }

  /// `SHELL`, `[SHELL]`, `FILE...`, `[FILE...]`: the operand in a usage line.
  var synopsis: String {
    guard case .operand(let minimum, let maximum) = kind else { return name }
    let one = maximum == 1 ? name : name + "..."
    guard minimum > 0 else { return "[\(one)]" }
    return String(repeating: name + " ", count: minimum - 1) + one
  }

  /// The help with what follows from the declaration: the choices, the default, whether it may be repeated.
  var fullHelp: String {
    var notes: [String] = []
    if !choices.isEmpty { notes.append("one of " + choices.joined(separator: ", ")) }
    if let defaultText { notes.append("default: " + defaultText) }
    if kind == .option(repeats: true) { notes.append("may be repeated") }
    return notes.isEmpty ? help : "\(help) (\(notes.joined(separator: "; ")))"
  }
}
