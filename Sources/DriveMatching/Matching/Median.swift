extension [Double] {
  /// The median: the mean of the two middle values if their number is even. `nil` if the array is empty.
  package var median: Double? {
    guard !isEmpty else { return nil }
    let values = sorted()
    return (values[(count - 1) / 2] + values[count / 2]) / 2
  }
}
