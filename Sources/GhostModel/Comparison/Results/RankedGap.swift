import TrackModel

/// The gap of a drive on the road by which several drives are ranked.
public struct RankedGap: Sendable, Hashable {
  /// The index of the drive.
  public var drive: Int
  /// The seconds that the drive lost against the first drive, negative if it was faster.
  public var seconds: Double
  /// One standard deviation of the gap in seconds.
  public var uncertainty: Double

  /// Creates the gap of a drive in seconds.
  public init(drive: Int, seconds: Double, uncertainty: Double) {
    self.drive = drive
    self.seconds = seconds
    self.uncertainty = uncertainty
  }

  /// Creates the gap of a pair's second drive on their whole shared road, or returns `nil` if it is unknown.
  public init?(_ pair: PairComparison) {
    guard let gap = pair.finalGap, gap.isFinite else { return nil }
    self.init(drive: pair.second, seconds: gap, uncertainty: pair.uncertainty)
  }
}

extension DriveComparison {
  /// The smallest share of the longest road that another drive must share with the first to be ranked.
  private static let rankedShare = 0.9
  /// The metres at an end of the road that make no difference.
  private static let sameEnd = 100.0

  /// The gaps of the drives that can be ranked against the first drive, in input order.
  ///
  /// Drives are ranked on the road that all of them share with the first drive. A drive that shares much less
  /// of it than another one is not ranked, and neither is another recording of the ride of an earlier drive.
  public var rankedGaps: [RankedGap] {
    let rivals = pairsOfRivals.filter { $0.finalGap?.isFinite == true }
    let spans = rivals.compactMap(\.profile.span)
    guard rivals.count > 1, spans.count == rivals.count, let longest = spans.map(\.length).max() else {
      return rivals.compactMap { RankedGap($0) }
    }
    let ranked = rivals.indices.filter { spans[$0].length >= Self.rankedShare * longest }
    let start = ranked.reduce(-.infinity) { max($0, spans[$1].lowerBound) }
    let end = ranked.reduce(.infinity) { min($0, spans[$1].upperBound) }
    return ranked.compactMap { index in
      guard var gap = RankedGap(rivals[index]) else { return nil }
      let profile = rivals[index].profile
      if mode == .startLocation {
        if end < spans[index].upperBound - Self.sameEnd { gap.seconds = profile.gap(at: end) }
        if start > spans[index].lowerBound + Self.sameEnd { gap.seconds -= profile.gap(at: start) }
      }
      return gap
    }
  }
}

extension ClosedRange<Double> {
  fileprivate var length: Double { upperBound - lowerBound }
}

extension GapProfile {
  /// The distances of the first and last row along the first drive in metres, or `nil` without rows.
  fileprivate var span: ClosedRange<Double>? {
    guard let first = distances.first, let last = distances.last, first <= last else { return nil }
    return first...last
  }

  /// Returns the gap at a distance along the first drive in seconds, interpolated between rows.
  fileprivate func gap(at distance: Double) -> Double {
    let next = max(distances.partitionIndex { $0 >= distance }, 1)
    guard next < count else { return gaps.last ?? 0 }
    let length = distances[next] - distances[next - 1]
    let fraction = length > 0 ? min(max((distance - distances[next - 1]) / length, 0), 1) : 1
    return gaps[next - 1] + fraction * (gaps[next] - gaps[next - 1])
  }
}
