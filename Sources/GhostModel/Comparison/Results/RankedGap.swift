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
    let ranked = rankedPairs
    let road = rankedRoad(of: ranked)
    return ranked.compactMap { pair in
      guard var gap = RankedGap(pair) else { return nil }
      if let road { gap.seconds -= pair.profile.change(outside: road, near: Self.sameEnd) }
      return gap
    }
  }

  /// The road on which the drives are ranked, in metres along the first drive, or `nil` if each drive is
  /// ranked on all of the road that it shares with the first.
  public var rankedRoad: ClosedRange<Double>? { rankedRoad(of: rankedPairs) }

  private func rankedRoad(of pairs: [PairComparison]) -> ClosedRange<Double>? {
    // Gaps from other places do not begin at an end of the road.
    guard mode == .startLocation || mode == .endLocation, let road = Self.commonRoad(pairs),
      pairs.contains(where: { $0.profile.extends(beyond: road, by: Self.sameEnd) })
    else { return nil }
    return road
  }

  private var rankedPairs: [PairComparison] {
    let rivals = pairsOfRivals.filter { $0.finalGap?.isFinite == true }
    let spans = rivals.compactMap(\.profile.span)
    guard rivals.count > 1, spans.count == rivals.count, let longest = spans.map(\.length).max() else {
      return rivals
    }
    return rivals.indices.filter { spans[$0].length >= Self.rankedShare * longest }.map { rivals[$0] }
  }

  /// Returns the road between the first and the last place that all drives share with the first.
  private static func commonRoad(_ pairs: [PairComparison]) -> ClosedRange<Double>? {
    let profiles = pairs.map(\.profile)
    guard profiles.count > 1, profiles.allSatisfy({ $0.span != nil }) else { return nil }
    var start = profiles.reduce(-.infinity) { max($0, $1.span?.lowerBound ?? $0) }
    var end = profiles.reduce(.infinity) { min($0, $1.span?.upperBound ?? $0) }
    // The end of one drive may be on a detour of another. Each step is one detour.
    while let later = profiles.lazy.compactMap({ $0.firstShared(from: start) }).max(), later > start {
      start = later
    }
    while let earlier = profiles.lazy.compactMap({ $0.lastShared(until: end) }).min(), earlier < end {
      end = earlier
    }
    return start < end ? start...end : nil
  }
}

extension ClosedRange<Double> {
  package var length: Double { upperBound - lowerBound }
}

extension GapProfile {
  /// The distances of the first and last row along the first drive in metres, or `nil` without rows.
  fileprivate var span: ClosedRange<Double>? {
    guard let first = distances.first, let last = distances.last, first <= last else { return nil }
    return first...last
  }

  /// Whether more than some metres are outside a range of distances.
  fileprivate func extends(beyond road: ClosedRange<Double>, by metres: Double) -> Bool {
    span.map { $0.lowerBound < road.lowerBound - metres || $0.upperBound > road.upperBound + metres } ?? false
  }

  /// Returns the change of the gap outside a range of distances in seconds, unless only some metres are.
  fileprivate func change(outside road: ClosedRange<Double>, near metres: Double) -> Double {
    guard let span, let first = gaps.first, let last = gaps.last else { return 0 }
    return (span.lowerBound < road.lowerBound - metres ? gap(at: road.lowerBound, in: 0..<count) - first : 0)
      + (span.upperBound > road.upperBound + metres ? last - gap(at: road.upperBound, in: 0..<count) : 0)
  }

  /// Returns the first shared place at or after a distance in metres.
  fileprivate func firstShared(from distance: Double) -> Double? {
    stretches.first { distances[$0.upperBound - 1] > distance }.map {
      max(distances[$0.lowerBound], distance)
    }
  }

  /// Returns the last shared place at or before a distance in metres.
  fileprivate func lastShared(until distance: Double) -> Double? {
    stretches.last { distances[$0.lowerBound] < distance }.map { min(distances[$0.upperBound - 1], distance) }
  }
}
