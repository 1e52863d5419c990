extension RandomAccessCollection {
  /// Returns the first index whose element satisfies a condition that all later elements satisfy as well.
  ///
  /// A binary search. Pass a range of indices to search part of a column:
  /// `(first..<last).partitionIndex { times[$0] >= time }`.
  ///
  /// - Returns: the index, or ``endIndex`` if no element satisfies the condition.
  /// - Complexity: O(log *n*).
  @inlinable
  public func partitionIndex(where condition: (Element) throws -> Bool) rethrows -> Index {
    var low = startIndex
    var rest = count
    while rest > 0 {
      let half = rest / 2
      let middle = index(low, offsetBy: half)
      if try condition(self[middle]) {
        rest = half
      } else {
        low = index(after: middle)
        rest -= half + 1
      }
    }
    return low
  }
}
