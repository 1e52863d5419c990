package import TrackModel

/// Finds the spans of time that may overlap another one, without a comparison of all pairs.
package struct TimeSpanIndex: Sendable {
  /// The indices of spans per bucket of time and level. The buckets of level *n* are 4ⁿ seconds long. A span
  /// is in the one or two buckets of the first level whose buckets are longer than it is.
  private var levels: [[Int64: [Int]]] = []

  package init() {}

  /// - Parameter duration: the length in seconds.
  package mutating func insert(_ index: Int, start: Instant, duration: Double) {
    let (first, last) = Self.seconds(start, duration)
    let level = (Int64.bitWidth - (last - first).leadingZeroBitCount + 1) / 2
    while levels.count <= level { levels.append([:]) }
    for number in Self.bucket(first, level)...Self.bucket(last, level)
    where levels[level][number]?.last != index {
      levels[level][number, default: []].append(index)
    }
  }

  /// Returns the indices of all spans that overlap a span, or begin or end at most
  /// ``DriveDuplicates/startTolerance`` seconds after or before it, ascending. Few of them are other spans.
  ///
  /// - Complexity: O(*m* log *m*) for *m* results, if the spans have similar durations.
  package func candidates(start: Instant, duration: Double) -> [Int] {
    let (start, end) = Self.seconds(start, duration)
    let tolerance = Int64(DriveDuplicates.startTolerance.rounded(.up))
    var found: Set<Int> = []
    for (level, buckets) in levels.enumerated() where !buckets.isEmpty {
      let numbers = Self.bucket(start - tolerance, level)...Self.bucket(end + tolerance, level)
      // A long span has more buckets of a short level than exist.
      if numbers.upperBound - numbers.lowerBound < buckets.count {
        for number in numbers { found.formUnion(buckets[number] ?? []) }
      } else {
        for (number, indices) in buckets where numbers.contains(number) { found.formUnion(indices) }
      }
    }
    return found.sorted()
  }

  private static func bucket(_ second: Int64, _ level: Int) -> Int64 { second >> (2 * level) }

  /// Returns the first and the last second since 1970 of a span.
  private static func seconds(_ start: Instant, _ duration: Double) -> (first: Int64, last: Int64) {
    let first = Int64((Double(start.microseconds) / 1e6).rounded(.down))
    return (first, first + (duration > 0 ? Int64(min(duration, longest).rounded(.up)) : 0) + 1)
  }

  /// The longest duration in seconds, beyond which sums could overflow.
  private static let longest = 1e12
}
