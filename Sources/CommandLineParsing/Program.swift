/// A program with commands, the source of `--help`, `--version`, the manual page and the completions.
package struct Program: Sendable {
  package let name: String
  package let version: String
  /// One line without a full stop.
  package let summary: String
  /// Paragraphs separated by blank lines. Paragraphs that begin with a space are not wrapped.
  package let discussion: String
  package let examples: [Example]
  /// Shown instead of the list of commands if the program is run without arguments, unless empty.
  package let firstSteps: [Example]
  package let commands: [Command]
  package let exitStatuses: [(status: Int32, meaning: String)]
  /// Returns a hint for an argument in the place of a command that is not similar to one, such as a file
  /// name.
  package let hintForUnknownCommand: @Sendable (String) -> String?

  /// The status of every usage error: `EX_USAGE` of sysexits.h.
  static let usageStatus: Int32 = 64
  /// The status if help or version cannot be written: `EX_IOERR` of sysexits.h.
  static let outputStatus: Int32 = 74

  /// - Precondition: the names of the commands are unique, and none is `help`.
  package init(
    name: String, version: String, summary: String, discussion: String = "", examples: [Example] = [],
    firstSteps: [Example] = [], commands: [Command], exitStatuses: [(status: Int32, meaning: String)] = [],
    hintForUnknownCommand: @escaping @Sendable (String) -> String? = { _ in nil }
  ) {
    requireDistinctNames(of: commands)
    self.name = name
    self.version = version
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.firstSteps = firstSteps
    self.commands = commands
    self.exitStatuses = exitStatuses
    self.hintForUnknownCommand = hintForUnknownCommand
  }

  /// The action that a list of arguments requests.
  package enum Action: Sendable {
    case run(Command.Body)
    /// Print the help of a command or of the program.
    case help(Command?)
    case version
    /// Print the usage: there were no arguments, or none after a command group.
    case nothing(Command?)
  }

  /// Returns the action that `arguments` (without the program's name) request, without running it.
  package func action(for arguments: [String]) throws(UsageError) -> Action {
    try action(for: arguments[...], below: nil)
  }

  /// Returns the action for the arguments after the command group `parent`, or after the program's name if
  /// `nil`.
  private func action(for arguments: ArraySlice<String>, below parent: Command?) throws(UsageError) -> Action
  {
    if let parent, !parent.isGroup {
      return try parent.parse(Array(arguments)).map(Action.run) ?? .help(parent)
    }
    guard let first = arguments.first else { return .nothing(parent) }
    switch first {
    case "-h", "--help":
      return .help(parent)
    case "--version" where parent == nil, "-V" where parent == nil, "version" where parent == nil:
      return .version
    case "help":
      return try help(arguments.dropFirst(), below: parent)
    case _ where first.hasPrefix("-"):
      let near = optionHint(for: first, among: parent?.options ?? options)
      let place = parent.map { "options follow one of \(alternatives($0.commands.map(\.name)))" }
      throw UsageError(
        .unknownOption(first, argument: first), hint: near ?? place, command: parent?.path)
    default:
      return try action(for: arguments.dropFirst(), below: command(named: first, below: parent))
    }
  }

  /// Handles `help`, `help COMMAND` and `help COMMAND COMMAND`.
  private func help(_ arguments: ArraySlice<String>, below parent: Command?) throws(UsageError) -> Action {
    guard let name = arguments.first, !ParameterDescription.help.spellings.contains(name) else {
      return .help(parent)
    }
    if let parent, !parent.isGroup { throw UsageError(.unexpectedOperand(name)) }
    return try help(arguments.dropFirst(), below: command(named: name, below: parent))
  }

  private func command(named name: String, below parent: Command?) throws(UsageError) -> Command {
    let commands = parent?.commands ?? self.commands
    if let command = commands.first(where: { $0.name == name }) { return command }
    let near = suggestion(for: name, among: commands.map(\.name) + ["help"]).map { "did you mean \($0)?" }
    throw UsageError(
      .unknownCommand(name), hint: near ?? (parent == nil ? hintForUnknownCommand(name) : nil),
      command: parent?.path)
  }

  /// All commands including subcommands, in preorder.
  var allCommands: [Command] { commands.flatMap(\.all) }

  /// The program's own options.
  var options: [ParameterDescription] {
    [.help, ParameterDescription(kind: .flag, name: "--version", short: "-V", help: "Print the version.")]
  }

  /// Runs the program with `arguments`, whose first element is the program's name, and returns the exit
  /// status.
  ///
  /// Prints help and version to standard output, and each usage error as one line to standard error.
  package func run(_ arguments: [String], on output: ProgramOutput) -> Int32 {
    func printed(_ text: String) -> Int32 { output.write(text, .output) ? 0 : Self.outputStatus }
    do throws(UsageError) {
      switch try action(for: Array(arguments.dropFirst())) {
      case .run(let body): return try body()
      case .help(let command):
        return printed(helpText(for: command, width: output.width, styled: output.isStyled))
      case .version: return printed("\(name) \(version)\n")
      case .nothing(let command):
        _ = output.write(shortHelpText(for: command, width: output.width), .error)
      }
    } catch {
      _ = output.write(error.line(program: name) + "\n", .error)
    }
    return Self.usageStatus
  }
}
