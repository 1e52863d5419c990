extension Array where Element: Comparable {
  /// The median, or the larger of the two middle elements; nil without elements.
  ///
  /// - Complexity: O(*n* log *n*).
  package var upperMedian: Element? { isEmpty ? nil : sorted()[count / 2] }
}
