public import TrackModel

/// A stretch of a route over which its drives are compared.
public struct RouteLeg: Sendable, Hashable {
  /// The range in metres along the reference drive.
  public var from: Double
  public var to: Double
  public var start: Coordinate
  public var end: Coordinate
  /// Whether the drives take different roads.
  public var isDetour: Bool
  /// The seconds per drive, or `nil` for drives that do not cover both ends.
  public var durations: [Double?]
  /// The fastest drive, and whether it took another road than the reference drive.
  public var best: Int?
  public var bestLeftRoad: Bool
  /// The number of drives at both ends that took another road than the reference drive.
  public var leftRoad: Int
  /// The median duration in seconds.
  public var usualDuration: Double?

  public var length: Double { to - from }
  public var bestDuration: Double? { best.flatMap { durations[$0] } }
}
