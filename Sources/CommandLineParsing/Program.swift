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
    precondition(
      Set(commands.map(\.name) + ["help"]).count == commands.count + 1, "two commands share a name")
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
    /// There were no arguments at all.
    case nothing
  }

  /// What `arguments` ask for, the program's own name not among them. Nothing is run or printed.
  public func action(for arguments: [String]) throws(UsageError) -> Action {
    guard let first = arguments.first else { return .nothing }
    let rest = Array(arguments.dropFirst())
    switch first {
    case "-h", "--help":
      return .help(nil)
    case "--version":
      return .version
    case "help":
      return try help(rest)
    case _ where first.hasPrefix("-"):
      let hint = suggestion(for: first, among: options.map(\.name)).map { "did you mean \($0)?" }
      throw UsageError(.unknownOption(first, argument: first), hint: hint)
    default:
      let command = try command(named: first)
      return try command.parse(rest).map(Action.run) ?? .help(command)
    }
  }

  /// `help`, `help COMMAND`.
  private func help(_ arguments: [String]) throws(UsageError) -> Action {
    guard let name = arguments.first, !ParameterDescription.help.spellings.contains(name) else {
      return .help(nil)
    }
    let command = try command(named: name)
    if arguments.count > 1 { throw UsageError(.unexpectedOperand(arguments[1])) }
    return .help(command)
  }

  private func command(named name: String) throws(UsageError) -> Command {
    if let command = commands.first(where: { $0.name == name }) { return command }
    let near = suggestion(for: name, among: commands.map(\.name) + ["help"])
    throw UsageError(.unknownCommand(name), hint: near.map { "did you mean \($0)?" })
  }

  /// The program's own options.
  var options: [ParameterDescription] {
    [.help, ParameterDescription(kind: .flag, name: "--version", help: "Print the version.")]
  }

  /// Does what `arguments` ask for, the program's own name first, and returns the exit status.
  ///
  /// Help and version go to standard output, usage errors to standard error as one line each.
  public func run(_ arguments: [String]) -> Int32 {
    let (width, styled) = (Terminal.width, Terminal.isStyled)
    do throws(UsageError) {
      switch try action(for: Array(arguments.dropFirst())) {
      case .run(let body): return try body()
      case .help(let command): return printed(helpText(for: command, width: width, styled: styled))
      case .version: return printed("\(name) \(version)\n")
      case .nothing:
        Terminal.write(shortHelpText(width: width), to: .error)
        return Self.usageStatus
      }
    } catch {
      Terminal.write(error.line(program: name) + "\n", to: .error)
      return Self.usageStatus
    }
  }

  private func printed(_ text: String) -> Int32 {
    Terminal.write(text, to: .output) ? 0 : Self.outputStatus
  }
}
