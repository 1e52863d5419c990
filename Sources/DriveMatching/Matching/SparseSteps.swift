import GhostModel

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

/// The times between sparse fixes, which follow the other drive's pace on the same road.
///
/// Between two fixes of a drive, only its total time is known. The other drive shows where the road is slow
/// and where drives stop: the pace varies as much like the other drive's as it does from fix to fix, and a
/// delay is placed where the other drive stopped.
struct SparseSteps {
  /// The lines with vertices between sparse fixes.
  private(set) var lines: Paired<MatchablePolyline>

  /// The number of places of the other drive between two fixes that show its pace.
  static let leastPlaces = 2
  /// The number of steps without stops from which the usual pace is known.
  static let leastSteps = 3
  /// The limits of the usual pace relative to the other drive's.
  static let paces = 0.5...2.0
  /// The share of variation in common if nothing is known, and its weight as a sum of squares.
  static let prior = (share: 0.5, weight: 0.2)
  /// The largest deviation of the logarithm of a pace. Larger ones are delays.
  static let widest = 0.3

  init(_ road: SharedRoad) {
    lines = road.lines
    guard !road.isCopy else { return }
    let first = Self.steps(of: road.lines.first, along: road.lines.second, road) { $0 }
    let second = Self.steps(of: road.lines.second, along: road.lines.first, road) { $0.swapped }
    if !first.isEmpty { lines.first.insert(Self.vertices(first, in: lines.first)) }
    if !second.isEmpty { lines.second.insert(Self.vertices(second, in: lines.second)) }
  }

  /// A step between two sparse fixes.
  private struct Step {
    /// The vertex before the step.
    let vertex: Int
    /// The duration in seconds and the length in metres.
    let duration: Double
    let length: Double
    /// The distances along the line of the places between the fixes, and the other drive's seconds since the
    /// first fix, without its stops, and its stopped seconds there.
    var places: [(distance: Double, moving: Double, stop: Double)] = []
    /// The other drive's moving and stopped seconds on the step.
    var moving = 0.0
    var stopped = 0.0
  }

  /// Returns the steps of a line with places of the denser other line.
  ///
  /// - Parameter own: orders the distances of a place: first along the line, then along the other.
  private static func steps(
    of line: MatchablePolyline, along other: MatchablePolyline, _ road: SharedRoad,
    _ own: (SharedRoad.Place) -> SharedRoad.Place
  ) -> [Step] {
    var steps: [Step] = []
    var hint = 0
    for stretch in road.stretches {
      var index = stretch.places.lowerBound
      var vertex = line.segment(at: own(road.places[index]).first)
      while vertex + 1 < line.count, index < stretch.places.upperBound {
        let (from, to) = (line.distanceAlong[vertex], line.distanceAlong[vertex + 1])
        let duration = line.arrivals[vertex + 1] - line.departures[vertex]
        while index < stretch.places.upperBound, own(road.places[index]).first < from { index += 1 }
        let start = index
        while index < stretch.places.upperBound, own(road.places[index]).first <= to { index += 1 }
        defer {
          vertex += 1
          // The last place is the first one of the next step.
          index = max(start, index - 1)
        }
        guard duration >= SharedRoad.rareInterval, to > from, index - start >= leastPlaces + 2,
          own(road.places[start]).first == from, own(road.places[index - 1]).first == to
        else { continue }
        var step = Step(vertex: vertex, duration: duration, length: to - from)
        var previous = other.passage(at: own(road.places[start]).second, near: &hint).departure
        for place in road.places[start + 1..<index] {
          let place = own(place)
          let passage = other.passage(at: place.second, near: &hint)
          step.moving += max(passage.arrival - previous, 0)
          previous = passage.departure
          guard place.first > from, place.first < to else { continue }
          step.places.append((place.first, step.moving, passage.departure - passage.arrival))
          step.stopped += passage.departure - passage.arrival
        }
        if step.places.count >= leastPlaces, step.moving > 0 { steps.append(step) }
      }
    }
    return steps
  }

  /// Returns the vertices inside the steps.
  private static func vertices(
    _ steps: [Step], in line: MatchablePolyline
  ) -> [MatchablePolyline.AddedVertex] {
    let pace = usualPace(steps)
    let share = commonShare(steps)
    var vertices: [MatchablePolyline.AddedVertex] = []
    for step in steps {
      let isDelayed = step.stopped > 0 && step.duration - pace * step.moving >= StopDetector.shortest
      let delay = isDelayed ? step.duration - pace * step.moving : 0
      var waited = 0.0
      for place in step.places {
        let fraction = line.fraction(of: place.distance, in: step.vertex)
        let progress = share * place.moving / step.moving + (1 - share) * fraction
        let arrival = line.departures[step.vertex] + (step.duration - delay) * progress + waited
        let stop = isDelayed ? delay * place.stop / step.stopped : 0
        waited += stop
        vertices.append(
          .init(segment: step.vertex, distance: place.distance, arrival: arrival, departure: arrival + stop))
      }
    }
    return vertices
  }

  /// Returns the median pace relative to the other drive's on steps without stops.
  private static func usualPace(_ steps: [Step]) -> Double {
    let paces = steps.filter { $0.stopped == 0 }.map { $0.duration / $0.moving }.sorted()
    guard paces.count >= leastSteps else { return 1 }
    return min(max(paces[paces.count / 2], Self.paces.lowerBound), Self.paces.upperBound)
  }

  /// Returns the share of the other drive's variation of pace that the drive has in common with it, 0…1: the
  /// slope of a regression between the logarithms of their paces on steps without stops.
  private static func commonShare(_ steps: [Step]) -> Double {
    let free = steps.filter { $0.stopped == 0 }
    guard free.count >= leastSteps else { return prior.share }
    func deviations(_ seconds: KeyPath<Step, Double>) -> [Double] {
      let paces = free.map { log($0[keyPath: seconds] / $0.length) }
      let median = paces.sorted()[paces.count / 2]
      return paces.map { min(max($0 - median, -widest), widest) }
    }
    var product = prior.weight * prior.share
    var square = prior.weight
    for (own, other) in zip(deviations(\.duration), deviations(\.moving)) {
      product += own * other
      square += other * other
    }
    return min(max(product / square, 0), 1)
  }
}
