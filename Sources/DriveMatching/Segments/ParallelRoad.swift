import CMath
import TrackModel

/// Determines whether a drive along a line is on a parallel road 25 m away, at least on a part of it.
///
/// The error of fixes changes slowly, but a change to another road is a step. The most probable sequence of
/// roads (Viterbi) is that with the smallest changes of the error, whose size is estimated from the drive
/// itself.
struct ParallelRoad {
  /// Whether the drive uses a parallel road.
  private(set) var isUsed = false

  /// A part of the drive: its time, the distance along the line, and the median distance to the left of it.
  private typealias Part = (time: Double, distanceAlong: Double, left: Double)

  /// The length of a part in metres.
  private static let partLength = 50.0
  /// The distances in metres of the roads from the line, the line itself first.
  private static let roads = [0.0, 25, -25]
  /// The time in seconds after which the error of a fix is independent.
  private static let correlation = 20.0
  /// One standard deviation of a fix in metres: the usual one, the number of parts that determine it as much
  /// as the usual one does, the smallest and the largest.
  private static let deviation = (usual: 4.0, weight: 4.0, least: 3.0, most: 9.0)
  /// The cost of a change of the road.
  private static let change = 3.0
  /// The shortest distance on a parallel road in metres.
  private static let shortest = 100.0

  /// Creates the result for the fixes of a drive that are matched with a line.
  init(_ matches: [GuideLine.Match]) {
    let parts = Self.parts(matches)
    guard let first = parts.first else { return }
    let deviation = Self.deviation(parts)
    var costs = Self.roads.map { road in
      (first.left - road) * (first.left - road) / (2 * deviation * deviation)
        + (road == 0 ? 0 : Self.change)
    }
    var origins: [[Int]] = []
    for (before, part) in zip(parts, parts.dropFirst()) {
      let persistence = exp((before.time - part.time) / Self.correlation)
      let variance = deviation * deviation * max(1 - persistence * persistence, 0.01)
      var next: [Double] = []
      var origin: [Int] = []
      for road in Self.roads {
        let totals = zip(Self.roads, costs).map { other, cost in
          let error = part.left - road - persistence * (before.left - other)
          return cost + error * error / (2 * variance) + (road == other ? 0 : Self.change)
        }
        let best = totals.indices.min { totals[$0] < totals[$1] } ?? 0
        next.append(totals[best])
        origin.append(best)
      }
      costs = next
      origins.append(origin)
    }
    var road = costs.indices.min { costs[$0] < costs[$1] } ?? 0
    var roads = [road]
    for origin in origins.reversed() {
      road = origin[road]
      roads.append(road)
    }
    roads.reverse()
    var start: Double?
    for (part, road) in zip(parts, roads) {
      start = road == 0 ? nil : start ?? part.distanceAlong
      if let start, part.distanceAlong - start >= Self.shortest { isUsed = true }
    }
    // A short line has no room for a change.
    if roads.allSatisfy({ $0 != 0 }) { isUsed = true }
  }

  private static func parts(_ matches: [GuideLine.Match]) -> [Part] {
    var parts: [Part] = []
    var first = matches.startIndex
    while first < matches.endIndex {
      var last = first + 1
      while last < matches.endIndex, matches[last].distanceAlong < matches[first].distanceAlong + partLength {
        last += 1
      }
      let middle = matches[(first + last) / 2]
      let left = matches[first..<last].map(\.left).upperMedian ?? middle.left
      parts.append((middle.time, middle.distanceAlong, left))
      first = last
    }
    return parts
  }

  /// Returns one standard deviation of a fix in metres, from the changes between parts.
  private static func deviation(_ parts: [Part]) -> Double {
    let changes = zip(parts, parts.dropFirst()).map { before, after in
      let persistence = exp((before.time - after.time) / correlation)
      return abs(after.left - before.left) / (2 * max(1 - persistence, 0.01)).squareRoot()
    }
    guard let usualChange = changes.upperMedian else { return deviation.usual }
    let measured = [Double].normalRatio * usualChange
    let (count, weight) = (Double(changes.count), deviation.weight)
    let squares = count * measured * measured + weight * deviation.usual * deviation.usual
    return min(max((squares / (count + weight)).squareRoot(), deviation.least), deviation.most)
  }
}
