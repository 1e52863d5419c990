/// Isotonic regression by pooling adjacent violators.
///
/// Least squares with equal weights (Ayer et al. 1955; algorithm of Best and Chakravarti 1990).
enum IsotonicRegression {
  /// Replaces a range of values by the nearest non-descending series.
  ///
  /// - Complexity: O(*n*)
  static func apply(to values: inout [Double], in range: Range<Int>) {
    // Blocks are stored as means and ends, because most series have few violators.
    var means: [Double] = []
    var ends: [Int] = []
    means.reserveCapacity(range.count)
    ends.reserveCapacity(range.count)
    for index in range {
      var mean = values[index]
      var start = index
      while let last = means.last, last > mean {
        let begin = ends.count > 1 ? ends[ends.count - 2] : range.lowerBound
        let weight = Double(index + 1 - start)
        let lastWeight = Double(start - begin)
        mean = (last * lastWeight + mean * weight) / (lastWeight + weight)
        start = begin
        means.removeLast()
        ends.removeLast()
      }
      means.append(mean)
      ends.append(index + 1)
    }
    var index = range.lowerBound
    for (mean, end) in zip(means, ends) {
      while index < end {
        values[index] = mean
        index += 1
      }
    }
  }
}
