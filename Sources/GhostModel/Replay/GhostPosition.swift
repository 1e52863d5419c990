public import TrackModel

/// Where a ghost is at a moment.
public struct GhostPosition: Sendable, Hashable {
  public var coordinate: Coordinate
  /// Metres, between those of the two waypoints; nil where one of them has none.
  public var altitude: Double?
  /// The waypoint at or before the moment.
  public var index: Int
  /// The part of the way to the next waypoint, 0..<1; 0 at a waypoint and at both ends.
  public var fraction: Double
  /// Degrees clockwise from north towards the next waypoint; nil where the ghost stands or there is none.
  public var course: Double?
  /// Metres per second between the two waypoints; 0 before the start and after the end.
  public var speed: Double
}

extension GhostTrail {
  /// Where the ghost is so many seconds after its start: between two waypoints on the straight line, in equal
  /// parts of latitude and longitude, across the antimeridian the short way round.
  ///
  /// - Returns: the first place at or before zero (and for NaN), the last at or after the end, nil for an
  ///   empty trail.
  /// - Complexity: O(log n).
  public func position(at elapsed: Double) -> Coordinate? {
    guard !isEmpty else { return nil }
    return coordinate(at: elapsed, behind: row(at: elapsed))
  }

  /// The same with altitude, course and speed.
  ///
  /// - Complexity: O(log n).
  public func state(at elapsed: Double) -> GhostPosition? {
    guard !isEmpty else { return nil }
    return state(at: elapsed, behind: row(at: elapsed))
  }

  /// The last waypoint that is reached at a moment; the first before the start. The trail has one at least.
  func row(at seconds: Double) -> Int {
    // The negation makes a time that is not a number come before the first row.
    max(0, elapsed.partitionIndex { !($0 <= seconds) } - 1)
  }

  /// The part of the way from a row to the next that is done at a moment.
  private func fraction(at seconds: Double, behind row: Int) -> Double {
    guard row + 1 < count, seconds > elapsed[row] else { return 0 }
    // The next waypoint is later than the moment, and so than this one.
    return (seconds - elapsed[row]) / (elapsed[row + 1] - elapsed[row])
  }

  func coordinate(at seconds: Double, behind row: Int) -> Coordinate {
    let fraction = fraction(at: seconds, behind: row)
    guard fraction > 0 else { return coordinates[row] }
    return Geodesy.interpolate(from: coordinates[row], to: coordinates[row + 1], fraction: fraction)
  }

  func state(at seconds: Double, behind row: Int) -> GhostPosition {
    let fraction = fraction(at: seconds, behind: row)
    var position = GhostPosition(
      coordinate: coordinate(at: seconds, behind: row), altitude: nil, index: row, fraction: fraction,
      course: nil, speed: 0)
    if !altitudes.isEmpty {
      var altitude = altitudes[row]
      if fraction > 0 { altitude += fraction * (altitudes[row + 1] - altitude) }
      position.altitude = altitude.isNaN ? nil : altitude
    }
    guard row + 1 < count, seconds >= elapsed[row], seconds < elapsed[row + 1] else { return position }
    let metres = Geodesy.distance(from: coordinates[row], to: coordinates[row + 1])
    guard metres > 0 else { return position }
    position.speed = metres / (elapsed[row + 1] - elapsed[row])
    position.course = Geodesy.initialBearing(from: coordinates[row], to: coordinates[row + 1])
    return position
  }
}
