import GhostModel

/// The notes about a comparison as a whole.
enum ComparisonNotes {
  /// Returns the answer, cautions, findings, and how the drives are displayed.
  ///
  /// - Parameter bound: the simplification tolerance in metres, or `nil` if every point is kept.
  static func sentences(_ document: ComparisonDocument, bound: Double?) -> [String] {
    let summary = ComparisonSummary(document)
    var sentences = [summary.answer] + summary.explanation + summary.cautions + summary.findings
    sentences.append(
      "All drives share an artificial clock that shows noon on 2000-01-01 (UTC) where the "
        + (document.traces.count > 2 ? "first two " : "") + "drives are aligned.")
    if let bound {
      sentences.append(
        "The drives are simplified to within \(Quantity.distance(bound)) of the recorded position at any time."
      )
    }
    return sentences
  }
}
