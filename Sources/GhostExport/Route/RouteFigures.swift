public import DriveMatching
import TrackModel

/// The drives of a route against each other: the figures that the terminal, scripts and files show alike.
///
/// A file draws some of the drives; all of them have a place in the table.
public struct RouteFigures: Sendable {
  /// What the route is called.
  public let title: String
  /// One per drive of the route, each different.
  public let labels: [String]
  /// Metres along the map, per mark.
  public let marks: [Double]
  /// One per drive.
  public let passages: [RoutePassage]
  public let comparison: RouteComparison
  /// The drives that are drawn, the fastest first: those of the document, in its order.
  public let shown: [Int]

  public init(
    title: String, labels: [String], marks: [Double], passages: [RoutePassage], comparison: RouteComparison,
    shown: [Int]
  ) {
    self.title = title
    self.labels = labels
    self.marks = marks
    self.passages = passages
    self.comparison = comparison
    self.shown = shown
  }

  /// `2024-05-17 was the fastest of 30 in 7:00`
  public var headline: String {
    guard let fastest = comparison.entries.first else { return "\(title): nothing to compare" }
    return
      """
      \(labels[fastest.drive]) was the fastest of \(comparison.entries.count) in \
      \(Quantity.clock(fastest.duration))
      """
  }

  /// What else there is to say of all drives, a sentence each.
  public var sentences: [String] {
    guard !comparison.entries.isEmpty else {
      return ["No stretch of road is shared by nine in ten of them, so nothing can be compared."]
    }
    var sentences: [String] = []
    if let usual = comparison.usualDuration { sentences.append("Usual are \(Quantity.clock(usual)).") }
    if let theoretical = comparison.theoreticalBest {
      sentences.append("The best legs together make \(Quantity.clock(theoretical)).")
    }
    sentences.append("Compared are \(Quantity.distance(comparison.length)) that they have in common.")
    let unranked = comparison.unranked.count
    if unranked > 0 {
      sentences.append(
        """
        \(Counted.of(unranked, "drive")) \(unranked == 1 ? "is" : "are") not ranked, having been elsewhere \
        at an end of it.
        """
      )
    }
    return sentences
  }

  /// The drive of the document that a drive of the route is drawn as.
  func place(of drive: Int) -> Int? { shown.firstIndex(of: drive) }

  /// Seconds since the beginning of the compared way, per mark of it, of a drive; NaN where it took another
  /// road.
  private func times(of drive: Int) -> [Double] {
    let elapsed = passages[drive].elapsed[comparedMarks]
    guard let first = elapsed.first else { return [] }
    return elapsed.map { $0 - first }
  }

  /// The marks of the compared way.
  private var comparedMarks: Range<Int> {
    guard let from = comparison.legs.first?.from, let to = comparison.legs.last?.to,
      let first = marks.firstIndex(where: { $0 >= from }), let last = marks.lastIndex(where: { $0 <= to })
    else { return 0..<0 }
    return first..<(last + 1)
  }

  /// The gap of a drive to the fastest along the compared way: seconds since each drive's first point at
  /// which the fastest was there, and the gap; parted where one of them took another road.
  func gaps(of drive: Int) -> [[(elapsed: Double, gap: Double)]] { gaps(times(of: drive)) }

  /// The same of the usual drive: at each place the median of the times that the ranked drives took to it.
  func usualGaps() -> [[(elapsed: Double, gap: Double)]] {
    let all = comparison.entries.map { times(of: $0.drive) }
    return gaps(
      comparedMarks.indices.map { mark in
        let known = all.map { $0[mark - comparedMarks.lowerBound] }.filter { !$0.isNaN }.sorted()
        guard !known.isEmpty else { return .nan }
        let middle = known.count / 2
        return known.count.isMultiple(of: 2) ? (known[middle - 1] + known[middle]) / 2 : known[middle]
      })
  }

  private func gaps(_ times: [Double]) -> [[(elapsed: Double, gap: Double)]] {
    guard let fastest = comparison.entries.first?.drive else { return [] }
    let marks = comparedMarks
    let measure = self.times(of: fastest)
    var lines: [[(elapsed: Double, gap: Double)]] = []
    var line: [(elapsed: Double, gap: Double)] = []
    for (row, mark) in marks.enumerated() where row < times.count {
      let gap = times[row] - measure[row]
      if gap.isNaN {
        if line.count > 1 { lines.append(line) }
        line = []
      } else {
        line.append((passages[fastest].elapsed[mark], gap))
      }
    }
    if line.count > 1 { lines.append(line) }
    return lines
  }
}
