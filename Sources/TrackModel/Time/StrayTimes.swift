/// Finds the points of a track with wrong times: the smallest set of points whose removal leaves the times in
/// order.
package enum StrayTimes {
  /// The number of out-of-order points that a recording may have: one in ten, or two points in a short
  /// recording if they are at most a third.
  package static func limit(of count: Int) -> Int { max(count / 10, min(2, count / 3)) }

  /// Returns the indices of the stray times in ascending order: those outside the longest non-descending
  /// subsequence.
  ///
  /// - Parameter times: microseconds; ``Instant/absent`` is never stray.
  /// - Complexity: O(*n* log *n*); O(*n*) if the times do not descend.
  package static func indices(in times: [Int64]) -> [Int] {
    guard countEarlier(in: times) > 0 else { return [] }
    // Patience sorting: tails[k] ends the subsequence of length k + 1 with the smallest last time.
    var tails: [Int] = []
    var before = [Int](repeating: -1, count: times.count)
    for position in times.indices where times[position] != Instant.absent {
      let length = tails.partitionIndex { times[$0] > times[position] }
      if length > 0 { before[position] = tails[length - 1] }
      if length == tails.count { tails.append(position) } else { tails[length] = position }
    }
    var isStray = times.map { $0 != Instant.absent }
    var position = tails.last ?? -1
    while position >= 0 {
      isStray[position] = false
      position = before[position]
    }
    return isStray.indices.filter { isStray[$0] }
  }

  /// Returns the times with each stray time replaced by that of the preceding point, or of the first good
  /// point. Returns the times unchanged if there are too many stray times to be clock errors.
  package static func corrected(_ times: [Int64]) -> [Int64] {
    let strays = indices(in: times)
    guard !strays.isEmpty, strays.count <= limit(of: times.count), strays.count < countEarlier(in: times)
    else {
      return times
    }
    let isStray = Set(strays)
    var result = times
    var latest = times.indices.first { times[$0] != Instant.absent && !isStray.contains($0) }.map {
      times[$0]
    }
    for index in times.indices where times[index] != Instant.absent {
      if isStray.contains(index) { result[index] = latest ?? times[index] } else { latest = times[index] }
    }
    return result
  }

  /// The number of points that are earlier than a point before them.
  private static func countEarlier(in times: [Int64]) -> Int {
    var latest = Instant.absent
    var count = 0
    for time in times where time != Instant.absent {
      if time < latest { count += 1 } else { latest = time }
    }
    return count
  }
}
