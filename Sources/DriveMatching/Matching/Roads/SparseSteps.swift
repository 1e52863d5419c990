import CMath
import GhostModel
import TrackModel

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
    /// The distances along the line of the fixes and of the places between them, the other drive's moving
    /// seconds since the first fix, and its stopped seconds there.
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
      let places = road.places[stretch.places]
      /// The first place that is not before the current step.
      var index = places.startIndex
      var vertex = line.segment(at: own(places[index]).first)
      while vertex + 1 < line.count, index < places.endIndex {
        let (from, to) = (line.distanceAlong[vertex], line.distanceAlong[vertex + 1])
        let duration = line.arrivals[vertex + 1] - line.departures[vertex]
        index = places[index...].firstIndex { own($0).first >= from } ?? places.endIndex
        let end = places[index...].firstIndex { own($0).first >= to } ?? places.endIndex
        defer {
          vertex += 1
          index = end
        }
        guard duration >= TimedPlaces.sparseInterval, to > from, end > index,
          let start = otherDistance(at: from, before: index, places, own),
          let goal = otherDistance(at: to, before: end, places, own)
        else { continue }
        var step = Step(vertex: vertex, duration: duration, length: to - from)
        var previous = other.passage(at: start, near: &hint).arrival
        func add(_ distance: Double, _ passage: (arrival: Double, departure: Double)) {
          step.moving += max(passage.arrival - previous, 0)
          previous = max(passage.departure, previous)
          step.stopped += passage.departure - passage.arrival
          step.places.append((distance, step.moving, passage.departure - passage.arrival))
        }
        let stopBefore = other.rest(near: start, within: PassingTimes.pairing.least, hint: &hint)
        add(from, (stopBefore.arrival, stopBefore.departure))
        for place in places[index..<end].lazy.map(own) where place.first > from {
          add(place.first, other.passage(at: place.second, near: &hint))
        }
        let stopAfter = other.rest(near: goal, within: PassingTimes.pairing.least, hint: &hint)
        add(to, (stopAfter.arrival, stopAfter.departure))
        if step.places.count - 2 >= leastPlaces || step.stopped > 0, step.moving > 0 { steps.append(step) }
      }
    }
    return steps
  }

  /// Returns the distance along the other line at a distance along the line, or nil outside a stretch.
  ///
  /// - Parameter index: the first place that is not before the distance.
  private static func otherDistance(
    at distance: Double, before index: Int, _ places: ArraySlice<SharedRoad.Place>,
    _ own: (SharedRoad.Place) -> SharedRoad.Place
  ) -> Double? {
    guard index < places.endIndex else { return nil }
    let after = own(places[index])
    if after.first == distance { return after.second }
    guard index > places.startIndex else { return nil }
    let before = own(places[index - 1])
    return before.second
      + (after.second - before.second) * (distance - before.first) / (after.first - before.first)
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
      for (index, place) in step.places.enumerated() {
        let isFix = index == 0 || index == step.places.count - 1
        if isFix, !isDelayed || place.stop == 0 { continue }
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
    let paces = steps.filter { $0.stopped == 0 }.map { $0.duration / $0.moving }
    guard paces.count >= leastSteps, let usual = paces.upperMedian else { return 1 }
    return min(max(usual, Self.paces.lowerBound), Self.paces.upperBound)
  }

  /// Returns the share of the other drive's variation of pace that the drive has in common with it, 0…1: the
  /// slope of a regression between the logarithms of their paces on steps without stops.
  private static func commonShare(_ steps: [Step]) -> Double {
    let free = steps.filter { $0.stopped == 0 }
    guard free.count >= leastSteps else { return prior.share }
    func deviations(_ seconds: KeyPath<Step, Double>) -> [Double] {
      let paces = free.map { log($0[keyPath: seconds] / $0.length) }
      let median = paces.upperMedian ?? 0
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
