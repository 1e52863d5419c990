/// A program made of commands: what `--help`, `--version`, the manual page and the completions speak of.
public struct Program: Sendable {
  public let name: String
  public let version: String
  /// One line without a full stop.
  public let summary: String
  /// Paragraphs separated by blank lines; one that begins with a space is kept as it is, others are wrapped.
  public let discussion: String
  public let examples: [Example]
  public let commands: [Command]
  public let exitStatuses: [(status: Int32, meaning: String)]

  /// The status of every usage error: `EX_USAGE` of sysexits.h.
  public static let usageStatus: Int32 = 64
  /// The status when help or version cannot be written: `EX_IOERR` of sysexits.h.
  public static let outputStatus: Int32 = 74

  /// - Precondition: no two commands share a name, and none is called `help`.
  public init(
    name: String, version: String, summary: String, discussion: String = "", examples: [Example] = [],
    commands: [Command], exitStatuses: [(status: Int32, meaning: String)] = []
  ) {
    requireDistinctNames(of: commands)
    self.name = name
    self.version = version
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.commands = commands
    self.exitStatuses = exitStatuses
  }

  /// What a list of arguments asks for.
  public enum Action: Sendable {
    case run(Command.Body)
    /// The help of a command, or of the program.
    case help(Command?)
    case version
    /// There were no arguments at all, or none behind a command that stands for several.
    case nothing(Command?)
  }

  /// What `arguments` ask for, the program's own name not among them. Nothing is run or printed.
  public func action(for arguments: [String]) throws(UsageError) -> Action {
    try action(for: arguments[...], below: nil)
  }

  /// What arguments behind a command ask for; behind the program's name for nil.
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
      let known = parent?.options ?? options
      let near = suggestion(for: first, among: known.map(\.name)).map { "did you mean \($0)?" }
      let place = parent.map { "options stand behind one of \(alternatives($0.commands.map(\.name)))" }
      throw UsageError(
        .unknownOption(first, argument: first), hint: near ?? place, command: parent?.path)
    default:
      return try action(for: arguments.dropFirst(), below: command(named: first, below: parent))
    }
  }

  /// `help`, `help COMMAND`, `help COMMAND COMMAND`.
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
    let near = suggestion(for: name, among: commands.map(\.name) + ["help"])
    throw UsageError(.unknownCommand(name), hint: near.map { "did you mean \($0)?" }, command: parent?.path)
  }

  /// Every command, those below others as well, each before its own.
  var allCommands: [Command] { commands.flatMap(\.all) }

  /// The program's own options.
  var options: [ParameterDescription] {
    [.help, ParameterDescription(kind: .flag, name: "--version", short: "-V", help: "Print the version.")]
  }

  /// Does what `arguments` ask for, the program's own name first, and returns the exit status.
  ///
  /// Help and version go to standard output, usage errors to standard error as one line each.
  public func run(_ arguments: [String], on output: ProgramOutput) -> Int32 {
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
