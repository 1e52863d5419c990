import TrackModel

/// The unit of speeds without one: metres per second, unless the positions and times show another unit.
enum CSVSpeed {
  private static let units: [CSVUnit] = [.own, .kilometresPerHour, .milesPerHour, .knots]
  /// The difference of a unit from the one that the positions show. Knots and miles per hour differ by 15 %.
  private static let tolerance = 0.1
  /// The difference of most parts of the path from the unit. Straight lines between rare positions are
  /// shorter than the road by a different share in each part.
  private static let spread = 0.2
  private static let minimumParts = 3
  /// The time between rows, in microseconds, from which a row does not continue a part.
  private static let longestStep: Int64 = 60_000_000

  /// Returns the unit of the speeds of points.
  static func unit(_ segments: [PointColumns]) -> CSVUnit {
    let parts = segments.flatMap(parts)
    guard parts.count >= minimumParts, parts.reduce(0, { $0 + $1.length }) >= CSVDistance.shortestPath,
      let shown = parts.map(\.ratio).upperMedian
    else { return .own }
    func difference(_ ratio: Double, _ unit: CSVUnit) -> Double { abs(ratio / unit.converted(1) - 1) }
    return units.first { unit in
      difference(shown, unit) <= tolerance
        && units.allSatisfy { difference(shown, unit) <= difference(shown, $0) }
        && parts.count { difference($0.ratio, unit) <= spread } * 2 > parts.count
    } ?? .own
  }

  /// Returns the lengths of the parts of a segment in metres, and their ratios to the lengths by the speeds.
  private static func parts(_ points: PointColumns) -> [(length: Double, ratio: Double)] {
    guard let speeds = points.values(of: .speed) else { return [] }
    var parts: [(length: Double, ratio: Double)] = []
    var anchor = 0
    var path = 0.0
    for row in points.times.indices.dropFirst() {
      let step = points.times[row] &- points.times[row - 1]
      path += (speeds[row] + speeds[row - 1]) / 2 * Double(step) / 1e6
      guard points.times[row] != Instant.absent, (0...longestStep).contains(step), path.isFinite else {
        (anchor, path) = (row, 0)
        continue
      }
      let length = Geodesy.sphericalDistance(
        from: points.coordinate(at: anchor), to: points.coordinate(at: row))
      guard length >= CSVDistance.part else { continue }
      if path > 0 { parts.append((length, length / path)) }
      (anchor, path) = (row, 0)
    }
    return parts
  }
}
