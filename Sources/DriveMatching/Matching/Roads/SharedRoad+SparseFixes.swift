import GhostModel
import TrackModel

/// The road between sparse fixes.
extension SharedRoad {
  /// The factor and the seconds by which the other drive may be slower than a drive with sparse fixes on
  /// the same road.
  static let fittingPace = 1.3
  static let fittingSlack = 4.0
  /// The time in seconds on the remaining road from which the paces of two drives are known.
  static let leastPaceTime = 60.0
  /// The factor by which the times of two drives differ on the same road without delays.
  static let equalPace = 1.1
  /// The length of a road relative to its chords up to which a drive with sparse fixes has taken no shortcut.
  static let straightRoad = 1.35
  /// The largest distance of a road from its chord, as a share of the chord. It is 0.5 for a right angle in
  /// the middle.
  static let widestCorner = 0.6
  /// The largest distance from a chord for the place at which the other recording begins or ends.
  static let endCorner = 0.15
  /// The factor by which a drive may be faster in a gap in its recording than the other one without stops.
  static let fastest = 2.0

  /// Whether the fixes of one drive are too sparse to show that it left the road of the other.
  ///
  /// Its own fixes are on that road, the road is consistent with its time or little longer than the chords
  /// between the fixes, and no further from them than a cut corner unless both drives took the same time.
  ///
  /// - Parameter excludesParallel: whether fixes beside the other drive's road are on another one. Next to
  ///   stretches that may be crossings, they do not show where the drives part and join.
  func areFixesTooSparse(_ from: Place, _ to: Place, excludesParallel: Bool) -> Bool {
    let steps = Paired(
      lines.first.longestInterval(from: from.first, to: to.first),
      lines.second.longestInterval(from: from.second, to: to.second))
    guard max(steps.first.seconds, steps.second.seconds) >= TimedPlaces.sparseInterval else { return false }
    let parts = Paired(from.first...max(from.first, to.first), from.second...max(from.second, to.second))
    let isFirst = steps.first.seconds > steps.second.seconds
    let (sparse, dense) = isFirst ? (lines.first, lines.second) : (lines.second, lines.first)
    let (sparsePart, densePart) = isFirst ? (parts.first, parts.second) : (parts.second, parts.first)
    let (needed, given) = times(sparse, sparsePart, dense, densePart, isFirst: isFirst)
    let pace = usualPace(outside: from, to, isFirst: !isFirst)
    guard
      needed < Self.fittingPace * max(pace, 1) * given + Self.fittingSlack
        || densePart.length < Self.straightRoad * sparsePart.length
    else { return false }
    let (step, other) = isFirst ? (steps.first, steps.second) : (steps.second, steps.first)
    // Both cut corners if the other drive's fixes are sparse, too.
    let cut = other.seconds >= TimedPlaces.sparseInterval ? Self.widestCorner * other.metres : 0
    guard !sparse.leaves(dense, sparsePart, densePart, max(Self.separation, cut)),
      !excludesParallel
        || !isBeside(sparsePart, of: sparse, densePart, of: dense, steps: (step.metres, other.metres))
    else { return false }
    let reach = max(1.5 * Self.separation, Self.widestCorner * step.metres)
    return needed <= Self.equalPace * pace * given || !dense.leaves(sparse, densePart, sparsePart, reach)
  }

  /// Whether the fixes of two parts are on different roads: most of them are far from the other line, or many
  /// successive ones.
  ///
  /// On one road, a chord is far from the fixes in the bends that it cuts, but near those before and after.
  private func isBeside(
    _ part: ClosedRange<Double>, of line: MatchablePolyline, _ otherPart: ClosedRange<Double>,
    of other: MatchablePolyline, steps: (own: Double, other: Double)
  ) -> Bool {
    func areFar(_ offsets: [Double], from step: Double) -> Bool {
      guard offsets.count >= Self.besideRoad.fixes, let usual = offsets.upperMedian else { return false }
      let isApart = offsets.split { $0 <= 1.5 * Self.separation }.contains { $0.count >= Self.besideRoad.run }
      return isApart || usual > max(1.5 * Self.separation, Self.besideRoad.share * step)
    }
    return areFar(line.offsets(in: part, from: other, otherPart), from: steps.other)
      && areFar(other.offsets(in: otherPart, from: line, part), from: steps.own)
  }

  /// The number of fixes that show a road beside a chord, their distance from it as a share of the chord, and
  /// the number of successive fixes for which a smaller distance is enough.
  static let besideRoad = (fixes: 3, share: 0.2, run: 5)

  /// Returns the time that one drive needs for a part without stops, and the other one's time with stops.
  ///
  /// They are taken between fixes of the other drive, because its places between them are only interpolated.
  private func times(
    _ sparse: MatchablePolyline, _ sparsePart: ClosedRange<Double>, _ dense: MatchablePolyline,
    _ densePart: ClosedRange<Double>, isFirst: Bool
  ) -> (needed: Double, given: Double) {
    let (known, wanted) = isFirst ? (\Place.first, \Place.second) : (\Place.second, \Place.first)
    var parts = (sparse: sparsePart, dense: densePart)
    let before = sparse.distanceAlong[sparse.segment(at: sparsePart.lowerBound)]
    if let place = places.interpolated(at: before, { $0[keyPath: known] }, { $0[keyPath: wanted] }) {
      parts.sparse = before...parts.sparse.upperBound
      parts.dense = min(place, densePart.lowerBound)...parts.dense.upperBound
    }
    let after = sparse.distanceAlong[sparse.segment(before: sparsePart.upperBound) + 1]
    if let place = places.interpolated(at: after, { $0[keyPath: known] }, { $0[keyPath: wanted] }) {
      parts.sparse = parts.sparse.lowerBound...max(after, sparsePart.upperBound)
      parts.dense = parts.dense.lowerBound...max(place, densePart.upperBound)
    }
    return (
      dense.movingTime(from: parts.dense.lowerBound, to: parts.dense.upperBound),
      sparse.time(from: parts.sparse.lowerBound, to: parts.sparse.upperBound)
    )
  }

  /// Returns the time that one drive takes relative to the other's on the road outside a part, without stops.
  private func usualPace(outside from: Place, _ to: Place, isFirst: Bool) -> Double {
    guard let begin = places.first, let end = places.last else { return 1 }
    let seconds = Paired(
      lines.first.movingTime(from: begin.first, to: from.first)
        + lines.first.movingTime(from: to.first, to: end.first),
      lines.second.movingTime(from: begin.second, to: from.second)
        + lines.second.movingTime(from: to.second, to: end.second))
    guard min(seconds.first, seconds.second) > Self.leastPaceTime else { return 1 }
    return isFirst ? seconds.first / seconds.second : seconds.second / seconds.first
  }

  /// Adds the road up to the end of a recording if it is between two sparse fixes of the other drive, or if
  /// only a gap in a recording separates it from the rest. Also adds the place at which both drives begin, or
  /// end, after different roads.
  mutating func extend(_ side: StretchEnd.Side) {
    guard let stretch = side == .start ? stretches.first : stretches.last else { return }
    let edge = places[side == .start ? stretch.places.lowerBound : stretch.places.upperBound - 1]
    let rest =
      side == .start ? edge : Place(lines.first.length - edge.first, lines.second.length - edge.second)
    guard min(rest.first, rest.second) > Self.shortestDetour else { return }
    for isFirst in [true, false] {
      let (ending, other) = isFirst ? (lines.first, lines.second) : (lines.second, lines.first)
      let beyond = isFirst ? edge.second : edge.first
      let end = side == .start ? 0 : ending.length
      let part = side == .start ? 0...beyond : beyond...other.length
      let nearest = other.nearest(to: ending.place(at: end), in: part)
      let place = isFirst ? Place(end, nearest.distanceAlong) : Place(nearest.distanceAlong, end)
      guard min(abs(place.first - edge.first), abs(place.second - edge.second)) > 0 else { continue }
      let (from, to) = side == .start ? (place, edge) : (edge, place)
      let holes = Paired(
        lines.first.holeLength(from: from.first, to: to.first),
        lines.second.holeLength(from: from.second, to: to.second))
      let isHole = max(holes.first, holes.second) > 0
      let steps = Paired(
        lines.first.longestInterval(from: from.first, to: to.first),
        lines.second.longestInterval(from: from.second, to: to.second))
      let reach =
        isHole ? 0 : Self.endCorner * (steps.first.metres + steps.second.metres)
      guard nearest.offset.length <= max(Self.separation, reach),
        isHole
          ? isOneWay(from, to) && between(from, to) == .unknown
          : areFixesTooSparse(from, to, excludesParallel: true)
      else { continue }
      add(place, side, after: isHole ? .unknown : nil)
      return
    }
    // A round trip that only one of the drives makes is not a detour.
    guard isOnePlace(side), max(rest.first, rest.second) <= Self.loopLength * min(rest.first, rest.second)
    else { return }
    let place = side == .start ? Place(0, 0) : Place(lines.first.length, lines.second.length)
    let (from, to) = side == .start ? (place, edge) : (edge, place)
    add(place, side, after: between(from, to, isBetweenRoads: true))
  }

  /// Whether the two drives may have taken the same road between two places: the ways have about the same
  /// length, and neither drive is much faster than the other one without stops.
  private func isOneWay(_ from: Place, _ to: Place) -> Bool {
    let ways = Paired(to.first - from.first, to.second - from.second)
    let seconds = Paired(
      lines.first.time(from: from.first, to: to.first), lines.second.time(from: from.second, to: to.second))
    let moving = Paired(
      lines.first.movingTime(from: from.first, to: to.first),
      lines.second.movingTime(from: from.second, to: to.second))
    return max(ways.first, ways.second) <= Self.straightRoad * min(ways.first, ways.second)
      && moving.first <= Self.fastest * seconds.second && moving.second <= Self.fastest * seconds.first
  }

  /// Adds a place before the first stretch or after the last one.
  ///
  /// - Parameter kind: the kind of road from the stretch to the place, or nil if the road is shared.
  private mutating func add(_ place: Place, _ side: StretchEnd.Side, after kind: Between?) {
    switch side {
    case .start:
      guard let stretch = stretches.first else { return }
      // Places before the first stretch are of stretches that were removed.
      places.replaceSubrange(..<stretch.places.lowerBound, with: CollectionOfOne(place))
      let shift = 1 - stretch.places.lowerBound
      for index in stretches.indices {
        let range = stretches[index].places
        stretches[index].places = (range.lowerBound + shift)..<(range.upperBound + shift)
      }
      if let kind {
        stretches[0].before = kind
        stretches.insert(Stretch(places: 0..<1, before: .beginning), at: 0)
      } else {
        stretches[0].places = 0..<stretches[0].places.upperBound
      }
    case .end:
      guard let stretch = stretches.last else { return }
      places.removeSubrange(stretch.places.upperBound...)
      places.append(place)
      if let kind {
        stretches.append(Stretch(places: places.count - 1..<places.count, before: kind))
      } else {
        stretches[stretches.count - 1].places = stretch.places.lowerBound..<places.count
      }
    }
  }
}
