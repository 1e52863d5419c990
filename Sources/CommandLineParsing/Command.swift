/// A command of a program, declared as data: its name, its options and its body.
///
/// ```swift
/// struct ImportOptions: CommandOptions {
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
///     .output(\.output, "Where to write."),
///   ],
///   examples: [Example("ghost-convert import ride.gpx", "writes ride.drive.json next to it")]
/// ) { options in
///   options.inputs.isEmpty ? 64 : 0
/// }
/// ```
///
/// The parser, the help, the manual page and the completions all use the same array of parameters. It is only
/// evaluated when the command is used, so that a program with many commands starts fast. The type of the
/// options is erased, so one array can hold all commands. A command can also be a group of subcommands, as
/// `library` in `ghost-convert library list`.
package struct Command: Sendable {
  /// Runs the command and returns its exit status.
  package typealias Body = @Sendable () throws(UsageError) -> Int32

  package let name: String
  /// The names of the enclosing command groups, outermost first.
  private(set) var superiors: [String] = []
  /// One line without a full stop.
  package let summary: String
  /// Paragraphs separated by blank lines. Paragraphs that begin with a space are not wrapped.
  package let discussion: String
  /// Further paragraphs of the same form that only the manual page shows, after `discussion`.
  package let details: String
  private let makeExamples: @Sendable () -> [Example]
  private let describe: @Sendable () -> [ParameterDescription]
  /// The subcommands of a group. Empty for a command that can be run.
  package let commands: [Command]
  private let prepare: @Sendable ([String]) throws(UsageError) -> Body?

  /// - Parameters:
  ///   - details: paragraphs that only the manual page shows.
  ///   - parameters: options in the order of the help, and operands in the order of the command line.
  ///   - sections: further options, each group with its own heading.
  ///   - operandHint: returns a hint for an operand that the command does not accept, or `nil`.
  ///   - body: returns the exit status. It can throw for options that exclude each other.
  /// - Precondition: no option is declared twice or named `--help` or `-h`; a long option starts with two
  ///   hyphens, a short option is a hyphen and a letter; at most one operand accepts any number of arguments.
  package init<Options: CommandOptions>(
    _ name: String, summary: String, discussion: String = "", details: String = "", defaults: Options,
    parameters: @autoclosure @escaping @Sendable () -> [Parameter<Options>] = [],
    sections: @autoclosure @escaping @Sendable () -> [ParameterSection<Options>] = [],
    examples: @autoclosure @escaping @Sendable () -> [Example] = [],
    operandHint: @escaping @Sendable (String) -> String? = { _ in nil },
    body: @escaping @Sendable (Options) throws(UsageError) -> Int32
  ) {
    let parser = { @Sendable () -> ArgumentParser<Options> in
      ArgumentParser(defaults: defaults, parameters: parameters(), sections: sections())
    }
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.details = details
    makeExamples = examples
    describe = { parser().descriptions }
    commands = []
    prepare = { (arguments: [String]) throws(UsageError) -> Body? in
      do throws(UsageError) {
        guard let options = try parser().parse(arguments) else { return nil }
        return { () throws(UsageError) -> Int32 in
          try options.run { () throws(UsageError) in try body(options) }
        }
      } catch {
        guard case .unexpectedOperand(let operand) = error.fault else { throw error }
        throw UsageError(error.fault, hint: error.hint ?? operandHint(operand))
      }
    }
  }

  /// Creates a group of subcommands.
  ///
  /// - Parameter details: paragraphs that only the manual page shows.
  /// - Precondition: the names of the subcommands are unique, and none is `help`.
  package init(
    _ name: String, summary: String, discussion: String = "", details: String = "",
    examples: @autoclosure @escaping @Sendable () -> [Example] = [], commands: [Command]
  ) {
    requireDistinctNames(of: commands)
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.details = details
    makeExamples = examples
    describe = { [] }
    self.commands = commands.map { $0.below(name) }
    prepare = { (_: [String]) in nil }
  }

  private init(_ command: Command, commands: [Command], superiors: [String]) {
    name = command.name
    summary = command.summary
    discussion = command.discussion
    details = command.details
    makeExamples = command.makeExamples
    describe = command.describe
    prepare = command.prepare
    self.commands = commands
    self.superiors = superiors
  }

  private func below(_ superior: String) -> Command {
    Command(self, commands: commands.map { $0.below(superior) }, superiors: [superior] + superiors)
  }

  /// The full name on the command line, such as `library list`.
  package var path: String { (superiors + [name]).joined(separator: " ") }

  /// Whether the command is a group of subcommands.
  var isGroup: Bool { !commands.isEmpty }

  /// This command and its subcommands, in preorder.
  var all: [Command] { [self] + commands.flatMap(\.all) }

  /// Returns the command bound to `arguments` (without its name), or `nil` if they ask for help.
  package func parse(_ arguments: [String]) throws(UsageError) -> Body? {
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

  package var examples: [Example] { makeExamples() }
  var parameters: [ParameterDescription] { describe() }
  var operands: [ParameterDescription] { parameters.filter(\.isOperand) }

  /// The command's options, including `--help`.
  var options: [ParameterDescription] { parameters.filter { !$0.isOperand } + [.help] }

  /// The option groups in the order of the help. The options without a heading come last, as "General".
  /// They are called "Options" if there is no other group.
  var optionSections: [(heading: String, options: [ParameterDescription])] {
    var sections: [(heading: String, options: [ParameterDescription])] = []
    var general: [ParameterDescription] = []
    for option in options {
      guard let heading = option.section else {
        general.append(option)
        continue
      }
      if let index = sections.firstIndex(where: { $0.heading == heading }) {
        sections[index].options.append(option)
      } else {
        sections.append((heading, [option]))
      }
    }
    return sections + [(sections.isEmpty ? "Options" : "General", general)]
  }

  /// The usage line without the program's name.
  var synopsis: String {
    guard !isGroup else { return "\(path) COMMAND [OPTION]... [OPERAND]..." }
    let words = [path] + (options.count > 1 ? ["[OPTION]..."] : []) + operands.map(\.synopsis)
    return words.joined(separator: " ")
  }
}

/// The values of a command's options.
package protocol CommandOptions: Sendable {
  /// Runs the command's body with the options in effect that concern all of it, for example the units of
  /// output.
  func run(_ body: () throws(UsageError) -> Int32) throws(UsageError) -> Int32
}

extension CommandOptions {
  package func run(_ body: () throws(UsageError) -> Int32) throws(UsageError) -> Int32 { try body() }
}

/// Stops the program if the command's declaration is ambiguous. User input cannot cause this.
func requireDistinctNames(of commands: [Command]) {
  precondition(
    Set(commands.map(\.name) + ["help"]).count == commands.count + 1, "two commands share a name")
}

/// An example command line with a caption.
package struct Example: Sendable {
  package let line: String
  /// A short phrase without an initial capital or a full stop.
  package let explanation: String

  package init(_ line: String, _ explanation: String) {
    self.line = line
    self.explanation = explanation
  }
}
