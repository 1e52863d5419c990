/// Where two drives are lined up: the place at which both clocks are set to the same time.
///
/// The raw values are the app's spelling.
public enum ComparisonMode: String, Sendable, Hashable, CaseIterable, Codable {
  /// Where the shared road begins; both leave it at once.
  case startLocation
  /// Where the shared road ends; both arrive there at once.
  case endLocation
  /// Where the ways part for the first time.
  case firstDivergence
  /// Where the ways part for the last time.
  case lastDivergence
  /// Where the ways meet for the first time.
  case firstConvergence
  /// Where the ways meet for the last time.
  case lastConvergence
}
