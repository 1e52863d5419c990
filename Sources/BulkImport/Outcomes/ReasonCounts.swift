/// Counts of reasons in the order of their first occurrence.
package struct ReasonCounts<Reason: Equatable & Sendable>: Sendable {
  package private(set) var counts: [(reason: Reason, count: Int)] = []

  package mutating func add(_ reason: Reason) {
    if let index = counts.firstIndex(where: { $0.reason == reason }) {
      counts[index].count += 1
    } else {
      counts.append((reason, 1))
    }
  }
}
