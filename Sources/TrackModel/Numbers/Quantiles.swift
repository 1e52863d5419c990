// Not generic, because other modules cannot specialize it, and sorting would be four times slower.
extension Array<Double> {
  /// The median: the mean of the two middle values if their number is even. `nil` without values.
  ///
  /// - Complexity: O(*n* log *n*).
  package var median: Double? {
    guard !isEmpty else { return nil }
    let values = sorted()
    return (values[(count - 1) / 2] + values[count / 2]) / 2
  }

  /// The median, or the larger of the two middle values; nil without values.
  package var upperMedian: Double? { quantile(0.5) }

  /// Returns the smallest value that is larger than a share of the values, or the largest value; nil without
  /// values.
  ///
  /// - Parameter share: 0…1.
  package func quantile(_ share: Double) -> Double? {
    isEmpty ? nil : sorted()[Swift.min(Int(share * Double(count)), count - 1)]
  }

  /// The distances from the upper median.
  package var deviations: [Double] {
    guard let median = upperMedian else { return [] }
    return map { abs($0 - median) }
  }

  /// The standard deviation of normally distributed values around their median, which outliers hardly change;
  /// nil without values.
  package var robustDeviation: Double? { deviations.upperMedian.map { Self.normalRatio * $0 } }

  /// The standard deviation of a normal distribution as a multiple of the median deviation.
  package static var normalRatio: Double { 1.4826 }
}
