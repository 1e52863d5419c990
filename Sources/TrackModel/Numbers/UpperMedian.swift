// Not generic, because other modules cannot specialize it, and sorting would be four times slower.
extension Array<Double> {
  /// The median, or the larger of the two middle values; nil without values.
  ///
  /// - Complexity: O(*n* log *n*).
  package var upperMedian: Double? { isEmpty ? nil : sorted()[count / 2] }
}
