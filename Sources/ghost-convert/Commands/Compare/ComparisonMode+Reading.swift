package import CommandLineParsing
import GhostModel

extension ComparisonMode: ArgumentValue {
  /// Parses a name as used on the command line or in the app.
  package init(argument: String) throws(InvalidValue) {
    guard let mode = Self.allCases.first(where: { $0.name == argument || $0.rawValue == argument }) else {
      throw InvalidValue("expected one of " + Self.allCases.map(\.name).joined(separator: ", "))
    }
    self = mode
  }

  package var argumentText: String? { name }
  package static var argumentChoices: [String] { [] }
  package static var argumentCompletion: Completion { .values(allCases.map(\.name)) }
}
