/// How much of two drives is the same road, driven the same way.
struct SharedShare {
  /// Of the drive of which less is shared, 0…1; what is not shared at the ends counts only beyond a tolerance.
  let share: Double

  /// At least this much is shared, the tolerance at the ends not counted.
  static let leastShared = 0.5

  /// - Parameter tolerance: metres at either end that the drives may begin or end apart and still be at the same end.
  init(_ first: RoadLine, _ second: RoadLine, tolerance: Double) {
    guard first.length > 0, second.length > 0 else {
      share = 0
      return
    }
    let road = SharedRoad(first, second)
    guard let begin = road.stretches.first?.places.lowerBound,
      let end = road.stretches.last.map({ $0.places.upperBound - 1 })
    else {
      share = 0
      return
    }
    func side(_ line: RoadLine, _ value: (SharedRoad.Place) -> Double) -> Double {
      let shared = road.stretches.reduce(0) { sum, stretch in
        sum + value(road.places[stretch.places.upperBound - 1])
          - value(road.places[stretch.places.lowerBound])
      }
      guard shared >= Self.leastShared * line.length else { return 0 }
      let excused =
        min(value(road.places[begin]), tolerance) + min(line.length - value(road.places[end]), tolerance)
      return min((shared + excused) / line.length, 1)
    }
    share = min(side(first) { $0.first }, side(second) { $0.second })
  }
}
