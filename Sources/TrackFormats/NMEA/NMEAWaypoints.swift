import TrackModel

/// Waypoints held until the end of the track, stored compactly.
struct NMEAWaypoints {
  private var coordinates: [Coordinate] = []
  /// The end of each name in ``names``.
  private var ends: [Int] = []
  /// The concatenated names.
  private var names: [UInt8] = []

  var count: Int { coordinates.count }

  mutating func append(_ coordinate: Coordinate, name: Span<UInt8>) {
    coordinates.append(coordinate)
    for index in name.indices { names.append(name[index]) }
    ends.append(names.count)
  }

  /// - Precondition: `0 <= index < count`.
  func waypoint(at index: Int) -> Waypoint {
    let name = NMEASentence.string(names[(index == 0 ? 0 : ends[index - 1])..<ends[index]].span)
    return Waypoint(
      coordinate: coordinates[index], details: PointDetails(name: name.isEmpty ? nil : name))
  }
}
