import GhostModel
import TrackModel

extension HiddenPoints {
  /// Prints what is hidden, and warns about zones that contain no points.
  func report(isStrict: Bool) throws(TrackError) {
    let warnings = warnings
    if isStrict, let first = warnings.first { throw first.asError }
    let parts = [
      Counted.leftOut("privacy", removed, of: total),
      cuts == 0 ? nil : "\(removed == 0 ? "privacy: " : "")drives cut at \(Counted.of(cuts, "place"))",
    ]
    if removed + cuts > 0 { Console.note(parts.compactMap { $0 }.joined(separator: ", ")) }
    for warning in warnings { Console.note("warning: \(warning.message)") }
  }
}
