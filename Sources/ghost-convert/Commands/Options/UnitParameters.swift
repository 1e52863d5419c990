import CommandLineParsing
import GhostExport

extension Parameter {
  static func units(_ property: Property<UnitSystem>) -> Parameter {
    .option(
      "--units", property, value: "SYSTEM", default: "metric",
      "Display metric or imperial units. JSON is not affected.",
      completion: .values(UnitSystem.allCases.map(\.rawValue)), parse: { try system($0) })
  }

  private static func system(_ text: String) throws(InvalidValue) -> UnitSystem {
    guard let system = UnitSystem(rawValue: text.lowercased()) else {
      throw InvalidValue("expected metric or imperial")
    }
    return system
  }
}
