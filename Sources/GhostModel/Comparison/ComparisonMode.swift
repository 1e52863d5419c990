/// The alignment point of drives, at which their timing starts.
///
/// The raw values are those of the app.
public enum ComparisonMode: String, Sendable, Hashable, CaseIterable, Codable {
  /// The start of the shared road.
  case startLocation
  /// The end of the shared road.
  case endLocation
  /// The first divergence.
  case firstDivergence
  /// The last divergence.
  case lastDivergence
  /// The first convergence.
  case firstConvergence
  /// The last convergence.
  case lastConvergence

  /// The name in JSON and in options, such as `first-divergence`.
  package var name: String {
    rawValue.reduce(into: "") { name, character in
      name += character.isUppercase ? "-" + character.lowercased() : String(character)
    }
  }
}
