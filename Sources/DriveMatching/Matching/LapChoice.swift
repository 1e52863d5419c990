import GhostModel

/// The choice of laps on circuits, on which the two directions of matching may choose different, equally
/// likely laps.
extension SharedRoad {
  /// Returns the road on which both directions of matching agree. If they disagree, one follows the other.
  ///
  /// - Parameter reluctance: the factor for the costs of leaving the road and returning.
  init(_ first: RoadLine, _ second: RoadLine, reluctance: Double) {
    let forwards = PlaceMatching(of: first, on: second, reluctance: reluctance).along
    let backwards = PlaceMatching(of: second, on: first, reluctance: reluctance).along
    self.init(first, second, forwards: forwards, backwards: backwards)
    guard disputed > Self.leastDispute else { return }
    let led = SharedRoad(
      first, second, forwards: forwards,
      backwards: PlaceMatching(
        of: second, on: first, agreeingWith: forwards, tolerance: Self.tolerance
      ).along)
    if led.isBetter(than: self) { self = led }
    let leading = SharedRoad(
      first, second,
      forwards: PlaceMatching(
        of: first, on: second, agreeingWith: backwards, tolerance: Self.tolerance
      ).along, backwards: backwards)
    if leading.isBetter(than: self) { self = leading }
  }

  /// Whether more road is shared than with another choice of laps, or about as much from an earlier position.
  private func isBetter(than other: SharedRoad) -> Bool {
    guard let start = places.first else { return false }
    guard let otherStart = other.places.first else { return true }
    if length > 1.05 * other.length { return true }
    return length > 0.95 * other.length
      && start.first + start.second < otherStart.first + otherStart.second - Self.leastDispute
  }
}
