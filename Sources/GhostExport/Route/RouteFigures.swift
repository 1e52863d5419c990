public import DriveMatching
import GhostModel
import TrackModel

/// The ranking of all drives of a route, shared by terminal, JSON and files.
///
/// A file draws some of the drives, but its table lists all of them.
public struct RouteFigures: Sendable {
  /// The name of the route.
  public let title: String
  /// A unique label per drive of the route.
  public let labels: [String]
  /// The distance of each mark along the route, in metres.
  public let marks: [Double]
  /// One passage per drive.
  public let passages: [RoutePassage]
  /// The ranking of the drives over their common road.
  public let comparison: RouteComparison
  /// The drives that are drawn, fastest first, in the order of the document.
  public let shown: [Int]
  /// The drive with the latest start, or `nil` if unknown.
  public var newest: Int?

  /// Creates the figures of a route.
  ///
  /// - Parameters:
  ///   - title: the name of the route.
  ///   - labels: one per drive of the route.
  ///   - marks: the distances along the route, in metres, at which `RoutePassage` has times.
  ///   - passages: one per drive of the route.
  ///   - comparison: the ranking of the passages.
  ///   - shown: the indices of the drives of the document, in its order.
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

  /// A short result: `2024-05-17 was the fastest of 30 in 7:00`.
  public var headline: String {
    guard let fastest = comparison.entries.first else { return "\(title): nothing to compare" }
    return
      """
      \(labels[fastest.drive]) was the fastest of \(comparison.entries.count) in \
      \(Quantity.clock(fastest.duration))
      """
  }

  /// Further sentences about all drives.
  public var sentences: [String] {
    guard !comparison.entries.isEmpty else {
      return ["No stretch of road is shared by nine in ten drives, so nothing can be compared."]
    }
    var sentences: [String] = []
    if let usual = comparison.usualDuration {
      sentences.append("The usual time is \(Quantity.clock(usual)).")
    }
    if let theoretical = comparison.theoreticalBest {
      sentences.append("The best legs add up to \(Quantity.clock(theoretical)).")
    }
    sentences.append("The comparison covers \(Quantity.distance(comparison.length)) of common road.")
    if shown.count < labels.count {
      sentences.append("\(shown.count) of the \(Counted.of(labels.count, "drive")) are drawn.")
    }
    let unranked = comparison.unranked.count
    if unranked > 0 {
      sentences.append(
        "\(Counted.of(unranked, "drive")) \(unranked == 1 ? "is" : "are") not ranked, because "
          + "\(unranked == 1 ? "it does" : "they do") not cover both ends of it."
      )
    }
    return sentences
  }

  /// The index in the document of a drive of the route, or `nil` if it is not drawn.
  func place(of drive: Int) -> Int? { shown.firstIndex(of: drive) }

  /// The seconds from the start of the compared stretch to each of its marks for a drive, or NaN if the drive
  /// took another road.
  private func times(of drive: Int) -> [Double] {
    let elapsed = passages[drive].elapsed[comparedMarks]
    guard let first = elapsed.first else { return [] }
    return elapsed.map { $0 - first }
  }

  /// The marks of the compared stretch.
  private var comparedMarks: Range<Int> {
    guard let from = comparison.legs.first?.from, let to = comparison.legs.last?.to,
      let first = marks.firstIndex(where: { $0 >= from }), let last = marks.lastIndex(where: { $0 <= to })
    else { return 0..<0 }
    return first..<(last + 1)
  }

  /// Returns the gap of a drive to the fastest drive along the compared stretch, as pairs of the fastest
  /// drive's elapsed seconds and the gap. Split where one of them took another road.
  func gaps(of drive: Int) -> [[(elapsed: Double, gap: Double)]] { gaps(times(of: drive)) }

  /// Returns the elapsed seconds of a drive at the start of the compared stretch.
  func start(of drive: Int) -> Double { passages[drive].elapsed[comparedMarks].first ?? 0 }

  /// Returns a profile along the fastest drive, for the distances of its positions, or `nil` if the fastest
  /// drive is not the first of a comparison.
  func measuredProfile(_ comparison: DriveComparison) -> GapProfile? {
    guard self.comparison.entries.first.flatMap({ place(of: $0.drive) }) == 0 else { return nil }
    return comparison.pairs.first { $0.profile.count > 1 && $0.first == 0 }?.profile
  }

  /// Returns the gap of the usual drive: the median time of the ranked drives at each mark.
  func usualGaps() -> [[(elapsed: Double, gap: Double)]] {
    let all = comparison.entries.map { times(of: $0.drive) }
    return gaps(
      comparedMarks.indices.map { mark in
        all.map { $0[mark - comparedMarks.lowerBound] }.filter { !$0.isNaN }.median ?? .nan
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

extension GapProfile {
  /// Returns the distance along the first drive at a time, clamped to the ends of the profile.
  func distance(atFirstElapsed elapsed: Double) -> Double {
    let times = firstElapsed
    let next = times.partitionIndex { $0 >= elapsed }
    guard next > 0 else { return distances[0] }
    guard next < times.count else { return distances[times.count - 1] }
    let step = times[next] - times[next - 1]
    let fraction = step > 0 ? (elapsed - times[next - 1]) / step : 1
    return distances[next - 1] + fraction * (distances[next] - distances[next - 1])
  }
}
