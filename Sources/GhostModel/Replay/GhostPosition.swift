public import TrackModel

/// The position and motion of a ghost at a time.
public struct GhostPosition: Sendable, Hashable {
  /// The position of the ghost.
  public var coordinate: Coordinate
  /// The interpolated elevation in metres, or `nil` if unknown.
  public var altitude: Double?
  /// The point at or before the time.
  public var index: Int
  /// The fraction of the way to the next point, 0..<1. 0 at a point and at both ends.
  public var fraction: Double
  /// The course to the next point in degrees clockwise from north, or `nil` if the ghost is stationary.
  public var course: Double?
  /// The speed between the two points in metres per second. 0 before the start and after the end.
  public var speed: Double
}

extension GhostTrail {
  /// Returns the position at a number of seconds after the start, interpolated linearly in latitude and
  /// longitude, across the antimeridian if that is shorter.
  ///
  /// - Returns: the first position at or before zero (and for NaN), the last at or after the end, `nil` for
  ///   an empty trail.
  /// - Complexity: O(log *n*)
  public func position(at elapsed: Double) -> Coordinate? {
    guard !isEmpty else { return nil }
    return coordinate(at: elapsed, behind: row(at: elapsed))
  }

  /// Returns the position with elevation, course and speed.
  ///
  /// - Complexity: O(log *n*)
  public func state(at elapsed: Double) -> GhostPosition? {
    guard !isEmpty else { return nil }
    return state(at: elapsed, behind: row(at: elapsed))
  }

  /// Returns the last point at or before a time, or the first before the start. The trail must not be empty.
  func row(at seconds: Double) -> Int {
    // The negation makes a time that is not a number come before the first row.
    max(0, elapsed.partitionIndex { !($0 <= seconds) } - 1)
  }

  /// Returns the fraction of the way from a row to the next at a time.
  private func fraction(at seconds: Double, behind row: Int) -> Double {
    guard row + 1 < count, seconds > elapsed[row] else { return 0 }
    // The next point is later than the time, and therefore later than this one.
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
