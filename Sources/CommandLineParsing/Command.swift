/// One command of a program, declared as data: its name, its options, and what it does with them.
///
/// ```swift
/// struct ImportOptions: Sendable {
///   var inputs: [String] = []
///   var json = false
///   var output: String?
/// }
///
/// let importCommand = Command(
///   "import", summary: "Turn recordings into drives", defaults: ImportOptions(),
///   parameters: [
///     .arguments("FILE", \.inputs, "Recordings to read; - is standard input.", completion: .files),
///     .flag("--json", \.json, "Print JSON for scripts."),
///     .option("--output", short: "-o", \.output, value: "FILE", "Where to write.", completion: .files),
///   ],
///   examples: [Example("ghost-convert import ride.gpx", "writes ride.drive.json beside it")]
/// ) { options in
///   options.inputs.isEmpty ? 64 : 0
/// }
/// ```
///
/// The parser, the help, the manual page and the completions read the same array. The type of the options
/// stays inside, so commands of all kinds stand in one array. A command may also stand for several of its
/// own, as `library` in `ghost-convert library list`.
public struct Command: Sendable {
  /// What a command does when run: it returns the exit status.
  public typealias Body = @Sendable () throws(UsageError) -> Int32

  public let name: String
  /// The names of the commands above this one, from the outermost on.
  private(set) var superiors: [String] = []
  /// One line without a full stop.
  public let summary: String
  /// Paragraphs separated by blank lines; one that begins with a space is kept as it is, others are wrapped.
  public let discussion: String
  /// Paragraphs of the same kind that only the manual page has, behind the others: what few look up.
  public let details: String
  public let examples: [Example]
  let parameters: [ParameterDescription]
  /// The commands that this one stands for, which then does nothing itself; empty for one that does.
  public let commands: [Command]
  private let prepare: @Sendable ([String]) throws(UsageError) -> Body?

  /// - Parameters:
  ///   - details: paragraphs that only the manual page has.
  ///   - parameters: in the order in which the help shows them; operands in the order in which they are
  ///     given.
  ///   - sections: more options, shown under headings of their own.
  ///   - operandHint: returns what to do instead of giving an operand that the command does not take, or nil.
  ///   - body: returns the exit status; it may throw for options that do not go together.
  /// - Precondition: no option is declared twice or named `--help` or `-h`; a long one begins with two
  ///   hyphens, a short one is a hyphen and a letter; at most one operand takes any number.
  public init<Options: Sendable>(
    _ name: String, summary: String, discussion: String = "", details: String = "", defaults: Options,
    parameters: [Parameter<Options>] = [], sections: [ParameterSection<Options>] = [],
    examples: [Example] = [], operandHint: @escaping @Sendable (String) -> String? = { _ in nil },
    body: @escaping @Sendable (Options) throws(UsageError) -> Int32
  ) {
    let parser = ArgumentParser(defaults: defaults, parameters: parameters, sections: sections)
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.details = details
    self.examples = examples
    self.parameters = parser.descriptions
    commands = []
    prepare = { (arguments: [String]) throws(UsageError) -> Body? in
      do throws(UsageError) {
        guard let options = try parser.parse(arguments) else { return nil }
        return { () throws(UsageError) -> Int32 in try body(options) }
      } catch {
        guard case .unexpectedOperand(let operand) = error.fault else { throw error }
        throw UsageError(error.fault, hint: error.hint ?? operandHint(operand))
      }
    }
  }

  /// A command that stands for several.
  ///
  /// - Parameter details: paragraphs that only the manual page has.
  /// - Precondition: no two of them share a name, and none is called `help`.
  public init(
    _ name: String, summary: String, discussion: String = "", details: String = "", examples: [Example] = [],
    commands: [Command]
  ) {
    requireDistinctNames(of: commands)
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.details = details
    self.examples = examples
    parameters = []
    self.commands = commands.map { $0.below(name) }
    prepare = { (_: [String]) in nil }
  }

  private init(_ command: Command, commands: [Command], superiors: [String]) {
    name = command.name
    summary = command.summary
    discussion = command.discussion
    details = command.details
    examples = command.examples
    parameters = command.parameters
    prepare = command.prepare
    self.commands = commands
    self.superiors = superiors
  }

  private func below(_ superior: String) -> Command {
    Command(self, commands: commands.map { $0.below(superior) }, superiors: [superior] + superiors)
  }

  /// The name with those above it, as a user writes them: `library list`.
  public var path: String { (superiors + [name]).joined(separator: " ") }

  /// Whether it stands for several commands.
  var isGroup: Bool { !commands.isEmpty }

  /// This command and those below it, each before its own.
  var all: [Command] { [self] + commands.flatMap(\.all) }

  /// The command ready to run with `arguments`, its name not among them; `nil` when they ask for help.
  public func parse(_ arguments: [String]) throws(UsageError) -> Body? {
    let path = self.path
    do throws(UsageError) {
      guard let body = try prepare(arguments) else { return nil }
      return { () throws(UsageError) -> Int32 in
        do throws(UsageError) {
          return try body()
        } catch {
          throw error.attributed(to: path)
        }
      }
    } catch {
      throw error.attributed(to: path)
    }
  }

  var operands: [ParameterDescription] { parameters.filter(\.isOperand) }

  /// With `--help`, which every command has.
  var options: [ParameterDescription] { parameters.filter { !$0.isOperand } + [.help] }

  /// The headings of the options in the order of the help, each with its options. The ordinary ones come
  /// first.
  var optionSections: [(heading: String, options: [ParameterDescription])] {
    var sections: [(heading: String, options: [ParameterDescription])] = [("Options", [])]
    for option in options {
      let heading = option.section ?? "Options"
      if let index = sections.firstIndex(where: { $0.heading == heading }) {
        sections[index].options.append(option)
      } else {
        sections.append((heading, [option]))
      }
    }
    return sections
  }

  /// What follows the program's name in the usage line.
  var synopsis: String {
    guard !isGroup else { return "\(path) COMMAND [OPTION]... [OPERAND]..." }
    let words = [path] + (options.count > 1 ? ["[OPTION]..."] : []) + operands.map(\.synopsis)
    return words.joined(separator: " ")
  }
}

/// Stops the program when its own declaration is ambiguous. No argument can lead here.
func requireDistinctNames(of commands: [Command]) {
  precondition(
    Set(commands.map(\.name) + ["help"]).count == commands.count + 1, "two commands share a name")
}

/// A command line worth imitating, with what it does.
public struct Example: Sendable {
  public let line: String
  /// A few words in lower case without a full stop.
  public let explanation: String

  public init(_ line: String, _ explanation: String) {
    self.line = line
    self.explanation = explanation
  }
}
