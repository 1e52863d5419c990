/// Where on the ghost's road a driver is, fix by fix.
///
/// Of the places of the road near a fix it is the one that continues from the last (``PlaceMatching`` has the
/// costs), so that a road that is driven twice, a crossing of the road with itself or a start that is also
/// the end does not move it to another pass. Where nothing goes on, it is the pass that lies next ahead, or
/// behind where that is much nearer; a drive begins as early on the road as fits.
///
/// Whether the driver is on the road at all is a hidden Markov model of two states. A fix costs as much as
/// there are passes of the road nearby.
struct LivePlace {
  private let line: MatchablePolyline
  private var search: CandidateSearch
  private var candidates: [CandidateSearch.Candidate] = []
  /// The driver's last places, newest last, as far back as a direction needs.
  private var places: [SIMD3<Double>] = []

  /// Metres along the road, if the driver is on it.
  private var supposed: Double?
  /// Where the driver was when the supposed place was last seen, and metres from there; a receiver's jitter
  /// adds up to none.
  private var seen = SIMD3<Double>.zero
  private var missing = 0.0
  /// Metres along the road since the supposed place was taken up.
  private var held = 0.0
  /// The last place that is sure, from which the next one goes on; 0 before there is one, and again past the
  /// end.
  private var anchor = 0.0
  /// What it has cost up to here to be on the road, or off it, above the cheaper of both.
  private var costs = (on: 0.0, off: 0.0)
  private var wasOnRoad = false
  private var wasSure = false

  /// Goes up where the place does not go on from the last one but is another.
  private(set) var stretch = 0
  /// Whether the driver is on the road.
  private(set) var isOnRoad = false

  /// Metres along the road, not descending within a stretch; nil off it.
  var distanceAlong: Double? { isOnRoad ? supposed : nil }
  /// Whether so much of this stretch is driven that it is no mistake.
  var isSure: Bool { isOnRoad && held >= Self.sure }

  /// Metres of road in one stretch that are no accident.
  static let sure = 60.0
  /// Metres before the end of the road from which on the driver has arrived.
  static let arrival = 20.0
  /// Metres that a direction is taken over.
  private static let directionLength = 8.0
  /// Metres for which the road may be missed without a change.
  private static let grace = 30.0
  /// Metres without the road after which any pass may be the next.
  private static let patience = 100.0
  /// Costs by which two passes differ that fit alike.
  private static let alike = 4.0
  /// How much further away a pass behind counts.
  private static let backwards = 2.0
  /// What it costs to be at another place of the road at once.
  private static let jumpCost = PlaceMatching.cost.leaving + PlaceMatching.cost.returning

  init(_ line: MatchablePolyline) {
    self.line = line
    search = CandidateSearch(line)
  }

  /// Takes the driver's next place.
  mutating func move(to place: SIMD3<Double>) {
    let step = places.last.map { (place - $0).length }
    // Standing, or jitter: nothing new about the place.
    if let step, step < MatchablePolyline.spacing { return }
    places.append(place)
    var tail = places.count - 1
    while tail > 0, (place - places[tail]).length < Self.directionLength { tail -= 1 }
    let way = place - places[tail]
    places.removeFirst(tail)
    // What moved off only just, or not yet, may lead anywhere.
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

  /// Returns the distance along the road of an earlier place of the driver; nil if it is off the road.
  ///
  /// - Parameter metres: the distance from it to the later place.
  mutating func place(of earlier: SIMD3<Double>, before distanceAlong: Double, by metres: Double) -> Double? {
    search.find(near: earlier, heading: .zero, into: &candidates)
    let expected = distanceAlong - metres
    return candidates.filter {
      Self.cost($0) < PlaceMatching.cost.notShared && $0.distanceAlong <= distanceAlong
        && abs($0.distanceAlong - expected) <= metres + PlaceMatching.backwardReach
    }.map(\.distanceAlong).min { abs($0 - expected) < abs($1 - expected) }
  }

  /// Who has not driven any of the road is not past its end, unless there is nothing else.
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
      // Noise goes back by metres, the road does not.
      let before = supposed ?? next.distanceAlong
      supposed = max(before, next.distanceAlong)
      held += max(0, next.distanceAlong - before)
      seen = place
    } else if isSure, missing <= Self.grace {
      // A corner cut or a single bad fix says nothing of another place, or none.
      nextOn = on + PlaceMatching.cost.notShared * weight
    } else if let next = acquisition(hasDirection: hasDirection) {
      // The first time on the road is no return.
      let entryCost = wasOnRoad ? min(on + Self.jumpCost, off + PlaceMatching.cost.returning) : min(on, off)
      nextOn = entryCost + Self.cost(next) * weight
      supposed = next.distanceAlong
      stretch += 1
      held = 0
      seen = place
    } else if missing > Self.patience {
      supposed = nil
    }
    let nextOff = min(off, on + PlaceMatching.cost.leaving) + PlaceMatching.cost.notShared * weight
    let least = min(nextOn, nextOff)
    costs = (nextOn - least, nextOff - least)
    isOnRoad = nextOn < nextOff
    wasOnRoad = wasOnRoad || isOnRoad
  }

  /// The place at which the driver is now who went on from the last one; nil where none is, or another is far
  /// likelier.
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

  /// The place at which the driver comes onto the road: of those that fit alike the next from the last that
  /// was sure.
  private func acquisition(hasDirection: Bool) -> CandidateSearch.Candidate? {
    let cheapest = candidates.map(Self.cost).min() ?? .infinity
    // A place alone says little.
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
