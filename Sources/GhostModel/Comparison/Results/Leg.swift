public import TrackModel

/// A part of a comparison between two anchors: ends of the shared road, divergences and convergences.
public struct Leg: Sendable, Hashable {
  /// The relation of the drives' roads on a leg.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Both drives took the same road.
    case shared
    /// The drives took different roads.
    case detour
    /// A recording has a gap, for example in a tunnel, so the road is unknown.
    case unknown
  }

  /// One drive's side of a leg.
  public struct Side: Sendable, Hashable {
    /// The position at which the leg begins.
    public var from: Coordinate
    /// The position at which the leg ends.
    public var to: Coordinate
    /// The start of the leg, in metres since the start of the drive.
    public var fromDistance: Double
    /// The end of the leg, in metres since the start of the drive.
    public var toDistance: Double
    /// The start of the leg, in seconds since the first recorded point of the drive.
    public var fromElapsed: Double
    /// The end of the leg, in seconds since the first recorded point of the drive.
    public var toElapsed: Double
    /// The stopped time in seconds, part of ``duration``.
    public var waiting: Double

    /// Creates one drive's part of a leg. Times are in seconds, distances in metres.
    public init(
      from: Coordinate, to: Coordinate, fromDistance: Double, toDistance: Double, fromElapsed: Double,
      toElapsed: Double, waiting: Double
    ) {
      self.from = from
      self.to = to
      self.fromDistance = fromDistance
      self.toDistance = toDistance
      self.fromElapsed = fromElapsed
      self.toElapsed = toElapsed
      self.waiting = waiting
    }

    /// The length in metres.
    public var length: Double { toDistance - fromDistance }
    /// The duration in seconds.
    public var duration: Double { toElapsed - fromElapsed }
  }

  /// The relation of the drives' roads on the leg.
  public var kind: Kind
  /// The parts of the two drives.
  public var sides: Paired<Side>
  /// One standard deviation of ``gapChange`` in seconds, or `nil` if unknown.
  public var uncertainty: Double?

  /// Creates a leg. The uncertainty is one standard deviation of its gap in seconds.
  public init(kind: Kind, sides: Paired<Side>, uncertainty: Double? = nil) {
    self.kind = kind
    self.sides = sides
    self.uncertainty = uncertainty
  }

  /// The seconds that the second drive lost on the leg, negative if it gained.
  public var gapChange: Double { sides.second.duration - sides.first.duration }
}
