import GhostModel
import TrackModel

/// Finds the divergences and convergences of two drives, and ends the shared stretches there.
struct RouteEventSearch {
  struct Event {
    var kind: RouteEvent.Kind
    var place: SharedRoad.Place
  }

  /// The events in driving order.
  private(set) var events: [Event] = []
  /// The road with stretches that end at the events.
  private(set) var road: SharedRoad
  /// The ends of the road at which a recording starts or ends, or `nil` if the drives converge or diverge
  /// there.
  private(set) var start: StretchEnd?
  private(set) var end: StretchEnd?

  /// The length in metres below which unequal ends are not separate roads.
  static let shortestApproach = 60.0
  /// The distance in metres before a junction within which a stop is at the junction.
  static let mouth = 12.0

  /// - Parameters:
  ///   - areParts: whether both drives begin at one gate and end at another.
  ///   - areCompanions: whether the drives are of two people who were on the road at the same time, so that
  ///     similar motion does not show that they departed and arrived together.
  init(_ road: SharedRoad, areParts: Bool = false, areCompanions: Bool = false) {
    self.road = road
    guard !road.stretches.isEmpty else { return }
    let forks = ForkPlacement(lines: road.lines)
    var places: [SharedRoad.Place] = []
    var stretches: [SharedRoad.Stretch] = []
    let ends = SharedRoad.Place(road.lines.first.length, road.lines.second.length)
    for (index, stretch) in road.stretches.enumerated() {
      var part = Array(road.places[stretch.places])
      guard let first = part.first, let last = part.last else { continue }
      // A convergence after a detour, or of drives from different places.
      let previous = places.last
      let isLead = previous == nil && min(first.first, first.second) > Self.shortestApproach
      if stretch.before == .detour || isLead {
        let limit = previous ?? SharedRoad.Place(0, 0)
        var place = Self.place(
          forks, edge: first, forwards: false, limit: limit, shared: last, road.lines)
        place.first = road.lines.first.stop(before: place.first, notBefore: limit.first)
        place.second = road.lines.second.stop(before: place.second, notBefore: limit.second)
        Self.begin(&part, at: place)
        events.append(Event(kind: .convergence, place: part[0]))
      } else if index == 0, !road.isCopy {
        start = Self.stretchEnd(road, .start, areParts: areParts, areCompanions: areCompanions)
        if let start { Self.begin(&part, at: start.place) }
      }
      let next = index + 1 < road.stretches.count ? road.stretches[index + 1] : nil
      let rest = SharedRoad.Place(ends.first - last.first, ends.second - last.second)
      let isTail = next == nil && min(rest.first, rest.second) > Self.shortestApproach
      if next?.before == .detour || isTail {
        let limit = next.map { road.places[$0.places.lowerBound] } ?? ends
        let place = Self.place(
          forks, edge: last, forwards: true, limit: limit, shared: part[0], road.lines)
        Self.end(&part, at: place)
        events.append(Event(kind: .divergence, place: part[part.count - 1]))
      } else if next == nil, !road.isCopy {
        end = Self.stretchEnd(road, .end, areParts: areParts, areCompanions: areCompanions)
        if let end { Self.end(&part, at: end.place) }
      }
      if next?.before == .detour, places.isEmpty, Self.isChance(part) {
        events.removeAll()
        start = nil
        continue
      }
      stretches.append(
        SharedRoad.Stretch(
          places: places.count..<(places.count + part.count),
          before: stretches.isEmpty ? .beginning : stretch.before))
      places += part
    }
    self.road.places = places
    self.road.stretches = stretches
  }

  private static func stretchEnd(
    _ road: SharedRoad, _ side: StretchEnd.Side, areParts: Bool, areCompanions: Bool
  ) -> StretchEnd? {
    if areParts { return StretchEnd(atGateOf: road.lines, side, deviation: road.deviation) }
    let places = Array(road.places[road.places(at: side)])
    var end = StretchEnd(road.lines, side, places, deviation: road.deviation, drift: road.drift)
    if !areCompanions, let motion = CommonMotion(road, side) { end?.combine(with: motion) }
    return end
  }

  /// Whether the first shared stretch is accidental because one drive started near the other's road. It is
  /// not if the drives start at the same position.
  private static func isChance(_ part: [SharedRoad.Place]) -> Bool {
    guard let first = part.first, let last = part.last else { return true }
    return max(last.first - first.first, last.second - first.second) < SharedRoad.shortestStretch
      && max(first.first, first.second) > SharedRoad.samePlace
  }

  /// Returns the place at which the routes diverge or converge, or the edge itself if it is not a fork, or
  /// is in a hole.
  private static func place(
    _ forks: ForkPlacement, edge: SharedRoad.Place, forwards: Bool, limit: SharedRoad.Place,
    shared: SharedRoad.Place, _ lines: Paired<MatchablePolyline>
  ) -> SharedRoad.Place {
    guard let place = forks.place(edge: edge, forwards: forwards, limit: limit, shared: shared) else {
      return edge
    }
    if lines.first.holeLength(from: min(edge.first, place.first), to: max(edge.first, place.first)) > 0
      || lines.second.holeLength(from: min(edge.second, place.second), to: max(edge.second, place.second)) > 0
    {
      return edge
    }
    return place
  }

  private static func begin(_ part: inout [SharedRoad.Place], at place: SharedRoad.Place) {
    let kept = part.firstIndex { $0.first > place.first && $0.second > place.second } ?? part.count
    part.replaceSubrange(0..<kept, with: CollectionOfOne(place))
  }

  private static func end(_ part: inout [SharedRoad.Place], at place: SharedRoad.Place) {
    let kept = part.lastIndex { $0.first < place.first && $0.second < place.second }.map { $0 + 1 } ?? 0
    part.replaceSubrange(kept..<part.count, with: CollectionOfOne(place))
  }
}

extension SharedRoad {
  /// The places of the first or last stretch, and of the next one if only one of the drives has a gap in its
  /// recording between them: the other drive shows how long the way takes.
  fileprivate func places(at side: StretchEnd.Side) -> Range<Int> {
    let (outer, inner) =
      side == .start ? (0, min(1, stretches.count - 1)) : (stretches.count - 1, max(stretches.count - 2, 0))
    let (one, other) = (stretches[min(outer, inner)].places, stretches[max(outer, inner)].places)
    let (from, to) = (places[one.upperBound - 1], places[other.lowerBound])
    guard outer != inner, stretches[max(outer, inner)].before == .unknown,
      (lines.first.holeLength(from: from.first, to: to.first) > 0)
        != (lines.second.holeLength(from: from.second, to: to.second) > 0)
    else { return stretches[outer].places }
    return one.lowerBound..<other.upperBound
  }
}

extension MatchablePolyline {
  /// Returns the place of the last stop shortly before a place, or the place itself. A light or a stop line
  /// at a junction is the end of the joining road: the routes converge there.
  fileprivate func stop(before place: Double, notBefore limit: Double) -> Double {
    var vertex = segment(at: place)
    var found = place
    while vertex > 0, place - distanceAlong[vertex] <= RouteEventSearch.mouth, distanceAlong[vertex] > limit {
      if departures[vertex] > arrivals[vertex] { found = distanceAlong[vertex] }
      vertex -= 1
    }
    return found
  }
}
