import GhostModel

/// The choice of laps on circuits, where the two directions of matching may choose different, equally
/// likely laps.
extension SharedRoad {
  /// Creates the road on which both directions of matching agree. If they disagree, one direction is
  /// matched again under the constraints of the other.
  ///
  /// - Parameter detourPenalty: the factor for the costs of leaving the road and returning to it.
  init(_ first: MatchablePolyline, _ second: MatchablePolyline, detourPenalty: Double) {
    let forwards = PlaceMatching(of: first, on: second, detourPenalty: detourPenalty).distanceAlong
    let backwards = PlaceMatching(of: second, on: first, detourPenalty: detourPenalty).distanceAlong
    self.init(first, second, forwards: forwards, backwards: backwards)
    guard disputed > leastDispute else { return }
    let led = SharedRoad(
      first, second, forwards: forwards,
      backwards: PlaceMatching(
        of: second, on: first, agreeingWith: forwards, tolerance: Self.tolerance
      ).distanceAlong)
    if led.isBetter(than: self) { self = led }
    let leading = SharedRoad(
      first, second,
      forwards: PlaceMatching(
        of: first, on: second, agreeingWith: backwards, tolerance: Self.tolerance
      ).distanceAlong, backwards: backwards)
    if leading.isBetter(than: self) { self = leading }
  }

  /// Whether more road is shared than with another choice of laps, or about as much from an earlier position.
  private func isBetter(than other: SharedRoad) -> Bool {
    guard let start = places.first else { return false }
    guard let otherStart = other.places.first else { return true }
    if length > 1.05 * other.length { return true }
    return length > 0.95 * other.length
      && start.first + start.second < otherStart.first + otherStart.second - leastDispute
  }
}
