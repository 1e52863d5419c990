import CommandLineParsing
import GhostModel

extension ComparisonMode {
  /// Returns the mode with a name as used on the command line or in the app.
  static func named(_ text: String) throws(InvalidValue) -> ComparisonMode {
    guard let mode = allCases.first(where: { $0.name == text || $0.rawValue == text }) else {
      throw InvalidValue("expected one of " + allCases.map(\.name).joined(separator: ", "))
    }
    return mode
  }
}
