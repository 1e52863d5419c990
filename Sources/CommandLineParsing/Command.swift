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
/// stays inside, so commands of all kinds stand in one array.
public struct Command: Sendable {
  /// What a command does when run: it returns the exit status.
  public typealias Body = @Sendable () throws(UsageError) -> Int32

  public let name: String
  /// One line without a full stop.
  public let summary: String
  /// Paragraphs separated by blank lines; one that begins with a space is kept as it is, others are wrapped.
  public let discussion: String
  public let examples: [Example]
  let parameters: [ParameterDescription]
  private let prepare: @Sendable ([String]) throws(UsageError) -> Body?

  /// - Parameters:
  ///   - parameters: in the order in which the help shows them; operands in the order in which they are given.
  ///   - sections: more options, shown under headings of their own.
  ///   - body: returns the exit status; it may throw for options that do not go together.
  /// - Precondition: no option is declared twice or named `--help` or `-h`; a long one begins with two hyphens,
  ///   a short one is a hyphen and a letter; at most one operand takes any number.
  public init<Options: Sendable>(
    _ name: String, summary: String, discussion: String = "", defaults: Options,
    parameters: [Parameter<Options>] = [], sections: [ParameterSection<Options>] = [],
    examples: [Example] = [], body: @escaping @Sendable (Options) throws(UsageError) -> Int32
  ) {
    let parser = ArgumentParser(defaults: defaults, parameters: parameters, sections: sections)
    self.name = name
    self.summary = summary
    self.discussion = discussion
    self.examples = examples
    self.parameters = parser.descriptions
    prepare = { (arguments: [String]) throws(UsageError) -> Body? in
      guard let options = try parser.parse(arguments) else { return nil }
      return { () throws(UsageError) -> Int32 in
        do throws(UsageError) {
          return try body(options)
        } catch {
          throw error.attributed(to: name)
        }
      }
    }
  }

  /// The command ready to run with `arguments`, its name not among them; `nil` when they ask for help.
  public func parse(_ arguments: [String]) throws(UsageError) -> Body? {
    do {
      return try prepare(arguments)
    } catch {
      throw error.attributed(to: name)
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
    let words = [name] + (options.count > 1 ? ["[OPTION]..."] : []) + operands.map(\.synopsis)
    return words.joined(separator: " ")
  }
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
