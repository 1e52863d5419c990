public import TrackModel

/// A part of a comparison between two anchors: ends of the shared road, divergences and convergences.
public struct Leg: Sendable, Hashable {
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
    public var from: Coordinate
    public var to: Coordinate
    /// The range in metres along the drive.
    public var fromDistance: Double
    public var toDistance: Double
    /// The range in seconds since the drive's first recorded point.
    public var fromElapsed: Double
    public var toElapsed: Double
    /// The stopped time in seconds, part of ``duration``.
    public var waiting: Double

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

  public var kind: Kind
  public var sides: Paired<Side>
  /// One standard deviation of ``gapChange`` in seconds, or `nil` if unknown.
  public var uncertainty: Double?

  public init(kind: Kind, sides: Paired<Side>, uncertainty: Double? = nil) {
    self.kind = kind
    self.sides = sides
    self.uncertainty = uncertainty
  }

  /// The seconds that the second drive lost on the leg, negative if it gained.
  public var gapChange: Double { sides.second.duration - sides.first.duration }
}
