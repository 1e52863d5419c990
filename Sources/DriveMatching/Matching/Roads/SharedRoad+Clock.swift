import GhostModel

/// The road of two recordings of one motion, whose common clock shows where the drives were at one time.
extension SharedRoad {
  /// The largest difference in seconds of the times at which two recordings of one motion are at one place.
  private static let sameMoment = 30.0

  /// Joins the stretches before and after a detour of two recordings of one motion: one of the receivers was
  /// in error there.
  mutating func joinDetours(by clock: SharedClock) {
    var kept: [Stretch] = []
    for stretch in stretches {
      if let last = kept.last, stretch.before == .detour,
        isOneMoment(places[last.places.upperBound - 1], clock),
        isOneMoment(places[stretch.places.lowerBound], clock)
      {
        kept[kept.count - 1].places = last.places.lowerBound..<stretch.places.upperBound
      } else {
        kept.append(stretch)
      }
    }
    stretches = kept
  }

  /// Whether both recordings are at a place at the same time, or nearly.
  private func isOneMoment(_ place: Place, _ clock: SharedClock) -> Bool {
    let first = lines.first.passage(at: place.first, in: lines.first.segment(at: place.first))
    let second = lines.second.passage(at: place.second, in: lines.second.segment(at: place.second))
    return clock.timeInSecond(first.arrival) <= second.departure + Self.sameMoment
      && second.arrival <= clock.timeInSecond(first.departure) + Self.sameMoment
  }
}
