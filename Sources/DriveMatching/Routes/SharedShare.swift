import GhostModel
import TrackModel

/// The fraction of two drives that is shared road in the same direction.
struct SharedShare {
  /// The smaller fraction of the two drives, 0…1, excluding the tolerance at the ends. 0 for drives with
  /// different ends.
  private(set) var share = 0.0

  /// The minimum shared fraction without the tolerance at the ends.
  static let leastShared = 0.5

  /// The distance in metres from another drive's road within which a drive started on that road.
  private static let onTheWay = 120.0

  init(_ first: MatchablePolyline, _ second: MatchablePolyline, _ settings: RouteSettings = RouteSettings()) {
    guard first.length > 0, second.length > 0 else { return }
    let road = SharedRoad(first, second)
    guard let begin = road.stretches.first.map({ road.places[$0.places.lowerBound] }),
      let end = road.stretches.last.map({ road.places[$0.places.upperBound - 1] })
    else { return }
    let length = max(first.length, second.length)
    let reach = settings.endReach(length)
    var startReach = reach
    if Self.distance(first.place(at: 0), second.place(at: 0)) > reach {
      // The other drive was already in motion when its recording began.
      startReach = settings.lateStart(length)
      guard min(begin.first, begin.second) <= Self.onTheWay, max(begin.first, begin.second) <= startReach,
        !Self.standsAtStart(begin.first < begin.second ? first : second)
      else { return }
    }
    guard Self.distance(first.place(at: first.length), second.place(at: second.length)) <= reach else {
      return
    }
    func side(_ line: MatchablePolyline, _ value: (SharedRoad.Place) -> Double) -> Double {
      let shared = road.stretches.reduce(0) { sum, stretch in
        sum + value(road.places[stretch.places.upperBound - 1])
          - value(road.places[stretch.places.lowerBound])
      }
      guard shared >= Self.leastShared * line.length else { return 0 }
      let excused = min(value(begin), startReach) + min(line.length - value(end), reach)
      return min((shared + excused) / line.length, 1)
    }
    share = min(side(first) { $0.first }, side(second) { $0.second })
  }

  /// The first metres of a drive that stood at its start, and the minimum time for them, as a number of usual
  /// times and in seconds. A shorter stop may be a light on the way.
  private static let standing = (metres: 50.0, usual: 2.0, seconds: 45.0)

  private static func standsAtStart(_ line: MatchablePolyline) -> Bool {
    guard let index = line.distanceAlong.firstIndex(where: { $0 >= standing.metres }) else { return false }
    let usual = line.distanceAlong[index] / line.length * line.duration
    return line.arrivals[index] > standing.usual * usual + standing.seconds
  }

  /// Returns the distance between two positions in metres.
  private static func distance(_ first: SIMD3<Double>, _ second: SIMD3<Double>) -> Double {
    (first - second).length
  }
}
