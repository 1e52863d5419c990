/// Recognizes recordings that list the newest point first, as older exports of Google's location history do.
package struct DescendingTimes {
  private var previous = Instant.absent
  private var forwards = 0
  private var backwards = 0

  /// Creates a search without points.
  package init() {}

  /// Adds the times of the next points in microseconds; ``Instant/absent`` is ignored.
  package mutating func add(_ times: [Int64]) {
    for time in times where time != Instant.absent {
      if time > previous, previous != Instant.absent { forwards += 1 }
      if time < previous { backwards += 1 }
      previous = time
    }
  }

  /// Whether several steps lead back in time, and at most one in ten leads forward.
  package var isDescending: Bool { backwards > 1 && forwards <= (forwards + backwards) / 10 }
}
