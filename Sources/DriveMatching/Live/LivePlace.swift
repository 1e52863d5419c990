/// Tracks a driver's position on the ghost's road.
///
/// Of the positions of the road near a fix, the one that continues from the last position is used
/// (``PlaceMatching`` has the costs). Therefore a road that is driven twice, a crossing of the road with
/// itself, or a start that is also the end does not move it to another pass. If no position continues from
/// the last one, the nearest pass ahead is used, or the nearest one behind if that is much nearer. A drive
/// starts at the earliest suitable position.
///
/// A hidden Markov model with two states determines whether the driver is on the road. The cost of a fix
/// depends on the number of nearby passes of the road.
struct LivePlace {
  private let line: MatchablePolyline
  private var search: CandidateSearch
  private var candidates: [CandidateSearch.Candidate] = []
  /// The driver's last positions, newest last, as many as are needed for a direction.
  private var places: [SIMD3<Double>] = []

  /// The assumed distance along the road in metres.
  private var supposed: Double?
  /// The driver's position when the assumed distance was last matched, and the distance driven since then in
  /// metres, without jitter.
  private var seen = SIMD3<Double>.zero
  private var missing = 0.0
  /// The metres along the road since the assumed distance was chosen.
  private var held = 0.0
  /// The last confirmed distance along the road. 0 before the first and after the end.
  private var anchor = 0.0
  /// The accumulated costs of being on and off the road, relative to the smaller one.
  private var costs = (on: 0.0, off: 0.0)
  private var wasOnRoad = false
  private var wasSure = false

  /// Incremented when the position jumps.
  private(set) var stretch = 0
  /// Whether the driver is on the road.
  private(set) var isOnRoad = false

  /// The distance along the road in metres, non-descending within a stretch, or `nil` off the road.
  var distanceAlong: Double? { isOnRoad ? supposed : nil }
  /// Whether enough of this stretch has been driven to confirm it.
  var isSure: Bool { isOnRoad && held >= Self.sure }

  /// The length of a confirmed stretch in metres.
  static let sure = 60.0
  /// The distance before the end of the road at which the driver has arrived, in metres.
  static let arrival = 20.0
  /// The length over which a direction is measured, in metres.
  private static let directionLength = 8.0
  /// The distance without a match that does not change the state, in metres.
  private static let grace = 30.0
  /// The distance off the road after which any pass can be next, in metres.
  private static let reacquisitionDistance = 100.0
  /// The largest difference in cost of two equally likely passes.
  private static let alike = 4.0
  /// The factor applied to the distance of a pass that is behind.
  private static let backwards = 2.0
  /// The cost of changing to another position on the road.
  private static let jumpCost = PlaceMatching.cost.leaving + PlaceMatching.cost.returning

  init(_ line: MatchablePolyline) {
    self.line = line
    search = CandidateSearch(line)
  }

  /// Processes the driver's next position.
  mutating func move(to place: SIMD3<Double>) {
    let step = places.last.map { (place - $0).length }
    // Stationary, or jitter: the position is unchanged.
    if let step, step < MatchablePolyline.spacing { return }
    places.append(place)
    var tail = places.count - 1
    while tail > 0, (place - places[tail]).length < Self.directionLength { tail -= 1 }
    let way = place - places[tail]
    places.removeFirst(tail)
    // A driver who has just departed can go in any direction.
    let direction = way.length < Self.directionLength ? .zero : way.normalized
    search.find(near: place, heading: direction, into: &candidates)
    dropEnd()
    missing = (place - seen).length
    let weight = min(1, (step ?? 10) / PlaceMatching.witnessSpacing)
    advance(to: place, hasDirection: direction != .zero, weight: weight)
    if isSure, let supposed {
      wasSure = true
      anchor = supposed < line.length - Self.arrival ? supposed : 0
    }
  }

  /// Returns the distance along the road of an earlier position of the driver, or `nil` if it is off the
  /// road.
  ///
  /// - Parameter metres: the distance from it to the later position.
  mutating func place(of earlier: SIMD3<Double>, before distanceAlong: Double, by metres: Double) -> Double? {
    search.find(near: earlier, heading: .zero, into: &candidates)
    let expected = distanceAlong - metres
    return candidates.filter {
      Self.cost($0) < PlaceMatching.cost.notShared && $0.distanceAlong <= distanceAlong
        && abs($0.distanceAlong - expected) <= metres + PlaceMatching.backwardReach
    }.map(\.distanceAlong).min { abs($0 - expected) < abs($1 - expected) }
  }

  /// Moves a driver who has not driven any of the road back from its end, if there is an alternative.
  private mutating func dropEnd() {
    guard !wasSure, let last = candidates.last, last.distanceAlong > line.length - 1 else { return }
    if candidates.dropLast().contains(where: { Self.cost($0) < PlaceMatching.cost.notShared }) {
      candidates.removeLast()
    }
  }

  private mutating func advance(to place: SIMD3<Double>, hasDirection: Bool, weight: Double) {
    let (on, off) = costs
    var nextOn = Double.infinity
    if let next = continuation() {
      nextOn = min(on, off + PlaceMatching.cost.returning) + Self.cost(next) * weight
      // Noise moves the position backwards by metres, but the driver does not go back.
      let before = supposed ?? next.distanceAlong
      supposed = max(before, next.distanceAlong)
      held += max(0, next.distanceAlong - before)
      seen = place
    } else if isSure, missing <= Self.grace {
      // A cut corner or a single bad fix is not evidence of another position.
      nextOn = on + PlaceMatching.cost.notShared * weight
    } else if let next = acquisition(hasDirection: hasDirection) {
      // The first time on the road is not a return.
      let entryCost = wasOnRoad ? min(on + Self.jumpCost, off + PlaceMatching.cost.returning) : min(on, off)
      nextOn = entryCost + Self.cost(next) * weight
      supposed = next.distanceAlong
      stretch += 1
      held = 0
      seen = place
    } else if missing > Self.reacquisitionDistance {
      supposed = nil
    }
    let nextOff = min(off, on + PlaceMatching.cost.leaving) + PlaceMatching.cost.notShared * weight
    let least = min(nextOn, nextOff)
    costs = (nextOn - least, nextOff - least)
    isOnRoad = nextOn < nextOff
    wasOnRoad = wasOnRoad || isOnRoad
  }

  /// Returns the position that continues from the last one, or `nil` if no position does or another is far
  /// more likely.
  private func continuation() -> CandidateSearch.Candidate? {
    guard let supposed else { return nil }
    let ahead = 2 * missing + 2 * PlaceMatching.backwardReach
    var best: (cost: Double, candidate: CandidateSearch.Candidate)?
    for candidate in candidates {
      let step = candidate.distanceAlong - supposed
      guard step >= -PlaceMatching.backwardReach, step <= ahead else { continue }
      let cost = Self.cost(candidate) + min(abs(step - missing) / PlaceMatching.transition, Self.jumpCost)
      if cost < best?.cost ?? .infinity { best = (cost, candidate) }
    }
    guard let next = best?.candidate else { return nil }
    let cheapest = candidates.map(Self.cost).min() ?? .infinity
    return Self.cost(next) <= cheapest + (isOnRoad ? Self.jumpCost : Self.alike) ? next : nil
  }

  /// Returns the position at which the driver reaches the road: of equally likely candidates, the next after
  /// the last confirmed one.
  private func acquisition(hasDirection: Bool) -> CandidateSearch.Candidate? {
    let cheapest = candidates.map(Self.cost).min() ?? .infinity
    // A single position is weak evidence.
    let limit = hasDirection ? cheapest + Self.alike : max(cheapest, PlaceMatching.cost.notShared)
    return candidates.filter { Self.cost($0) <= limit }.min { remoteness($0) < remoteness($1) }
  }

  private func remoteness(_ candidate: CandidateSearch.Candidate) -> Double {
    let step = candidate.distanceAlong - anchor
    return step < -PlaceMatching.backwardReach ? -Self.backwards * step : abs(step)
  }

  private static func cost(_ candidate: CandidateSearch.Candidate) -> Double {
    candidate.distanceSquared / (2 * PlaceMatching.deviation * PlaceMatching.deviation)
      + PlaceMatching.cost.turning * (1 - candidate.alignment)
  }
}
