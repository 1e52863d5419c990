import TrackModel

/// The comparison of a route's drives with the fastest, in total and by leg.
///
/// The comparison covers the road that nearly all drives share: nine in ten, or all of fewer than ten. If
/// more drives leave that road, the part from the divergence to the convergence is one leg, regardless of
/// the roads taken. Long legs are divided into equal ones. The legs are contiguous, so the sum of the best
/// legs is the duration of a possible drive.
///
/// Drives start and end at slightly different positions. The compared stretch starts where most of them have
/// arrived, at most a few hundred metres along the road, so that drives with a later start are ranked too.
public struct RouteComparison: Sendable, Hashable {
  /// The result of a drive on the compared stretch.
  public struct Entry: Sendable, Hashable {
    /// The index of the drive.
    public var drive: Int
    /// The seconds from the start to the end of the compared stretch.
    public var duration: Double
    /// The difference to the fastest drive in seconds.
    public var gap: Double
    /// One standard deviation of the gap in seconds; 0 for the fastest.
    public var uncertainty: Double
    /// Whether the points of the drive have recorded times.
    public var hasTimestamps: Bool
  }

  /// A drive that cannot be timed over the compared stretch.
  public struct Unranked: Sendable, Hashable {
    /// The reason why a drive is not compared.
    public enum Reason: String, Sendable, Hashable, CaseIterable {
      /// The drive started later, or reached the compared stretch by another road.
      case notAtStart = "not_at_start"
      /// The drive ended earlier, or left the compared stretch by another road.
      case notAtEnd = "not_at_end"
      /// Both ends of the compared stretch are missing.
      case notAtEnds = "not_at_start_or_end"
      /// The drive shares almost no road with the others.
      case otherRoad = "other_road"
    }

    /// The index of the drive.
    public var drive: Int
    /// The reason why the drive is not compared.
    public var reason: Reason
    /// Whether its time from first to last motion is shorter than that of the fastest ranked drive.
    public var isFaster: Bool
  }

  /// The ranked drives, fastest first. Ties keep their input order.
  public private(set) var entries: [Entry] = []
  /// The contiguous legs in driving order.
  public internal(set) var legs: [RouteLeg] = []
  /// The drives that do not cover both ends of the compared stretch.
  public private(set) var unranked: [Unranked] = []

  /// The length of the compared stretch in metres, along the reference drive.
  public var length: Double { (legs.last?.to ?? 0) - (legs.first?.from ?? 0) }
  /// The median duration of the entries in seconds.
  public var usualDuration: Double? {
    entries.map(\.duration).median
  }
  /// The sum of the best times of all legs in seconds, or `nil` if a leg has none.
  public var theoreticalBest: Double? {
    guard !legs.isEmpty else { return nil }
    var sum = 0.0
    for leg in legs {
      guard let best = leg.bestDuration else { return nil }
      sum += best
    }
    return sum
  }

  /// The number of legs on which most drives took another road than the reference drive. Another reference
  /// would be better then.
  public var mostlyLeftLegs: Int { legs.count { 2 * $0.leftRoad > $0.durations.count { $0 != nil } } }

  /// The fraction of drives that must have passed a mark for it to be common.
  static let commonShare = 0.9
  /// The approximate number of legs, and their minimum length in metres.
  static let legCount = 8.0
  static let shortestLeg = 500.0
  /// The minimum length of common road, in metres and as a share of the route.
  static let shortestCommon = (metres: 150.0, share: 0.05)

  /// The largest length by which the compared stretch may be shortened at either end to rank more drives,
  /// in metres and as a share of the route; the smaller one applies.
  static let endReach = (metres: 300.0, share: 0.1)

  /// Ranks the drives of a route over the stretch that they have in common.
  ///
  /// - Parameters:
  ///   - map: the reference drive of the route, with its marks.
  ///   - passages: the passages of all drives, in the order of their indices.
  /// - Complexity: O(*mn*) for *m* marks and *n* drives.
  public init(_ map: RouteMap, _ passages: [RoutePassage]) {
    self.init(marks: map.marks, passages, coordinate: map.coordinate)
  }

  init(
    marks: [Double], _ passages: [RoutePassage], coordinate: (Int) -> Coordinate
  ) {
    let common = Self.withEndsOfMost(Self.commonStretches(marks, passages), marks, passages)
    guard let first = common.first?.lowerBound, let last = common.last?.upperBound, first < last else {
      unranked = passages.indices.map { Unranked(drive: $0, reason: .otherRoad, isFaster: false) }
      return
    }
    // Estimated times cannot win a leg against recorded ones.
    let isTimed = passages.contains(where: \.hasTimestamps)
    for (from, to, isDetour) in Self.cuts(common, marks) {
      legs.append(
        RouteLeg(
          passages, from..<to, marks, isDetour: isDetour, (coordinate(from), coordinate(to)),
          onlyTimed: isTimed))
    }
    for (index, passage) in passages.enumerated() {
      let duration = passage.elapsed[last] - passage.elapsed[first]
      guard !duration.isNaN else {
        unranked.append(
          Unranked(drive: index, reason: passage.reason(notAt: first, last), isFaster: false))
        continue
      }
      entries.append(
        Entry(
          drive: index, duration: duration, gap: 0, uncertainty: passage.uncertainty,
          hasTimestamps: passage.hasTimestamps))
    }
    entries.sort { ($0.duration, $0.drive) < ($1.duration, $1.drive) }
    let fastest = entries.first?.duration ?? 0
    let fastestUncertainty = entries.first?.uncertainty ?? 0
    for index in entries.indices {
      entries[index].gap = entries[index].duration - fastest
      // Each uncertainty is that of the positions on the route, and a gap has two of them.
      let own = entries[index].uncertainty
      entries[index].uncertainty =
        index == 0 ? 0 : (own * own + fastestUncertainty * fastestUncertainty).squareRoot()
    }
    guard let moving = entries.first.map({ passages[$0.drive].movingDuration }) else { return }
    for index in unranked.indices {
      unranked[index].isFaster = passages[unranked[index].drive].movingDuration < moving
    }
  }

  /// Returns the runs of marks that nearly all drives passed, without short ones.
  private static func commonStretches(_ marks: [Double], _ passages: [RoutePassage]) -> [ClosedRange<Int>] {
    let taking = passages.filter(\.isOnRoute)
    guard !taking.isEmpty, let length = marks.last else { return [] }
    let least = Int((Double(taking.count) * commonShare).rounded(.up))
    let shortest = min(max(shortestCommon.metres, shortestCommon.share * length), 0.5 * length)
    var stretches: [ClosedRange<Int>] = []
    var start: Int?
    for mark in 0...marks.count {
      let isCommon = mark < marks.count && taking.count { !$0.elapsed[mark].isNaN } >= least
      if isCommon {
        start = start ?? mark
      } else if let begin = start {
        if marks[mark - 1] - marks[begin] >= shortest { stretches.append(begin...(mark - 1)) }
        start = nil
      }
    }
    return stretches
  }

  /// Moves the start of the first stretch and the end of the last inwards, as little as needed to include
  /// most drives.
  private static func withEndsOfMost(
    _ stretches: [ClosedRange<Int>], _ marks: [Double], _ passages: [RoutePassage]
  ) -> [ClosedRange<Int>] {
    guard let first = stretches.first?.lowerBound, let last = stretches.last?.upperBound else { return [] }
    let reach = min(endReach.metres, endReach.share * (marks[last] - marks[first]))
    func best(_ candidates: some Sequence<Int>, from end: Int) -> Int {
      var (best, most) = (end, -1)
      for mark in candidates {
        guard abs(marks[mark] - marks[end]) <= reach else { break }
        let count = passages.count { !$0.elapsed[mark].isNaN }
        if count > most { (best, most) = (mark, count) }
      }
      return best
    }
    var moved = stretches
    // A stretch keeps at least two marks.
    moved[0] = best(stretches[0].dropLast(), from: first)...moved[0].upperBound
    let final = moved.count - 1
    moved[final] = moved[final].lowerBound...best(moved[final].dropFirst().reversed(), from: last)
    return moved
  }

  /// Returns the ends of all legs: equal parts of the common stretches, and the detours between them.
  private static func cuts(
    _ common: [ClosedRange<Int>], _ marks: [Double]
  ) -> [(from: Int, to: Int, isDetour: Bool)] {
    guard let first = common.first, let last = common.last else { return [] }
    let target = max((marks[last.upperBound] - marks[first.lowerBound]) / legCount, shortestLeg)
    var cuts: [(from: Int, to: Int, isDetour: Bool)] = []
    for stretch in common {
      if let previous = cuts.last { cuts.append((previous.to, stretch.lowerBound, true)) }
      let length = marks[stretch.upperBound] - marks[stretch.lowerBound]
      let steps = stretch.upperBound - stretch.lowerBound
      let pieces = min(max(Int((length / target).rounded()), 1), steps)
      for piece in 0..<pieces {
        cuts.append(
          (
            stretch.lowerBound + steps * piece / pieces, stretch.lowerBound + steps * (piece + 1) / pieces,
            false
          ))
      }
    }
    return cuts
  }
}

extension RoutePassage {
  /// Returns the reason why a drive is not timed between two marks.
  fileprivate func reason(notAt first: Int, _ last: Int) -> RouteComparison.Unranked.Reason {
    guard elapsed[first...last].contains(where: { !$0.isNaN }) else { return .otherRoad }
    return switch (elapsed[first].isNaN, elapsed[last].isNaN) {
    case (true, true): .notAtEnds
    case (true, false): .notAtStart
    default: .notAtEnd
    }
  }
}

extension RouteLeg {
  /// - Parameter onlyTimed: whether only drives with recorded times can be the best.
  fileprivate init(
    _ passages: [RoutePassage], _ part: Range<Int>, _ marks: [Double], isDetour: Bool,
    _ ends: (start: Coordinate, end: Coordinate), onlyTimed: Bool
  ) {
    from = marks[part.lowerBound]
    to = marks[part.upperBound]
    (start, end) = ends
    self.isDetour = isDetour
    durations = []
    leftRoad = 0
    bestLeftRoad = false
    var fastest = Double.infinity
    for (index, passage) in passages.enumerated() {
      let duration = passage.elapsed[part.upperBound] - passage.elapsed[part.lowerBound]
      guard !duration.isNaN else {
        durations.append(nil)
        continue
      }
      durations.append(duration)
      let hasLeft = passage.elapsed[part].contains(where: \.isNaN)
      if hasLeft { leftRoad += 1 }
      if duration < fastest, passage.hasTimestamps || !onlyTimed {
        fastest = duration
        best = index
        bestLeftRoad = hasLeft
      }
    }
    let known = durations.compactMap { $0 }
    usualDuration = known.median
  }
}
