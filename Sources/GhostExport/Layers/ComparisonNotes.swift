import GhostModel

/// What is said about a comparison as a whole.
enum ComparisonNotes {
  /// The answer, what to know to read it right, what happened, and how the drives are shown.
  ///
  /// - Parameter bound: metres, of the thinning; nil where every point is there.
  static func sentences(_ document: ComparisonDocument, bound: Double?) -> [String] {
    let summary = ComparisonSummary(document)
    var sentences = [summary.answer] + summary.explanation + summary.cautions + summary.findings
    sentences.append(
      "All drives are on one made-up clock, which shows noon of 2000-01-01 (UTC) where they are lined up"
        + (document.traces.count > 2 ? ", the first two of them." : "."))
    if let bound {
      sentences.append(
        "Points are left out where a drive is drawn within \(Quantity.distance(bound)) of them at any moment."
      )
    }
    return sentences
  }
}
