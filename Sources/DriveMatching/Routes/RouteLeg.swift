public import TrackModel

/// A stretch of a route over which its drives are compared.
public struct RouteLeg: Sendable, Hashable {
  /// The start of the leg in metres along the reference drive.
  public var from: Double
  /// The end of the leg in metres along the reference drive.
  public var to: Double
  /// The position at which the leg begins.
  public var start: Coordinate
  /// The position at which the leg ends.
  public var end: Coordinate
  /// Whether the drives take different roads.
  public var isDetour: Bool
  /// The seconds per drive, or `nil` for drives that do not cover both ends.
  public var durations: [Double?]
  /// The index of the fastest drive, or `nil` if no drive has a duration.
  public var best: Int?
  /// Whether the fastest drive took another road than the reference drive.
  public var bestLeftRoad: Bool
  /// The number of drives at both ends that took another road than the reference drive.
  public var leftRoad: Int
  /// The median duration in seconds.
  public var usualDuration: Double?

  /// The length of the leg in metres.
  public var length: Double { to - from }
  /// The shortest duration in seconds, or `nil` if no drive has one.
  public var bestDuration: Double? { best.flatMap { durations[$0] } }
}
