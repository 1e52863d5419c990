import TrackModel

extension MatchablePolyline {
  /// Whether two drives passed the same positions at the same times since their first recorded points.
  func isCopy(of other: MatchablePolyline) -> Bool {
    hiddenParts.isEmpty && count == other.count && arrivals == other.arrivals
      && departures == other.departures
      && places == other.places
  }

  /// Whether a distance along the line is within a hole and not at its edge.
  func isInHole(_ distance: Double) -> Bool {
    !holes.isEmpty && holeLength(from: distance - 0.01, to: distance + 0.01) > 0.015
  }

  /// Whether a hidden part is between two distances along the line.
  func hidesPart(from start: Double, to end: Double) -> Bool {
    hiddenParts.contains { $0.lowerBound < end && $0.upperBound > start }
  }

  /// Returns the total length of gaps in the recording between two distances along the line, in metres.
  func holeLength(from start: Double, to end: Double) -> Double {
    let first = holes.partitionIndex { distanceAlong[$0 + 1] > start }
    var total = 0.0
    for hole in holes[first...] {
      guard distanceAlong[hole] < end else { break }
      total += min(distanceAlong[hole + 1], end) - max(distanceAlong[hole], start)
    }
    return total
  }

  /// Returns the seconds from one distance along the line to another, without stops.
  func movingTime(from start: Double, to end: Double) -> Double {
    let departure = passage(at: start, in: segment(at: start)).departure
    let arrival = passage(at: end, in: segment(at: end)).arrival
    return arrival - departure - waiting(from: departure, to: arrival)
  }

  /// The mean speed without stops in metres per second.
  var movingSpeed: Double {
    let seconds = movingTime(from: 0, to: length)
    return seconds > 0 ? length / seconds : 0
  }

  /// Returns the seconds from one distance along the line to another, including stops at both.
  func time(from start: Double, to end: Double) -> Double {
    passage(at: end, in: segment(at: end)).departure - passage(at: start, in: segment(at: start)).arrival
  }

  /// Returns the longest interval between two fixes in a part of the line, and the longest distance between
  /// them. At a single place, these are the steps before and after it.
  func longestInterval(from start: Double, to end: Double) -> (seconds: Double, metres: Double) {
    guard count > 1 else { return (0, 0) }
    var longest = (seconds: 0.0, metres: 0.0)
    var vertex = start < end ? segment(at: start) : segment(before: start)
    while vertex + 1 < count, distanceAlong[vertex] < end || distanceAlong[vertex] == start {
      longest.seconds = max(longest.seconds, arrivals[vertex + 1] - departures[vertex])
      longest.metres = max(longest.metres, distanceAlong[vertex + 1] - distanceAlong[vertex])
      vertex += 1
    }
    return longest
  }

  /// Returns the interval between the fixes around a place in seconds, limited to the time that a car needs
  /// from rest for the distance between them.
  func secondsBetweenFixes(at distance: Double) -> Double {
    guard count > 1 else { return 0 }
    let segment = segment(at: distance)
    let metres = distanceAlong[segment + 1] - distanceAlong[segment]
    return min(
      arrivals[segment + 1] - departures[segment],
      (2 * metres / StopDetector.acceleration).squareRoot())
  }

  /// Whether a part of the line is anywhere further than `metres` from a part of another line, allowing for
  /// the corners that the other line's long steps may cut.
  func leaves(
    _ other: MatchablePolyline, _ part: ClosedRange<Double>, _ otherPart: ClosedRange<Double>,
    _ metres: Double
  ) -> Bool {
    guard count > 1, other.count > 1 else { return true }
    var vertex = segment(at: part.lowerBound) + 1
    while vertex < count, distanceAlong[vertex] < part.upperBound {
      let nearest = other.nearest(to: places[vertex], in: otherPart)
      let cut = Self.cutCorner * other.longStep(after: nearest.segment)
      if nearest.offset.length > max(metres, cut) { return true }
      vertex += 1
    }
    return false
  }

  /// Returns the distances in metres of the vertices in a part of the line from a part of another line.
  func offsets(
    in part: ClosedRange<Double>, from other: MatchablePolyline, _ otherPart: ClosedRange<Double>
  ) -> [Double] {
    guard count > 1, other.count > 1 else { return [] }
    let first = segment(at: part.lowerBound) + 1
    let inside = (first..<count).prefix { distanceAlong[$0] < part.upperBound }
    return inside.map { other.nearest(to: places[$0], in: otherPart).offset.length }
  }

  /// Returns the nearest position on a part of the line, and the vector from there.
  func nearest(
    to place: SIMD3<Double>, in part: ClosedRange<Double>
  ) -> (distanceAlong: Double, segment: Int, offset: SIMD3<Double>) {
    var segment = segment(at: part.lowerBound)
    var best = (distanceAlong: distanceAlong[segment], segment: segment, offset: place - places[segment])
    var least = Double.infinity
    while segment + 1 < count, distanceAlong[segment] <= part.upperBound {
      let step = places[segment + 1] - places[segment]
      let way = distanceAlong[segment + 1] - distanceAlong[segment]
      let offset = place - places[segment]
      var fraction = way > 0 ? min(max(offset.dot(step) / (way * way), 0), 1) : 0
      // Limited to the ends of the part.
      if way > 0 {
        fraction = min(
          max(fraction, (part.lowerBound - distanceAlong[segment]) / way),
          max((part.upperBound - distanceAlong[segment]) / way, 0))
      }
      let rest = offset - fraction * step
      if rest.lengthSquared < least {
        least = rest.lengthSquared
        best = (distanceAlong[segment] + fraction * way, segment, rest)
      }
      segment += 1
    }
    return best
  }
}
