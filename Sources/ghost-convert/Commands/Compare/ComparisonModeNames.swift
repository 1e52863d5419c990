import CommandLineParsing
import GhostModel

extension ComparisonMode {
  /// How the command spells the mode: `first-divergence`.
  var name: String {
    rawValue.reduce(into: "") { name, character in
      name += character.isUppercase ? "-" + character.lowercased() : String(character)
    }
  }

  /// Reads a mode as the command or as the app spells it.
  static func named(_ text: String) throws(InvalidValue) -> ComparisonMode {
    guard let mode = allCases.first(where: { $0.name == text || $0.rawValue == text }) else {
      throw InvalidValue("expected one of " + allCases.map(\.name).joined(separator: ", "))
    }
    return mode
  }
}
