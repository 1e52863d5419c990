public import TrackModel

/// A stretch of a route over which its drives are timed against each other.
public struct RouteLeg: Sendable, Hashable {
  /// Metres along the map.
  public var from: Double
  public var to: Double
  public var start: Coordinate
  public var end: Coordinate
  /// Whether the drives take different roads here.
  public var isDetour: Bool
  /// Seconds per drive; nil where it was not at both ends.
  public var durations: [Double?]
  /// The fastest drive, and whether it took another road than the map.
  public var best: Int?
  public var bestLeftRoad: Bool
  /// How many of the drives that were at both ends took another road than the map.
  public var leftRoad: Int
  /// Seconds, the median.
  public var usualDuration: Double?

  public var length: Double { to - from }
  public var bestDuration: Double? { best.flatMap { durations[$0] } }
}
